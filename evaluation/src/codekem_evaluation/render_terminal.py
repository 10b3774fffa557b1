# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows a report or a table on the terminal, with rich."""

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from codekem_evaluation.render_files import briefly
from codekem_evaluation.tables_times import HERE


def terminal():
    """Returns the console; what goes to a file or a pipe is wide enough for the tables."""
    found = Console()
    return found if found.is_terminal else Console(width=100)


def names_of(table, row):
    """Returns (group, name) of a row: the first name heads a group, the others are one text."""
    texts = [cell.text for cell in row[: table.texts]]
    if len(texts) < 3:
        return None, texts
    return texts[0], [", ".join(text for text in texts[1:] if text != HERE)]


def texts_of(table):
    """Returns the texts of the cells; if several columns have intervals, these get own lines."""
    with_interval = sum(
        any(row[i].interval for row in table.rows) for i in range(len(table.columns))
    )
    return [
        [
            cell.text.replace(" (", "\n(") if with_interval > 1 and cell.interval else cell.text
            for cell in row
        ]
        for row in table.rows
    ]


def notes_of(table, short):
    """Returns the notes of a table and the reasons of its dashes; in short, of ratios alone."""
    whys = table.reasons()
    if short:
        whys = [why.split(";")[0] for why in whys if why.startswith("no ratio")]
    return [*table.notes, *(f"–: {why}" for why in whys)]


def show_table(console, table, short=False):
    """Prints a table and its notes; where it has no rows, the reason in one line. short: on as few
    lines as possible."""
    if table.reason is not None:
        console.print(f"[bold]{escape(table.title)}[/]: {escape(table.reason)}\n")
        return
    grouped = table.texts >= 3
    texts = texts_of(table)
    if short:
        texts = [[cell.text for cell in row] for row in table.rows]
    heads = [", ".join(table.columns[1 : table.texts])] if grouped else table.columns[: table.texts]
    rich_table = RichTable(
        title=None if short else escape(table.title),
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
    )
    for head in heads:
        rich_table.add_column(escape(head), vertical="bottom")
    for index in range(table.texts, len(table.columns)):
        widest = max(
            len(line)
            for row, shown in zip(table.rows, texts, strict=True)
            for line in (
                shown[index].split()
                if isinstance(row[index].value, str)  # may wrap
                else shown[index].splitlines()
            )
        )
        words = table.columns[index].split() or [""]
        rich_table.add_column(
            escape(table.columns[index]),
            justify="right",
            vertical="bottom",
            min_width=max(widest, *map(len, words)),
        )
    before = None
    for row, shown in zip(table.rows, texts, strict=True):
        group, names = names_of(table, row)
        if grouped and group != before:
            rich_table.add_row(f"[bold]{escape(group)}[/]")
            before = group
        elif not grouped and len(names) > 1:
            first = names[0] if names[0] != before else ""  # a name once for its group
            names, before = [first, *names[1:]], names[0]
        rich_table.add_row(
            *[("  " if grouped else "") + escape(name) for name in names],
            *map(escape, shown[table.texts :]),
        )
    console.print(rich_table)
    for note in notes_of(table, short):
        console.print(f"  {note}", style="dim", markup=False, highlight=False)
    if not short:
        console.print()


MOST_LINES = 3  # on what was not measured


def show_screen(console, report, run, page):
    """Prints what fits a screen: what ran, the times, what to trust less, what to open."""

    def say(text, style=None):
        # Lines with paths are broken by the terminal alone, so that they can be copied.
        console.print(text, style=style, markup=False, highlight=False, soft_wrap=style is None)

    build = f"codekem {run['build']['codekem'] or ''}".strip()
    rounds = f"{run['settings']['rounds']} rounds"
    say(f"{build} on {run['machine']['cpu'] or 'this processor'}: a {run['mode']} run, {rounds}")
    show_table(console, report.screen, short=True)
    if report.warnings:
        say(f"Warnings: {briefly(report.warnings)} (more in the report)", "yellow")
    for line in absent(run["unavailable"]):
        say(line, "yellow")
    folder = page.parent
    say(f"Open {page}; beside it are summary.html (one page), report.md, csv/, plots/")
    say(f"For a paper, LaTeX and PDF in {folder}: codekem-evaluation report --paper")
    say(f"Behind a number: codekem-evaluation trace {report.run_path} times/KEM/CODE/decaps")


def absent(unavailable):
    """Returns lines on what was not measured, what has one remedy in one of them."""
    groups = {}
    for row in unavailable:
        what = row["what"].split(" (")[0]
        groups.setdefault((row["reason"], row["remedy"]), []).append(what)
    lines = [
        f"Not measured: {', '.join(names)}: {reason}; {remedy}"
        for (reason, remedy), names in groups.items()
    ]
    more = len([name for names in list(groups.values())[MOST_LINES:] for name in names])
    return lines[:MOST_LINES] + ([f"Not measured: {more} more, see the report"] if more else [])
