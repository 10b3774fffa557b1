# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the proofs executed of a library: instructions by function, and what was not."""

import functools

import iced_x86

from proofs.machine.operands import NAMES

MOST_STEPS = 1 << 24  # more than any function takes: a wrong one may never end
# Between functions and before loops: no part of what a function does.
PADDING = {"nop", "int3", "ud2", "endbr64"}


class Module:
    """A library as the calls of proofs/kernels take one. executed: addresses of instructions;
    reads: (address, size) of what was read of the library;
    steps: how many ran in the longest call; most_steps: how many may."""

    def __init__(self, library, machine, most_steps=MOST_STEPS):
        self.library, self.machine = library, machine
        self.executed: set[int] = set()
        self.reads: set[tuple[int, int]] = set()
        self.steps, self.most_steps = 0, most_steps


def instructions(library, symbol):
    """Returns the addresses of the instructions of a function."""
    raw = library.read(symbol.address, symbol.size)
    decoder = iced_x86.Decoder(64, raw, ip=symbol.address)
    return [i.ip for i in decoder if NAMES[i.mnemonic] not in PADDING]


@functools.cache
def functions(library, backends):
    """Returns the functions of back ends, but for those that ask what the processor has."""
    return [
        symbol
        for symbol in library.functions()
        if symbol.backend in backends and not symbol.name.startswith("ckem_cpu_has")
    ]


def coverage(library, backends, executed):
    """Returns name, back end, instructions and executed instructions of each function."""
    rows = []
    for symbol in functions(library, tuple(backends)):
        all_ = instructions(library, symbol)
        rows.append((symbol.name, symbol.backend, len(all_), len(executed.intersection(all_))))
    return rows
