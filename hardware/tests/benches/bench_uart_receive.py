# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The receiver of the serial line: every byte once, at baud rates that are a little off, nothing
of a pulse or of a byte without a stop bit."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from hardware.tests.benches.benches import PERIOD, parameters, seeded, tick

(DIVISOR,) = parameters("DIVISOR")


class Line:
    """Drives the line and collects the bytes that come out."""

    def __init__(self, dut):
        self.dut, self.bytes = dut, []

    async def start(self):
        self.dut.line_i.value = 1
        self.dut.rst_ni.value = 0
        Clock(self.dut.clk_i, PERIOD, unit="ns").start()
        for _ in range(4):
            await tick(self.dut)
        self.dut.rst_ni.value = 1
        cocotb.start_soon(self._collect())
        await self.hold(1, 4 * DIVISOR)

    async def _collect(self):
        while True:
            await FallingEdge(self.dut.clk_i)
            if self.dut.valid_o.value == 1:
                self.bytes.append(int(self.dut.data_o.value))

    async def hold(self, level, cycles):
        self.dut.line_i.value = level
        for _ in range(cycles):
            await tick(self.dut)

    async def send(self, value, bit_cycles=DIVISOR, stop=1):
        """Sends ten bits, the start of each where a clock of bit_cycles would put it."""
        bits = [0, *[value >> i & 1 for i in range(8)], stop]
        for i, bit in enumerate(bits):
            await self.hold(bit, round((i + 1) * bit_cycles) - round(i * bit_cycles))
        self.dut.line_i.value = 1


@cocotb.test()
async def every_byte_comes_once(dut):
    source, line = seeded(dut), Line(dut)
    await line.start()
    sent = [0, 255, 0x55, 0xAA, *[source.getrandbits(8) for _ in range(60)]]
    for value in sent:
        await line.send(value)
        await line.hold(1, source.choice([0, 0, 1, 3 * DIVISOR]))
    await line.hold(1, 2 * DIVISOR)
    assert line.bytes == sent


@cocotb.test()
async def baud_rates_may_differ(dut):
    """By 2 %, as two crystals and rounded dividers do at most."""
    source, line = seeded(dut), Line(dut)
    await line.start()
    sent = []
    for rate in (0.98, 1.02):
        for _ in range(20):
            sent.append(source.getrandbits(8))
            await line.send(sent[-1], DIVISOR * rate)
            await line.hold(1, 1)
    await line.hold(1, 2 * DIVISOR)
    assert line.bytes == sent


@cocotb.test()
async def noise_gives_no_byte(dut):
    line = Line(dut)
    await line.start()
    await line.hold(0, DIVISOR // 2 - 2)  # a pulse shorter than half a bit
    await line.hold(1, 12 * DIVISOR)
    await line.send(0xC3, stop=0)
    await line.hold(1, 12 * DIVISOR)
    assert line.bytes == []
    await line.send(0x3C)
    await line.hold(1, 2 * DIVISOR)
    assert line.bytes == [0x3C]


@cocotb.test()
async def reset_ends_a_byte(dut):
    line = Line(dut)
    await line.start()
    await line.hold(0, 3 * DIVISOR)
    dut.rst_ni.value = 0
    await line.hold(1, 2)
    dut.rst_ni.value = 1
    await line.hold(1, 12 * DIVISOR)
    assert line.bytes == []
