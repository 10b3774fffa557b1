# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The DMA of the system on a chip: random fields at any addresses, to a core and back, while the
RAM and the streams make it wait; packets of wrong lengths; fields that it must refuse."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from hardware.tests.benches.benches import PERIOD, seeded

RAM = 4096  # bytes; the parameter RAM_BYTES of the bench


class Bench:
    """The DMA between a RAM and the streams of a core; each waits with the given chances."""

    def __init__(self, dut, random, waits=(0.0, 0.0, 0.0)):
        self.dut, self.random = dut, random
        self.ram = bytearray(random.randbytes(RAM))
        self.waits = waits  # of the RAM, of the stream to the core, of the one from it
        self.taken, self.to_give = [], []
        self.offered = False

    async def start(self, select=0):
        for name in ("abort_i", "in_push_i", "out_push_i", "grant_i", "to_ready_i", "from_valid_i"):
            getattr(self.dut, name).value = 0
        for name in ("from_data_i", "from_last_i", "rdata_i"):
            getattr(self.dut, name).value = 0
        self.select = select
        self.dut.select_i.value = select
        self.dut.rst_ni.value = 0
        Clock(self.dut.clk_i, PERIOD, unit="ns").start()
        for _ in range(3):
            await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        cocotb.start_soon(self._run())

    async def _run(self):
        """Plays the RAM and the core: inputs change behind the edge, outputs are read before."""
        dut, chance = self.dut, self.random.random
        while True:
            granted = chance() >= self.waits[0]
            dut.grant_i.value = granted
            dut.to_ready_i.value = int(chance() >= self.waits[1]) << self.select
            self.offered = self.offered or (bool(self.to_give) and chance() >= self.waits[2])
            dut.from_valid_i.value = int(self.offered) << self.select
            word, last = self.to_give[0] if self.offered else (0, 0)
            dut.from_data_i.value = word << 32 * self.select
            dut.from_last_i.value = last << self.select
            await ReadOnly()
            read = None
            if granted and dut.req_o.value:
                at = 4 * int(dut.addr_o.value)
                if dut.we_o.value:
                    self._write(at)
                else:
                    read = int.from_bytes(self.ram[at : at + 4], "little")
            if int(dut.to_valid_o.value) & int(dut.to_ready_i.value):
                assert int(dut.to_valid_o.value) == 1 << self.select
                self.taken.append((int(dut.to_data_o.value), int(dut.to_last_o.value)))
            if self.offered and int(dut.from_ready_o.value) >> self.select & 1:
                self.to_give.pop(0)
                self.offered = False
            await RisingEdge(dut.clk_i)
            # Data are there for one cycle; a word that nobody asked for is any word.
            dut.rdata_i.value = self.random.getrandbits(32) if read is None else read

    def _write(self, at):
        word = int(self.dut.wdata_o.value).to_bytes(4, "little")
        for i in range(4):
            if int(self.dut.be_o.value) >> i & 1:
                self.ram[at + i] = word[i]

    async def push(self, way, address, length, last):
        dut = self.dut
        getattr(dut, f"{way}_address_i").value = address
        getattr(dut, f"{way}_bytes_i").value = length
        getattr(dut, f"{way}_last_i").value = last
        getattr(dut, f"{way}_push_i").value = 1
        await RisingEdge(dut.clk_i)
        getattr(dut, f"{way}_push_i").value = 0

    async def push_all(self, way, fields):
        for i, (address, length) in enumerate(fields):
            await self.push(way, address, length, i + 1 == len(fields))

    async def until(self, *idle, cycles=20000):
        for _ in range(cycles):
            await RisingEdge(self.dut.clk_i)
            if not any(getattr(self.dut, name).value for name in idle):
                return
        raise AssertionError(f"still {idle}")


def words_of(fields):
    """Returns the packet of fields of bytes: (word, whether it is the last)."""
    words = []
    for data in fields:
        padded = data + bytes(-len(data) % 4)
        words += [int.from_bytes(padded[i : i + 4], "little") for i in range(0, len(padded), 4)]
    return [(word, int(i + 1 == len(words))) for i, word in enumerate(words)]


