# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exchanges words of a memory and counts them; test_open_values.py says what for."""

import cocotb

from hardware.tests.benches.benches import clock_up, seeded, tick


@cocotb.test()
async def exchanges(dut):
    source = seeded(dut)
    dut.start_i.value = dut.address_i.value = dut.word_i.value = 0
    await clock_up(dut)
    words = {}
    for count in range(100):
        assert int(dut.count_o.value) == count
        address, word = source.randrange(16), source.getrandbits(8)
        dut.address_i.value, dut.word_i.value, dut.start_i.value = address, word, 1
        await tick(dut)
        dut.start_i.value = 0
        assert dut.done_o.value == 1
        assert int(dut.old_o.value) == words.get(address, int(dut.old_o.value))
        await tick(dut)
        words[address] = word
