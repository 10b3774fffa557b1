# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published results: CSV files in publications/; and whether a platform is that of a run."""

import csv
import functools
import re

from codekem_evaluation import paths
from codekem_evaluation.errors import EvaluationError


@functools.cache
def rows(name):
    """Returns the rows of publications/NAME.csv as dicts, each with its trace."""
    with (paths.PUBLISHED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [
            {**row, "trace": f"published/{name}/{number}"}
            for number, row in enumerate(csv.DictReader(file), 2)
        ]


@functools.cache
def sources():
    """Returns {key: reference}."""
    return {row["source"]: row["reference"] for row in rows("sources")}


def find(trace):
    """Returns the lines that explain published/NAME/LINE."""
    parts = re.fullmatch(r"published/(\w+)/(\d+)", trace)
    known = {path.stem for path in paths.PUBLISHED.glob("*.csv")}
    if parts is None or parts.group(1) not in known:
        raise EvaluationError(
            f"there is nothing called {trace}; files are " + ", ".join(sorted(known))
        )
    name, line = parts.group(1), int(parts.group(2))
    found = rows(name)
    if not 2 <= line < len(found) + 2:
        raise EvaluationError(f"{name}.csv has lines 2 to {len(found) + 1}")
    row = {key: value for key, value in found[line - 2].items() if key != "trace"}
    return [
        f"{paths.short(paths.PUBLISHED / name)}.csv, line {line}",
        ", ".join(f"{key}: {value or 'not published'}" for key, value in row.items()),
        sources().get(row.get("source"), ""),
    ]


def words(processor):
    return set(re.findall(r"[a-z0-9-]+", re.sub(r"\((r|tm)\)", " ", (processor or "").lower())))


def same_platform(published, measured):
    """Tells whether a published processor, as its authors name it, is that of a run."""
    named = words(re.sub(r"\(.*?\)|\d\.\d+GHz", " ", published))
    return bool(named) and named <= words(measured)


def not_comparable(published, measured):
    """Returns the sentence that stands where a ratio would compare processors, not code."""
    return (
        f"no ratio: published for {', '.join(sorted(published))}, measured on "
        f"{measured or 'an unknown processor'}; it would compare processors, not code"
    )
