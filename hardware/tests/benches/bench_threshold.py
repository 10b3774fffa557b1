# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The threshold for every weight of the syndrome against the specification's rational [BIKE,
S7.3], and that of the first iteration, which may be lower."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, tick
from hardware.tests.benches.models import LEVELS, masked_threshold, threshold

LEVEL, LOWER = parameters("LEVEL", "LOWER_FIRST_THRESHOLD")
R = LEVELS[LEVEL][0]
BITS = 8 if LEVEL == 1 else 9
LATENCY = 4


def start_of(bound):
    """Returns the value from which a counter reaches its top bit after `bound` steps."""
    return (1 << (BITS - 1)) - bound & ((1 << BITS) - 1)


async def check_every_weight(dut, first):
    dut.first_i.value = first
    for weight in range(R + 1 + LATENCY):
        dut.weight_i.value = min(weight, R)
        await tick(dut)
        if weight >= LATENCY - 1:
            expected = threshold(LEVEL, weight - LATENCY + 1, LOWER if first else 0)
            assert int(dut.start_o.value) == start_of(expected), weight


@cocotb.test()
async def every_weight(dut):
    dut.masked_i.value = dut.first_i.value = 0
    dut.weight_i.value = 0
    await clock_up(dut)
    for first in (0, 1):
        await check_every_weight(dut, first)
    dut.masked_i.value = 1
    await tick(dut)
    await tick(dut)
    assert int(dut.start_o.value) == start_of(masked_threshold(LEVEL))
