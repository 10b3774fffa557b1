# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packages of other languages beside what their users have."""

from codekem_base.model import Cell, Section, Table, label, missing, number
from codekem_evaluation import packages, plots

COLUMNS = ["package", "measured", "beside", "KeyGen / Encaps / Decaps", "the same of the other"]
COLUMNS += ["figure", "goal", "met"]


def times(values, trace):
    """Returns one cell for three times in µs."""
    if values is None:
        return missing("not a comparison of times")
    return label(" / ".join(number(value, trace).text for value in values), trace)


def table(parts):
    """Returns the table of measured parts: {language: part}."""
    made = Table("packages", "Packages: times in µs, and their goals", COLUMNS, texts=3)
    for language, part in parts.items():
        for row in part["rows"]:
            trace = f"packages/{language}"
            made.add(
                label(row["package"]),
                label(row["operation set"]),
                label(row["peer"]) if row["peer"] else missing("measured for itself"),
                times(row["ours_us"], trace),
                times(row["peer_us"], trace),
                number(row["ratio"], trace),
                label(row["goal"]),
                Cell("yes" if packages.is_met(row) else "no", packages.is_met(row)),
            )
            if row["note"]:
                made.notes.append(f"{row['package']}, {row['operation set']}: {row['note']}")
        made.notes.append(
            f"{language}: measured {part['created']}, load average {part['load'][0]} before and "
            f"{part['load'][1]} after"
        )
    made.notes.append(
        "the figure is the ratio of the sums of the three operations, as a median of rounds: how "
        "many times our time the other takes (>=), or which part of its time ours is (<=)"
    )
    return made


def section():
    """Returns the section of the report, or None if nothing was measured."""
    parts = packages.latest()
    if not parts:
        return None
    title = "How fast are the packages for other languages?"
    return Section("packages", title, [], [table(parts)], plots.packages(parts))
