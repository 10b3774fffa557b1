#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves small gadgets of HQC in shares at first order, in the machine code for the Cortex-M4.

usage: .venv/bin/python devices/enumerate_leakage.py [--program FILE] [GADGET...]

A gadget runs with every secret, every sharing and every fresh bit, a case in each lane. At every
instruction every bit of its result, and of what changes in its register, at the operands, on the
bus and in memory (devices/leakage/lanes.h) is one as often for each secret: a single such bit says
nothing, and so does no sum of them. Planes are few, and bits stand in place 0 of a word, or in 0
and 16, which a share that is turned puts on top of each other. Prints for each gadget how many
cases and points there were. The exit status is 1 if a bit depends on a secret.
"""

import argparse
import pathlib
import sys
import typing

import numpy as np

from devices import measure_leakage
from devices.leakage_machine import Machine, MachineError

X, Y, CHOICE = measure_leakage.X, measure_leakage.Y, measure_leakage.CHOICE
MOST_BITS = 18  # of secrets, masks and fresh bits: some 100 MB
FAR = measure_leakage.TURN


class Gadget(typing.NamedTuple):
    """inputs: where they are, each of so many planes, "sum" for shares that are added up, or "row"
    with the number of a row of Keccak's state. places: of bits in a word. fresh: the masks it
    takes, each the places that it has. lanes and planes, unless they follow from these: of its
    result."""

    inputs: list[tuple[str, int]]
    places: tuple[int, ...]
    fresh: list[tuple[int, ...]]
    lanes: int = 0
    planes: int = 0


BOTH = (0, FAR)
ONE = (0,)
# A few bits of one word, as they fold.
FEW = (0, 1, 2, 3, 4)
GADGETS: dict[str, list[Gadget]] = {
    "and": [Gadget([(X, 1), (Y, 1)], BOTH, [BOTH])],
    "or": [Gadget([(X, 1), (Y, 1)], BOTH, [BOTH])],
    "not": [Gadget([(X, 1)], BOTH, [])],
    "xor": [Gadget([(X, 1), (Y, 1)], BOTH, [])],
    "copy": [Gadget([(X, 3)], BOTH, [])],
    "refresh": [Gadget([(X, 3)], BOTH, [BOTH] * 3)],
    "mux": [
        Gadget([(CHOICE, 1), (X, 1), (Y, 1)], BOTH, [BOTH]),
        Gadget([(CHOICE, 1), (X, 3), (Y, 3)], ONE, [ONE] * 3),
    ],
    "spread": [Gadget([(X, 1)], ONE, [tuple(range(12))], lanes=12)],
    "add": [
        Gadget([(X, 1), (Y, 1)], BOTH, [BOTH]),
        Gadget([(X, 3), (Y, 3)], ONE, [ONE] * 3),
    ],
    "absolute": [Gadget([(X, 3)], BOTH, [BOTH])],
    "less": [
        Gadget([(X, 1), (Y, 1)], BOTH, [BOTH]),
        Gadget([(X, 3), (Y, 3)], ONE, [ONE] * 3),
    ],
    "any": [Gadget([(X, 3)], BOTH, [BOTH] * 2)],
    "all": [Gadget([(X, 3)], BOTH, [BOTH] * 2)],
    "fold": [Gadget([(X, 1)], FEW, [(0, 1, 2), (0, 1), (0,)])],
    "bit_to_sum": [Gadget([(X, 1)], BOTH, [BOTH] * 5, planes=5)],
    "sum_to_bits": [Gadget([("sum", 4)], ONE, [ONE] * 7)],
    # A mask for each word of a row, of which the first is looked at.
    "chi": [
        Gadget([("row", row)], ONE, [ONE if k == 2 * row else () for k in range(10)], lanes=32)
        for row in range(5)
    ],
}


def planes_of(kind, count):
    return 5 if kind == "row" else count


def bits_of(gadget):
    """Returns how many bits secrets and fresh masks have; sharings have as many as secrets."""
    secrets = sum(planes_of(*number) for number in gadget.inputs) * len(gadget.places)
    return secrets, sum(map(len, gadget.fresh))


class Bits:
    """Takes bits of the number of the case, the lowest first."""

    def __init__(self, cases):
        self.left = np.arange(cases, dtype=np.uint32)

    def take(self, count):
        """Returns [cases, count] bits."""
        out = self.left[:, None] >> np.arange(count, dtype=np.uint32) & 1
        self.left = self.left >> np.uint32(count)
        return out


def place(bits, places):
    """Puts bits [cases, planes * places] on words [cases, planes]."""
    if bits.shape[1] == 0:
        return np.zeros((len(bits), 1), dtype=np.uint32)
    bits = bits.reshape(len(bits), -1, len(places))
    return np.bitwise_or.reduce(bits << np.array(places, dtype=np.uint32), axis=2)


def write_number(machine, kind, count, secret, mask):
    """Writes both shares of words [cases, planes]."""
    if kind == "row":
        rows = machine.address_of("leak_sponge") + 400
        for share, words in enumerate((secret ^ mask, measure_leakage.turned(mask))):
            lanes = np.zeros((machine.lanes, 50), dtype=np.uint32)
            lanes[:, 10 * count : 10 * count + 10 : 2] = words
            machine.write_each(rows + 200 * share, measure_leakage.as_bytes(lanes))
        return
    first = secret ^ mask
    if kind == "sum":
        weights = np.uint32(1) << np.arange(count, dtype=np.uint32)
        first = ((secret - mask) * weights).sum(axis=1, dtype=np.uint32)
        first = first[:, None] >> np.arange(count, dtype=np.uint32) & 1
    address = machine.address_of(X if kind == "sum" else kind)
    machine.write_each(address, measure_leakage.as_bytes(first))
    mask = measure_leakage.as_bytes(measure_leakage.turned(mask))
    machine.write_each(address + measure_leakage.ROOM, mask)


def lanes_of(gadget):
    return gadget.lanes or gadget.places[-1] + 1


def next_mask(machine):
    return int.from_bytes(machine.read_each("leak_fresh", 4)[0].tobytes(), "little")


def bytes_of_masks(gadget):
    """Returns how many bytes a mask takes."""
    return (lanes_of(gadget) + 7) // 8


def write_fresh(machine, gadget, bits):
    """Writes the masks where the gadget takes them."""
    taken = bytes_of_masks(gadget)
    data = np.zeros((machine.lanes, 128), dtype=np.uint8)
    for k, places in enumerate(gadget.fresh):
        words = place(bits.take(len(places)), places)
        data[:, taken * k : taken * k + 4] |= measure_leakage.as_bytes(words)
    machine.write_each(next_mask(machine), data)


def examine(engine, program, name, gadget):
    """Returns the number of cases, the number of points, and those that depend on a secret."""
    secrets, fresh = bits_of(gadget)
    assert 2 * secrets + fresh <= MOST_BITS, name
    cases = 1 << 2 * secrets + fresh
    with Machine(engine, program, cases) as machine:
        machine.run("leak_start")
        planes = gadget.planes or gadget.inputs[-1][1]
        machine.write("leak_lanes", lanes_of(gadget).to_bytes(4, "little"))
        machine.write("leak_planes", planes.to_bytes(4, "little"))
        before = next_mask(machine)
        bits = Bits(cases)
        write_fresh(machine, gadget, bits)
        sizes = [planes_of(*number) * len(gadget.places) for number in gadget.inputs]
        masks = [place(bits.take(size), gadget.places) for size in sizes]
        for (kind, count), mask, size in zip(gadget.inputs, masks, sizes, strict=True):
            secret = place(bits.take(size), gadget.places)
            write_number(machine, kind, count, secret, mask)
        points, wrong = machine.enumerate(f"leak_{name}", 1 << secrets)
        machine.run("leak_end")
        taken = next_mask(machine) - before
        if not wrong and taken != bytes_of_masks(gadget) * len(gadget.fresh):
            raise MachineError(f"{name} took other masks than were written")
        return cases, points, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gadget", nargs="*", help=", ".join(GADGETS))
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    unknown = set(arguments.gadget) - GADGETS.keys()
    if unknown:
        parser.error(f"no such gadget: {', '.join(sorted(unknown))}")
    engine, program = measure_leakage.build()
    program = arguments.program or program
    good = True
    try:
        for name in arguments.gadget or GADGETS:
            for gadget in GADGETS[name]:
                cases, points, wrong = examine(engine, program, name, gadget)
                print(
                    f"{name:12} {cases:7} cases {points:5} points {len(wrong)} depend", flush=True
                )
                for point in wrong[:10]:
                    print(f"  {point.function} at {point.address:#x}: {point.kind}, {point.t:.3f}")
                good = good and points > 0 and not wrong
    except (MachineError, OSError) as error:
        sys.exit(f"enumerate_leakage: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
