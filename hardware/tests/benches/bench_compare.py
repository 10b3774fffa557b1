# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The comparison of e with H(m'): equal halves, single bits that differ, what it keeps, cycles;
that it is sure after one whole comparison only."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

LEVEL, WORD = parameters("LEVEL", "WORD")
WORDS = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD).words
PAIRS = ((0, 3), (1, 4))  # A0 and G0, A1 and G1


async def check(module, polynomials, expected, sure=1):
    assert await module.run() == 4 * WORDS + 3
    assert await module.cycle("equal_o", "sure_o") == [expected, sure]


async def take_as_equal(module):
    module.dut.reset_i.value = 1
    await module.cycle()
    module.dut.reset_i.value = 0
    assert await module.cycle("equal_o", "sure_o") == [1, 0]


@cocotb.test()
async def compares(dut):
    source = seeded(dut)
    polynomials = Memory(dut, "poly")
    module = Module(dut, polynomials)
    dut.start_i.value = dut.reset_i.value = 0
    await clock_up(dut)
    assert await module.cycle("equal_o", "sure_o") == [0, 0]  # nothing was compared
    places = [
        (0, 0, 0),
        (0, WORDS - 1, WORD - 1),
        (1, 0, WORD - 1),
        (1, WORDS - 1, 0),
        *[(source.randrange(2), source.randrange(WORDS), source.randrange(WORD)) for _ in range(6)],
    ]
    for half, word, bit in places:
        polynomials.fill(2, source.getrandbits(WORD * WORDS), WORD, WORDS)
        for pair in PAIRS:
            value = source.getrandbits(WORD * WORDS)
            for slot in pair:
                polynomials.fill(slot, value, WORD, WORDS)
        await take_as_equal(module)
        await check(module, polynomials, 1)
        await take_as_equal(module)
        slot = source.choice(PAIRS[half])
        polynomials.words[slot, word] ^= 1 << bit
        await check(module, polynomials, 0)
        polynomials.words[slot, word] ^= 1 << bit
        await check(module, polynomials, 0, sure=0)  # once different stays different
    await take_as_equal(module)
    await module.interrupt(source.randrange(1, 4 * WORDS))
    await take_as_equal(module)
    await check(module, polynomials, 1)
