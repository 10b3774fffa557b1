# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The threshold for every weight of the syndrome against the specification's rational [BIKE, S7.3]."""

import cocotb
from benches import clock_up, parameters, tick

LEVEL, = parameters("LEVEL")
R, D, A, B, MINIMUM = {1: (12323, 71, 1353000000, 697220, 36),
                       3: (24659, 103, 1525880000, 526500, 52),
                       5: (40973, 137, 1787850000, 402312, 69)}[LEVEL]
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
            expected = max((A + B * (weight - 1)) // 10**8, MINIMUM)
            assert int(dut.threshold_o.value) == min(
                expected, max((A + B * R) // 10**8, MINIMUM)), weight
            assert int(dut.start_o.value) == (1 << (BITS - 1)) - expected & ((1 << BITS) - 1)
    dut.masked_i.value = 1
    await tick(dut)
    assert int(dut.threshold_o.value) == (D + 1) // 2 + 1
