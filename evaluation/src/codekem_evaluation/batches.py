# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Batches: what an operation costs in one, as evaluation/batch_plot.py measured it."""

from codekem_base import charts, files
from codekem_base.errors import EvaluationError
from codekem_base.model import Plot, Section
from codekem_evaluation import paths
from codekem_evaluation.long import Column, Row, Spec

FILE = paths.ROOT / "docs" / "speed" / "batch.json"
TITLE = "What do batches save?"


def read(path):
    """Reads the figures; says what is wrong with others."""
    data = files.read_json(path)
    points = [p for curve in data.get("curves", {}).values() for p in curve]
    if not points or any("interval" not in point for point in points):
        again = "measure with 'evaluation/batch_plot.py --measure build/default/bin/codekem'"
        raise EvaluationError(f"{paths.short(path)} has no intervals of batches; {again}")
    return data


def share(point):
    """Returns (value, low, high): percent of the time of a single call."""
    low, high = point["interval"]
    return 100 / point["ratio"], 100 / high, 100 / low


BATCHES = Spec(
    "batches",
    "Time of one operation in a batch, percent of that of a single call",
    {"operation": "operation"},
    [
        Column("size of the batch", "size of a batch", digits=0),
        *(Column(end, f"{end} in a batch", digits=1) for end in ("percent", "low", "high")),
        Column("samples", "samples of a batch", digits=0),
    ],
    detail=True,
)


def rows(data):
    """Yields the rows of the long table."""
    for name, points in data["curves"].items():
        for point in points:
            values = (point["batch"], *share(point), point["samples"])
            for column, value in zip(BATCHES.columns, values, strict=True):
                yield Row(name.split()[0], data["backend"], name, column.metric, value,
                          source=f"batches of {point['batch']}",
                          trace=f"batches/{name}/{point['batch']}")  # fmt: skip


def table(data):
    return BATCHES.table(rows(data), [data["what"]])


def stored():
    """Returns the rows of what is stored, or none: section says what is wrong with it."""
    try:
        return list(rows(read(FILE)))
    except EvaluationError:
        return []


def section(path=None):
    """Returns the section, or nothing where nobody measured batches."""
    path = path or FILE
    if not path.is_file():
        return []
    try:
        data = read(path)
    except EvaluationError as error:
        return [Section("batches", TITLE, [str(error)])]
    series = {
        name: [(point["batch"], *share(point)) for point in points]
        for name, points in data["curves"].items()
    }
    sizes = tuple(point["batch"] for point in next(iter(data["curves"].values())))
    chart = charts.Lines(
        "operations in a batch",
        "percent of the time of a single call",
        series,
        x_log=True,
        x_values=sizes,
        series_title="operation",
    )
    best = min(data["curves"].items(), key=lambda pair: share(pair[1][-1])[0])
    words = (
        f"In batches of {sizes[-1]}, {best[0]} takes {share(best[1][-1])[0]:.0f} % of the time of "
        f"a single call, the least of all operations ({data['machine']['cpu']}, {data['backend']})."
    )
    source = (
        f"{data['machine']['cpu']}, {data['created'][:10]}, {data['backend']}, {paths.short(FILE)}"
    )
    title = "Time of one operation against the size of its batch"
    plot = Plot("plot-batches", title, chart, finding=words.rstrip("."), source=source)
    return [Section("batches", TITLE, [words], [table(data)], [plot])]


def trace(name):
    """Shows a figure: batches/OPERATION/SIZE."""
    operation, _, size = name.removeprefix("batches/").rpartition("/")
    data = read(FILE)
    found = [p for p in data["curves"].get(operation, []) if str(p["batch"]) == size]
    if not found:
        raise EvaluationError(f"there is no {name} in {paths.short(FILE)}")
    return [f"{paths.short(FILE)}: {operation}", f"{data['machine']['cpu']}, {data['backend']}",
            *(f"{key}: {value}" for key, value in found[0].items())]  # fmt: skip
