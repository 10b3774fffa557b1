# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The positions for the lanes: every set against its definition, each slot written once, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

LEVEL, LANES, SHIFT, LIST_BITS = parameters("LEVEL", "LANES", "SHIFT", "LIST_BITS")
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, LANES=LANES)
R, D, T = FORMULA.r, FORMULA.d, FORMULA.t
INDEX_BITS = (R - 1).bit_length()
UPPER = 1 << (D - 1).bit_length()  # where h1's list begins
COUNT0, COUNT1, UPDATE0, UPDATE1, KEY0, KEY1, ERR = range(7)
KIND = {UPDATE0: "update", UPDATE1: "update", ERR: "err"}


class Lanes:
    """Notes what is written into the lanes; at most one a cycle, and zeros otherwise."""

    def __init__(self, dut):
        self.dut, self.entries = dut, {}

    def drive(self):
        pass

    def observe(self):
        lanes = int(self.dut.lane_we_o.value)
        address, entry = int(self.dut.lane_waddr_o.value), int(self.dut.lane_wdata_o.value)
        assert lanes & (lanes - 1) == 0
        if lanes == 0:
            assert (address, entry) == (0, 0)
            return
        key = lanes.bit_length() - 1, address
        assert key not in self.entries
        self.entries[key] = entry


def entry_of(chosen, words, index):
    """Returns {valid, other region, position} for an entry of the list."""
    if chosen == UPDATE0 and index == D:
        return 3 << INDEX_BITS  # the syndrome itself
    if index >= (T if chosen == ERR else D):
        return 0
    word = words[index + (UPPER if chosen in (COUNT1, UPDATE1, KEY1) else 0)]
    k, upper = word & ((1 << INDEX_BITS) - 1), word >> INDEX_BITS
    if chosen == ERR and not upper:
        return 0
    if chosen not in (COUNT0, COUNT1):
        k = (R - k + (SHIFT if chosen == KEY1 else 0)) % R
    return 2 << INDEX_BITS | k


def expected(chosen, words):
    kind = KIND.get(chosen, "key")
    lanes = (
        range(LANES // 2)
        if chosen == UPDATE0
        else range(LANES // 2, LANES)
        if chosen == UPDATE1
        else range(LANES)
    )
    base = FORMULA.groups("key") * {COUNT0: 0, COUNT1: 1}.get(chosen, 2)
    return {
        (lane, base + group): entry_of(chosen, words, group * len(lanes) + i)
        for group in range(FORMULA.groups(kind))
        for i, lane in enumerate(lanes)
    }


async def check(module, entries, lanes, chosen):
    lanes.entries = {}
    assert await module.run(set_i=chosen) == FORMULA.positions(KIND.get(chosen, "key"))
    assert lanes.entries == expected(chosen, entries.words)


@cocotb.test()
async def fills_every_set(dut):
    source = seeded(dut)
    entries, lanes = Memory(dut, "list"), Lanes(dut)
    module = Module(dut, entries, lanes)
    dut.start_i.value = 0
    await clock_up(dut)
    size = max(1 << (T - 1).bit_length(), 2 * UPPER)
    edges = [0, 1, R - 1, SHIFT % R, (SHIFT + 1) % R]
    for _ in range(2):
        for chosen in range(7):
            entries.words = {
                address: source.randrange(2) << INDEX_BITS
                | source.choice((source.randrange(R), source.choice(edges)))
                for address in range(size)
            }
            await check(module, entries, lanes, chosen)
    lanes.entries = {}
    await module.interrupt(source.randrange(1, D), set_i=KEY1)
    await check(module, entries, lanes, UPDATE1)
