#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changes single bytes of proved machine code, and says which changes no proof finds.

usage: mutations.py LIBRARY [--count N] [--seed N] [--only PATTERN]

Each change is of a random byte of an instruction that the chosen proofs run, to a random other
value. It is found if one of the proofs that run the instruction fails; it is equivalent if what is
decoded there is the same instruction. What is left is printed, with both instructions, for somebody
to say why it changes nothing. The exit status is 1 if something is left.
"""

import argparse
import fnmatch
import random
import sys

import iced_x86

from proofs.machine.calls import entries
from proofs.machine.library import Library
from proofs.machine.operands import NAMES
from proofs.machine.report import Module
from proofs.machine.running import proved

SEED = 48


def decoded(library, address):
    """Returns an instruction of a library."""
    return iced_x86.Decoder(64, library.code(address), ip=address).decode()


def executed_by(library, chosen):
    """Returns by address the proofs that run an instruction there; all proofs must pass."""
    found = {}
    for entry in chosen:
        module = Module(library, None)
        wrong = proved(module, entry.call)
        if wrong:
            raise SystemExit(f"{entry}: {wrong}")
        for address in module.executed:
            found.setdefault(address, []).append(entry)
    return found


def is_same(before, after):
    """Tells whether two instructions are one, or are as long and do nothing."""
    if after.is_invalid or after.len != before.len:
        return False
    nothing = all(NAMES[i.mnemonic] == "nop" for i in (before, after))
    return nothing or str(after) == str(before)


def fails(library, entry):
    """Tells whether a proof does not pass: whatever else ends it shows that the code is another."""
    try:
        return proved(Module(library, None), entry.call) is not None
    except Exception:  # noqa: BLE001
        return True


def try_change(library, address, executed, choose):
    """Changes a byte of an instruction; returns what became of it, and both instructions."""
    before = decoded(library, address)
    at = address + choose.randrange(before.len)
    old = library.code(at)[0]
    library.patched(at, choose.choice([value for value in range(256) if value != old]))
    try:
        after = decoded(library, address)
        text = f"{library.where(address)}: {before} -> {after}"
        if is_same(before, after):
            return "equivalent", text
        for entry in executed[address]:
            if fails(library, entry):
                return "found", text
        return "left", text
    finally:
        library.patched(at, old)


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    options = parser.parse_args()
    library = Library(options.library)
    named = [e for e in entries() if any(fnmatch.fnmatchcase(str(e), p) for p in options.only)]
    executed = executed_by(library, named)
    choose = random.Random(options.seed)
    addresses = sorted(executed)
    counts = {"found": 0, "equivalent": 0, "left": 0}
    for _ in range(options.count):
        what, text = try_change(library, choose.choice(addresses), executed, choose)
        counts[what] += 1
        if what == "left":
            print(f"left: {text}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(bool(counts["left"]))


if __name__ == "__main__":
    main()
