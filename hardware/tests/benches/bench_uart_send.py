# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sender of the serial line: start bit, eight data bits, stop bit, each of DIVISOR cycles."""

import itertools

import cocotb
from cocotb.clock import Clock

from hardware.tests.benches.benches import PERIOD, parameters, seeded, tick

(DIVISOR,) = parameters("DIVISOR")


async def start(dut):
    dut.valid_i.value = dut.data_i.value = dut.rst_ni.value = 0
    Clock(dut.clk_i, PERIOD, unit="ns").start()
    await tick(dut)
    await tick(dut)
    dut.rst_ni.value = 1
    await tick(dut)


async def levels(dut, cycles):
    """Returns the level of the line in each of some cycles."""
    seen = []
    for _ in range(cycles):
        await tick(dut)
        seen.append(int(dut.line_o.value))
    return seen


def expected(value):
    bits = [0, *[value >> i & 1 for i in range(8)], 1]
    return [bit for bit in bits for _ in range(DIVISOR)]


async def send(dut, value):
    """Hands a byte over when it is taken; returns the levels of its ten bits."""
    dut.valid_i.value = 1
    dut.data_i.value = value
    while dut.ready_o.value == 0:
        await tick(dut)
    seen = await levels(dut, 1)
    dut.valid_i.value = 0
    dut.data_i.value = value ^ 0xFF
    return seen + await levels(dut, 10 * DIVISOR - 1)


@cocotb.test()
async def bytes_have_their_bits(dut):
    source = seeded(dut)
    await start(dut)
    for value in [0, 255, 0x55, 0xAA, *[source.getrandbits(8) for _ in range(40)]]:
        assert await send(dut, value) == expected(value)


@cocotb.test()
async def line_rests_high(dut):
    await start(dut)
    assert set(await levels(dut, 5 * DIVISOR)) == {1}
    assert await send(dut, 0) == expected(0)
    assert set(await levels(dut, 5 * DIVISOR)) == {1}
    assert dut.ready_o.value == 1


@cocotb.test()
async def ready_is_low_for_ten_bits(dut):
    await start(dut)
    dut.valid_i.value = 1
    dut.data_i.value = 0xFF  # kept: the next byte follows at once
    ready = []
    for _ in range(30 * DIVISOR):
        ready.append(int(dut.ready_o.value))
        await tick(dut)
    taken = [i for i, value in enumerate(ready) if value]
    assert {later - earlier for earlier, later in itertools.pairwise(taken)} == {10 * DIVISOR + 1}
