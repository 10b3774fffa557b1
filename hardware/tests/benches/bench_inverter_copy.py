# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The inverter's result: every word of v from the memory of f to slot C, once; cycles."""

import cocotb

from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

R, WORD, INV_WORD, DEPTH = parameters("R", "WORD", "INV_WORD", "DEPTH")
WORDS = -(-R // WORD)
SLOT_C = 2


class Words:
    """The memory of f: a word is there two cycles after its address."""

    def __init__(self, dut):
        self.dut, self.value, self.addresses = dut, 0, [0, 0]

    def drive(self):
        word = self.value >> (INV_WORD * self.addresses[0]) & ((1 << INV_WORD) - 1)
        self.dut.rdata_i.value = word

    def observe(self):
        self.addresses = [self.addresses[1], int(self.dut.raddr_o.value)]


@cocotb.test()
async def copies(dut):
    source = seeded(dut)
    dut.start_i.value = 0
    await clock_up(dut)
    words, memory = Words(dut), Memory(dut, "poly")
    module = Module(dut, words, memory)
    for _ in range(3):
        words.value = source.getrandbits(INV_WORD * DEPTH)
        memory.touched.clear()
        assert await module.run() == WORDS + 2
        assert int(dut.raddr_o.value) == 0
        assert set(memory.touched) == {(SLOT_C, i) for i in range(WORDS)}
        out = memory.polynomial(SLOT_C, WORD, WORDS)
        assert out == words.value & ((1 << (WORD * WORDS)) - 1)
    await module.interrupt(WORDS // 2)
    assert int(dut.raddr_o.value) == 0
    await module.interrupt(WORDS + 1)
