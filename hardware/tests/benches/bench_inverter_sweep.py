# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sweeps over the memories against the steps on whole polynomials, in both orders of the words;
the part that decides; the port that reads f; wiping."""

import cocotb
from cocotb.triggers import ReadOnly

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick
from hardware.tests.benches.models import division_steps

WORD, STEPS, STAGE, DEPTH = parameters("WORD", "STEPS", "STAGE", "DEPTH")
STAGES = STEPS // STAGE
MASK = (1 << WORD) - 1
INPUTS = (
    *("we_i", "waddr_i", "f_i", "g_i", "valid_i", "set_i", "address_i", "lowest_i", "gap_i"),
    *("decide_i", "part_i", "last_i", "swap_i", "add_i", "raddr_i", "wipe_i", "wipe_addr_i"),
)


def word_of(value, i):
    return value >> (WORD * i) & MASK


def after_steps(f, g, base, v_top, swap, add):
    """Returns f and g after a sweep: v in words to v_top, f in words from base on, or as one."""
    ones = (1 << (WORD * DEPTH)) - 1
    low = (1 << (WORD * (v_top + 1))) - 1 if base else ones
    # Coefficient -1 of g is a one: with it, all is shifted up by one.
    f_low, g_low = division_steps((f & low) << 1, (g & low) << 1 | 1, swap, add, STEPS)
    f_low, g_low = f_low >> 1 & low, g_low >> 1 & low
    if not base:
        return f_low, g_low
    high = ones ^ ((1 << (WORD * base)) - 1)
    f_high, g_high = division_steps(f & high, g & high, swap, add, STEPS)
    middle = ones ^ high ^ low
    return (
        f_low | f & middle | f_high & high,
        g_low | g & middle | g_high & high,
    )


class Bench:
    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.f = self.g = 0

    def zeros(self):
        for name in INPUTS:
            getattr(self.dut, name).value = 0

    async def load(self):
        self.zeros()
        self.f, self.g = (self.source.getrandbits(WORD * DEPTH) for _ in range(2))
        for i in range(DEPTH):
            self.dut.we_i.value, self.dut.waddr_i.value = 1, i
            self.dut.f_i.value, self.dut.g_i.value = word_of(self.f, i), word_of(self.g, i)
            await tick(self.dut)
        self.zeros()

    async def read(self):
        """Returns f, read word after word."""
        value = 0
        for i in range(DEPTH + 2):
            self.dut.raddr_i.value = i if i < DEPTH else 0
            await ReadOnly()
            if i >= 2:
                value |= int(self.dut.f_word_o.value) << (WORD * (i - 2))
            await tick(self.dut)
        return value

    def visit(self, order, i, decides, base):
        """Drives what inverter_order says of the i-th word of the order."""
        visited = i < len(order)
        self.dut.valid_i.value = int(visited)
        self.dut.address_i.value = order[i] if visited else 0
        self.dut.set_i.value = int(i == 0)
        self.dut.lowest_i.value = int(visited and order[i] == 0)
        self.dut.gap_i.value = int(i == 0 and base > 0)
        self.dut.decide_i.value = int(visited and order[i] == decides)
        self.dut.last_i.value = int(i == len(order) - 1)

    async def sweep(self, base, v_top):
        """Makes a sweep; its decisions are there only when a stage must take them."""
        order = [*range(base, DEPTH), *range(v_top + 1)] if base else list(range(DEPTH))
        swap, add = self.source.getrandbits(STEPS), self.source.getrandbits(STEPS)
        position = self.source.randrange(len(order))
        decides, part = order[position], self.source.randrange(WORD // STEPS)
        self.f, self.g = after_steps(self.f, self.g, base, v_top, swap, add)
        self.dut.part_i.value = part
        for i in range(len(order) + STAGES + 4):
            self.visit(order, i, decides, base)
            taken = ((1 << STAGE) - 1) << (STAGE * (i - 1)) if i >= 1 else 0
            others = self.source.getrandbits(STEPS) & ~taken
            self.dut.swap_i.value = (swap & taken | others) & ((1 << STEPS) - 1)
            self.dut.add_i.value = (add & taken | others) & ((1 << STEPS) - 1)
            await ReadOnly()
            leaves = i - 2 - STAGES
            assert int(self.dut.decide_o.value) == (leaves == position)
            if leaves == position:
                for value, port in ((self.f, self.dut.f_part_o), (self.g, self.dut.g_part_o)):
                    expected = word_of(value, decides) >> (STEPS * part) & ((1 << STEPS) - 1)
                    assert int(port.value) == expected
            assert int(self.dut.done_o.value) == (leaves == len(order) - 1)
            await tick(self.dut)
        self.zeros()


@cocotb.test()
async def sweeps(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    bench.zeros()
    await clock_up(dut)
    for _ in range(3):
        await bench.load()
        assert await bench.read() == bench.f
        for run in range(8):
            v_top = source.randrange(DEPTH - 2)
            base = source.randrange(v_top + 2, DEPTH) if run % 2 else 0
            await bench.sweep(base, v_top)
            assert await bench.read() == bench.f
    dut.clear_i.value = dut.wipe_i.value = 1
    for i in range(DEPTH):
        dut.wipe_addr_i.value = i
        await tick(dut)
    bench.zeros()
    dut.clear_i.value = 0
    assert await bench.read() == 0
    bench.f = bench.g = 0
    await bench.sweep(0, 0)  # g was wiped, too: only its one below word 0 is there
    assert await bench.read() == bench.f