def random_fields(random, count):
    """Returns places of fields that do not overlap, in any order."""
    size = RAM // count
    fields = []
    for i in range(count):
        length = random.choice([1, 2, 3, 4, 5, random.randrange(1, size - 3)])
        fields.append((i * size + random.randrange(min(4, size - length)), length))
    random.shuffle(fields)
    return fields


@cocotb.test()
async def fields_go_both_ways(dut):
    random = seeded(dut)
    bench = Bench(dut, random)
    for round_number in range(40):
        bench.waits = random.choice([(0.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.9, 0.1, 0.5)])
        if round_number == 0:
            await bench.start()
        fields = random_fields(random, random.randrange(1, 9))
        if random.random() < 0.5:
            expected = words_of([bytes(bench.ram[a : a + n]) for a, n in fields])
            bench.taken.clear()
            await bench.push_all("in", fields)
            await bench.until("in_busy_o")
            assert bench.taken == expected
        else:
            given = [random.randbytes(length) for _, length in fields]
            wanted = bytearray(bench.ram)
            for (address, length), data in zip(fields, given, strict=True):
                wanted[address : address + length] = data
            bench.to_give = words_of(given)
            await bench.push_all("out", fields)
            await bench.until("out_busy_o")
            assert bench.ram == wanted and not bench.to_give
    assert not dut.refused_o.value and not dut.mismatch_o.value


@cocotb.test()
async def both_channels_at_once(dut):
    random = seeded(dut)
    bench = Bench(dut, random, (0.3, 0.3, 0.3))
    await bench.start(select=1)
    for _ in range(10):
        fields = random_fields(random, 8)
        ways = fields[:4], fields[4:]
        expected = words_of([bytes(bench.ram[a : a + n]) for a, n in ways[0]])
        given = [random.randbytes(length) for _, length in ways[1]]
        bench.taken.clear()
        bench.to_give = words_of(given)
        await bench.push_all("out", ways[1])
        await bench.push_all("in", ways[0])
        await bench.until("in_busy_o", "out_busy_o")
        assert bench.taken == expected
        for (address, length), data in zip(ways[1], given, strict=True):
            assert bytes(bench.ram[address : address + length]) == data


@cocotb.test()
async def a_word_in_each_cycle(dut):
    """Where nothing waits, a field takes a cycle for each word and a few more."""
    bench = Bench(dut, seeded(dut))
    await bench.start()
    for way in ("in", "out"):
        bench.to_give = words_of([bytes(1000)]) if way == "out" else []
        await bench.push(way, 1, 1000, 1)
        await bench.until(f"{way}_busy_o", cycles=262)


@cocotb.test()
async def lengths_must_agree(dut):
    bench = Bench(dut, seeded(dut))
    await bench.start()
    for sent in (8, 16):  # instead of 12 bytes
        bench.to_give = words_of([bytes(sent)])
        await bench.push("out", 100, 12, 1)
        for _ in range(40):
            await RisingEdge(dut.clk_i)
        assert dut.mismatch_o.value and not bench.to_give
        dut.abort_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.abort_i.value = 0
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not dut.mismatch_o.value and not dut.out_busy_o.value


@cocotb.test()
async def bad_fields_are_refused(dut):
    bench = Bench(dut, seeded(dut), (1.0, 1.0, 1.0))
    await bench.start()
    for way in ("in", "out"):
        for address, length in [(0, 0), (RAM, 1), (RAM - 1, 2), (0, RAM + 1), (2**32 - 1, 2)]:
            await bench.push(way, address, length, 1)
            await RisingEdge(dut.clk_i)
            await RisingEdge(dut.clk_i)
            assert dut.refused_o.value
            assert not getattr(dut, f"{way}_busy_o").value
            dut.abort_i.value = 1
            await RisingEdge(dut.clk_i)
            dut.abort_i.value = 0
            await RisingEdge(dut.clk_i)
            await RisingEdge(dut.clk_i)
            assert not dut.refused_o.value
        for _ in range(10):  # one is at work, eight wait, the tenth finds no room
            await bench.push(way, 0, 4, 1)
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert dut.refused_o.value
        dut.abort_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.abort_i.value = 0
        await RisingEdge(dut.clk_i)
