# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The stored history of our own times: a line of JSON for each measurement that is worth keeping.

docs/speed/history.jsonl. A line says what was measured (commit, and the hash that git has for its
src/), on what (processor, compiler, load), from which run (SHA-256 of its file), and the median of
each KEM and implementation with its interval, in microseconds.
"""

import dataclasses
import hashlib
import json
import pathlib
from typing import Annotated

import typer

from codekem_evaluation import charts, machine, paths, store
from codekem_evaluation.errors import EvaluationError
from codekem_evaluation.model import Plot, Section, Table, label, missing, number
from codekem_evaluation.samples import OVERALL, Samples

KEYS = (
    *("created", "version", "commit", "sources", "run", "mode"),
    *("processor", "compiler", "flags", "load", "microseconds"),
)
COMMAND = "codekem-evaluation history add RUN.json"
DIGITS = 4  # significant, of a time
HERE = "this run"

app = typer.Typer(help="The stored times of earlier measurements: shows them, and adds to them.")


def medians(run):
    """Returns {KEM: {implementation: [median, low, high]}} in microseconds, of codekem's code."""
    samples = Samples(run)
    ours = {i["name"] for i in run["implementations"] if i["kind"] == "codekem"}
    found = {}
    for kem in [kem["name"] for kem in run["kems"] if not kem.get("legacy")]:
        for name in [name for name in samples.implementations(kem) if name in ours]:
            e = samples.summary(kem, name, OVERALL).estimate
            values = [float(f"{v / 1e3:.{DIGITS}g}") for v in (e.median, e.low, e.high)]
            found.setdefault(kem, {})[name] = values
    return found


def line_of(run, path):
    """Returns the line of a stored run, or says why it is not one to keep."""
    build = run["build"]
    rounds = run["settings"]["rounds"]
    if not run["times"] or any(len(cell["nanoseconds"]) < rounds for cell in run["times"]):
        raise EvaluationError(f"{path} was interrupted: a history needs all {rounds} rounds")
    if build["commit"] is None or build["modified"] is not False:
        raise EvaluationError(
            f"{path} was measured with sources that are no commit; commit, build and measure again"
        )
    tree = machine.output_of(["git", "rev-parse", f"{build['commit']}:src"], cwd=paths.ROOT)
    if tree is None:
        raise EvaluationError(
            f"git does not know the commit {build['commit'][:12]} of {path}; add it in a checkout "
            "that has it"
        )
    return {
        "created": run["created"],
        "version": build["codekem"],
        "commit": build["commit"],
        "sources": tree.strip(),
        "run": hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest(),
        "mode": run["mode"],
        "processor": run["machine"]["cpu"],
        "compiler": build["compiler"],
        "flags": build["flags"],
        "load": run["machine"]["load"],
        "microseconds": medians(run),
    }


def read(path=None):
    """Returns the lines, oldest first; no file is no line."""
    path = pathlib.Path(path or paths.HISTORY)
    if not path.is_file():
        return []
    found = []
    for count, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError as error:
            raise EvaluationError(f"{path}, line {count}, is not JSON: {error}") from error
        lacking = [key for key in KEYS if key not in line] if isinstance(line, dict) else KEYS
        if lacking:
            raise EvaluationError(f"{path}, line {count}, lacks {', '.join(lacking)}")
        found.append(line)
    return sorted(found, key=lambda line: line["created"])


def add(run_file, path=None):
    """Adds the line of a stored run, and returns it."""
    path = pathlib.Path(path or paths.HISTORY)
    made = line_of(store.read_run(run_file), run_file)
    lines = read(path)
    if made["run"] in {line["run"] for line in lines}:
        raise EvaluationError(f"{run_file} is in {paths.short(path)} already")
    lines = sorted([*lines, made], key=lambda line: line["created"])
    store.write_text(path, "".join(f"{json.dumps(line)}\n" for line in lines))
    return made


# --- In the report -------------------------------------------------------------------------------


def fastest(line):
    """Returns {KEM: (implementation, [median, low, high])} of the fastest of each."""
    return {
        kem: min(each.items(), key=lambda pair: pair[1][0])
        for kem, each in line["microseconds"].items()
    }


