# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decisions of division steps against the plain rule [BY19], and their latency."""

import cocotb
from benches import clock_up, parameters, seeded, tick

STEPS, RATE = parameters("STEPS", "RATE")


@cocotb.test()
async def decisions(dut):
    source = seeded(dut)
    dut.load_i.value = 0
    dut.restart_i.value = 0
    await clock_up(dut)
    delta = 1
    for run in range(40):
        f, g = source.getrandbits(STEPS) | 1, source.getrandbits(STEPS)
        if run % 4 == 3:
            g <<= STEPS // 2  # no swap for long
            g &= (1 << STEPS) - 1
        dut.load_i.value = 1
        dut.restart_i.value = int(run == 0)
        dut.f_i.value = f
        dut.g_i.value = g
        await tick(dut)
        dut.load_i.value = 0
        cycles = 0
        while dut.ready_o.value == 0:
            await tick(dut)
            cycles += 1
        assert cycles == STEPS // RATE
        swaps = adds = 0
        for i in range(STEPS):
            add = g & 1
            swap = int(delta > 0 and add)
            swaps |= swap << i
            adds |= add << i
            f, g = (g if swap else f), (g ^ (f if add else 0)) >> 1
            delta = 1 + (-delta if swap else delta)
        assert int(dut.swap_o.value) == swaps
        assert int(dut.add_o.value) == adds
