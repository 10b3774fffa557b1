# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A stage of a sweep against the steps on whole polynomials: words that follow, jumps, gaps,
latency."""

import cocotb
from benches import clock_up, parameters, seeded, tick
from models import division_steps

WORD, STEPS = parameters("WORD", "STEPS")
MASK = (1 << WORD) - 1


def expected_words(f, g, jump, swap, add):
    """Returns the words of f and g after the steps. Words from `jump` on follow words of zeros.

    Below the lowest coefficient g has a one: with it, coefficient -1, both are shifted up by STEPS.
    """
    below = 1 << (STEPS - 1)
    f_whole = sum(word << (WORD * i) for i, word in enumerate(f)) << STEPS
    g_whole = sum(word << (WORD * i) for i, word in enumerate(g)) << STEPS | below
    results = [division_steps(f_whole, g_whole, swap, add, STEPS)]
    if jump:  # what came before does not reach into these words
        low = (1 << (WORD * jump + STEPS)) - 1
        results.append(division_steps(f_whole & ~low, g_whole & ~low, swap, add, STEPS))
    return [
        tuple(value >> (WORD * i + STEPS) & MASK for value in results[bool(jump) and i >= jump])
        for i in range(len(f))
    ]


async def sweep(dut, source, gaps):
    """Sends the words of a sweep through the stage; returns nothing, asserts all."""
    count = source.randrange(2, 9)
    jump = source.choice((0, source.randrange(1, count)))
    f, g = (
        [source.choice((0, MASK, source.getrandbits(WORD))) for _ in range(count)] for _ in range(2)
    )
    swap, add = source.getrandbits(STEPS), source.getrandbits(STEPS)
    dut.set_i.value, dut.swap_i.value, dut.add_i.value = 1, swap, add
    dut.valid_i.value = 0
    await tick(dut)
    dut.set_i.value = 0
    dut.swap_i.value, dut.add_i.value = source.getrandbits(STEPS), source.getrandbits(STEPS)
    for i, result in enumerate(expected_words(f, g, jump, swap, add)):
        while gaps and source.randrange(3) == 0:  # data without valid must not matter
            dut.valid_i.value = 0
            dut.f_i.value, dut.g_i.value = source.getrandbits(WORD), source.getrandbits(WORD)
            await tick(dut)
            assert dut.valid_o.value == 0
        dut.valid_i.value = 1
        flags = int(i == 0), int(i > 0 and i == jump)
        dut.first_i.value, dut.jump_i.value = flags
        dut.f_i.value, dut.g_i.value = f[i], g[i]
        await tick(dut)
        assert dut.valid_o.value == 1
        assert (int(dut.first_o.value), int(dut.jump_o.value)) == flags
        assert (int(dut.f_o.value), int(dut.g_o.value)) == result, (i, jump)
    dut.valid_i.value = dut.first_i.value = dut.jump_i.value = 0


@cocotb.test()
async def sweeps(dut):
    source = seeded(dut)
    for name in ("valid_i", "first_i", "jump_i", "set_i", "f_i", "g_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    for i in range(60):
        await sweep(dut, source, gaps=i % 2)
    dut.clear_i.value = 1
    await tick(dut)
    assert not any(int(port.value) for port in (dut.valid_o, dut.f_o, dut.g_o))
    dut.clear_i.value = 0
    await sweep(dut, source, gaps=False)
