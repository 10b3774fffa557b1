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

from codekem_base import charts, claims
from codekem_base.errors import EvaluationError
from codekem_base.model import Plot, Section, Table, label, missing, number
from codekem_evaluation import machine, paths, store
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
            f"{path} was measured with uncommitted changes; commit, build and measure again"
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
        "identity": run["machine"].get("identity"),
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
    with claims.held(path):
        lines = read(path)
        if made["run"] in {line["run"] for line in lines}:
            raise EvaluationError(f"{run_file} is in {paths.short(path)} already")
        lines = sorted([*lines, made], key=lambda line: line["created"])
        claims.write_text(path, "".join(f"{json.dumps(line)}\n" for line in lines))
    return made


# --- In the report -------------------------------------------------------------------------------


def fastest(line):
    """Returns {KEM: (implementation, [median, low, high])} of the fastest of each."""
    return {
        kem: min(each.items(), key=lambda pair: pair[1][0])
        for kem, each in line["microseconds"].items()
    }


def table(lines, kems, runs=None):
    """Returns the measurements with the times of a few KEMs, newest last; runs: only these."""
    shown = Table(
        "history",
        "Measurements that the project keeps: microseconds of a whole exchange, fastest code",
        ["day", "version", "commit", "processor", "run", *kems],
        texts=5,
    )
    for index, line in enumerate(lines):
        if runs is not None and line["run"] not in runs:
            continue
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


def codes(lines):
    """Returns {KEM: our implementation to follow}: the fastest of the last line that another line
    has, too."""
    found = {}
    for kem, each in lines[-1]["microseconds"].items():
        known = {name for line in lines[:-1] for name in line["microseconds"].get(kem, {})}
        names = sorted((values[0], name) for name, values in each.items() if name in known)
        if names:
            found[kem] = names[0][1]
    return found


def plot(lines, names, processor):
    """Returns the plot of one implementation of each KEM over measurements on one processor."""
    series = {}
    for place, line in enumerate(lines, 1):
        for kem, name in codes(lines).items():
            values = line["microseconds"].get(kem, {}).get(name)
            if values is not None:
                series.setdefault(f"{kem} ({name})", []).append((place, *values))
    chart = charts.Lines(
        "measurement: day and commit",
        "microseconds of a whole exchange",
        series,
        y_log=True,
        x_values=tuple(range(1, len(lines) + 1)),
        x_names=tuple(names),
        series_title="KEM",
    )
    return Plot("plot-history", f"Our code over time, on {processor}", chart)


def section(run, path=None):
    """Returns the section of the report if measurements on this very processor are kept, or if the
    file is broken; else None: times of other processors say nothing of how ours changed."""
    made = Section("history", "How has our speed changed?")
    try:
        lines = read(path)
    except EvaluationError as error:
        made.sentences.append(str(error))
        return made
    here = run["machine"].get("identity")
    kept = [line for line in lines if machine.same(line.get("identity"), here)]
    if not kept:
        return None
    compared, names = kept, [f"{line['created'][:10]}, {line['commit'][:7]}" for line in kept]
    if run["created"] not in [line["created"] for line in kept]:
        compared, names = [*kept, {"microseconds": medians(run)}], [*names, HERE]
    level = [k["name"] for k in run["kems"] if k["level"] == 1 and not k.get("legacy")]
    known = [kem for kem in level if any(kem in line["microseconds"] for line in kept)]
    made.tables.append(table(lines, known, {line["run"] for line in kept}))
    if codes(compared):
        made.plots.append(plot(compared, names, run["machine"]["cpu"]))
    days = ", ".join(dict.fromkeys(line["created"][:10] for line in kept))
    made.sentences.append(f"Measurements kept of this processor: {len(kept)} ({days}).")
    made.sentences += changes(compared, names[-1] == HERE)
    return made


def changes(lines, with_this):
    """Says how the times of one implementation of each KEM changed from the first measurement to
    the last."""
    if len(lines) < 2:
        return []
    words = []
    for kem, name in codes(lines).items():
        now, low, high = lines[-1]["microseconds"][kem][name]
        first = next(line for line in lines if name in line["microseconds"].get(kem, {}))
        then, then_low, then_high = first["microseconds"][kem][name]
        if high < then_low or low > then_high:  # the intervals do not meet
            words.append(f"{kem} ({name}) takes {100 * now / then:.0f} % of what it took")
    return [
        f"From the first to {'this run' if with_this else 'the last'}: {'; '.join(words)}."
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
    from codekem_evaluation import render_terminal

    lines = read()
    kems = list(dict.fromkeys(kem for line in lines for kem in line["microseconds"]))
    screen = render_terminal.terminal()
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
