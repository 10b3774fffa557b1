# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The gather unit: sums over one list and over two, from given starts, of all words or the first
ones; parts with rows of their own; what may be written beside a pass; both lengths of polynomials,
if there are two; cycles."""

import cocotb
from cocotb.triggers import ReadOnly

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick
from hardware.tests.benches.models import rotate

R, LONG, WORD, STRIDE, LANES, BITS, LIST, PARTS, REGIONS = parameters(
    "R", "LONG", "WORD", "STRIDE", "LANES", "BITS", "LIST", "PARTS", "REGIONS"
)
ROWS = WORD // STRIDE
INDEX_BITS = (max(R, LONG) - 1).bit_length()
ROW_ADDRESSES = REGIONS << ((max(R, LONG) - 1) // STRIDE + 1).bit_length()
LATENCY = 8
PLANE = (1 << WORD) - 1


def total(starts, windows):
    """Returns the bit planes of the sums of 0 and 1, coefficient by coefficient."""
    planes = list(starts)
    for carry in windows:
        for i in range(BITS):
            planes[i], carry = planes[i] ^ carry, planes[i] & carry
    return planes


class Unit:
    """The unit with the contents of its lanes, and what it has to give."""

    def __init__(self, dut, source, length):
        self.dut, self.source = dut, source
        self.length, self.words, self.whole = length, -(-length // WORD), (1 << length) - 1
        self.regions = 1 if length == LONG else REGIONS
        self.rows = [[0] * PARTS for _ in range(self.regions)] * (2 // self.regions)  # by region
        self.lists = [[(0, 0, 0)] * LIST for _ in range(LANES)]
        self.starts = [0] * BITS
        self.sums, self.next = [], [0, 0]  # next: what the unit gets in the next cycles

    async def power_up(self):
        for name in ("start_i", "feed_valid_i", "feed_region_i", "list_we_i", "list_waddr_i"):
            getattr(self.dut, name).value = 0
        self.dut.list_wdata_i.value = self.dut.initial_i.value = 0
        self.dut.long_i.value = self.length == LONG
        await clock_up(self.dut)
        self.dut.clear_i.value = self.dut.wipe_i.value = 1
        for address in range(max(ROW_ADDRESSES, LIST)):
            self.dut.wipe_addr_i.value = address
            await tick(self.dut)
        self.dut.clear_i.value = self.dut.wipe_i.value = 0

    async def cycle(self):
        """Lets a cycle pass; notes a sum, and answers what the unit asks for."""
        await ReadOnly()
        asked = int(self.dut.initial_o.value)
        word = int(self.dut.initial_word_o.value)
        last = int(self.dut.sum_last_o.value)
        if self.dut.sum_valid_o.value == 1:
            self.sums.append(
                (
                    int(self.dut.sum_word_o.value),
                    int(self.dut.sum_second_o.value),
                    int(self.dut.sum_o.value),
                )
            )
        assert asked or word == 0
        await tick(self.dut)
        self.dut.initial_i.value = self.next.pop(0)
        self.next.append(
            sum((s >> WORD * word & PLANE) << WORD * i for i, s in enumerate(self.starts))
            if asked
            else self.source.getrandbits(BITS * WORD)
        )
        return last

    async def do(self, work):
        for _ in work:
            await self.cycle()

    def feed(self, region, parts, value):
        """Sends a polynomial to the rows of some of the parts (bit mask); yields each cycle."""
        for i in range(PARTS):
            if parts >> i & 1:
                self.rows[region][i] = value
        self.dut.feed_region_i.value = region
        for i in range(self.words):
            self.dut.feed_valid_i.value = parts
            self.dut.feed_first_i.value, self.dut.feed_last_i.value = i == 0, i == self.words - 1
            self.dut.feed_word_i.value = value >> (WORD * i) & PLANE
            yield
            self.dut.feed_valid_i.value = 0
            for _ in range(ROWS - 1):
                yield
        for _ in range(2 * ROWS):
            yield

    def write_list(self, first, groups, entry):
        """Writes entries, which entry() gives as (valid, other region, k); yields each cycle."""
        for group in range(first, first + groups):
            for lane in range(LANES):
                valid, other, k = self.lists[lane][group] = entry()
                self.dut.list_we_i.value = 1 << lane
                self.dut.list_waddr_i.value = group
                self.dut.list_wdata_i.value = (valid << 1 | other) << INDEX_BITS | k
                yield
        self.dut.list_we_i.value = 0

    def expected(self, words, groups, region, lists):
        """Returns what a pass has to give: (word, second, sum) in order."""
        planes = []
        for first in lists:
            windows = [
                rotate(self.rows[region ^ other][lane * PARTS // LANES], -k, self.length)
                for lane in range(LANES)
                for valid, other, k in self.lists[lane][first : first + groups]
                if valid
            ]
            planes.append(total(self.starts, windows))
        return [
            (word, second, [p >> WORD * word & PLANE for p in planes[second]])
            for word in range(words)
            for second in range(len(lists))
        ]

    async def check(self, words, groups, region, lists, beside=()):
        """Makes a pass, beside which something else is done; compares sums and cycles."""
        self.starts = [self.source.getrandbits(self.length) for _ in range(BITS)]
        expected = self.expected(words, groups, region, lists)
        self.sums = []
        for name, value in {
            "last_word_i": words - 1,
            "last_group_i": groups - 1,
            "two_i": len(lists) - 1,
            "list_i": lists[-1] << (LIST - 1).bit_length() | lists[0],
            "region_i": region,
            "start_i": 1,
        }.items():
            getattr(self.dut, name).value = value
        cycles, works = 0, [iter(work) for work in beside]
        while not await self.cycle():
            cycles += 1
            assert cycles <= words * groups * len(lists) + LATENCY
            self.dut.start_i.value = 0
            works = [work for work in works if next(work, self) is not self]
        assert cycles == words * groups * len(lists) + LATENCY
        assert not works
        assert [
            (word, second, [s >> WORD * i & PLANE & self.whole >> WORD * word for i in range(BITS)])
            for word, second, s in self.sums
        ] == expected


@cocotb.test()
async def sums(dut):
    source = seeded(dut)
    for length in filter(None, (R, LONG)):
        await sums_of(Unit(dut, source, length))


async def sums_of(unit):
    dut, source, length = unit.dut, unit.source, unit.length
    await unit.power_up()

    def own():  # of the region that the pass chooses
        return source.random() < 0.9, 0, source.choice((0, length - 1, source.randrange(length)))

    def either():
        return source.randrange(2), source.randrange(unit.regions), source.randrange(length)

    groups = LIST // 2 - 1
    for region in range(unit.regions):
        for part in range(PARTS):
            await unit.do(unit.feed(region, 1 << part, source.getrandbits(length)))
    await unit.do(unit.write_list(0, groups, either))
    await unit.do(unit.write_list(groups, groups, own))
    other = unit.regions - 1
    await unit.check(unit.words, groups, 0, [0])
    await unit.check(unit.words // 3, groups - 1, other, [0, groups])
    # While a pass reads the second list and region 1, the first list and region 0 are written, if
    # that is another one.
    await unit.check(
        unit.words,
        groups,
        other,
        [groups],
        beside=[
            unit.write_list(0, 2, either),
            *[unit.feed(0, (1 << PARTS) - 1, unit.whole)] * other,
        ],
    )
    await unit.check(1, 2, 0, [0, 1])
    dut.start_i.value = 1
    for _ in range(source.randrange(1, unit.words)):
        await unit.cycle()
        dut.start_i.value = 0
    dut.clear_i.value = 1
    await unit.cycle()
    dut.clear_i.value = 0
    for _ in range(LATENCY + 1):
        assert dut.sum_valid_o.value == 0
        await unit.cycle()
    await unit.check(unit.words, 3, other, [2])
