# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packages of other languages beside what their users have."""

from codekem_base.model import Cell, Section, label
from codekem_evaluation import packages, plots
from codekem_evaluation.long import PARTS, Column, Row, Spec, each
from codekem_evaluation.samples import LABELS, OPERATIONS

TIMES = {"ours": "package's time", "other": "other's time"}
NO_TIMES = "not a comparison of times"


def goal(row):
    return label(row.unit, row.trace)


def met(row):
    return Cell("yes" if row.value else "no", bool(row.value), row.trace)


SPEC = Spec(
    "packages",
    "Packages: times, and their goals",
    {"package": "code.0", "measured": "code.1", "beside": "code.2"},
    [
        *(
            column
            for whose, metric in TIMES.items()
            for column in each({o: f"{whose}: {LABELS[o]}" for o in OPERATIONS}, metric, "µs",
                               why=NO_TIMES)
        ),
        Column("figure", "package's figure"),
        Column("goal", "package's goal", shown=goal),
        Column("met", "goal met", shown=met),
    ],
    blank="measured for itself",
)  # fmt: skip
NOTE = (
    "the figure is the ratio of the sums of the three operations, as a median of rounds: how many "
    "times our time the other takes (>=), or which part of its time ours is (<=)"
)


def of_parts(parts):
    """Yields rows of measured parts: {language: part}."""
    for language, part in parts.items():
        for row in part["rows"]:
            names = {
                "subject": row["operation set"],
                "code": PARTS.join([row["package"], row["operation set"], row["peer"]]),
                "source": f"{language}, {part['created']}",
                "trace": f"packages/{language}",
            }
            for metric, values in zip(
                TIMES.values(), (row["ours_us"], row["peer_us"]), strict=True
            ):
                for operation, value in zip(OPERATIONS, values or (), strict=False):
                    yield Row(**names, operation=operation, metric=metric, value=value, unit="µs")
            sign, bound = row["goal"].split()
            yield Row(**names, metric="package's figure", value=row["ratio"])
            yield Row(**names, metric="package's goal", value=float(bound), unit=f"{sign} {bound}")
            yield Row(**names, metric="goal met", value=float(packages.is_met(row)))


def table(parts):
    """Returns the table of measured parts: {language: part}."""
    notes = [
        f"{row['package']}, {row['operation set']}: {row['note']}"
        for part in parts.values()
        for row in part["rows"]
        if row["note"]
    ] + [
        f"{language}: measured {part['created']}, load average {part['load'][0]} before and "
        f"{part['load'][1]} after"
        for language, part in parts.items()
    ]
    reason = "no package was measured: 'codekem-evaluation packages' does it"
    return SPEC.table(of_parts(parts), [*notes, NOTE], reason)


def section():
    """Returns the section of the report, or None if nothing was measured."""
    parts = packages.latest()
    if not parts:
        return None
    title = "How fast are the packages for other languages?"
    return Section("packages", title, [], [table(parts)], plots.packages(parts))
