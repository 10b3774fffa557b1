#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves what the machine code of a shared library computes.

usage: prove.py LIBRARY --write FILE [--only PATTERN...] [--jobs N] [--page PAGE]
                [--beside FILE...]

Every entry of the tables of operations for x86-64 runs on all operands at once, and must compute
what its specification says, on a path that is the same for all. FILE gets, as JSON, the digest of
the library, what was proved, and the instructions that ran, by function; PAGE the same as a table,
for the records --beside, too. What FILE says to be proved by the same proof is not proved again,
unless an instruction or a constant differs of the functions that ran. The exit status is 1 if a
proof fails.
"""

import argparse
import concurrent.futures
import fnmatch
import functools
import itertools
import json
import os
import pathlib
import sys
import time

from proofs.machine.calls import VECTORS, entries
from proofs.machine.evidence import Evidence, View, name_of_symbol, seen
from proofs.machine.library import Library
from proofs.machine.report import Module, coverage
from proofs.machine.running import name_of_proof, proved

ENTRIES = {str(entry): entry for entry in entries()}
HEAD = """# What was proved of machine code

<!-- written by proofs/machine/prove.py --page -->

[machine-code.md](../machine-code.md) says what this means. `make prove` proves gcc's library; for
clang's, built by `cmake --preset default -B build/default-clang -DCMAKE_C_COMPILER=clang`, the
command is `.venv/bin/python -m proofs.machine.prove`, with `--beside` for both on this page.

"""


def run(path, name):
    """Proves an entry; returns the row about it."""
    library, call = library_of(path), ENTRIES[name].call
    module = Module(library, None)
    begun = time.process_time()
    row = {"proof": name, "by": name_of_proof(call)}  # before the call notes what it finds
    row["wrong"] = proved(module, call)
    row["seconds"] = round(time.process_time() - begun, 1)
    functions, objects, code = seen(view_of(path), module.executed, module.reads)
    row |= {"objects": objects, "code": code, "ran": {name: [] for name in functions}}
    for address in sorted(module.executed):
        symbol = library.function_at(address)
        if symbol:
            row["ran"][name_of_symbol(symbol)].append(address - symbol.address)
    return row


@functools.cache
def library_of(path):
    """Returns a library, read once in a process."""
    return Library(path)


@functools.cache
def view_of(path):
    """Returns the view of a library, made once in a process."""
    return View(library_of(path))


def kept(path, view):
    """Returns the rows of a file that hold for a library."""
    if not path.exists():
        return []
    return [
        row for row in json.loads(path.read_text(encoding="utf-8"))["proofs"] if holds(row, view)
    ]


def holds(row, view):
    """Tells whether a row is about what the library has, too, and by the proof that is here."""
    entry = ENTRIES.get(row["proof"])
    if row["wrong"] or entry is None or row["by"] != name_of_proof(entry.call):
        return False
    try:
        return row["code"] == Evidence(view, row["ran"], row["objects"]).digest()
    except (LookupError, IndexError):
        return False


def prove_all(options, names):
    """Proves entries, unless that was done; writes what was found after each."""
    view = view_of(options.library)
    rows = kept(options.write, view)
    before = {row["proof"] for row in rows}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run, options.library, n) for n in names if n not in before]
        for done in concurrent.futures.as_completed(waiting):
            row = done.result()
            rows.append(row)
            wrong = row["wrong"] or "proved"
            print(f"{row['proof']}: {wrong} ({row['seconds']} s)", flush=True)
            write(options.write, view, rows)
    write(options.write, view, rows)


def write(path, view, rows):
    """Writes what is known so far."""
    library, executed = view.library, set()
    for row in rows:
        for name, offsets in row["ran"].items() if not row["wrong"] else ():
            start = view.one(view.functions, name).address
            executed.update(start + offset for offset in offsets)
    found = {
        "library": library.digest,
        "compiler": library.compiler,
        "functions": coverage(library, VECTORS, executed),
        "proofs": sorted(rows, key=lambda row: row["proof"]),
    }
    half = path.with_suffix(".new")
    half.write_text(json.dumps(found) + "\n", encoding="utf-8")
    half.replace(path)


def page_of(records):
    """Returns the page about what was found."""
    return HEAD + "\n".join(line for found in records for line in part_of(found))


def part_of(found):
    """Yields the lines about a library."""
    passed = [row for row in found["proofs"] if not row["wrong"]]
    yield from (f"## {found['compiler']}", "", f"Library: SHA-256 `{found['library']}`.", "")
    yield f"{len(passed)} of {len(ENTRIES)} proofs passed, in"
    yield f"{round(sum(row['seconds'] for row in passed) / 60)} minutes of processor time."
    yield f"{len(ENTRIES) - len(found['proofs'])} were not run."
    for row in found["proofs"]:
        if row["wrong"]:
            yield from ("", f"Not proved: `{row['proof']}`.")
    yield from ("", "| back end | instructions | executed by a proof |", "|---|---:|---:|")
    for backend in (*VECTORS, "all"):
        rows = [row for row in found["functions"] if backend in (row[1], "all")]
        total, ran = (sum(row[k] for row in rows) for k in (2, 3))
        yield f"| {backend} | {total:,} | {ran / max(1, total):.1%} |"
    yield from ("", "Not executed, by function:", "", "| function | instructions | not executed |")
    yield "|---|---:|---:|"
    for name, _, total, ran in sorted(found["functions"], key=lambda row: row[3] - row[2]):
        if ran < total:
            yield f"| `{name}` | {total:,} | {total - ran:,} |"
    yield ""


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--write", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--beside", nargs="+", type=pathlib.Path, default=[], metavar="FILE")
    options = parser.parse_args()
    found = (fnmatch.filter(ENTRIES, pattern) for pattern in options.only)
    names = list(dict.fromkeys(itertools.chain.from_iterable(found)))  # in the order asked for
    if not names:
        parser.error(f"no proof is named {' or '.join(options.only)}")
    try:
        library_of(options.library)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    prove_all(options, names)
    found = json.loads(options.write.read_text(encoding="utf-8"))
    if options.page:
        beside = [json.loads(path.read_text(encoding="utf-8")) for path in options.beside]
        options.page.write_text(page_of([found, *beside]), encoding="utf-8")
    wrong = [row["proof"] for row in found["proofs"] if row["wrong"]]
    print(f"{len(found['proofs']) - len(wrong)} of {len(found['proofs'])} proofs passed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
