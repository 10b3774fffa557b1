#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changes single bytes of proved machine code, and says which changes no proof finds.

usage: mutations.py LIBRARY RECORD [--count N] [--seed N] [--jobs N] [--most N]

RECORD is what prove.py wrote about the library. Each change is of a random byte of an instruction
that its proofs ran, to a random other value; but where a branch goes that none of them takes is no
proved code. A change is found if one of the proofs that ran the instruction fails, of the N that
took the least time; it is equivalent if what is decoded there is the same instruction. What is left
is printed, with both instructions, for somebody to say why it changes nothing. The exit status is 1
if something is left.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import itertools
import multiprocessing
import os
import pathlib
import random
import sys

import iced_x86

from proofs.machine.evidence import View
from proofs.machine.library import Library
from proofs.machine.operands import NAMES
from proofs.machine.prove import ENTRIES, kept
from proofs.machine.report import Module
from proofs.machine.running import proved

SEED = 48
MOST = 8  # proofs that are tried
TIMES = 2  # as many steps as before: the function has no end any more


def decoded(library, address):
    """Returns an instruction of a library."""
    return iced_x86.Decoder(64, library.code(address), ip=address).decode()


def executed_by(library, record):
    """Returns by address the names of the proofs that ran an instruction there, the shortest
    first."""
    view, found = View(library), {}
    for row in sorted(kept(record, view), key=lambda row: row["seconds"]):
        for name, offsets in row["ran"].items():
            start = view.one(view.functions, name).address
            for offset in offsets:
                found.setdefault(start + offset, []).append(row["proof"])
    return found


def is_same(before, after):
    """Tells whether two instructions are one, or are as long and do nothing."""
    if after.is_invalid or after.len != before.len:
        return False
    nothing = all(NAMES[i.mnemonic] == "nop" for i in (before, after))
    return nothing or str(after) == str(before)


def fails(library, name, steps):
    """Tells whether a proof does not pass, which takes so many steps of the code as it was:
    whatever else ends it shows that the code is another."""
    try:
        return proved(Module(library, None, TIMES * steps), ENTRIES[name].call) is not None
    except Exception:  # noqa: BLE001
        return True


@dataclasses.dataclass
class Change:
    """A byte of an instruction, and another value of it."""

    address: int  # of the instruction
    at: int  # of the byte, in it
    value: int


def changes(library, executed, seed):
    """Yields random changes of what was executed, but of where branches go that were not taken:
    to what did not run."""
    choose = random.Random(seed)
    addresses = sorted(executed)
    while True:
        address = choose.choice(addresses)
        decoder = iced_x86.Decoder(64, library.code(address), ip=address)
        before = decoder.decode()
        at = choose.randrange(before.len)
        old = library.code(address + at)[0]
        value = choose.choice([value for value in range(256) if value != old])
        jump = decoder.get_constant_offsets(before).immediate_offset
        aside = before.is_jcc_short_or_near and before.near_branch_target not in executed
        if aside and at >= jump:
            continue
        yield Change(address, at, value)


class Trial:
    """A library with proofs, in some of which a change is tried."""

    def __init__(self, library, record, most):
        self.library, self.most = library, most
        self.executed = executed_by(library, record)

    @functools.cache  # noqa: B019 (there is one for each process)
    def steps_of(self, name):
        """Returns how many steps a proof takes of the code as it is."""
        module = Module(self.library, None)
        wrong = proved(module, ENTRIES[name].call)
        if wrong:
            raise ValueError(f"{name}: {wrong}")
        return module.steps

    def outcome(self, change):
        """Returns what became of a change, and both instructions."""
        library, address = self.library, change.address
        before, old = decoded(library, address), library.code(address + change.at)[0]
        proofs = self.executed[address][: self.most]
        for name in proofs:
            steps = self.steps_of(name)
            library.patched(address + change.at, change.value)
            try:
                after = decoded(library, address)
                text = f"{library.where(address)}: {before} -> {after}"
                if is_same(before, after):
                    return "equivalent", text
                if fails(library, name, steps):
                    return "found", text
            finally:
                library.patched(address + change.at, old)
        return "left", f"{text} ({len(proofs)} of {len(self.executed[address])} proofs)"


TRIAL: list[Trial] = []  # of this process and of those that it starts


def tried(change):
    """Returns what became of a change."""
    return TRIAL[0].outcome(change)


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--most", type=int, default=MOST, metavar="PROOFS")
    options = parser.parse_args()
    library = Library(options.library)
    TRIAL.append(Trial(library, options.record, options.most))
    if not TRIAL[0].executed:
        parser.error(f"{options.record} has no proof of {options.library}")
    every = changes(library, TRIAL[0].executed, options.seed)
    chosen = itertools.islice(every, options.count)
    counts = {"found": 0, "equivalent": 0, "left": 0}
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for number, (what, text) in enumerate(pool.map(tried, chosen)):
            counts[what] += 1
            if what == "left":
                print(f"left: change {number}: {text}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(bool(counts["left"]))


if __name__ == "__main__":
    main()
