#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves what the machine code of a shared library of AArch64 computes.

usage: prove.py LIBRARY [--only PATTERN...]

Prints each proof, and by function how many instructions of NEON's back ends no proof ran. The exit
status is 1 if a proof fails.
"""

import argparse
import fnmatch
import sys
import time

from proofs.machine.arm.calls import BACKENDS, entries
from proofs.machine.arm.processor import SIZE, Instruction, Module
from proofs.machine.library import Library
from proofs.machine.report import functions
from proofs.machine.running import proved

PADDING = {"nop", "bti", "hint", "udf"}


def addresses(library, symbol):
    """Returns the addresses of the instructions of a function."""
    places = range(symbol.address, symbol.address + symbol.size, SIZE)
    return {at for at in places if Instruction(library.code(at), at).name not in PADDING}


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    options = parser.parse_args()
    chosen = [e for e in entries() if any(fnmatch.fnmatch(str(e), p) for p in options.only)]
    if not chosen:
        parser.error(f"no proof is named {' or '.join(options.only)}")
    try:
        library = Library(options.library, "AArch64")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    executed, failed = set(), 0
    for entry in chosen:
        module, begun = Module(library), time.process_time()
        wrong = proved(module, entry.call)
        print(f"{entry}: {wrong or 'proved'} ({time.process_time() - begun:.1f} s)", flush=True)
        failed += bool(wrong)
        executed |= set() if wrong else module.executed
    print(f"{len(chosen) - failed} of {len(chosen)} proofs passed")
    total = ran = 0
    for symbol in functions(library, BACKENDS):
        there = addresses(library, symbol)
        total, ran = total + len(there), ran + len(there & executed)
        if there - executed:
            print(f"{symbol.name}: {len(there - executed)} of {len(there)} not executed")
    print(f"{ran} of {total} instructions executed, {ran / max(1, total):.1%}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
