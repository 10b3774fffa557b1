#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Changes single bytes of proved machine code, and says which changes no proof finds.

usage: mutations.py LIBRARY [--count N] [--seed N] [--jobs N] [--only PATTERN...]
                    [--then PATTERN...]

Each change is of a random byte of an instruction that the proofs of --only run, to a random other
value; but where a branch goes that none of them takes is no proved code. A change is found if one
of the proofs that run the instruction fails, of those of --only and then of those of --then; it is
equivalent if what is decoded there is the same instruction. What is left is printed, with both
instructions, for somebody to say why it changes nothing. The exit status is 1 if something is left.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import itertools
import multiprocessing
import operator
import os
import random
import sys

import iced_x86

from proofs.machine.calls import entries
from proofs.machine.library import Library
from proofs.machine.operands import NAMES
from proofs.machine.processor import Processor
from proofs.machine.report import Module
from proofs.machine.running import proved

SEED = 48
TIMES = 2  # as many steps as before: the function has no end any more


def decoded(library, address):
    """Returns an instruction of a library."""
    return iced_x86.Decoder(64, library.code(address), ip=address).decode()


class Watched(Processor):
    """A processor that notes which branches were taken."""

    def _decoded(self, address):
        step = super()._decoded(address)
        if step.instruction.is_jcc_short_or_near:
            decide = step.run

            def run():
                decide()
                if self.next != step.next:
                    self.module.taken.add(address)

            step.run = run
        return step


class Watching(Module):
    """A module whose processor is a watched one, whichever is asked for."""

    def __init__(self, library, taken):
        super().__init__(library, None)
        self.taken = taken

    @property
    def machine(self):
        """the class of its processor."""
        return Watched

    @machine.setter
    def machine(self, _):
        pass


def executed_by(library, chosen, taken):
    """Returns by address the proofs that run an instruction there, (entry, steps), the shortest
    first; all proofs must pass. Adds the addresses of branches that were taken."""
    found = {}
    for entry in chosen:
        module = Watching(library, taken)
        wrong = proved(module, entry.call)
        if wrong:
            raise SystemExit(f"{entry}: {wrong}")
        for address in module.executed:
            found.setdefault(address, []).append((entry, module.steps))
    return {address: sorted(by, key=operator.itemgetter(1)) for address, by in found.items()}


def is_same(before, after):
    """Tells whether two instructions are one, or are as long and do nothing."""
    if after.is_invalid or after.len != before.len:
        return False
    nothing = all(NAMES[i.mnemonic] == "nop" for i in (before, after))
    return nothing or str(after) == str(before)


def fails(library, entry, steps):
    """Tells whether a proof does not pass, which takes so many steps of the code as it was:
    whatever else ends it shows that the code is another."""
    try:
        return proved(Module(library, None, TIMES * steps), entry.call) is not None
    except Exception:  # noqa: BLE001
        return True


@dataclasses.dataclass
class Change:
    """A byte of an instruction, and another value of it."""

    address: int  # of the instruction
    at: int  # of the byte, in it
    value: int


def changes(library, executed, taken, seed):
    """Yields random changes of what was executed, but of where branches go that were not taken."""
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
        if before.is_jcc_short_or_near and address not in taken and at >= jump:
            continue
        yield Change(address, at, value)


class Trial:
    """A library with proofs, in each of which a change is tried."""

    def __init__(self, library, only, then):
        self.library, self.then = library, then
        self.taken: set[int] = set()
        self.executed = executed_by(library, only, self.taken)
        self._more = None

    def proofs_of(self, address):
        """Yields the proofs that run an instruction, and how many steps they take."""
        yield from self.executed[address]
        if self._more is None:  # asked for what the others do not find
            self._more = executed_by(self.library, self.then, set())
        yield from self._more.get(address, [])

    def outcome(self, change):
        """Returns what became of a change, and both instructions."""
        library, address = self.library, change.address
        before, old = decoded(library, address), library.code(address + change.at)[0]
        proofs = self.proofs_of(address)
        first = [next(proofs) for _ in self.executed[address]]
        library.patched(address + change.at, change.value)
        try:
            after = decoded(library, address)
            text = f"{library.where(address)}: {before} -> {after}"
            if is_same(before, after):
                return "equivalent", text
            if any(fails(library, entry, steps) for entry, steps in first):
                return "found", text
            library.patched(address + change.at, old)
            more = list(proofs)
            library.patched(address + change.at, change.value)
            found = any(fails(library, entry, steps) for entry, steps in more)
            return "found" if found else "left", text
        finally:
            library.patched(address + change.at, old)


TRIAL: list[Trial] = []  # of this process and of those that it starts


def tried(change):
    """Returns what became of a change."""
    return TRIAL[0].outcome(change)


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--then", nargs="+", default=[], metavar="PATTERN")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    library = Library(options.library)
    only, then = (
        [e for e in entries() if any(fnmatch.fnmatchcase(str(e), p) for p in patterns)]
        for patterns in (options.only, options.then)
    )
    TRIAL.append(Trial(library, only, then))
    every = changes(library, TRIAL[0].executed, TRIAL[0].taken, options.seed)
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
