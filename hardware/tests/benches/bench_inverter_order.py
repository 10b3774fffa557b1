# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The order of an inversion's sweeps against the formula's, word by word; when they begin."""

import cocotb
from cocotb.triggers import ReadOnly

from hardware.tests import simulated
from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

R, WORD, STEPS, DEPTH = parameters("R", "WORD", "STEPS", "DEPTH")
(LEVEL,) = (level for level, (r, *_) in simulated.cycles.LEVELS.items() if r == R)
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD, INV_WORD=WORD, INV_STEPS=STEPS)
SWEEPS = -(-(2 * R - 1) // STEPS)


def expected_words(sweep):
    """Returns what the outputs say of each word of a sweep."""
    order = FORMULA.visits(sweep)
    base, decides = sweep * STEPS // WORD, (sweep + 1) * STEPS // WORD
    v_top = (R + STEPS - 1) // WORD
    last = sweep == SWEEPS - 1
    return [
        {
            "set_o": int(i == 0),
            "address_o": word,
            "lowest_o": int(word == 0),
            "gap_o": int(word == base > v_top + 1),
            "decide_o": int(word == decides and not last),
            "last_o": int(last and i == len(order) - 1),
        }
        for i, word in enumerate(order)
    ]


class Bench:
    def __init__(self, dut, source):
        self.dut, self.source = dut, source

    async def cycle(self, enough=0):
        """Lets a cycle pass; returns what the outputs say of its word, or None."""
        self.dut.enough_i.value = enough
        await ReadOnly()
        names = ("set_o", "address_o", "lowest_o", "gap_o", "decide_o", "last_o")
        seen = {name: int(getattr(self.dut, name).value) for name in names}
        valid, part = int(self.dut.valid_o.value), int(self.dut.part_o.value)
        await tick(self.dut)
        self.dut.start_i.value = 0
        if not valid:
            assert not any(seen.values())
            return None
        return seen | {"part": part}

    async def sweep(self, sweep, enough_at):
        """Expects the words of a sweep; enough_i comes in that cycle of it, or after it."""
        part = (sweep + 1) % (WORD // STEPS)
        words = expected_words(sweep)
        for i, word in enumerate(words):
            assert await self.cycle(int(i == enough_at)) == word | {"part": part}
        if sweep == SWEEPS - 1:
            return
        for i in range(len(words), enough_at + 2):  # two cycles after enough_i the next one begins
            assert await self.cycle(int(i == enough_at)) is None

    async def inversion(self, choose):
        """choose(words) says when, in a sweep of so many words, enough_i comes for the next."""
        self.dut.start_i.value = 1
        for i in range(8):  # begin before enough_i, which comes in cycle 6
            assert await self.cycle(int(i == 6)) is None
        for sweep in range(SWEEPS):
            words = len(FORMULA.visits(sweep))
            await self.sweep(sweep, -1 if sweep == SWEEPS - 1 else choose(words))
        for _ in range(5):
            assert await self.cycle() is None


@cocotb.test()
async def visits(dut):
    source = seeded(dut)
    dut.start_i.value = dut.enough_i.value = 0
    await clock_up(dut)
    bench = Bench(dut, source)
    await bench.inversion(lambda words: source.choice((1, words // 2, words - 2)))
    await bench.inversion(lambda words: source.randrange(1, words + 5))
    # enough_i before the start: the first sweep begins two cycles after the start.
    assert await bench.cycle(1) is None
    dut.start_i.value = 1
    assert [await bench.cycle() for _ in range(2)] == [None, None]
    await bench.sweep(0, 1)
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = 0
    assert await bench.cycle() is None
    await bench.inversion(lambda words: words - 2)
