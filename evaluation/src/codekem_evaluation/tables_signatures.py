# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA beside its authors' code: cycles, each with the machine that they were measured on."""

from codekem_base.model import Section, label
from codekem_evaluation import published, statistics
from codekem_evaluation.long import Column, Row, Spec, each
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


def pair(row):
    return label(f"{row.low:.1f} / {row.high:.1f}", row.trace)


SIGNATURES = Spec(
    "signatures",
    "SOFIA-4-128, thousands of cycles (median)",
    {"implementation": "code", "where": "source"},
    [
        *each(LABELS, "cycles", "thousand cycles", why=NOT_AT_HAND),
        Column(FASTER, "authors' time over this", shown=pair),
    ],
)


def rows(run):
    """Yields the cycles of this run's back ends, then of the CSV file: authors' code, and codekem
    beside it."""
    cells = {}
    for row in run.get("signatures", []):
        if row["cycles"]:
            cells.setdefault(row["implementation"], {})[row["operation"]] = row
    for name, found in cells.items():
        names: dict = {"subject": SCHEME, "code": f"codekem, {name}", "source": HERE}
        for o in OPERATIONS if set(found) == set(OPERATIONS) else ():
            value = statistics.summarise(found[o]["cycles"]).median
            yield Row(**names, operation=o, metric="cycles", value=value, unit="cycles",
                      trace=f"signatures/{SCHEME}/{name}/{o}")  # fmt: skip
        yield Row(**names, metric="authors' time over this", why=NOT_BESIDE)
    stored = published.rows(FILE)
    authors = {(r["cpu"], r["implementation"]): r for r in stored if r["code"] == "authors"}
    for row in stored:
        names = {"subject": SCHEME, "code": f"{row['code']}, {row['implementation']}"}
        names |= {"source": f"{row['cpu']} [{row['source']}]"}
        for o in OPERATIONS:
            value = float(row[f"{o}_cycles"]) if row[f"{o}_cycles"] else None
            yield Row(**names, operation=o, metric="cycles", value=value, unit="cycles",
                      trace=row["trace"], why=None if value else NOT_AT_HAND)  # fmt: skip
        names["metric"] = "authors' time over this"
        if row["beside"]:
            base = authors[row["cpu"], row["beside"]]
            sign, verify = (
                float(base[f"{o}_cycles"]) / float(row[f"{o}_cycles"]) for o in ("sign", "verify")
            )
            yield Row(**names, value=sign, low=sign, high=verify, trace=row["trace"])
        else:
            yield Row(**names, why=THEIRS)


def table(run):
    """Returns the table of key generation, signing and verification in thousands of cycles."""
    made = SIGNATURES.table(rows(run))
    if not any(row[1].text == HERE for row in made.rows):
        made.notes.append(
            "of this run nothing: it has no such samples, or the processor no counter of cycles"
        )
    return made


def section(run):
    """Returns the section of the report."""
    return Section("signatures", "And the signature scheme SOFIA?", [SENTENCE], [table(run)])
