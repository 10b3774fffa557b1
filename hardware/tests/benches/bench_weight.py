# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The weight of a vector against Python's count of ones."""

import cocotb
from cocotb.triggers import Timer

from hardware.tests.benches.benches import parameters, seeded

(WIDTH,) = parameters("WIDTH")


@cocotb.test()
async def counts_ones(dut):
    source = seeded(dut)
    whole = (1 << WIDTH) - 1
    values = [0, whole, *[1 << i for i in range(WIDTH)], *[whole ^ 1 << i for i in range(WIDTH)]]
    for _ in range(300):
        a, b = source.getrandbits(WIDTH), source.getrandbits(WIDTH)
        values += [a, a & b, a | b]
    for value in values:
        dut.bits_i.value = value
        await Timer(1, "ns")
        assert int(dut.weight_o.value) == value.bit_count(), hex(value)
