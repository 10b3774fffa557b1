# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The inverter's loading: every word of f = x^r + 1 and of g = h0 once, zeros above; cycles."""

import cocotb

from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

R, WORD, INV_WORD, DEPTH = parameters("R", "WORD", "INV_WORD", "DEPTH")
WORDS = -(-R // WORD)


@cocotb.test()
async def loads(dut):
    source = seeded(dut)
    dut.start_i.value = 0
    await clock_up(dut)
    memory = Memory(dut, "poly")
    module = Module(dut, memory)
    memory.words = {(slot, i): (1 << WORD) - 1 for slot in range(8) for i in range(1024)}
    latency = 1 + DEPTH * INV_WORD // WORD
    for _ in range(3):
        value = source.getrandbits(R)
        memory.fill(0, value, WORD, WORDS)
        await module.assert_idle()
        module.begin()
        f = g = 0
        addresses = []
        for cycle in range(latency + 4):
            names = ("we_o", "waddr_o", "f_o", "g_o", "done_o")
            we, address, f_word, g_word, done = await module.cycle(*names)
            dut.start_i.value = 0
            assert done == (cycle == latency)
            if we:
                assert cycle == 2 + (len(addresses) + 1) * INV_WORD // WORD
                addresses.append(address)
                f |= f_word << (INV_WORD * address)
                g |= g_word << (INV_WORD * address)
            else:
                assert (address, f_word, g_word) == (0, 0, 0)
        assert addresses == list(range(DEPTH))
        assert (f, g) == (1 << R | 1, value)
        await module.assert_idle()
    await module.interrupt(latency // 2)
    await module.interrupt(latency - 1)
