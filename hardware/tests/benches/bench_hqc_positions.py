# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions into the lanes: each in its turn, as n less the position; the last group's rest is not
valid; what is drawn for others is left alone; positions in the padding."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

LEVEL, LANES = parameters("LEVEL", "LANES")
FORMULA = simulated.hqc_cycles.HqcCycles(LEVEL=LEVEL, LANES=LANES)
N = FORMULA.n
INDEX_BITS = (N - 1).bit_length()
PADDING = -N % 8


class Lanes:
    def __init__(self, dut):
        self.dut, self.entries = dut, {}

    async def cycle(self, **inputs):
        for name, value in inputs.items():
            getattr(self.dut, name).value = value
        await tick(self.dut)
        for name in inputs:
            getattr(self.dut, name).value = 0
        lanes = int(self.dut.lane_we_o.value)
        address, entry = int(self.dut.lane_waddr_o.value), int(self.dut.lane_wdata_o.value)
        assert lanes or (address, entry) == (0, 0)
        for lane in range(LANES):
            if lanes >> lane & 1:
                self.entries[lane, address] = entry

    async def draw(self, source, places):
        for place in places:
            while source.random() < 0.5:
                await self.cycle()
            await self.cycle(place_valid_i=1, place_i=place)


def chosen(source, weight):
    """Returns distinct positions, with 0 and some of the last ones."""
    edges = [0, *(N - 1 - j for j in range(PADDING + 1) if source.randrange(2))]
    others = source.sample(range(1, N - 10), weight - len(edges))
    places = edges + others
    source.shuffle(places)
    return places


@cocotb.test()
async def fills_the_lanes(dut):
    source = seeded(dut)
    lanes = Lanes(dut)
    dut.start_i.value = dut.stop_i.value = dut.key_i.value = 0
    dut.place_valid_i.value = dut.place_i.value = 0
    await clock_up(dut)
    for key in (0, 1, 0, 1):
        weight = FORMULA.key if key else FORMULA.error
        places = chosen(source, weight)
        lanes.entries = {}
        await lanes.cycle(start_i=1, key_i=key)
        await lanes.draw(source, places)
        groups = -(-weight // LANES)
        expected = {(lane, groups - 1): 0 for lane in range(LANES)} | {
            (i % LANES, i // LANES): 2 << INDEX_BITS | -place % N for i, place in enumerate(places)
        }
        assert lanes.entries == expected
        top = sum(1 << j for j in range(PADDING - 1) if N - 1 - j in places)
        assert int(dut.top_o.value) == top
        lanes.entries = {}
        await lanes.cycle(stop_i=1)
        await lanes.draw(source, chosen(source, weight))
        assert not lanes.entries and int(dut.top_o.value) == top
    await lanes.cycle(start_i=1)
    await lanes.draw(source, [N - 1])
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = 0
    await tick(dut)
    lanes.entries = {}
    await lanes.draw(source, chosen(source, 20))
    assert not lanes.entries and int(dut.top_o.value) == 0
