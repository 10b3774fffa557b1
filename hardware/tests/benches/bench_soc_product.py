# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The multiplier as a piece of the system: random factors of all lengths up to its own, the cycles,
and what stays in it after wiping."""

import cocotb
from cocotb.clock import Clock

from hardware.tests.benches.benches import PERIOD, parameters, seeded, tick

(WORDS,) = parameters("WORDS")


async def started(dut):
    for name in ("rst_ni", "words_i", "push_i", "data_i", "pop_i", "start_i", "wipe_i"):
        getattr(dut, name).value = 0
    Clock(dut.clk_i, PERIOD, unit="ns").start()
    for _ in range(3):
        await tick(dut)
    dut.rst_ni.value = 1


async def pulse(dut, name):
    """Returns the cycles in which it is busy after this pulse."""
    getattr(dut, name).value = 1
    await tick(dut)
    getattr(dut, name).value = 0
    cycles = 0
    while dut.busy_o.value == 1:
        cycles += 1
        await tick(dut)
    return cycles


async def push(dut, factor, words):
    for i in range(2 * words):
        dut.data_i.value = factor >> 32 * i & 0xFFFFFFFF
        dut.push_i.value = 1
        await tick(dut)
        dut.push_i.value = 0


async def pop(dut, words):
    found = 0
    for i in range(4 * words):
        await tick(dut)
        await tick(dut)
        found |= int(dut.data_o.value) << 32 * i
        dut.pop_i.value = 1
        await tick(dut)
        dut.pop_i.value = 0
    return found


def product(a, b):
    found = 0
    while b:
        low = b & -b
        found ^= a * low
        b ^= low
    return found


@cocotb.test()
async def multiplies_and_wipes(dut):
    random = seeded(dut)
    await started(dut)
    for words in (1, 2, 3, WORDS - 1, WORDS, 2):
        dut.words_i.value = words
        a, b = random.getrandbits(64 * words), random.getrandbits(64 * words)
        await push(dut, a, words)
        await push(dut, b, words)
        assert await pulse(dut, "start_i") == words**2 + 5
        assert await pop(dut, words) == product(a, b)
        assert await pulse(dut, "wipe_i") == 2 * WORDS
        assert await pop(dut, words) == 0
        await pulse(dut, "wipe_i")
        await wiped_factors(dut, a & 0xFFFF, b & 0xFFFF)


async def wiped_factors(dut, a, b):
    """Gives one word of each factor, and multiplies with all words: the others must be zero."""
    dut.words_i.value = 1
    await push(dut, a, 1)
    await push(dut, b, 1)
    dut.words_i.value = WORDS
    await pulse(dut, "start_i")
    assert await pop(dut, WORDS) == product(a, b)
    await pulse(dut, "wipe_i")


@cocotb.test()
async def cycles_do_not_depend_on_the_factors(dut):
    await started(dut)
    dut.words_i.value = WORDS
    found = set()
    for factor in (0, 1, 2 ** (64 * WORDS) - 1):
        await push(dut, factor, WORDS)
        await push(dut, factor, WORDS)
        found.add(await pulse(dut, "start_i"))
        assert await pop(dut, WORDS) == product(factor, factor)
        await pulse(dut, "wipe_i")
    assert len(found) == 1
