# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One lane: windows of a polynomial from any position on, the zero row, both regions, latency."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

R, WORD, STRIDE = parameters("R", "WORD", "STRIDE")
INDEX_BITS = (R - 1).bit_length()
LATENCY = 6


@cocotb.test()
async def windows(dut):
    source = seeded(dut)
    for name in ("long_i", "list_we_i", "row_we_i", "wipe_i", "base_i", "region_i", "list_raddr_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    dut.wipe_i.value = 1  # the row of zeros
    dut.row_data_i.value = 0
    dut.list_wdata_i.value = 0
    dut.list_waddr_i.value = 0
    dut.row_i.value = 0
    dut.row_region_i.value = 0
    for address in range(512):
        dut.wipe_addr_i.value = address
        await tick(dut)
    dut.wipe_i.value = 0
    values = [source.getrandbits(R) for _ in range(2)]
    dut.row_we_i.value = 1
    for region, value in enumerate(values):
        twice = value | value << R
        for row in range((R - 1) // STRIDE + 1):
            dut.row_region_i.value = region
            dut.row_i.value = row
            dut.row_data_i.value = twice >> (STRIDE * row) & ((1 << (WORD + STRIDE)) - 1)
            await tick(dut)
    dut.row_we_i.value = 0
    entries = [(1, source.randrange(2), source.randrange(R)) for _ in range(60)]
    entries += [(0, 0, 5), (1, 0, 0), (1, 1, R - 1), (1, 0, R - 1)]
    dut.list_we_i.value = 1
    for address, (valid, other, k) in enumerate(entries):
        dut.list_waddr_i.value = address
        dut.list_wdata_i.value = valid << (INDEX_BITS + 1) | other << INDEX_BITS | k
        await tick(dut)
    dut.list_we_i.value = 0
    for region, base in [(0, 0), (1, R // WORD * WORD), (0, 5 * WORD)]:
        for cycle in range(len(entries) + LATENCY):
            if cycle < len(entries):
                dut.list_raddr_i.value = cycle
                dut.region_i.value = region
                dut.base_i.value = base
            if cycle >= LATENCY:
                valid, other, k = entries[cycle - LATENCY]
                value = values[region ^ other]
                expected = (value | value << R) >> ((base + k) % R) & ((1 << WORD) - 1)
                assert int(dut.window_o.value) == (expected if valid else 0), (cycle, base)
            await tick(dut)
