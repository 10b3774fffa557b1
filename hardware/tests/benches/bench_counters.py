# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The counters of the gather unit against integer addition, from starts that differ by
coefficient."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

WORD, LANES, BITS = parameters("WORD", "LANES", "BITS")


def planes(numbers):
    """Returns the numbers as bit planes side by side."""
    return sum(
        (number >> plane & 1) << (WORD * plane + j)
        for j, number in enumerate(numbers)
        for plane in range(BITS)
    )


@cocotb.test()
async def counts(dut):
    source = seeded(dut)
    dut.add_i.value = dut.first_i.value = 0
    dut.start_i.value = 0
    await clock_up(dut)
    whole = (1 << WORD) - 1
    for round_ in range(3):
        starts = [source.randrange(1 << BITS) for _ in range(WORD)]
        expected = starts
        for group in range(9):
            windows = [source.getrandbits(WORD) | source.getrandbits(WORD) for _ in range(LANES)]
            if group == round_:
                windows = [whole] * LANES
            dut.add_i.value = 1
            dut.first_i.value = int(group == 0)
            dut.start_i.value = source.getrandbits(BITS * WORD) if group != 1 else planes(starts)
            dut.windows_i.value = sum(w << (WORD * i) for i, w in enumerate(windows))
            await tick(dut)
            expected = [
                (e + sum(w >> j & 1 for w in windows)) % (1 << BITS) for j, e in enumerate(expected)
            ]
        dut.add_i.value = 0
        for _ in range(2):  # the second one must change nothing
            await tick(dut)
            assert int(dut.counts_o.value) == planes(expected)
