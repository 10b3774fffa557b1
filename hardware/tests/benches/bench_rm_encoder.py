# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Reed-Muller word of all symbols against its definition, and a published one."""

import cocotb
from cocotb.triggers import Timer

from hardware.tests.benches.benches import parameters
from hardware.tests.benches.codes import rm_word

(WORD,) = parameters("WORD")


@cocotb.test()
async def encodes_all_symbols(dut):
    for symbol in range(256):
        for part in range(128 // WORD):
            dut.symbol_i.value, dut.upper_i.value = symbol, part
            await Timer(1, "ns")
            word = rm_word(symbol) >> (WORD * part) & ((1 << WORD) - 1)
            assert int(dut.word_o.value) == word, (symbol, part)
