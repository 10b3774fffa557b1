# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The gather unit as a whole: products, and each step of the decoder on usual and on weak keys;
cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded
from hardware.tests.benches.models import at_least, counters, masked_threshold, multiply, threshold

LEVEL, WORD, STRIDE, LANES, DECODER = parameters("LEVEL", "WORD", "STRIDE", "LANES", "DECODER")
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD, STRIDE=STRIDE, LANES=LANES)
R, D, T, WORDS, ROWS = FORMULA.r, FORMULA.d, FORMULA.t, FORMULA.words, FORMULA.rows
INDEX_BITS = (R - 1).bit_length()
ROW_ADDRESSES = 2 << ((R - 1) // STRIDE + 1).bit_length()
A0, A1, C, G0, G1 = range(5)
KEY, ERR, SYN, UPDATE, PLAIN1, BLACK, GRAY, PLAIN = range(8)
TAU = 3  # positions whose counter is less than this below the threshold are gray [BIKE, S7.4]


class Gather:
    """The unit and what is around it: rows that are fed, lists that are written, a memory."""

    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.polynomials = Memory(dut, "poly")
        self.module = Module(dut, self.polynomials)

    async def power_up(self):
        for name in (
            "start_i",
            "feed_valid_i",
            "list_we_i",
            "wipe_i",
            "list_waddr_i",
            "list_wdata_i",
        ):
            getattr(self.dut, name).value = 0
        await clock_up(self.dut)
        self.dut.clear_i.value = self.dut.wipe_i.value = 1
        for address in range(ROW_ADDRESSES):
            self.dut.wipe_addr_i.value = address
            await self.module.cycle()
        self.dut.clear_i.value = self.dut.wipe_i.value = 0
        for slot in range(5):
            self.set(slot, self.source.getrandbits(R))

    def set(self, slot, value):
        self.polynomials.fill(slot, value, WORD, WORDS)

    def get(self, slot):
        return self.polynomials.polynomial(slot, WORD, WORDS)

    async def feed(self, value):
        """Sends a polynomial to the rows as bike_rows does."""
        for i in range(WORDS):
            self.dut.feed_valid_i.value = 1
            self.dut.feed_first_i.value, self.dut.feed_last_i.value = i == 0, i == WORDS - 1
            self.dut.feed_word_i.value = value >> (WORD * i) & ((1 << WORD) - 1)
            await self.module.cycle()
            self.dut.feed_valid_i.value = 0
            for _ in range(ROWS - 1):
                await self.module.cycle()
        for _ in range(ROWS + 2):
            await self.module.cycle()

    async def write_list(self, chosen, entries, lanes, groups):
        """Writes (valid, other region, k) as bike_positions does; fills up with what is not
        valid."""
        entries = entries + [(0, 0, 0)] * (len(lanes) * groups - len(entries))
        for i, (valid, other, k) in enumerate(entries):
            self.dut.list_we_i.value = 1 << lanes[i % len(lanes)]
            self.dut.list_waddr_i.value = FORMULA.groups("key") * chosen + i // len(lanes)
            self.dut.list_wdata_i.value = (valid << 1 | other) << INDEX_BITS | k
            await self.module.cycle()
        self.dut.list_we_i.value = 0

    async def list_product(self, kind, entries):
        """entries: (valid, k)"""
        await self.write_list(
            2, [(valid, 0, -k % R) for valid, k in entries], range(LANES), FORMULA.groups(kind)
        )

    async def list_decoder(self, h):
        for i in (0, 1):
            await self.write_list(i, [(1, 0, k) for k in h[i]], range(LANES), FORMULA.groups("key"))
            lanes = range(i * LANES // 2, (i + 1) * LANES // 2)
            own = [(1, 1, 0)] if i == 0 else []  # the syndrome itself
            await self.write_list(
                2, [(1, 0, -k % R) for k in h[i]] + own, lanes, FORMULA.groups("update")
            )

    async def compute(self, mode, kind):
        self.polynomials.touched = {}
        assert await self.module.run(mode_i=mode) == FORMULA.gather(kind)


class Decoder:
    """A model of the decoder, step by step, beside the unit."""

    def __init__(self, gather, h, syndrome):
        self.gather, self.h, self.syndrome = gather, h, syndrome
        self.e, self.flips, self.gray, self.total = [0, 0], [0, 0], [0, 0], 0

    async def step(self, mode):
        """Makes an iteration: flips, then the update of the syndrome."""
        bound = (
            masked_threshold(LEVEL)
            if mode in (BLACK, GRAY)
            else threshold(LEVEL, self.syndrome.bit_count())
        )
        for i in (0, 1):
            planes = counters(self.syndrome, self.h[i], R)
            reached = at_least(planes, bound, R)
            if mode == PLAIN1:
                self.e[i], self.gray[i] = 0, at_least(planes, bound - TAU, R) & ~reached
            mask = {BLACK: self.e[i], GRAY: self.gray[i]}.get(mode, -1)
            self.flips[i] = reached & mask
            self.e[i] ^= self.flips[i]
            self.total += self.flips[i].bit_count() + self.gray[i].bit_count()
        await self.gather.compute(mode, "count")
        assert [self.gather.get(slot) for slot in (A0, A1)] == self.e
        assert [self.gather.get(slot) for slot in (G0, G1)] == self.gray
        await self.gather.compute(UPDATE, "update")
        assert not self.gather.polynomials.touched
        for flips, positions in zip(self.flips, self.h, strict=True):
            self.syndrome ^= multiply(flips, positions, R)


async def start(dut):
    source = seeded(dut)
    gather = Gather(dut, source)
    await gather.power_up()
    return gather, source


@cocotb.test()
async def multiplies(dut):
    gather, source = await start(dut)
    whole = (1 << R) - 1
    for value in (source.getrandbits(R), whole, 1 << (R - 1), 0):
        await gather.feed(value)
        if DECODER:
            positions = [*source.sample(range(R), D - 2), 0, R - 1]
            await gather.list_product("key", [(1, k) for k in positions])
            await gather.compute(KEY, "key")
            assert gather.get(C) == multiply(value, positions, R)
        entries = [(source.randrange(2), source.randrange(R)) for _ in range(T)]
        await gather.list_product("err", entries)
        gather.set(A0, source.getrandbits(R))
        await gather.compute(ERR, "err")
        assert gather.get(C) == gather.get(A0) ^ multiply(
            value, [k for valid, k in entries if valid], R
        )
        assert {slot for slot, _ in gather.polynomials.touched} == {C}


def keys(source):
    """Returns pairs of keys: usual, one half that is the other moved, neighbouring positions."""
    usual = [source.sample(range(R), D) for _ in range(2)]
    near = source.randrange(R)
    return [
        usual,
        [usual[0], [(k + 5) % R for k in usual[0]]],
        [[(near + i) % R for i in range(D)], source.sample(range(R), D)],
    ]


@cocotb.test(skip=not DECODER)
async def decodes(dut):
    gather, source = await start(dut)
    weights = [T, source.randrange(1, 30), 3]
    for h, weight in zip(keys(source), weights, strict=True):
        value = sum(1 << k for k in source.sample(range(R), weight))
        await gather.feed(value)
        await gather.list_product("key", [(1, k) for k in h[0]])
        await gather.compute(SYN, "key")
        assert not gather.polynomials.touched
        await gather.list_decoder(h)
        decoder = Decoder(gather, h, multiply(value, h[0], R))
        for mode in (PLAIN1, BLACK, GRAY, PLAIN):
            await decoder.step(mode)
        assert decoder.total > 0  # something was flipped or gray
    await gather.module.interrupt(source.randrange(1, FORMULA.gather("count")), mode_i=PLAIN1)
    await gather.list_decoder(h)
    await gather.feed(value)
    await gather.list_product("key", [(1, k) for k in h[0]])
    await gather.compute(SYN, "key")
    await gather.list_decoder(h)
    await Decoder(gather, h, multiply(value, h[0], R)).step(PLAIN1)
