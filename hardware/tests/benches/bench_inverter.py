# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The inverter: the product with its input is the stated power of x; the cycles are the
formula's, for every input."""

import cocotb
from cocotb.triggers import First, Timer, ValueChange
from cocotb.utils import get_sim_time

from hardware.tests import simulated
from hardware.tests.benches.benches import (
    PERIOD,
    Memory,
    Module,
    clock_up,
    parameters,
    seeded,
    tick,
)
from hardware.tests.benches.models import multiply

NAMES = ("LEVEL", "WORD", "INV_WORD", "STEPS", "STAGE", "RATE")
LEVEL, WORD, INV_WORD, STEPS, STAGE, RATE = parameters(*NAMES)
R, D, _ = simulated.cycles.LEVELS[LEVEL]
WORDS = -(-R // WORD)
A0, C = 0, 2  # slots


class Bench:
    """The inverter beside its memory of polynomials."""

    def __init__(self, dut):
        self.dut, self.memory = dut, Memory(dut, "poly")
        self.module = Module(dut, self.memory)
        self.formula = simulated.cycles.Cycles(
            LEVEL=LEVEL,
            WORD=WORD,
            INV_WORD=INV_WORD,
            INV_STEPS=STEPS,
            INV_STAGE=STAGE,
            INV_RATE=RATE,
        )

    async def run(self, cycles):
        """Lets the inverter alone for some cycles; it must not touch the memory."""
        changes = First(ValueChange(self.dut.poly_write_o), ValueChange(self.dut.done_o))
        seen = await First(changes, Timer(PERIOD * cycles, "ns"))
        assert isinstance(seen, Timer)
        await tick(self.dut)

    async def invert(self, value, early):
        """Returns the inverter's result and its cycles, from the first start or, if it is not asked
        to finish early, from the second one."""
        self.memory.touched.clear()
        self.memory.fill(A0, value, WORD, WORDS)
        assert await self.module.run(finish_i=0) == self.formula.inverter_load()
        self.dut.poly_rdata_i.value = (1 << WORD) - 1  # it has h0, and may look no more
        if not early:
            await self.run(self.formula.sweeps())
        begin = get_sim_time("ns") - PERIOD * (self.formula.inverter_load() + 2 if early else 0)
        self.module.begin(finish_i=1)
        await tick(self.dut)
        self.dut.start_i.value = 0
        await First(ValueChange(self.dut.poly_write_o), Timer(PERIOD * self.formula.invert(), "ns"))
        await tick(self.dut)  # into the cycle of that write
        done = 0
        for _ in range(WORDS):
            assert not done
            (done,) = await self.module.cycle("done_o")
        assert done
        cycles = round((get_sim_time("ns") - begin) / PERIOD) - 1
        assert set(self.memory.touched) == {(C, i) for i in range(WORDS)}
        return self.memory.polynomial(C, WORD, WORDS), cycles


def inputs(source):
    """Returns odd weights of all kinds; extreme ones lead the decisions far apart."""
    return [
        source.sample(range(R), D),
        [0],
        source.sample(range(R), R // 2 | 1),
        [R - 1 - i for i in range(D)],
        list(range(D)),
        [R - 1],
    ]


@cocotb.test()
async def inverts(dut):
    source = seeded(dut)
    dut.start_i.value = 0
    dut.wipe_i.value = 0
    dut.wipe_addr_i.value = 0
    await clock_up(dut)
    bench = Bench(dut)
    extra = -(2 * R - 1) % STEPS
    whole = bench.formula.invert()
    for number, positions in enumerate(inputs(source)[: min(6, 700_000 // whole)]):
        early = number != 1
        # What was begun and cleared before leaves nothing behind.
        await bench.module.interrupt(source.randrange(1, 1000), finish_i=0)
        out, cycles = await bench.invert(sum(1 << k for k in positions), early)
        out = out & ((1 << R) - 1) ^ out >> R
        assert multiply(out, positions, R) == 1 << ((extra - 2) % R)
        assert cycles == (whole if early else bench.formula.inverter_copy() + 1)
