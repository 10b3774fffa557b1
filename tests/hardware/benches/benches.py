# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the test benches share: the clock and the reset by clear_i."""

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


async def tick(dut):
    """Waits for the next falling edge: inputs change there, outputs are stable there."""
    await FallingEdge(dut.clk_i)


async def clock_up(dut):
    """Starts the clock and clears the module."""
    dut.clear_i.value = 1
    Clock(dut.clk_i, 10, unit="ns").start()
    await tick(dut)
    await tick(dut)
    dut.clear_i.value = 0
    await tick(dut)
