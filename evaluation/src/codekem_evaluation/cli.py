# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command codekem-evaluation."""

import glob
import importlib
import importlib.util
import pathlib
import sys
from typing import Annotated

import typer

from codekem_base.errors import EvaluationError
from codekem_evaluation import __version__, parts, paths

MOST_COMPARED = 6

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Measures codekem and its peers, and sets the results beside the published ones.",
)


def show_version(wanted: bool):
    """Prints the version and ends the command."""
    if wanted:
        print(f"codekem-evaluation {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
):
    """Takes what comes before the name of a command."""


def stored_runs(incomplete: str):
    """Completes a run: the stored ones, and files that begin so."""
    stored = [str(paths.short(path)) for path in sorted(paths.RUNS.glob("run-*.json"))]
    return [
        *(name for name in stored if name.startswith(incomplete)),
        *(name for name in glob.glob(f"{glob.escape(incomplete)}*") if name not in stored),
    ]


def known_languages(incomplete: str):
    """Completes a language whose package can be measured."""
    from codekem_evaluation import packages as part

    return [name for name in part.languages() if name.startswith(incomplete)]


Run = Annotated[
    pathlib.Path,
    typer.Argument(metavar="RUN.json", help="A stored run.", autocompletion=stored_runs),
]


StoredRun = Annotated[
    pathlib.Path | None,
    typer.Argument(
        metavar="[RUN.json]",
        help="A stored run; by default the latest.",
        autocompletion=stored_runs,
    ),
]


@app.command()
def run(
    quick: Annotated[bool, typer.Option("--quick", help="About a minute (the default).")] = False,
    full: Annotated[bool, typer.Option("--full", help="Many more samples.")] = False,
    out: Annotated[pathlib.Path | None, typer.Option(help="Where to store the run.")] = None,
    build: Annotated[pathlib.Path, typer.Option(help="The build to measure.")] = paths.BUILD,
    core: Annotated[
        int | None, typer.Option(min=0, help="The core to measure on; by default the last.")
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[@VERSION]:KEM=LIBRARY[@CODE]",
            help="Measure a shared library with the functions of NIST's API, too (may be "
            "repeated). CODE: portable or vector, the instructions that it uses.",
        ),
    ] = None,
    kem: Annotated[
        list[str] | None, typer.Option(help="Only this KEM (may be repeated): times, parts, stack.")
    ] = None,
    with_peers: Annotated[
        bool,
        typer.Option(
            "--peers", help="Build liboqs and RustCrypto first, if they are not; takes minutes."
        ),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check the other arguments, and end.")
    ] = False,
):
    """Measures, and stores the raw samples as JSON."""
    from codekem_evaluation import runner  # late: --help need not load numpy

    if quick and full:
        raise EvaluationError("--quick and --full exclude each other")
    if check:
        runner.check(out, peer or (), core)
        return
    mode = "full" if full else "quick"
    only = runner.Only(kems=tuple(kem or ()))
    runner.run(mode, out, build, peer or (), core, with_peers=with_peers, only=only)


@app.command()
def report(
    run_file: StoredRun = None,
    out: Annotated[pathlib.Path, typer.Option(help="Folder for the files.")] = paths.REPORT,
    own: Annotated[
        list[pathlib.Path] | None,
        typer.Option(
            "--published",
            metavar="FILE.csv",
            help="Published figures to set beside, too (may be repeated).",
        ),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Also LaTeX, and every plot as PDF.")
    ] = False,
):
    """Renders a run: one page of HTML, Markdown, CSV and pictures; --paper: LaTeX and PDF."""
    from rich.console import Console

    from codekem_base import files
    from codekem_evaluation import live, published, render_files, render_terminal, reporting, store

    published.use(own or ())
    path = paths.short(run_file or store.latest_run())
    files.check_writable(out)
    run = store.read_run(path)
    progress = Console(stderr=True)
    with live.Steps(progress) as say:
        say("reading campaigns, computing tables")
        made = reporting.make(run, path)
    with live.Steps(progress, render_files.steps_of(made)) as say:
        page = render_files.write(made, out, paper, say)
    render_terminal.show_screen(render_terminal.terminal(), made, run, paths.short(page))


@app.command()
def packages(
    language: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[LANGUAGE]...", help="Measure these only.", autocompletion=known_languages
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Many more samples.")] = False,
):
    """Measures the packages for other languages beside what their users have."""
    from codekem_evaluation import packages as part
    from codekem_evaluation import render_terminal, tables_packages

    known = part.languages()
    unknown = [name for name in language or () if name not in known]
    if not known:
        raise EvaluationError(f"no package to measure: there is no {paths.short(part.FOLDER)} here")
    if unknown:
        raise EvaluationError(f"no package {', '.join(unknown)}; there are: {', '.join(known)}")
    screen = render_terminal.terminal()
    result = part.measure(language or known, not full, screen.print)
    path = part.keep(result)
    measured = {one["language"]: one for one in result["parts"] if "rows" in one}
    for one in result["parts"]:
        if "reason" in one:
            line = f"not measured: {one['language']}: {one['reason']}"
            screen.print(line, style="yellow", markup=False, highlight=False)
    if not measured:
        raise EvaluationError("no package could be measured; the lines above say why")
    render_terminal.show_table(screen, tables_packages.table(measured))
    screen.print(f"Stored in {paths.short(path)}", markup=False, highlight=False)


