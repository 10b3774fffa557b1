# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The long table: everything measured, stored and published, a number in a row; and tables of a
report as specifications over it.

A row says of what the number is (subject: a KEM, a core, a TLS group; its scheme and level), of
which code (names from coarse to fine, joined by " | "), of which operation or part, what it is
(metric, value with the ends of its interval, unit), where it is from (source) and the name by which
`trace` shows what is behind it; without a value, why there is none. schema/rows.json is the schema.
"""

import dataclasses
import functools
import json
import typing

import jsonschema
import pandas

from codekem_base.model import Cell, Table, label, missing, number
from codekem_base.parameters import KEMS
from codekem_evaluation import paths, ratios
from codekem_evaluation.statistics import Interval

SCHEMA = paths.PACKAGE / "schema" / "rows.json"
ANY = "*"  # operation: that of the row
PARTS = " | "  # between the names of a code
# How many of the smallest unit of its kind a unit is.
UNITS = {
    "ns": 1.0,
    "µs": 1e3,
    "ms": 1e6,
    "cycles": 1.0,
    "thousand cycles": 1e3,
    "million cycles": 1e6,
    "bytes": 1.0,
    "thousand bytes": 1e3,
}


class Row(typing.NamedTuple):
    """A row of the long table."""

    subject: str
    code: str = ""
    operation: str = ""
    metric: str = ""
    value: float | None = None
    unit: str = ""
    source: str = ""
    trace: str | None = None
    low: float | None = None
    high: float | None = None
    why: str | None = None

    def name(self, field):
        """Returns a name; code.1 is the second part of the code."""
        field, _, part = field.partition(".")
        text = getattr(self, field)
        return text.split(PARTS)[int(part)] if part else text


class Column(typing.NamedTuple):
    """A column of numbers: of which metric and operation, in which unit, how it is shown, and why a
    cell may be empty."""

    heading: str
    metric: str
    operation: str = ANY
    unit: str = ""
    digits: int | None = None
    why: str = "not measured"
    shown: typing.Callable | None = None

    def cell(self, row):
        if row is None or row.value is None:
            return missing((row and row.why) or self.why)
        if self.shown is not None:
            return self.shown(row)
        if self.unit in ("", row.unit):
            return number(row.value, row.trace, self.digits)
        return number(row.value / (UNITS[self.unit] / UNITS[row.unit]), row.trace, self.digits)


@dataclasses.dataclass(frozen=True)
class Spec:
    """A table: which rows (all those of its metrics), which of their names are its first columns,
    and its columns of numbers."""

    key: str
    title: str
    index: dict  # {heading: field of a row}
    columns: typing.Sequence
    blank: str = ""  # why a name may be empty
    across: bool = False  # whether a row of the table has numbers from several sources
    detail: bool = False
    printed: bool = False

    def table(self, rows, notes=(), reason=None, order=None):
        """Returns the table of these rows; reason says why there may be none. order: the subjects,
        whose rows follow each other."""
        made = Table(
            self.key,
            self.title,
            [*self.index, *(column.heading for column in self.columns)],
            notes=list(notes),
            texts=len(self.index),
            detail=self.detail,
            printed=self.printed,
        )
        metrics = {column.metric for column in self.columns}
        found: dict = {}
        for row in rows:
            if row.metric in metrics:
                names = (*(row.name(field) for field in self.index.values()),
                         "" if self.across else row.source)  # fmt: skip
                found.setdefault(names, {})[row.metric, row.operation] = row
                found[names][row.metric, ANY] = row
        made.units = [*[""] * len(self.index), *(unit_of(c, found.values()) for c in self.columns)]
        keys = list(found) if order is None else sorted(found, key=lambda k: order.index(k[0]))
        for names in keys:
            cells = [column.cell(found[names].get(column[1:3])) for column in self.columns]
            first = [label(name) if name else missing(self.blank) for name in names[:-1]]
            made.add(*first, *cells)
        if not made.rows:
            made.reason = reason
        return made


def unit_of(column, found):
    """Returns the unit of a column: its own, or the one that all its rows have."""
    rows = (names.get((column.metric, column.operation)) for names in found)
    units = {row.unit for row in rows if row is not None}
    return column.unit or (units.pop() if len(units) == 1 else "")


def each(names, metric, unit="", **more):
    """Returns a column for each operation of names {operation: heading}."""
    return [
        Column(heading, metric, operation, unit, **more) for operation, heading in names.items()
    ]


# --- How a number is shown -----------------------------------------------------------------------


def ratio(row):
    """With its interval, and as many digits as that allows."""
    interval = Interval(row.value, row.low, row.high, 1.0)
    return Cell(ratios.as_text(interval), row.value, row.trace, interval=(row.low, row.high))


def to(row):
    """From the low end to the high one, where these differ."""
    if row.low is None or row.low == row.high:
        return number(row.value, row.trace, 0 if row.value == int(row.value) else 1)
    text = f"{row.low:,.0f} to {row.high:,.0f}"
    return Cell(text, row.value, row.trace, interval=(row.low, row.high))


def whole(row):
    """Without decimals where it has none."""
    return number(row.value, row.trace, 0 if row.value == int(row.value) else 1)


def of_ratio(found, trace, **names):
    """Returns the row of a Ratio, which may have no value."""
    if found.doubt is not None:
        bound = f" ({found.bound})" if found.bound else ""
        return Row(**names, trace=trace, why=f"no ratio: {found.doubt}{bound}")
    interval = found.interval
    return Row(**names, value=interval.median, low=interval.low, high=interval.high, trace=trace)


# --- All of it -----------------------------------------------------------------------------------


@functools.cache
def validator():
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def frame(rows, kems=()):
    """Returns rows as a data frame with the columns of the schema; kems are those of a run."""
    known = {name: (kem.family, kem.category) for name, kem in KEMS.items()}
    known |= {kem["name"]: (kem["scheme"], kem["level"]) for kem in kems}
    records = []
    for row in dict.fromkeys(rows):
        scheme, level = known.get(row.subject, (None, None))
        records.append({**row._asdict(), "scheme": scheme, "level": level})
    columns = list(json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"])
    return pandas.DataFrame(records, columns=columns).astype({"level": "Int64"})
