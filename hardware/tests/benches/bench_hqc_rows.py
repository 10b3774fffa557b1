# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What feeds the rows: words of a slot, with the padding folded and nothing from beyond the bytes,
at the pace of the writers; cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Feed, Memory, Module, clock_up, parameters, seeded

LEVEL, WORD, STRIDE = parameters("LEVEL", "WORD", "STRIDE")
FORMULA = simulated.hqc_cycles.HqcCycles(LEVEL=LEVEL, WORD=WORD, STRIDE=STRIDE)
N, WORDS, ROWS = FORMULA.n, FORMULA.words, WORD // STRIDE
BYTES = -(-N // 8)
S, U = 2, 3


async def check(module, polynomials, feed, slot, value):
    polynomials.fill(slot, value, WORD, WORDS)
    feed.seen = []
    assert await module.run(slot_i=slot) == FORMULA.rows()
    padding = value >> N & ((1 << 8 * BYTES - N) - 1)
    assert int(module.dut.padding_o.value) == padding
    folded = value & ((1 << N) - 1) ^ padding
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
    dut.start_i.value = dut.slot_i.value = 0
    await clock_up(dut)
    for slot in range(5):
        polynomials.fill(slot, source.getrandbits(WORD * WORDS), WORD, WORDS)
    for value in [
        source.getrandbits(N),
        source.getrandbits(WORD * WORDS),
        (1 << WORD * WORDS) - 1,
        1 << N,
        1 << 8 * BYTES,
        1 << (N - 1),
    ]:
        await check(module, polynomials, feed, source.choice((S, U)), value)
    await module.interrupt(source.randrange(1, FORMULA.rows()), slot_i=S)
    assert int(dut.padding_o.value) == 0
    await check(module, polynomials, feed, S, source.getrandbits(N))
