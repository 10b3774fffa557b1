# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published results: CSV files in publications/ and of users; whether a platform is a run's."""

import csv
import functools
import math
import pathlib
import re

from codekem_base.errors import EvaluationError
from codekem_evaluation import paths

OWN = []  # files of --published, in which users have figures of their own
OPTIONAL = {"table", "clock_ghz", "vector_pclmul", "smallest_target"}  # columns
# Files of which --published may have more rows: their tables cite the source of each.
EXTENSIBLE = (
    *("bike_software_times", "bike_software_profile", "bike_kem_cycles", "hqc_software_cycles"),
    *("bike_hardware_times", "bike_hardware_resources", "pqc_fpga_comparison"),
    "bike_other_claims",
)
SOURCE = re.compile(r"[^][,]+")  # what stands in brackets in a table
WHOLE = "Overall KEM"
OPERATIONS = ("KeyGen", "Encaps", "Decaps")


def use(files):
    """Takes the figures of these files, too, from now on; checks them."""
    OWN[:] = [pathlib.Path(file) for file in files]
    for cached in (rows, sources, own):
        cached.cache_clear()
    for name in own():
        rows(name)
    times()


def read(path):
    """Yields (number of the line, row) of a CSV file."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", restval="")
            for row in reader:
                if "" in row:
                    raise EvaluationError(
                        f"{path}, line {reader.line_num}: it has more fields than the first line"
                    )
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error


@functools.cache
def packaged(name):
    """Returns the rows of publications/NAME.csv as dicts, each with its trace and place."""
    path = paths.PUBLISHED / f"{name}.csv"
    return [
        {**row, "trace": f"published/{name}/{line}", "place": f"{path.name}, line {line}"}
        for line, row in read(path)
    ]


def figures(name):
    """Returns the columns of a file of the package in which all fields are numbers: {column:
    whether it is needed, as none is empty there}."""
    found = packaged(name)
    return {
        column: column not in OPTIONAL and all(row[column] for row in found)
        for column in found[0]
        if any(row[column] for row in found)
        and all(is_number(row[column]) for row in found if row[column])
    }


def is_number(text):
    try:
        return math.isfinite(float(text)) and float(text) >= 0
    except ValueError:
        return False


def file_of(path, columns):
    """Returns the name of the file of the package that has the columns of a file of one's own."""
    wanted = {
        name: [key for key in packaged(name)[0] if key not in (*OPTIONAL, "trace", "place")]
        for name in EXTENSIBLE
    }
    for name, needed in wanted.items():
        if set(needed) <= set(columns):
            return name
    nearest = max(wanted, key=lambda name: len(set(wanted[name]) & set(columns)))
    lacking = [key for key in wanted[nearest] if key not in columns]
    raise EvaluationError(
        f"{path}, line 1: it lacks {', '.join(lacking)} of {nearest}.csv, whose columns are the "
        f"nearest; a file of --published has those of one of {', '.join(EXTENSIBLE)}"
    )


@functools.cache
def own():
    """Returns {name of the package's file: rows} of the files of --published."""
    found = {}
    for path in OWN:
        read_rows = list(read(path))
        if not read_rows:
            raise EvaluationError(f"{path} has no row below its first line")
        name = file_of(path, read_rows[0][1])
        for line, row in read_rows:
            place = f"{path}, line {line}"
            for column, needed in figures(name).items():
                text = row.get(column, "")
                if not is_number(text) and (text or needed):
                    raise EvaluationError(f"{place}: {column} is {text!r}, not a number")
            blank = dict.fromkeys(OPTIONAL & set(packaged(name)[0]), "")
            row = {**blank, **row, "trace": f"published/{path}/{line}", "place": place}
            found.setdefault(name, []).append(row)
    return found


@functools.cache
def rows(name):
    """Returns the rows of publications/NAME.csv and those that users add to it; each has a source
    that is known."""
    found = packaged(name) + own().get(name, [])
    for row in found if name != "sources" else []:
        source = row.get("source")
        if source is not None and source not in sources():
            raise EvaluationError(
                f"{row['place']}: the source {source!r} is not in sources.csv; a column "
                "'reference' says what it stands for: authors: title, where it appeared"
            )
    return found


