# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Levels of HQC as the masked core has them: LEVELS[1], LEVELS[3] and LEVELS[5].

A word of the engine has 128 lanes. What has more positions, or candidates for them, is in groups:
position i is in group i // 128.
"""

import dataclasses
import functools

from hardware.sim.masked_engine import WORD, layout
from parameters.table import TABLE, HqcLevel


@dataclasses.dataclass(frozen=True, kw_only=True)
class Level(HqcLevel):
    """depth: words of the store and of the engine's memory; code, constants: the engine's;
    candidates: for the positions of a vector of a key, enough but for one key in 2^95; start: the
    one with which those of x begin, no more than y has, and in the stream the first of a word."""

    depth: int
    code: int
    constants: int
    candidates: int
    start: int

    @property
    def parity(self):
        return 2 * self.delta

    @property
    def cells(self):
        """Of Berlekamp's algorithm."""
        return 3 * self.delta + 1

    @property
    def code_words(self):
        return self.n1 * self.copies

    @property
    def ring_words(self):
        return -(-self.n // WORD)

    @property
    def ring_lanes(self):
        """Lanes of 64 bits; those of code words are twice as many."""
        return -(-self.n // 64)

    @property
    def message_words(self):
        return -(-self.k // 16)

    @property
    def position_bits(self):
        return self.n.bit_length()

    @property
    def groups(self):
        return -(-max(self.weight_r, self.candidates) // WORD)

    @functools.cached_property
    def fields(self):
        """Of the engine's instructions."""
        return layout((self.depth - 1).bit_length(), (self.constants - 1).bit_length())


def part_of(count, group):
    """Returns how many of so many are in a group."""
    return min(max(count - WORD * group, 0), WORD)


def level(number, depth, code, constants, candidates, start):
    mine = {"depth": depth, "code": code, "constants": constants}
    mine |= {"candidates": candidates, "start": start}
    return Level(**dataclasses.asdict(TABLE.of("hqc")[number]), **mine)


LEVELS = {
    1: level(1, 1024, 8192, 2048, 88, 64),
    3: level(3, 2048, 8192, 4096, 128, 96),
    5: level(5, 2048, 16384, 8192, 160, 128),
}
# Without pauses: cycles, and random bytes; bench_masked_hqc.py demands them.
COSTS = {
    1: ((12_492, 115_904), (22_179, 202_080), (34_883, 400_904)),
    3: ((25_728, 175_680), (53_399, 307_760), (71_779, 593_512)),
    5: ((47_822, 336_224), (100_755, 521_936), (139_491, 1_078_696)),
}


def costs_of(number):
    """Returns the cycles and the random bytes of each operation of a level."""
    return dict(zip(("keygen", "encaps", "decaps"), COSTS[number], strict=True))
