#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves what the machine code of a shared library computes.

usage: prove.py LIBRARY --write FILE [--only PATTERN...] [--jobs N] [--page PAGE]

Every entry of the tables of operations for x86-64 runs on all operands at once, and must compute
what its specification says, on a path that is the same for all. FILE gets, as JSON, the digest of
the library, what was proved, and the instructions that ran, by function; PAGE the same as a table.
What FILE says to be proved of the same library, by the same proofs, is not proved again. The exit
status is 1 if a proof fails.
"""

import argparse
import concurrent.futures
import fnmatch
import functools
import hashlib
import json
import os
import pathlib
import sys
import time

from proofs.kernels.proved import contents, environment
from proofs.machine.calls import VECTORS, entries
from proofs.machine.library import Library
from proofs.machine.report import Module, coverage
from proofs.machine.running import proved

HERE = pathlib.Path(__file__).resolve().parent
ENTRIES = {str(entry): entry for entry in entries()}
HEAD = """# Machine code that is proved

<!-- written by proofs/machine/prove.py --page -->

"""


def run(path, name):
    """Proves an entry; returns its name, what was wrong, the seconds, and what ran."""
    module = Module(library_of(path), None)
    begun = time.process_time()
    wrong = proved(module, ENTRIES[name].call)
    return name, wrong, round(time.process_time() - begun, 1), sorted(module.executed)


LIBRARIES: dict[str, Library] = {}  # of this process


def library_of(path):
    """Returns a library, read once."""
    if path not in LIBRARIES:
        LIBRARIES[path] = Library(path)
    return LIBRARIES[path]


def kept(path, library):
    """Returns what a file says of this library and these proofs: rows, and what ran."""
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        if (found["library"], found["sources"]) == (library.digest, sources()):
            rows = [row for row in found["proofs"] if not row["wrong"]]
            return rows, set(found["executed"])
    return [], set()


@functools.cache
def sources():
    """Returns a digest of the proofs and of what they run on."""
    texts = contents(HERE, HERE.parent.parent, (HERE.parent / "kernels" / "proved.py",))
    return hashlib.sha256("\0".join([*environment(), *texts]).encode()).hexdigest()


def prove_all(options, library, names):
    """Proves entries, unless that was done; writes what was found after each."""
    rows, executed = kept(options.write, library)
    before = {row["proof"] for row in rows}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run, options.library, n) for n in names if n not in before]
        for done in concurrent.futures.as_completed(waiting):
            name, wrong, seconds, ran = done.result()
            print(f"{name}: {wrong or 'proved'} ({seconds} s)", flush=True)
            rows.append({"proof": name, "wrong": wrong, "seconds": seconds})
            if not wrong:
                executed.update(ran)
            write(options.write, library, rows, executed)
    write(options.write, library, rows, executed)


def write(path, library, rows, executed):
    """Writes what is known so far."""
    found = {
        "library": library.digest,
        "compiler": library.compiler,
        "sources": sources(),
        "proofs": sorted(rows, key=lambda row: row["proof"]),
        "functions": coverage(library, VECTORS, executed),
        "executed": sorted(executed),
    }
    half = path.with_suffix(".new")
    half.write_text(json.dumps(found) + "\n", encoding="utf-8")
    half.replace(path)


def page_of(found):
    """Returns the page about what was found."""
    lines = [HEAD.rstrip(), ""]
    lines += [f"Library: SHA-256 `{found['library']}`, {found['compiler']}.", ""]
    passed = [row for row in found["proofs"] if not row["wrong"]]
    lines += [f"{len(passed)} of {len(found['proofs'])} proofs passed.", ""]
    lines += ["| back end | instructions | executed by a proof |", "|---|---:|---:|"]
    for backend in VECTORS:
        rows = [row for row in found["functions"] if row[1] == backend]
        total, ran = (sum(row[k] for row in rows) for k in (2, 3))
        lines.append(f"| {backend} | {total:,} | {ran / max(1, total):.1%} |")
    lines += ["", "Not executed, by function:", "", "| function | instructions | not executed |"]
    lines.append("|---|---:|---:|")
    for name, _, total, ran in sorted(found["functions"], key=lambda row: row[3] - row[2]):
        if ran < total:
            lines.append(f"| `{name}` | {total:,} | {total - ran:,} |")
    return "\n".join(lines) + "\n"


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--write", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    names = [n for n in ENTRIES if any(fnmatch.fnmatchcase(n, p) for p in options.only)]
    if not names:
        parser.error(f"no proof is named {' or '.join(options.only)}")
    try:
        library = library_of(options.library)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    prove_all(options, library, names)
    found = json.loads(options.write.read_text(encoding="utf-8"))
    if options.page:
        options.page.write_text(page_of(found), encoding="utf-8")
    wrong = [row["proof"] for row in found["proofs"] if row["wrong"]]
    print(f"{len(found['proofs']) - len(wrong)} of {len(found['proofs'])} proofs passed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
