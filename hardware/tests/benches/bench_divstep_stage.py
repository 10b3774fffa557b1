# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A stage of a sweep against the steps on whole polynomials: runs of words above nothing and above
a gap, in both orders; zeros without a word; latency."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick
from hardware.tests.benches.models import division_steps

WORD, STEPS = parameters("WORD", "STEPS")
MASK = (1 << WORD) - 1


def expected_words(f, g, lowest, swap, add):
    """Returns the words of a run of f and g after the steps.

    Below word 0 g has a one; below the first word above a gap all is zero. What is there, the
    coefficients -STEPS to -1, is shifted up with the words.
    """
    below = 1 << (STEPS - 1) if lowest else 0
    f_whole = sum(word << (WORD * i) for i, word in enumerate(f)) << STEPS
    g_whole = sum(word << (WORD * i) for i, word in enumerate(g)) << STEPS | below
    results = division_steps(f_whole, g_whole, swap, add, STEPS)
    return [tuple(value >> (WORD * i + STEPS) & MASK for value in results) for i in range(len(f))]


async def idle(dut, source):
    """Without valid_i the words must not matter, and zeros come out."""
    dut.valid_i.value = dut.lowest_i.value = dut.gap_i.value = 0
    dut.f_i.value, dut.g_i.value = source.getrandbits(WORD), source.getrandbits(WORD)
    await tick(dut)
    assert (int(dut.f_o.value), int(dut.g_o.value)) == (0, 0)


async def sweep(dut, source, runs):
    """Sends runs of words through the stage, one after the other; True: from word 0 up."""
    swap, add = source.getrandbits(STEPS), source.getrandbits(STEPS)
    dut.set_i.value, dut.swap_i.value, dut.add_i.value = 1, swap, add
    await idle(dut, source)
    dut.set_i.value = 0
    dut.swap_i.value, dut.add_i.value = source.getrandbits(STEPS), source.getrandbits(STEPS)
    for lowest in runs:
        count = source.randrange(1, 9)
        f, g = (
            [source.choice((0, MASK, source.getrandbits(WORD))) for _ in range(count)]
            for _ in range(2)
        )
        for i, result in enumerate(expected_words(f, g, lowest, swap, add)):
            dut.valid_i.value = 1
            dut.lowest_i.value = int(i == 0 and lowest)
            dut.gap_i.value = int(i == 0 and not lowest)
            dut.f_i.value, dut.g_i.value = f[i], g[i]
            await tick(dut)
            assert (int(dut.f_o.value), int(dut.g_o.value)) == result, (i, lowest)
    await idle(dut, source)


@cocotb.test()
async def sweeps(dut):
    source = seeded(dut)
    for name in ("valid_i", "lowest_i", "gap_i", "set_i", "f_i", "g_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    for i in range(60):
        await sweep(dut, source, [(True,), (False, True), (True, False)][i % 3])
    dut.valid_i.value = dut.clear_i.value = 1
    await tick(dut)
    assert (int(dut.f_o.value), int(dut.g_o.value)) == (0, 0)
    dut.clear_i.value = 0
    await sweep(dut, source, (False, True))
