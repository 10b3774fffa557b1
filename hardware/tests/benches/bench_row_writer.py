# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rows of a polynomial against windows of the integer, cyclically."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

R, WORD, STRIDE = parameters("R", "WORD", "STRIDE")


@cocotb.test()
async def rows_are_windows(dut):
    source = seeded(dut)
    dut.long_i.value = dut.valid_i.value = 0
    await clock_up(dut)
    words = -(-R // WORD)
    for pause in (WORD // STRIDE, 9):
        value = source.getrandbits(R)
        rows = {}

        async def step():
            await tick(dut)
            if dut.we_o.value == 1:
                rows[int(dut.row_o.value)] = int(dut.data_o.value)

        for i in range(words):
            dut.valid_i.value = 1
            dut.first_i.value = int(i == 0)
            dut.last_i.value = int(i == words - 1)
            dut.word_i.value = value >> (WORD * i) & ((1 << WORD) - 1)
            await step()
            dut.valid_i.value = 0
            for _ in range(pause - 1):
                await step()
        for _ in range(2 * WORD // STRIDE + 1):
            await step()
        twice = value | value << R | value << (2 * R)
        for position in range(0, R, STRIDE):  # only what windows from below r need
            width = WORD + min(STRIDE, R - position) - 1
            expected = twice >> position & ((1 << width) - 1)
            assert rows[position // STRIDE] & ((1 << width) - 1) == expected, position
