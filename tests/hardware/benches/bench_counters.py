# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The counters of the gather unit against integer addition."""

import cocotb
from benches import clock_up, parameters, seeded, tick

WORD, LANES, BITS = parameters("WORD", "LANES", "BITS")


@cocotb.test()
async def counts(dut):
    source = seeded(dut)
    dut.add_i.value = 0
    await clock_up(dut)
    for start in (0, 57 % (1 << BITS), (1 << BITS) - 1):
        expected = [start] * WORD
        for group in range(9):
            windows = [source.getrandbits(WORD) | source.getrandbits(WORD) for _ in range(LANES)]
            dut.add_i.value = 1
            dut.first_i.value = int(group == 0)
            dut.start_i.value = start
            dut.windows_i.value = sum(w << (WORD * i) for i, w in enumerate(windows))
            await tick(dut)
            expected = [
                (e + sum(w >> j & 1 for w in windows)) % (1 << BITS) for j, e in enumerate(expected)
            ]
        dut.add_i.value = 0
        await tick(dut)
        planes = int(dut.counts_o.value)
        got = [sum((planes >> (WORD * b + j) & 1) << b for b in range(BITS)) for j in range(WORD)]
        assert got == expected