def table(lines, kems):
    """Returns the measurements with the times of a few KEMs, newest last."""
    shown = Table(
        "history",
        "Measurements that the project keeps: microseconds of a whole exchange, fastest code",
        ["day", "version", "commit", "processor", "run", *kems],
        texts=5,
    )
    for index, line in enumerate(lines):
        trace = f"history/{index}"
        best = fastest(line)
        cells = []
        for kem in kems:
            if kem not in best:
                cells.append(missing("not measured then"))
                continue
            _, (median, low, high) = best[kem]
            cells.append(dataclasses.replace(number(median, trace), interval=(low, high)))
        names = (line["created"][:10], line["version"], line["commit"][:8], line["processor"])
        shown.add(*[label(name, trace) for name in (*names, line["mode"])], *cells)
    if not lines:
        shown.reason = f"no measurement is kept yet: '{COMMAND}' adds one"
    shown.notes = ["Adding one: " + COMMAND]
    return shown


def plot(lines, processor, this=None):
    """Returns the plot of one processor over its measurements; this run stands last."""
    points = [line for line in lines if line["processor"] == processor]
    names = [f"{line['created'][:10]}, {line['commit'][:7]}" for line in points]
    if this is not None:
        points, names = [*points, this], [*names, HERE]
    series = {}
    for place, line in enumerate(points, 1):
        for kem, (_, values) in fastest(line).items():
            series.setdefault(kem, []).append((place, *values))
    chart = charts.Lines(
        "measurement: day and commit",
        "microseconds of a whole exchange",
        series,
        y_log=True,
        x_values=tuple(range(1, len(points) + 1)),
        x_names=tuple(names),
        series_title="KEM",
    )
    return Plot("plot-history", f"Our fastest code over time, on {processor}", chart)


def section(run, path=None):
    """Returns the section of the report, with a plot for the processor of the run if it is there,
    or else for that of most measurements."""
    try:
        lines = read(path)
    except EvaluationError as error:
        return Section("history", "How has our speed changed?", [str(error)])
    made = Section("history", "How has our speed changed?")
    here = run["machine"]["cpu"]
    processors = [line["processor"] for line in lines]
    kems = [k["name"] for k in run["kems"] if k["level"] == 1 and not k.get("legacy")]
    known = [kem for kem in kems if any(kem in line["microseconds"] for line in lines)]
    made.tables.append(table(lines, known))
    if not lines:
        made.sentences.append(f"No measurement is kept here yet: '{COMMAND}' adds one.")
        return made
    shown = here if here in processors else max(processors, key=processors.count)
    new = shown == here and run["created"] not in [line["created"] for line in lines]
    this = {"microseconds": medians(run)} if new else None
    made.plots.append(plot(lines, shown, this))
    days = ", ".join(dict.fromkeys(line["created"][:10] for line in lines))
    made.sentences.append(
        f"Measurements kept: {len(lines)} ({days}); only those of one processor are drawn together."
    )
    made.sentences += changes([line for line in lines if line["processor"] == shown], this)
    return made


def changes(lines, this):
    """Says how the times of category 1 changed from the first measurement to the last."""
    first, last = lines[0], this or lines[-1]
    if first is last:
        return []
    words = []
    for kem, (name, (now, low, high)) in fastest(last).items():
        if kem not in first["microseconds"]:
            continue
        _, (then, then_low, then_high) = fastest(first)[kem]
        if high < then_low or low > then_high:  # the intervals do not meet
            words.append(f"{kem} takes {100 * now / then:.0f} % of what it took ({name})")
    return [
        f"From the first to {'this run' if this else 'the last'}: {'; '.join(words)}."
        if words
        else "From the first to the last, no KEM changed by more than the intervals of its times."
    ]


def trace(name):
    """Shows a line of the history: history/INDEX."""
    lines, index = read(), name.removeprefix("history/")
    if not index.isdigit() or int(index) >= len(lines):
        raise EvaluationError(f"there is no {name}; the history has {len(lines)} measurements")
    return [
        f"{paths.short(paths.HISTORY)}, measurement {index}",
        *[f"{key}: {value}" for key, value in lines[int(index)].items()],
    ]


# --- The command ---------------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def show(context: typer.Context):
    """Shows the measurements that are kept; with add, adds one."""
    if context.invoked_subcommand is not None:
        return
    from codekem_evaluation import cli, render_terminal

    lines = read()
    kems = list(dict.fromkeys(kem for line in lines for kem in line["microseconds"]))
    screen = cli.console()
    render_terminal.show_table(screen, table(lines, [k for k in kems if k.endswith(("L1", "-1"))]))


@app.command(name="add")
def add_command(
    run_file: Annotated[pathlib.Path, typer.Argument(metavar="RUN.json", help="A stored run.")],
):
    """Adds a run that was measured at a commit, without changes, to the end."""
    made = add(run_file)
    print(
        f"Added {made['created'][:10]}, commit {made['commit'][:8]}: {paths.short(paths.HISTORY)}"
    )
