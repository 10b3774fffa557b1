# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Syndromes of words of any length against their definition, taken round twice; busy cycles."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick
from hardware.tests.benches.codes import ALPHA, gf_mul

DELTA, RINGS = parameters("DELTA", "RINGS")
BUSY = 2 * DELTA // RINGS


def syndromes(word):
    """Returns those of the word turned by its length less one."""
    sums = []
    for i in range(1, 2 * DELTA + 1):
        total = 0
        for j, symbol in enumerate(word):
            total ^= gf_mul(symbol, ALPHA[i * (j - len(word) + 1) % 255])
        sums.append(total)
    return sums


async def pulse(dut, port):
    port.value = 1
    await tick(dut)
    port.value = 0


@cocotb.test()
async def sums(dut):
    source = seeded(dut)
    for port in (dut.start_i, dut.valid_i, dut.next_i):
        port.value = 0
    await clock_up(dut)
    for length in (0, 1, 2, 46, 90, 255):
        word = [source.randrange(256) for _ in range(length)]
        await pulse(dut, dut.start_i)
        for symbol in word:
            dut.symbol_i.value = symbol
            await pulse(dut, dut.valid_i)
            dut.symbol_i.value = source.randrange(256)
            for _ in range(BUSY - 1):
                assert dut.busy_o.value == 1
                await tick(dut)
            for _ in range(source.choice([0, 0, 1, 5])):
                await tick(dut)
                assert dut.busy_o.value == 0
        await tick(dut)
        assert dut.busy_o.value == 0
        for expected in 2 * syndromes(word):
            assert int(dut.syndrome_o.value) == expected
            await pulse(dut, dut.next_i)
            for _ in range(source.choice([0, 0, 3])):
                await tick(dut)
