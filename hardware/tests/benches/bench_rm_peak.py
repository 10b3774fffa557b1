# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The entry of largest absolute value against a search: random entries, small ones that tie, zeros
in the pairs, groups with and without gaps between them, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded

VALUES, BITS = parameters("VALUES", "BITS")
TIME = 128 // VALUES
LATENCY = simulated.code_cycles.rm_peak(VALUES)


def symbol_of(values):
    """Returns the symbol for values in front of the last step, with the signs of rm_transform."""
    entries = []
    for t in range(0, 128, 2):
        sign = -1 if (t & 63 & ~(VALUES - 1)).bit_count() % 2 else 1
        a, b = sign * values[t], sign * values[t + 1]
        entries += [a + b, a - b]
    largest = max(map(abs, entries))
    t = next(t for t, entry in enumerate(entries) if abs(entry) == largest)
    return t + 128 * (entries[t] > 0)


def groups_of(source):
    top = (1 << (BITS - 1)) - 1
    for bound in (top, top, 3, 2, 1):
        for _ in range(30):
            values = [source.randint(-bound, bound) for _ in range(128)]
            if any(values):
                yield values
    for t in range(128):  # one of a pair is zero, and nothing is larger
        values = [source.choice([-2, 2]) for _ in range(128)]
        values[t], values[t ^ 1] = 4 * source.choice([-1, 1]), 0
        yield values


@cocotb.test()
async def finds(dut):
    source = seeded(dut)
    module = Module(dut)
    dut.begin_i.value = dut.values_i.value = 0
    await clock_up(dut)
    inputs, outputs, at = {}, {}, 0
    for group in groups_of(source):
        for c in range(TIME):
            some = group[VALUES * c : VALUES * c + VALUES]
            packed = sum((v & ((1 << BITS) - 1)) << (BITS * i) for i, v in enumerate(some))
            inputs[at + c] = int(c == 0), packed
        outputs[at + LATENCY] = symbol_of(group)
        at += TIME + source.choice([0, 0, 1, TIME // 2])
    for cycle in range(at + LATENCY + 1):
        nothing = 0, source.getrandbits(VALUES * BITS)
        dut.begin_i.value, dut.values_i.value = inputs.get(cycle, nothing)
        valid, symbol = await module.cycle("symbol_valid_o", "symbol_o")
        assert valid == int(cycle in outputs), cycle
        if valid:
            assert symbol == outputs[cycle], cycle
