# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The threshold for every weight of the syndrome against the specification's rational [BIKE,
S7.3]."""

import cocotb
from benches import clock_up, parameters, tick
from models import LEVELS, masked_threshold, threshold

(LEVEL,) = parameters("LEVEL")
R = LEVELS[LEVEL][0]
BITS = 8 if LEVEL == 1 else 9


@cocotb.test()
async def every_weight(dut):
    dut.masked_i.value = 0
    dut.weight_i.value = 0
    await clock_up(dut)
    for weight in range(R + 3):
        dut.weight_i.value = min(weight, R)
        await tick(dut)
        if weight >= 1:  # the result of one weight earlier
            expected = threshold(LEVEL, min(weight - 1, R))
            assert int(dut.threshold_o.value) == expected, weight
            assert int(dut.start_o.value) == (1 << (BITS - 1)) - expected & ((1 << BITS) - 1)
    dut.masked_i.value = 1
    await tick(dut)
    assert int(dut.threshold_o.value) == masked_threshold(LEVEL)
