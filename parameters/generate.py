#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes from kems.toml everything that has its numbers: C, SystemVerilog, packages, documents.

usage: generate.py [--check] [--root ROOT] [FILE]...

--check compares with what is there, names what differs, and ends with status 1 if something does.
ROOT is another tree, with a table of its own. With FILEs, those that are generated are done; what
makes them, which stands beside this program, means all.
"""

import argparse
import difflib
import pathlib
import sys

from parameters import (
    for_apps,
    for_c,
    for_cores,
    for_documents,
    for_packages,
    for_python,
    regions,
    table,
)
from tools import house

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = (for_c, for_apps, for_cores, for_packages, for_python, for_documents)


def texts(root):
    """Returns what is to be in each file, by its path from the top of a tree; rooms that have been
    deleted are left out."""
    read = table.read(root / "parameters" / "kems.toml")
    made = {path: text for kind in KINDS for path, text in kind.files(read, root).items()}
    for kind in KINDS:
        for path, parts in kind.regions(read, root).items():
            if house.is_there(path, root):
                made[path] = regions.replaced((root / path).read_text(encoding="utf-8"), parts)
    return {path: text for path, text in made.items() if house.is_there(path, root)}


def difference(path, there, wanted):
    """Returns the first lines in which a file is not what it is to be."""
    lines = difflib.unified_diff(there.splitlines(), wanted.splitlines(), path, "generated", n=0)
    return "\n".join(list(lines)[:8])


def main():
    parser = argparse.ArgumentParser(description="Make everything that has the KEMs' numbers.")
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("file", nargs="*", help="from the top of the tree; else all")
    arguments = parser.parse_args()
    wrong = 0
    every = any(name.startswith("parameters/") for name in arguments.file)
    for name, wanted in texts(arguments.root).items():
        if arguments.file and not every and name not in arguments.file:
            continue
        path = arguments.root / name
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if there == wanted:
            continue
        wrong += 1
        if arguments.check:
            print(difference(name, there, wanted))
        else:
            path.write_text(wanted, encoding="utf-8")
            print(f"wrote {name}")
    if arguments.check and wrong:
        print(f"{wrong} files are not what parameters/kems.toml says; run parameters/generate.py")
    return 1 if arguments.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
