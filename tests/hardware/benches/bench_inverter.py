# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The inverter: the product with its input is the stated power of x; the cycles are the formula's."""

import cocotb
import simulated
from benches import clock_up, parameters, seeded, tick
from models import multiply

LEVEL, WORD, INV_WORD, STEPS = parameters("LEVEL", "WORD", "INV_WORD", "STEPS")
R, D, _ = simulated.cycles.LEVELS[LEVEL]


async def invert(dut, value):
    """Returns the inverter's result and its cycles."""
    words = -(-R // WORD)
    memory = [value >> (WORD * i) & ((1 << WORD) - 1) for i in range(words)] + [0] * words
    out = 0
    dut.start_i.value = 1
    cycles = 0
    while True:
        address = int(dut.poly_raddr_o.value)
        if dut.poly_we_o.value == 1:
            out |= int(dut.poly_wdata_o.value) << (WORD * int(dut.poly_waddr_o.value))
        if dut.done_o.value == 1:
            await tick(dut)
            return out, cycles
        await tick(dut)
        dut.poly_rdata_i.value = memory[address]
        dut.start_i.value = 0
        cycles += 1


@cocotb.test()
async def inverts(dut):
    source = seeded(dut)
    dut.start_i.value = 0
    dut.wipe_i.value = 0
    dut.wipe_addr_i.value = 0
    dut.poly_rdata_i.value = 0
    await clock_up(dut)
    formula = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD, INV_WORD=INV_WORD, INV_STEPS=STEPS)
    extra = -(2 * R - 1) % STEPS
    inputs = [source.sample(range(R), D), [R - 1 - i for i in range(D)], [0]]
    for positions in inputs[:2 if LEVEL == 5 else 3]:
        out, cycles = await invert(dut, sum(1 << k for k in positions))
        out = out & ((1 << R) - 1) ^ out >> R
        assert multiply(out, positions, R) == 1 << ((extra - 2) % R)
        assert cycles == formula.invert()
