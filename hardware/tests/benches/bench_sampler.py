# SPDX-License-Identifier: Apache-2.0 OR MIT
"""BIKE's sampler against the biased one of [BIKE, S5.1]: lists, halves, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded
from hardware.tests.benches.sampling import Stream, sample, words_of_kinds

LEVEL, WORD = parameters("LEVEL", "WORD")
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD, KECCAK_BUFFERED=1)  # words do not wait
R, D, T, WORDS = FORMULA.r, FORMULA.d, FORMULA.t, FORMULA.words
UPPER = 1 << (D - 1).bit_length()  # where h1's list begins
# kind: the slots that it fills, the number of positions, where its list begins
KINDS = {0: ((0, 1), T, 0), 1: ((3, 4), T, 0), 2: ((0,), D, 0), 3: ((1,), D, UPPER)}
ERASING = {4: (0, 1), 5: (3, 4)}  # kind: slots


class Sampler:
    """The module with its memories and its words."""

    def __init__(self, dut, source):
        self.source = source
        self.polynomials, self.entries = Memory(dut, "poly"), Memory(dut, "list")
        self.stream = Stream(dut, "prf", "prf_word_i")
        self.module = Module(dut, self.polynomials, self.entries, self.stream)

    async def erase(self, kind):
        for slot in range(5):
            self.polynomials.fill(slot, self.source.getrandbits(WORD * WORDS), WORD, WORDS)
        self.polynomials.touched = {}
        assert await self.module.run(kind_i=kind) == FORMULA.erase(2)
        assert self.polynomials.touched == {
            (slot, i): 0 for slot in ERASING[kind] for i in range(WORDS)
        }

    async def draw(self, kind, words, gaps):
        slots, count, base = KINDS[kind]
        await self.erase(5 if slots[0] == 3 else 4)
        before = dict(self.polynomials.words)
        self.polynomials.touched, self.entries.touched = {}, {}
        self.stream.load(words, gaps)
        cycles = await self.module.run(kind_i=kind)
        assert cycles == FORMULA.sample(count, 0) + sum(gaps)
        drawn = sample(words, count, R * len(slots))
        assert self.entries.touched == {
            base + index: (position >= R) << (R - 1).bit_length() | position % R
            for index, position in drawn.items()
        }
        for i, slot in enumerate(slots):
            assert self.polynomials.polynomial(slot, WORD, WORDS) == sum(
                1 << (position - R * i) for position in drawn.values() if position // R == i
            )
        assert all(slot in slots for slot, _ in self.polynomials.touched)
        after = self.polynomials.words
        assert all(after[key] == before[key] for key in before if key[0] not in slots)


@cocotb.test()
async def samples(dut):
    source = seeded(dut)
    sampler = Sampler(dut, source)
    dut.start_i.value = 0
    await clock_up(dut)
    for kind, (_, count, _) in KINDS.items():
        for words in words_of_kinds(source, count):
            await sampler.draw(kind, words, [0] * count)
        gaps = [source.choice((0, 0, 0, 1, 30)) for _ in range(count)]
        await sampler.draw(kind, [source.getrandbits(32) for _ in range(count)], gaps)
