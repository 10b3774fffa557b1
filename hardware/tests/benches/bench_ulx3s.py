# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example board through the pins of its serial port, with what host.py sends and expects."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from hardware.kit.ulx3s import host
from hardware.tests import simulated
from hardware.tests.benches.benches import PERIOD, seeded
from tools import known_answers

BIT = 5 * PERIOD  # the bench's baud rate is a fifth of the clock


class Line:
    def __init__(self, dut):
        self.dut, self.bytes = dut, bytearray()
        dut.ftdi_txd.value = 1
        cocotb.start_soon(self._listen())

    async def send(self, data):
        for byte in data:
            for bit in (0, *(byte >> i & 1 for i in range(8)), 1):
                self.dut.ftdi_txd.value = bit
                await Timer(BIT, unit="ns")

    async def _listen(self):
        while True:
            await FallingEdge(self.dut.ftdi_rxd)
            await Timer(BIT * 3 // 2, unit="ns")
            byte = 0
            for i in range(8):
                byte |= int(self.dut.ftdi_rxd.value) << i
                await Timer(BIT, unit="ns")
            assert self.dut.ftdi_rxd.value == 1  # the stop bit
            self.bytes.append(byte)

    async def exchange(self, op, packet):
        """Returns error, cycles and output packet."""
        self.bytes.clear()
        await self.send(host.request(op, packet))
        wanted = host.HEAD
        for _ in range(20_000):
            await Timer(BIT * 10, unit="ns")
            if len(self.bytes) >= host.HEAD:
                wanted = host.HEAD + 4 * int.from_bytes(self.bytes[5:7], "little")
            if len(self.bytes) == wanted:
                break
        data = iter(self.bytes)
        return host.answer(lambda count: bytes(next(data) for _ in range(count)))


async def started(dut):
    line = Line(dut)
    dut.fire1.value = 1
    Clock(dut.clk_25mhz, PERIOD, unit="ns").start()
    await Timer(20 * PERIOD, unit="ns")
    dut.fire1.value = 0
    await Timer(20 * PERIOD, unit="ns")
    line.bytes.clear()
    return line


@cocotb.test()
async def encapsulates_over_the_serial_line(dut):
    line = await started(dut)
    packets = simulated.Packets(1)
    formula = simulated.cycles.Cycles(LEVEL=1, PRESET=0)
    record = seeded(dut).choice(known_answers.read_records("BIKE-L1"))
    _, seed = known_answers.record_seeds("BIKE-L1", record)
    good = host.packet_of([record["pk"], seed + bytes(32)])
    for packet, expected in [
        (good, simulated.ERROR_NONE),
        (good[:-4], simulated.ERROR_SHORT),
        (good, simulated.ERROR_NONE),
    ]:
        error, cycles, out = await line.exchange(simulated.ENCAPS, packet)
        assert error == expected
        if error == simulated.ERROR_NONE:
            assert cycles == formula.encaps()
            words = [int.from_bytes(out[i : i + 4], "little") for i in range(0, len(out), 4)]
            found = packets.unpack(words, [*packets.ciphertext, 32])
            assert found == record["ct"] + record["ss"]
    assert dut.led.value == 0
    assert (await line.exchange(simulated.DECAPS, good[:8]))[0] == simulated.ERROR_OP
    assert int(dut.led.value) >> 5 == simulated.ERROR_OP
    error, _, out = await line.exchange(simulated.WIPE, b"")
    assert (error, out) == (0, b"")
