# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pairs of positions that AVX-512's counters move together (src/kem/bike), for every syndrome.

Two positions of a pair differ in the lowest ten bits at most, so their whole vectors move alike,
but for one. The first one says how. As in rotations.py, all places of words with one place of bits,
and all places of bits with two places of words, stand for all positions: here for the second one of
a pair, while the first one takes all places of words that a pair may have.
"""

import dataclasses

import numpy as np

from parameters.table import TABLE
from proofs.kernels.codes import place
from proofs.kernels.engine.forms import Forms
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.products import stride
from proofs.kernels.rotations import SCRATCH_STRIDES, representatives

UNIT = "../proofs/kernels/units/bike_pairs.c"
FILES = [UNIT, "kem/gf2x/gf2x_rings.c"]
CLASS = 1024  # positions of which any two may be a pair
WORD = 64


@dataclasses.dataclass(frozen=True)
class Ring:
    """What counters_avx512.c has for a ring."""

    top: int
    options: int


def ring_of(r):
    vectors = -(-r // 512)
    top = 16 if vectors <= 32 else 32
    return Ring(top, -(-vectors // top))


RINGS = {r: ring_of(r) for r in TABLE.rings[0]}


class Pair:
    """A pair of positions, in all cases that stand for all."""

    def __init__(self, r):
        self.r, self.files = r, FILES
        ring = RINGS[r]
        self.target = (
            f"x86_64-linux-gnu -DUNIT_RING={r} -DUNIT_TOP={ring.top} -DUNIT_OPTIONS={ring.options}"
        )

    def __repr__(self):
        return f"avx512-pair-{self.r}"

    def cases(self):
        """Yields arrays of first and of second positions."""
        for positions in representatives(self.r, WORD):
            number = np.arange(positions.size)
            constant = np.unique(positions // WORD).size == 1  # then so is the place of the first
            words = 11 * (0 * number if constant else number) + 3
            first = positions // CLASS * CLASS + words % (CLASS // WORD) * WORD + 21
            yield np.where(first < self.r, first, positions // CLASS * CLASS + 21), positions

    def prove(self, module):
        """Raises NotProved unless plane 0 is the sum of the syndromes, rotated by both."""
        for first, second in self.cases():
            self._prove(module, first, second)

    def _prove(self, module, first, second):
        domain = Forms(second.size)
        machine = Machine(module, domain)
        size = 8 * stride(self.r)
        free = domain.free(self.r)
        out = machine.memory("sum", size)
        pair = np.concatenate([domain.values(positions, 32) for positions in (first, second)])
        arguments = [
            machine.address(f"ckem_gf2x_ring_{self.r}"),
            out,
            place(machine, "syndrome", free, size),
            place(machine, "pair", pair),
            machine.memory("scratch", SCRATCH_STRIDES * size + 512),
        ]
        machine.call("unit_pair", arguments)
        numbers = domain.numbers(free)[:, :, 0]
        for j in range(self.r):
            found = domain.numbers(out.memory.bits[j : j + 1])[0]
            right = numbers[(j + first) % self.r] ^ numbers[(j + second) % self.r]
            if (found != right.T).any():
                raise NotProved(f"{self!r}: bit {j} can be wrong")
