# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows a report or a table on the terminal, with rich."""

from rich.markup import escape
from rich.table import Table as RichTable


def show_table(console, table):
    """Prints a table and its notes; where it has no rows, the reason in one line."""
    if table.reason is not None:
        console.print(f"[bold]{escape(table.title)}[/]: {escape(table.reason)}")
        return
    rich_table = RichTable(title=escape(table.title), title_justify="left", title_style="bold",
                           header_style="bold", show_edge=False, pad_edge=False)
    for index, column in enumerate(table.columns):
        rich_table.add_column(escape(column), justify="left" if index < table.texts else "right",
                              no_wrap=index < table.texts)
    for row in table.rows:
        rich_table.add_row(*[escape(cell.text) for cell in row])
    console.print(rich_table)
    for note in [*table.notes, *(f"–: {why}" for why in table.reasons())]:
        console.print(f"  {note}", style="dim", markup=False, highlight=False)
    console.print()


def show_report(console, report):
    """Prints everything but the long tables and the plots."""
    for name, value in report.facts:
        console.print(f"[bold]{escape(name)}[/] {escape(str(value))}", highlight=False)
    for line in report.warnings:
        console.print(f"warning: {line}", style="yellow", markup=False, highlight=False)
    for line in report.unavailable:
        console.print(f"not measured: {line}", style="yellow", markup=False, highlight=False)
    for section in report.sections:
        console.rule(escape(section.title), align="left")
        for sentence in section.sentences:
            console.print(sentence, markup=False, highlight=False)
        for table in section.tables:
            if not table.detail:
                show_table(console, table)
