# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plots of what already is a table: dots of one of its columns."""

from codekem_base import charts
from codekem_base.model import Plot


def dots(table, key, title, unit, column, keep=lambda row: True, name_title="implementation"):
    """Returns a plot with a dot for each row that has a number in the column, or nothing.

    The first text of a row is its group, the others are its name.
    """
    index = table.columns.index(column)
    found = []
    for row in table.rows:
        value = row[index].value
        if isinstance(value, float) and value > 0 and keep(row):
            name = ", ".join(cell.text for cell in row[1 : table.texts])
            low, high = row[index].interval or (value, value)
            found.append(charts.Dot(row[0].text, name, value, low, high))
    chart = charts.Dots(unit, tuple(found), table.columns[0], name_title)
    # Taller than half a page of paper.
    return [Plot(key, title, chart, printed=False)] if found else []


def processors(table):
    """Instructions of the three operations together, of our own back ends."""
    return dots(
        table,
        "plot-processors",
        "Other processors: instructions of a whole exchange, as an emulator counts them",
        "thousands of instructions",
        "all three",
        lambda row: row[table.columns.index("unit")].text == "1000 instructions",
        "processor, implementation",
    )


def stack(table):
    return dots(table, "plot-stack", "Stack of a decapsulation", "bytes", table.columns[-1])


def variants(table):
    return dots(
        table,
        "plot-variants",
        "Decapsulation of the variants of BIKE",
        "thousands of cycles",
        "Decaps",
        name_title="variant, where",
    )


def packages(parts):
    """The sum of three operations in each language, beside others. parts: {language: part}."""
    found = {}
    for part in parts.values():
        for row in part["rows"]:
            group = f"{row['package']}, {row['operation set']}"
            for name, values in (("codekem", row["ours_us"]), (row["peer"], row["peer_us"])):
                if row["ours_us"] is not None and row["peer_us"] is not None:
                    # Ours was measured beside each: one dot is enough.
                    found.setdefault((group, name), sum(values))
    points = tuple(
        charts.Dot(group, name, value, value, value) for (group, name), value in found.items()
    )
    unit = "microseconds of a whole exchange"
    title = "Packages for other languages beside what their users have"
    chart = charts.Dots(unit, points, "package")
    return [Plot("plot-packages", title, chart, printed=False)] if found else []
