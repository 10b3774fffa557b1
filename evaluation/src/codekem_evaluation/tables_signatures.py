# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA beside its authors' code: cycles, each with the machine that they were measured on."""

from codekem_base.model import Section, Table, label, missing, number
from codekem_evaluation import published, statistics
from codekem_evaluation.signatures import OPERATIONS, SCHEME
from codekem_evaluation.tables_times import HERE

FILE = "sofia_cycles"
LABELS = {"keygen": "KeyGen", "sign": "Sign", "verify": "Verify"}
FASTER = "authors' sign / verify over this"
NOT_AT_HAND = "the article's table was not at hand, and nothing is quoted from memory"
NOT_BESIDE = "no ratio: the authors' code was not measured beside this"
THEIRS = "this is the authors' own code"
SENTENCE = (
    "SOFIA-4-128 is a research scheme of 2017, measured for comparison only. Cycles are those of "
    "the time-stamp counter of the machine that a row names. There is a ratio only where codekem "
    "and the authors' code ran in turn in one process there: across machines it would compare "
    "processors, not code."
)


def measured(table, run):
    """Adds a row for each back end of the run."""
    cells = {}
    for row in run.get("signatures", []):
        if row["cycles"]:
            cells.setdefault(row["implementation"], {})[row["operation"]] = row
    for name, found in cells.items():
        if set(found) == set(OPERATIONS):
            medians = [
                number(
                    statistics.summarise(found[o]["cycles"]).median / 1e3,
                    f"signatures/{SCHEME}/{name}/{o}",
                )
                for o in OPERATIONS
            ]
            table.add(label(f"codekem, {name}"), label(HERE), *medians, missing(NOT_BESIDE))


def stored(table):
    """Adds the rows of the CSV file: authors' code, and codekem beside it."""
    rows = published.rows(FILE)
    theirs = {(row["cpu"], row["implementation"]): row for row in rows if row["code"] == "authors"}
    for row in rows:
        cells = [
            number(float(row[f"{o}_cycles"]) / 1e3, row["trace"])
            if row[f"{o}_cycles"]
            else missing(NOT_AT_HAND)
            for o in OPERATIONS
        ]
        ratio = missing(THEIRS)
        if row["beside"]:
            base = theirs[row["cpu"], row["beside"]]
            values = [float(base[f"{o}_cycles"]) / float(row[f"{o}_cycles"]) for o in OPERATIONS]
            ratio = label(f"{values[1]:.1f} / {values[2]:.1f}", row["trace"])
        table.add(
            label(f"{row['code']}, {row['implementation']}"),
            label(f"{row['cpu']} [{row['source']}]"),
            *cells,
            ratio,
        )


def table(run):
    """Returns the table of key generation, signing and verification in thousands of cycles."""
    made = Table(
        "signatures",
        "SOFIA-4-128, thousands of cycles (median)",
        ["implementation", "where", *LABELS.values(), FASTER],
        texts=2,
    )
    measured(made, run)
    if not made.rows:
        made.notes.append(
            "of this run nothing: it has no such samples, or the processor no counter of cycles"
        )
    stored(made)
    return made


def section(run):
    """Returns the section of the report."""
    return Section("signatures", "And the signature scheme SOFIA?", [SENTENCE], [table(run)])
