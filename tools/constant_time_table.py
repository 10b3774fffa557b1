#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the table of docs/results/constant-time.md: what the checks of constant time found clean.

usage: constant_time_table.py [--check]

The rows come from tests/constant_time/checked.json, which the tests write:

    CODEKEM_CONSTANT_TIME_RECORD=$PWD/tests/constant_time/checked.json \\
        make test ROOM="tests/constant_time tests/platforms"

A row of other sources than those of this tree says so. With --check nothing is written; the exit
status is 1 if the page is not what this script would write.
"""

import argparse
import pathlib
import sys

from tests import constant_time_record as record
from tests import records

ROOT = pathlib.Path(__file__).resolve().parent.parent

PAGE = ROOT / "docs" / "results" / "constant-time.md"
BEGIN = "<!-- written by tools/constant_time_table.py -->"
END = "<!-- end of what it writes -->"
TOOLS = [
    *[
        "valgrind",
        "MemorySanitizer",
        "traces",
        "emulated traces",
        "emulated paths",
        "valgrind over wasm2c",
    ],
]


def brief(kems):
    """Returns KEMs and operations in few words: those with the same operations together."""
    by_operations = {}
    for kem, operations in kems.items():
        by_operations.setdefault(", ".join(operations), []).append(kem)
    return "; ".join(
        f"{', '.join(names)}: {operations}" for operations, names in by_operations.items()
    )


def lines_of(rows):
    """Returns the table's lines: rows that differ in flags alone are one."""
    joined = {}
    for row in rows:
        old = record.RECORD.is_old(row)
        key = (
            *(row["scheme"], row["machine"], row["backend"]),
            *(TOOLS.index(row["tool"]), row["compiler"], brief(row["kems"]), row["date"], old),
        )
        joined.setdefault(key, []).append(row["flags"])
    lines = [
        "| scheme | processor | back end | tool | compiler, flags | what | when |",
        "|---|---|---|---|---|---|---|",
    ]
    for key in sorted(joined):
        scheme, machine, backend, tool, compiler, what, date, old = key
        flags = ", ".join(f"`{each}`" if each[0] == "-" else each for each in sorted(joined[key]))
        when = f"{date}, **of older sources**" if old else date
        lines.append(
            f"| {scheme} | {machine} | {backend} | {TOOLS[tool]} | {compiler} {flags} | {what} "
            f"| {when} |"
        )
    return lines


def hashes():
    """Returns the lines that say which sources the table is about."""
    parts = [f"- {scheme}: `{record.hash_of_sources(scheme)}`" for scheme in record.FOLDERS]
    return ["The sources, by hash:", "", *parts]


def page_with_table(page, rows):
    """Returns the text of the page with the table of rows in its place."""
    return records.page_with(page, BEGIN, END, [*hashes(), "", *lines_of(rows)])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    text = PAGE.read_text(encoding="utf-8")
    new = page_with_table(text, record.RECORD.read())
    if options.check:
        if new != text:
            print(f"{PAGE.relative_to(ROOT)} is stale: run tools/constant_time_table.py")
        return new != text
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
