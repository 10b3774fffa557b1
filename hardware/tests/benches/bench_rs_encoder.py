# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Reed-Solomon encoder against division with remainder: symbols in order, twice, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded
from hardware.tests.benches.codes import rs_encode

K, DELTA, CELLS = parameters("K", "DELTA", "CELLS")
LATENCY = simulated.code_cycles.rs_encoder(K, DELTA, CELLS)


class Message:
    """Gives lanes in the cycle after that in which they are asked for; else other data."""

    def __init__(self, dut, source):
        self.dut, self.source, self.data, self.lane = dut, source, bytes(K), None

    def drive(self):
        if self.lane is None:
            self.dut.lane_i.value = self.source.getrandbits(64)
        else:
            lane = self.data[8 * self.lane : 8 * self.lane + 8]
            self.dut.lane_i.value = int.from_bytes(lane, "little")

    def observe(self):
        lane = int(self.dut.lane_o.value)
        self.lane = lane if int(self.dut.read_o.value) else None
        assert lane < K // 8 if self.lane is not None else lane == 0


async def check(module, message, data, rounds):
    message.data = data
    assert await module.run() == LATENCY
    for _ in range(rounds):
        for expected in rs_encode(data, DELTA):
            assert await module.cycle("symbol_o") == [expected]
            module.dut.next_i.value = 1
            await module.cycle()
            module.dut.next_i.value = 0
            for _ in range(K - 1):
                await module.cycle()


@cocotb.test()
async def encodes(dut):
    source = seeded(dut)
    message = Message(dut, source)
    module = Module(dut, message)
    dut.start_i.value = dut.next_i.value = 0
    await clock_up(dut)
    await check(module, message, bytes(range(K)), 2)
    for _ in range(5):
        await check(module, message, source.randbytes(K), 1)
    for i in range(0, K, 5):
        await check(module, message, bytes(source.randrange(256) * (j == i) for j in range(K)), 1)
    await module.interrupt(source.randrange(1, LATENCY))
    await check(module, message, source.randbytes(K), 1)
    module.dut.next_i.value = 1  # a start in the middle of a codeword
    await module.cycle()
    module.dut.next_i.value = 0
    await check(module, message, bytes([255] * K), 1)
