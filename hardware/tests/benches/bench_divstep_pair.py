# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two division steps on neighbouring coefficients against the rule [BY19], for all decisions."""

import cocotb
from cocotb.triggers import Timer

from hardware.tests.benches.benches import parameters, seeded
from hardware.tests.benches.models import division_steps

(N,) = parameters("N")


@cocotb.test()
async def makes_two_steps(dut):
    source = seeded(dut)
    whole = (1 << N) - 1
    values = [
        (0, 0),
        (whole, 0),
        (0, whole),
        (whole, whole),
        *[(source.getrandbits(N), source.getrandbits(N)) for _ in range(60)],
    ]
    for f, g in values:
        for decisions in range(16):
            swap, add = decisions & 3, decisions >> 2
            dut.f_i.value, dut.g_i.value = f, g
            dut.swap_i.value, dut.add_i.value = swap, add
            await Timer(1, "ns")
            f_after, g_after = division_steps(f, g, swap, add, 2)
            # f_o lacks nothing of this slice: what comes from below is zero here.
            assert (int(dut.f_o.value), int(dut.g_o.value)) == (f_after & whole, g_after & whole)
