# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The middle steps of the Hadamard transform against their definition: groups with and without gaps
between them, extreme values, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded

VALUES, BITS = parameters("VALUES", "BITS")
OUT = BITS + 5
TIME = 128 // VALUES
LATENCY = simulated.code_cycles.rm_transform(VALUES)


def transformed(values):
    """Returns the values after the steps for bits 5 to 1, with the signs of the hardware."""
    values = list(values)
    for distance in (32, 16, 8, 4, 2):
        for j in range(128):
            if not j & distance:
                a, b = values[j], values[j + distance]
                values[j], values[j + distance] = a + b, a - b
    between_cycles = 63 & ~(VALUES - 1)
    return [-v if (t & between_cycles).bit_count() % 2 else v for t, v in enumerate(values)]


def packed(values, bits):
    return sum((value & ((1 << bits) - 1)) << (bits * i) for i, value in enumerate(values))


@cocotb.test()
async def transforms(dut):
    source = seeded(dut)
    module = Module(dut)
    dut.begin_i.value = dut.values_i.value = 0
    await clock_up(dut)
    top = (1 << (BITS - 1)) - 1
    groups = [[source.randint(-top, top) for _ in range(128)] for _ in range(10)]
    groups += [[top] * 128, [-top] * 128, [source.choice([-top, top]) for _ in range(128)]]
    inputs, outputs, at = {}, {}, 0
    for group in groups:
        after = transformed(group)
        for c in range(TIME):
            there = slice(VALUES * c, VALUES * c + VALUES)
            inputs[at + c] = int(c == 0), packed(group[there], BITS)
            outputs[at + c + LATENCY] = int(c == 0), packed(after[there], OUT)
        at += TIME + source.choice([0, 0, 1, TIME // 2 + 1, TIME + 3])
    for cycle in range(at + LATENCY + TIME):
        nothing = 0, source.getrandbits(VALUES * BITS)
        dut.begin_i.value, dut.values_i.value = inputs.get(cycle, nothing)
        begin, values = await module.cycle("begin_o", "values_o")
        assert begin == outputs.get(cycle, (0, 0))[0], cycle
        if cycle in outputs:
            assert values == outputs[cycle][1], cycle
