# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The register behind a memory's word against a model: the word a cycle later, kept after a write,
ORed to what is written, and what is written in place of what was read."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

(WORD,) = parameters("WORD")


@cocotb.test()
async def gives_and_keeps_words(dut):
    source = seeded(dut)
    for name in ("write_i", "wdata_i", "merge_i", "forward_i", "rdata_i"):
        getattr(dut, name).value = 0
    await clock_up(dut, clear=False)
    late, wrote = 0, False
    for _ in range(2000):
        write = source.random() < 0.5
        merge = write and source.random() < 0.7
        forward = merge and source.random() < 0.5
        bits = source.getrandbits(WORD) if write else 0
        read = source.getrandbits(WORD)
        dut.write_i.value, dut.merge_i.value, dut.forward_i.value = write, merge, forward
        dut.wdata_i.value, dut.rdata_i.value = bits, read
        written = bits | (late if merge else 0)
        late = written if forward else late if wrote else read
        wrote = write
        await tick(dut)
        assert int(dut.late_o.value) == late
        # Inputs are still those of the cycle before, the register is that of this one.
        assert int(dut.wdata_o.value) == bits | (late if merge else 0)
