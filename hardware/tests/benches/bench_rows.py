# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What feeds the rows: words of slot C, folded modulo x^r - 1, at the pace of the writers;
cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Feed, Memory, Module, clock_up, parameters, seeded

LEVEL, WORD, STRIDE, EXTRA = parameters("LEVEL", "WORD", "STRIDE", "EXTRA")
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD, STRIDE=STRIDE)
R, WORDS, ROWS = FORMULA.r, FORMULA.words, FORMULA.rows
BITS = R + EXTRA
C = 2


async def check(module, polynomials, feed, value):
    polynomials.fill(C, value, WORD, WORDS)
    feed.seen = []
    assert await module.run() == FORMULA.load_rows()
    folded = value & ((1 << R) - 1) ^ value >> R
    begin = feed.seen[0][0]
    assert feed.seen == [
        (
            begin + ROWS * i,
            (int(i == 0), int(i == WORDS - 1)),
            folded >> (WORD * i) & ((1 << WORD) - 1),
        )
        for i in range(WORDS)
    ]


@cocotb.test()
async def feeds_folded_words(dut):
    source = seeded(dut)
    polynomials, feed = Memory(dut, "poly"), Feed(dut)
    module = Module(dut, polynomials, feed)
    dut.start_i.value = 0
    await clock_up(dut)
    for slot in range(5):
        polynomials.fill(slot, source.getrandbits(BITS), WORD, WORDS)
    whole = (1 << BITS) - 1
    for value in [
        source.getrandbits(BITS),
        source.getrandbits(R),
        whole,
        0,
        1 << R,
        1 << (R - 1),
        whole ^ ((1 << R) - 1),
    ]:
        await check(module, polynomials, feed, value)
    await module.interrupt(source.randrange(1, FORMULA.load_rows()))
    await check(module, polynomials, feed, source.getrandbits(BITS))