@functools.cache
def sources():
    """Returns {key: reference}."""
    found = {row["source"]: row["reference"] for row in packaged("sources")}
    for row in [row for several in own().values() for row in several if row.get("reference")]:
        key, reference = row["source"], row["reference"]
        if not SOURCE.fullmatch(key):
            raise EvaluationError(f"{row['place']}: a source is a name without brackets and commas")
        if found.setdefault(key, reference) != reference:
            raise EvaluationError(f"{row['place']}: {key} is another reference: {found[key]}")
    return found


def times(source=None):
    """Returns {KEM: {(implementation, processor, source): {operation: row}}} of published times
    of software, of one source or of all. A sum that is not published is made."""
    found = {}
    for row in rows("bike_software_times"):
        key = (row["implementation"], row["cpu"], row["source"])
        operations = found.setdefault(row["kem"], {}).setdefault(key, {})
        if row["operation"] not in (*OPERATIONS, WHOLE):
            raise EvaluationError(
                f"{row['place']}: no operation {row['operation']!r}; there are "
                f"{', '.join(OPERATIONS)} and {WHOLE}"
            )
        if row["operation"] in operations:
            raise EvaluationError(
                f"{row['place']}: {row['operation']} of {row['kem']}, {', '.join(key)} is there "
                f"already, {operations[row['operation']]['place']}"
            )
        operations[row["operation"]] = row
    for kem, implementations in found.items():
        for key, operations in implementations.items():
            complete(kem, key, operations)
    return {
        kem: {key: each for key, each in several.items() if source in (None, key[2])}
        for kem, several in found.items()
    }


def complete(kem, key, operations):
    """Adds the sum of three operations; an error if one is not there."""
    lacking = [operation for operation in OPERATIONS if operation not in operations]
    last = list(operations.values())[-1]
    if lacking:
        raise EvaluationError(
            f"{last['place']}: {kem}, {', '.join(key)} has no {' and no '.join(lacking)}"
        )
    if WHOLE not in operations:
        whole = sum(float(operations[operation]["milliseconds"]) for operation in OPERATIONS)
        operations[WHOLE] = {**last, "operation": WHOLE, "milliseconds": f"{whole:.10g}"}


def find(trace):
    """Returns the lines that explain published/NAME/LINE, or published/FILE.csv/LINE."""
    name, _, line = trace.removeprefix("published/").rpartition("/")
    known = {path.stem for path in paths.PUBLISHED.glob("*.csv")}
    if not line.isdigit() or not (name in known or name.endswith(".csv")):
        raise EvaluationError(
            f"there is nothing called {trace}; files are " + ", ".join(sorted(known))
        )
    path = paths.PUBLISHED / f"{name}.csv" if name in known else pathlib.Path(name)
    found = dict(read(path))
    if int(line) not in found:
        raise EvaluationError(f"{path.name} has lines 2 to {max(found, default=1)}")
    row = found[int(line)]
    return [
        f"{paths.short(path)}, line {line}",
        ", ".join(f"{key}: {value or 'not published'}" for key, value in row.items()),
        row.get("reference") or sources().get(row.get("source"), ""),
    ]


def words(processor):
    return set(re.findall(r"[a-z0-9-]+", re.sub(r"\((r|tm)\)", " ", (processor or "").lower())))


def same_platform(published, measured):
    """Tells whether a published processor, as its authors name it, is that of a run."""
    named = words(re.sub(r"\(.*?\)|\d\.\d+GHz", " ", published))
    models = [word for word in named if re.search(r"\d", word)]  # "AMD EPYC" is many processors
    return bool(models) and named <= words(measured)


def not_comparable(published, measured):
    """Returns the sentence that stands where a ratio would compare processors, not code."""
    return (
        f"no ratio: published for {', '.join(sorted(published))}, measured on "
        f"{measured or 'an unknown processor'}; it would compare processors, not code"
    )
