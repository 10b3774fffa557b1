# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows what an exploration found: table, JSON, plot, and the directives of a point."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from .errors import ToolFailed
from .explore import Row, good_rows, pareto
from .report import table
from .space import Point, Space

COLUMNS = ("cycles", "luts", "lut_raw", "ff", "bram36", "dsp")


def table_text(space: Space, rows: dict[Point, Row], whole: bool) -> str:
    """Returns the points that nothing beats, or with `whole` all of them."""
    front = pareto(rows)
    good = good_rows(rows)
    chosen = sorted(good, key=lambda one: (good[one]["cycles"], one)) if whole else front
    lines = [["point", "best", *COLUMNS, "LUT x cycles"]]
    for point in chosen:
        row = good[point]
        product = row["cycles"] * row["luts"] / 1e6
        best = "*" if point in front else ""
        figures = [f"{row[name]:g}" if name != "cycles" else str(row[name]) for name in COLUMNS]
        lines.append([space.shown(point), best, *figures, f"{product:.3f}"])
    refused = len(rows) - len(good)
    last = f"{len(rows)} of {space.size} points, {refused} of them refused, {len(front)} best"
    return "\n".join([*table(lines), last]) + "\n"


def as_data(space: Space, rows: dict[Point, Row]) -> dict[str, Any]:
    front = set(pareto(rows))
    return {
        "space": space.name,
        "size": space.size,
        "points": [
            {
                "choice": {
                    axis.name: axis.choices[number]
                    for axis, number in zip(space.axes, point, strict=True)
                },
                **row,
                "best": point in front,
            }
            for point, row in sorted(rows.items())
        ],
    }


def toml_text(data: dict[str, Any]) -> str:
    """Writes directives as TOML; they have strings, numbers, lists of them and flat tables."""
    top = [f"{key} = {json.dumps(data[key])}" for key in data if not isinstance(data[key], dict)]
    for key, inner in data.items():
        if isinstance(inner, dict):
            top.append(f"[{key}]")
            # A loop may be called FUNCTION.LOOP, which TOML takes for a table without marks.
            top += [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in inner.items()]
    return "\n".join(top) + "\n"


def write_point(space: Space, point: Point, path: pathlib.Path) -> None:
    """Writes a file of directives for a point; the kernel by its whole path."""
    file, data = space.directives(point)
    data["kernel"] = str((file.parent / str(data["kernel"])).resolve())
    path.write_text(f"# {space.shown(point)}\n{toml_text(data)}", encoding="utf-8")


def drawn(rows: dict[Point, Row]) -> list[dict[str, Any]]:
    """Returns the rows of the chart."""
    front = set(pareto(rows))
    return [
        {"LUT": row["luts"], "cycles": row["cycles"], "what": "best" if point in front else "other"}
        for point, row in good_rows(rows).items()
    ]


def chart(space: Space, limit: float | None) -> dict[str, Any]:
    """Returns the chart of all points, with a line through the best ones, for Vega-Lite."""
    log = {"type": "log", "nice": True}
    x = {"field": "LUT", "type": "quantitative", "scale": log, "title": "LUT (with LUT RAM)"}
    y = {"field": "cycles", "type": "quantitative", "scale": log}
    colour = {"field": "what", "type": "nominal", "title": None, "legend": {"orient": "top"}}
    best = [{"filter": "datum.what === 'best'"}]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "point", "filled": True, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": colour},
        },
        {
            "mark": {"type": "line", "interpolate": "step-after"},
            "transform": best,
            "encoding": {"x": x, "y": y},
        },
    ]
    if limit is not None:
        ruled = {
            "data": {"values": [{}]},
            "mark": {"type": "rule", "strokeDash": [5, 3]},
            "encoding": {"x": {"datum": limit, "type": "quantitative", "scale": log}},
        }
        layers.append(ruled)
    title = f"{space.name}: cycles of the schedule, area by Yosys for 7-series"
    return {
        "title": {"text": title, "anchor": "start"},
        "height": 400,
        "layer": layers,
    }


def drawing_tools() -> tuple[Any, Any, Any]:
    """Returns what draws; ToolFailed says which package is missing."""
    try:
        from codekem_base import charts, drawing, errors

        drawing.converter()
    except ImportError as error:
        raise ToolFailed(
            "the plot needs the packages codekem-base (tools/base of the repository) and "
            "vl-convert-python"
        ) from error
    return charts, drawing, errors


def plot(space: Space, rows: dict[Point, Row], path: pathlib.Path, limit: float | None) -> None:
    """Draws all points and the line of the best ones; the kind of file follows from the name."""
    charts, drawing, errors = drawing_tools()
    try:
        whole = charts.whole(drawn(rows), **chart(space, limit))
        drawing.write(path, [charts.Own(whole, "")])
    except errors.EvaluationError as error:
        raise ToolFailed(str(error)) from error
