# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supports (src/kem/bike): the sorted list that the decoder counts with, and counting as a whole.

Ranks and places are proved for all numbers below 2^31, as sums of the highest bits of differences,
and as choices by those of numbers less one.

Then order_support and count_unsatisfied run as they are, one after the other, for random syndromes
and for supports of which some leave wide gaps. So the loops around what is proved elsewhere
(counters.py, rotations.py) are seen to call it for all positions, in every back end.
"""

import itertools
import random

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, by_sample
from proofs.kernels.engine.samples import Samples
from proofs.kernels.engine.terms import Terms
from proofs.kernels.picks import codes_of
from proofs.kernels.products import stride
from proofs.kernels.rotations import BACKENDS, ENTRIES, SCRATCH_STRIDES, files

CASES = 32
NUMBER = 32  # bits


class Rank:
    """rank_entries for so many numbers, whatever they are."""

    function, operands = "rank_entries", ["entries"]

    def __init__(self, backend, count):
        self.backend, self.count = backend, count
        self.files, self.target = files(backend), BACKENDS[backend].processor

    def __repr__(self):
        return f"{self.backend}-{self.function}-{self.count}"

    def prove(self, module):
        """Raises NotProved unless all numbers are those of the model."""
        domain = Terms()
        machine = Machine(module, domain)
        lanes = BACKENDS[self.backend].bits // NUMBER
        room = -(-self.count // lanes) * lanes
        operands = [self._free(domain, room) for _ in self.operands]
        out = machine.memory("out", NUMBER // 8 * room)
        sources = [place(machine, *pair) for pair in zip(self.operands, operands, strict=True)]
        name = f"{self.function}_{self.backend}.counters_{self.backend}"
        machine.call(name, [out, *sources, self.count])
        found = out.memory.bits[: NUMBER * self.count]
        rows = [codes.reshape(-1, NUMBER)[: self.count] for codes in operands]
        if (found != np.concatenate(self.model(domain, rows))).any():
            raise NotProved(f"{self!r}: a number can be wrong")

    @staticmethod
    def _free(domain, count):
        """Returns numbers below 2^31."""
        codes = domain.free(NUMBER * count)
        codes.reshape(-1, NUMBER)[:, -1] = 0
        return codes

    def model(self, domain, operands):
        """Returns how many numbers are below each of them."""
        (numbers,) = operands
        ranks = []
        for number in numbers:
            rank = np.zeros(NUMBER, dtype=object)
            for other in numbers:
                borrow = domain.subtract(other, number)[-1:]
                one = np.concatenate([borrow, np.zeros(NUMBER - 1, dtype=object)])
                rank = domain.add(rank, one)
            ranks.append(rank)
        return ranks


class Place(Rank):
    """place_entries: a number is where the number of its place says."""

    function, operands = "place_entries", ["entries", "ranks"]

    def model(self, domain, operands):
        """Returns for each place the sum of the numbers that are put there."""
        numbers, places = operands
        one = np.array([-1] + [0] * (NUMBER - 1), dtype=object)
        out = []
        for at in range(self.count):
            here = np.array([-(at >> i & 1) for i in range(NUMBER)], dtype=object)
            value = np.zeros(NUMBER, dtype=object)
            for number, where in zip(numbers, places, strict=True):
                same = np.repeat(domain.subtract(domain.xor(where, here), one)[-1:], NUMBER)
                value = domain.either(value, domain.both(number, same))
            out.append(value)
        return out


# --- Counting as a whole --------------------------------------------------------------------------


def clustered_support(r, weight):
    """Returns a random support in two places of the ring, so that gaps are as wide as can be."""
    first = random.randrange(r // 4)
    second = r - 1 - random.randrange(r // 4)
    half = weight // 2
    low = random.sample(range(first, first + 2 * weight), half)
    return random.sample(low + [second - at for at in range(weight - half)], weight)


class Counted:
    """order_support, if there is one, and count_unsatisfied with two thresholds."""

    def __init__(self, backend, r, weight):
        self.backend, self.r, self.weight = backend, r, weight
        self.files, self.target = files(backend), BACKENDS[backend].processor

    def __repr__(self):
        return f"{self.backend}-counted-{self.r}-{self.weight}"

    def prove(self, module):
        """Raises NotProved unless the list has all positions, its steps are short, and the counters
        of all positions are compared with both thresholds."""
        supports = [clustered_support(self.r, self.weight) for _ in range(CASES // 2)]
        supports += [random.sample(range(self.r), self.weight) for _ in range(CASES // 2)]
        machine = Machine(module, Samples(CASES))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_bike_counters_{self.backend}").memory
        support = place(machine, "support", codes_of(supports), 4 * ENTRIES)
        order = ops.pointers.get(8)
        if order:
            machine.call(order.name, [ring, support, self.weight])
            self._check_order(supports, by_sample(support.memory.bits, CASES))
        size = 8 * stride(self.r)
        syndrome = place(machine, "syndrome", machine.domain.random(self.r), size)
        outs = [machine.memory(name, size) for name in ("reached", "low")]
        scratch = machine.memory("scratch", SCRATCH_STRIDES * size + 512)
        limits = (self.weight // 2 + 2, self.weight // 2)
        arguments = [outs[0], limits[0], outs[1], limits[1], syndrome, support, self.weight]
        machine.call(ops.pointers[16].name, [ring, *arguments, scratch])
        found = [by_sample(out.memory.bits, CASES) for out in outs]
        for case, value in enumerate(by_sample(syndrome.memory.bits, CASES)):
            bits = np.array([value >> at & 1 for at in range(self.r)])
            count = sum(np.roll(bits, -position) for position in supports[case])
            for values, limit in zip(found, limits, strict=True):
                ones = np.packbits(count >= limit, bitorder="little").tobytes()
                if values[case] != int.from_bytes(ones, "little"):
                    raise NotProved(f"{self!r}: wrong for {supports[case]}")

    def _check_order(self, supports, lists):
        """Looks whether the same positions come out, between marks that are near enough."""
        gap = BACKENDS[self.backend].gap
        marks = (-(-self.r // 64) - 1) // gap
        count = -(-(self.weight + marks) // 4) * 4
        for support, value in zip(supports, lists, strict=True):
            entries = [value >> (NUMBER * i) & 0xFFFFFFFF for i in range(count)]
            positions = [entry // 2 for entry in entries if entry % 2 == 0]
            words = [0, *(entry // 128 for entry in entries)]
            if positions != sorted(support):
                raise NotProved(f"{self!r}: other positions than those of {support}")
            if any(not 0 <= b - a <= gap for a, b in itertools.pairwise(words)):
                raise NotProved(f"{self!r}: a step is too long for {support}")
