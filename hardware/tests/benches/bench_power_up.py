# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Any module with a reset: in a simulation of four states, no output is unknown after reset, while
the module is idle and in the first cycles of what start_i begins; all other inputs are zero."""

import cocotb

from hardware.tests.benches.benches import clock_up, tick

WORK = 300  # cycles after the start


@cocotb.test()
async def outputs_become_known(dut):
    if hasattr(dut, "clear_i"):
        await clock_up(dut)
    else:
        dut.rst_ni.value = 0
        await clock_up(dut, clear=False)
        dut.rst_ni.value = 1
        await tick(dut)
        assert dut.busy_o.value == 1  # it wipes itself
        while dut.busy_o.value == 1:
            await tick(dut)
        dut.op_i.value = dut.in_valid_i.value = dut.out_ready_i.value = 1
    for _ in range(5):
        await tick(dut)
    dut.start_i.value = 1
    await tick(dut)
    dut.start_i.value = 0
    for _ in range(WORK):
        await tick(dut)
