# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The inverter: the product with its input is the stated power of x; the cycles are the
formula's."""

import cocotb
from benches import PERIOD, clock_up, parameters, seeded, tick
from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from models import multiply

import simulated

LEVEL, WORD, INV_WORD, STEPS = parameters("LEVEL", "WORD", "INV_WORD", "STEPS")
R, D, _ = simulated.cycles.LEVELS[LEVEL]
LOADED = ((2 * R - 1 + STEPS) // INV_WORD + 1) * (INV_WORD // WORD)  # words that are asked for


async def invert(dut, value):
    """Returns the inverter's result and its cycles.

    Between loading h0 and writing the result it needs nothing, and the bench lets it run.
    """
    begin = get_sim_time("ns")
    dut.start_i.value = 1
    for _ in range(LOADED + 2):
        address = int(dut.poly_raddr_o.value)
        assert (int(dut.poly_we_o.value), int(dut.done_o.value)) == (0, 0)
        await tick(dut)
        dut.poly_rdata_i.value = value >> (WORD * address) & ((1 << WORD) - 1)
        dut.start_i.value = 0
    assert int(dut.poly_raddr_o.value) == 0
    await RisingEdge(dut.poly_we_o)
    out, done = 0, 0
    while not done:
        await tick(dut)
        assert dut.poly_we_o.value == 1
        out |= int(dut.poly_wdata_o.value) << (WORD * int(dut.poly_waddr_o.value))
        done = int(dut.done_o.value)
    cycles = round((get_sim_time("ns") - begin) / PERIOD)
    await tick(dut)
    assert (int(dut.poly_we_o.value), int(dut.done_o.value)) == (0, 0)
    return out, cycles


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
    for positions in inputs[: 2 if LEVEL == 5 else 3]:
        out, cycles = await invert(dut, sum(1 << k for k in positions))
        out = out & ((1 << R) - 1) ^ out >> R
        assert multiply(out, positions, R) == 1 << ((extra - 2) % R)
        assert cycles == formula.invert()