@app.command()
def table(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A table, or list.")],
    run_file: Annotated[
        pathlib.Path | None,
        typer.Argument(
            metavar="[RUN.json]",
            help="A stored run; by default the latest that has "
            "what the table needs. Without one, that is measured.",
            autocompletion=stored_runs,
        ),
    ] = None,
    kem: Annotated[
        list[str] | None, typer.Option(help="Only the rows of this KEM (may be repeated).")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, md, csv or latex.")] = "text",
    build: Annotated[pathlib.Path, typer.Option(help="The build to measure.")] = paths.BUILD,
    again: Annotated[bool, typer.Option("--again", help="Measure, whatever is stored.")] = False,
    ready: Annotated[
        bool,
        typer.Option("--ready", help="End with status 3 if something is to be measured, else 0."),
    ] = False,
):
    """Measures what one table lacks, and prints it."""
    from codekem_evaluation import runner, tables

    if name == "list":
        print("" if ready else "\n".join(tables.listed()), end="" if ready else "\n")
        return
    if form not in (forms := render_forms()):
        raise EvaluationError(f"no format {form}; there are {', '.join(forms)}")
    needs, path = tables.named(name).needs, run_file
    if path is None and not again:
        path = tables.run_for(name, kem or ())
    if ready:
        raise typer.Exit(0 if needs is None or path is not None else 3)
    if path is None and needs is not None:
        path = runner.run("quick", None, build, only=runner.Only(needs, tuple(kem or ())))
    for one in tables.show(name, path, kem or ()):
        forms[form](one)
    if path is not None:
        print(f"Of {paths.short(path)}", file=sys.stderr)


def render_forms():
    """Returns what prints a table, by the names of formats."""
    from codekem_evaluation import paper, render_files, render_terminal

    return {
        "text": lambda table: render_terminal.show_table(render_terminal.terminal(), table),
        "md": lambda table: print("\n".join(render_files.markdown_table(table))),
        "csv": lambda table: print(render_files.csv(table), end=""),
        "latex": lambda table: print(paper.table(table), end=""),
    }


@app.command("paper")
def paper_of(
    name: Annotated[str, typer.Argument(metavar="NAME", help="dfr: the failure rate of BIKE.")],
    folder: Annotated[
        pathlib.Path | None, typer.Argument(metavar="[FOLDER]", help="By default build/paper/NAME.")
    ] = None,
):
    """Writes a paper with the numbers and figures of what is stored, and compiles it by LaTeX."""
    from codekem_evaluation import paper

    print(paths.short(paper.write_paper(name, folder or paths.ROOT / "build" / "paper" / name)))


@app.command()
def peers():
    """Says what can be measured beside codekem, whether it is ready here, and how to get it."""
    from codekem_evaluation import peers_list

    print("\n".join(peers_list.lines()))


@app.command()
def check(
    run_file: StoredRun = None,
):
    """Says whether a run is stable; status 1 if it is not."""
    from codekem_evaluation import stability, store

    path = run_file or store.latest_run()
    stable, lines = stability.judged(store.read_run(path))
    print("\n".join([f"{paths.short(path)}:", *lines]))
    raise typer.Exit(0 if stable else 1)


@app.command()
def compare(
    run_files: Annotated[
        list[pathlib.Path],
        typer.Argument(
            metavar="A.json B.json...",
            help="Stored runs; the first is the base.",
            autocompletion=stored_runs,
        ),
    ],
    core_cycles: Annotated[
        bool,
        typer.Option(
            "--core-cycles", help="Take out the clock of the core, as estimated in each round."
        ),
    ] = False,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="Also write a page and files into this folder.")
    ] = None,
):
    """Sets runs side by side: ratio, interval, verdict; --out: as a page, with plots."""
    from codekem_base import files
    from codekem_evaluation import comparison, render_files, render_terminal, store

    if not 2 <= len(run_files) <= MOST_COMPARED:
        raise EvaluationError(f"compare takes two to {MOST_COMPARED} runs, not {len(run_files)}")
    runs = [store.read_run(path) for path in run_files]
    if out is not None:
        files.check_writable(out)
    made = comparison.report(runs, [paths.short(path) for path in run_files], core_cycles)
    screen = render_terminal.terminal()
    for line in made.warnings:
        screen.print(f"warning: {line}", style="yellow", markup=False, highlight=False)
    for table in made.tables():
        render_terminal.show_table(screen, table)
    if out is not None:
        page = render_files.write(made, out)
        screen.print(f"The page: {paths.short(page)}", markup=False, highlight=False)


@app.command()
def trace(
    run_file: Run,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...", help="Such as times/BIKE-L1/avx2/decaps; reports print them."
        ),
    ],
):
    """Shows the raw samples behind a number."""
    from codekem_evaluation import store, tracing

    stored = store.read_run(run_file)
    for name in names:
        print("\n".join(tracing.trace(stored, run_file, name)))


# Parts that bring commands of their own: a module with a typer.Typer called app.
for part in ("history", "profile"):
    if importlib.util.find_spec(f"codekem_evaluation.{part}") is not None:
        app.add_typer(importlib.import_module(f"codekem_evaluation.{part}").app, name=part)
for name, commands in parts.commands().items():
    app.add_typer(commands, name=name)


def main():
    try:
        app()
    except EvaluationError as error:
        print(f"codekem-evaluation: error: {error}", file=sys.stderr)
        sys.exit(1)
