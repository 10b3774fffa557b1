# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The product in shares against a model: positions in any two parts, equal ones, entries that not
all lanes have, random words that come at once or late, an official s of HQC-1, wiping, the cycles,
and that no share is a value."""

import cocotb

from hardware.tests.benches.benches import ENDLESS, clock_up, parameters, seeded, tick
from hardware.tests.benches.hqc_models import Record, product, sample_reject, xof

N, WORD, LANES, LIST = parameters("N", "WORD", "LANES", "LIST")
WORDS = -(-N // WORD)
WHOLE = (1 << N) - 1


class Product:
    """The module and its source of random words, of which `late` of ten are not there at once."""

    def __init__(self, dut, source):
        self.dut, self.source, self.late, self.words = dut, source, 0, 0
        for port in dut:
            if port._name.endswith("_i") and port._name not in ("clk_i", "clear_i"):
                port.value = 0
        dut.listed_i.value = 1

    async def tick(self):
        await cocotb.triggers.Timer(1, "step")
        self.words += int(self.dut.random_ready_o.value)
        await tick(self.dut)
        self.dut.random_valid_i.value = int(self.source.randrange(10) >= self.late)
        self.dut.random_i.value = self.source.getrandbits(WORD)

    async def wipe(self):
        self.dut.wipe_i.value = 1
        for i in range(1 << 10):
            self.dut.wipe_addr_i.value = i
            await self.tick()
        self.dut.wipe_i.value = 0

    async def feed(self, dense, other=False):
        dut = self.dut
        dut.feed_other_i.value = int(other)
        for i in range(WORDS):
            dut.feed_valid_i.value = 1
            dut.feed_first_i.value, dut.feed_last_i.value = int(i == 0), int(i == WORDS - 1)
            dut.feed_word_i.value = dense >> WORD * i & ((1 << WORD) - 1)
            await self.tick()
        names = ("valid", "first", "other", "last", "word")
        for name in (f"feed_{one}_i" for one in names):
            getattr(dut, name).value = 0
        for _ in range(4):
            await self.tick()

    async def write(self, lists, others=()):
        """Writes the entries of list 0, then of list 1; a position is lane and entry of it.
        others: numbers of those that are for the other polynomial."""
        for which, name in enumerate(("list0", "list1")):
            for i in range(LANES * LIST):
                pair = lists[i] if i < len(lists) else None
                getattr(self.dut, f"{name}_we_i").value = 1 << i % LANES
                getattr(self.dut, f"{name}_addr_i").value = i // LANES
                flags = 2 + (i in others) if name == "list0" else 1  # valid
                data = 0 if pair is None else flags << (N - 1).bit_length() | -pair[which] % N
                getattr(self.dut, f"{name}_data_i").value = data
                await self.tick()
            getattr(self.dut, f"{name}_we_i").value = 0

    async def run(self, entries):
        """Returns the cycles from start_i to done_o."""
        self.dut.start_i.value, self.words = 1, 0
        self.dut.last_entry_i.value = entries - 1
        for cycle in range(ENDLESS):
            if self.dut.done_o.value == 1:
                return cycle
            await self.tick()
            self.dut.start_i.value = 0
        raise AssertionError("the module does not end")

    async def read(self):
        """Returns the shares."""
        shares = [0, 0]
        for i in range(WORDS):
            self.dut.read_word_i.value = i
            await self.tick()
            both = int(self.dut.read_o.value)
            for share in (0, 1):
                word = both >> WORD * share & ((1 << WORD) - 1)
                shares[share] |= word << WORD * i
        return [share & WHOLE for share in shares]

    def check_masks(self):
        """The last word of each mask goes on with the first one, all of whose bits are random."""
        bits, tail = (WORDS - 1).bit_length(), N % WORD
        for region in range(2):
            rows = (self.dut.u_masks.mem[region << bits | i] for i in (0, WORDS - 1))
            first, last = (int(row.value) for row in rows)
            assert last >> tail == first & ((1 << WORD - tail) - 1)

    async def multiply(self, pairs, late=0, others=()):
        """Returns the shares of the product of what was fed by positions p0 + p1."""
        self.late, entries = late, -(-len(pairs) // LANES)
        await self.write(pairs, others)
        cycles = await self.run(entries)
        fill = 3 * WORDS
        assert self.words == fill
        self.check_masks()
        if not late:
            assert cycles == fill + (entries + 1) * (WORDS + LANES + 11) + 13
        return await self.read()


def split(source, positions):
    pairs = []
    for position in positions:
        one = source.randrange(N)
        pairs.append((one, (position - one) % N))
    return pairs


@cocotb.test()
async def agrees_with_the_model(dut):
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    for count, late in ((1, 0), (LANES + 1, 4), (min(LANES * LIST, 20), 0)):
        dense = source.getrandbits(N)
        await unit.feed(dense)
        positions = source.sample(range(N), count)
        pairs = split(source, positions)
        one, other = await unit.multiply(pairs, late)
        expected = product(positions, dense, N)
        assert one ^ other == expected
        again = await unit.multiply(split(source, positions))
        assert again[0] ^ again[1] == expected
        for share in (one, other, again[0] ^ one, again[1] ^ other):
            assert abs(share.bit_count() - N / 2) < 3 * N**0.5  # six standard deviations


@cocotb.test()
async def takes_any_parts_of_a_position(dut):
    """Zero, the last one, parts that are equal in several lanes and entries."""
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    dense = source.getrandbits(N)
    await unit.feed(dense)
    ends = [0, 1, WORD - 1, WORD, N - N % WORD - 1, N - 1]
    pairs = [(source.choice(ends), source.choice(ends)) for _ in range(2 * LANES)]
    pairs += [(5, 7), (9, 7), (5, 7), (0, 0), (N - 1, N - 1)]
    one, other = await unit.multiply(pairs[: LANES * LIST])
    expected = 0
    for pair in pairs[: LANES * LIST]:
        expected ^= product([sum(pair) % N], dense, N)
    assert one ^ other == expected
    # Equal parts cancel the mask in share 1: what the sums start from is left.
    one, other = await unit.multiply([(5, 7), (9, 7)])
    assert abs(other.bit_count() - N / 2) < 3 * N**0.5


@cocotb.test()
async def adds_products_by_two_polynomials(dut):
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    dense = [source.getrandbits(N) for _ in range(2)]
    await unit.feed(dense[1], other=True)
    await unit.feed(dense[0])
    positions = source.sample(range(N), 2 * LANES)
    others = source.sample(range(2 * LANES), LANES)
    one, other = await unit.multiply(split(source, positions), others=others)
    expected = 0
    for i, position in enumerate(positions):
        expected ^= product([position], dense[i in others], N)
    assert one ^ other == expected


@cocotb.test()
async def takes_masks_before_there_are_lists(dut):
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    dense, fill = source.getrandbits(N), 3 * WORDS
    await unit.feed(dense)
    dut.listed_i.value, dut.last_entry_i.value, dut.start_i.value = 0, 0, 1
    for _ in range(fill + 50):
        await unit.tick()
        dut.start_i.value = 0
    assert unit.words == fill
    positions = source.sample(range(N), LANES)
    await unit.write(split(source, positions))
    dut.listed_i.value = 1
    cycles = 0
    while dut.done_o.value != 1:
        await unit.tick()
        cycles += 1
    assert cycles == 2 * (WORDS + LANES + 11) + 4
    one, other = await unit.read()
    assert one ^ other == product(positions, dense, N)


@cocotb.test(skip=N != 17669)
async def gives_an_official_public_key(dut):
    """s = x + h y [HQC, S9], with y from the key's seed."""
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    record = Record(1)
    stream = xof(record.seed_dk, 1 << 12)
    y, kept = sample_reject(stream, 66, N)
    x, _ = sample_reject(stream[3 * len(kept) :], 66, N)
    await unit.feed(record.h)
    one, other = await unit.multiply(split(source, y))
    whole = int.from_bytes(record.s, "little")
    assert one ^ other ^ product(x, 1, N) == whole


@cocotb.test()
async def is_cleared_at_any_time_and_wiped(dut):
    source = seeded(dut)
    unit = Product(dut, source)
    await clock_up(dut)
    await unit.wipe()
    dense = source.getrandbits(N)
    await unit.feed(dense)
    await unit.write(split(source, source.sample(range(N), 2 * LANES)))
    for cycles in (3, 2 * WORDS, 4 * WORDS):
        dut.start_i.value = 1
        dut.last_entry_i.value = 1
        for _ in range(cycles):
            await unit.tick()
            dut.start_i.value = 0
        dut.clear_i.value = 1
        await unit.tick()
        dut.clear_i.value = 0
    await unit.wipe()
    assert await unit.read() == [0, 0]
    positions = source.sample(range(N), 2 * LANES)
    one, other = await unit.multiply(split(source, positions))
    assert one ^ other == 0  # of the rows nothing is left
    await unit.feed(dense)
    one, other = await unit.multiply(split(source, positions))
    assert one ^ other == product(positions, dense, N)
