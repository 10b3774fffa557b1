# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes tables in Markdown, for documents, reports and terminals."""


def line(*cells):
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"


def lines(columns, rows, texts=1):
    """Returns the lines of a table. So many first columns are names; the others are numbers, which
    stand at the right."""
    rule = ["---" if i < texts else "--:" for i in range(len(columns))]
    return [line(*columns), f"|{'|'.join(rule)}|", *(line(*row) for row in rows)]


def of(table):
    """Returns the lines of a model.Table with rows, without its notes."""
    return lines(table.columns, [[cell.text for cell in row] for row in table.rows], table.texts)
