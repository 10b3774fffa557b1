# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows a report or a table on the terminal, with rich."""

from rich import box
from rich.markup import escape
from rich.table import Table as RichTable

from codekem_evaluation.tables_times import HERE


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


def show_table(console, table):
    """Prints a table and its notes; where it has no rows, the reason in one line."""
    if table.reason is not None:
        console.print(f"[bold]{escape(table.title)}[/]: {escape(table.reason)}\n")
        return
    grouped = table.texts >= 3
    texts = texts_of(table)
    heads = [", ".join(table.columns[1 : table.texts])] if grouped else table.columns[: table.texts]
    rich_table = RichTable(
        title=escape(table.title),
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
    for note in [*table.notes, *(f"–: {why}" for why in table.reasons())]:
        console.print(f"  {note}", style="dim", markup=False, highlight=False)
    console.print()


def show_report(console, report):
    """Prints everything but the long tables and the plots."""
    for name, value in report.facts:
        console.print(f"[bold]{escape(name)}:[/] {escape(str(value))}", highlight=False)
    for line in report.warnings:
        console.print(f"warning: {line}", style="yellow", markup=False, highlight=False)
    for line in report.unavailable:
        console.print(f"not measured: {line}", style="yellow", markup=False, highlight=False)
    for section in report.sections:
        tables = [table for table in section.tables if not table.detail]
        if section.key == "sources" or not (tables or section.sentences):
            continue
        console.rule(escape(section.title), align="left")
        for sentence in section.sentences:
            console.print(f"- {sentence}", markup=False, highlight=False)
        if section.sentences:
            console.print()
        for table in tables:
            show_table(console, table)


def show_traces(console, report):
    """Says how to get from a number to its samples."""
    console.print(
        "\nThe samples behind a number: codekem-evaluation trace "
        f"{report.run_path} times/KEM/IMPLEMENTATION/OPERATION\n"
        "for example times/BIKE-L1/portable/decaps; the page and the CSV files name every "
        "number",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
