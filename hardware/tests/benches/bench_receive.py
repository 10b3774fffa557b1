# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What takes the input packet: fields of every kind with pauses, wrong ends, bad positions,
cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import ENDLESS, Memory, Module, clock_up, parameters, seeded

WORD, TAIL_BYTES, LIMIT, UPPER = parameters("WORD", "TAIL_BYTES", "LIMIT", "LIST_BASE")
POLY_WORDS = -(-LIMIT // 32)
BYTES = 4 * (POLY_WORDS - 1) + TAIL_BYTES
WORDS = -(-8 * BYTES // WORD)
LIST_WORDS = UPPER - 3
SKIPPED = 3 * POLY_WORDS  # the longest field
POLY, STR, LIST, SKIP = range(4)
NONE, SHORT, LONG, KEY = (
    simulated.ERROR_NONE,
    simulated.ERROR_SHORT,
    simulated.ERROR_LONG,
    simulated.ERROR_KEY,
)


class Packet:
    """The sender: words with pauses; `last` is the number of the word that is marked as the
    last."""

    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.load([], None, 0)

    def load(self, words, last, pauses):
        self.words, self.last, self.pauses = words, last, pauses
        self.taken, self.paused, self.error = 0, 0, NONE

    def drive(self):
        self.valid = self.taken < len(self.words) and self.source.randrange(10) >= self.pauses
        self.dut.in_valid_i.value = int(self.valid)
        self.dut.in_data_i.value = self.words[self.taken] if self.valid else 0xFFFFFFFF
        self.dut.in_last_i.value = int(self.valid and self.taken == self.last)

    def observe(self):
        ready = self.dut.in_ready_o.value == 1
        self.error = int(self.dut.error_o.value)
        assert self.error == NONE or (ready and self.valid)
        self.taken += ready and self.valid
        self.paused += ready and not self.valid


class Bench:
    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.memories = {
            name: Memory(dut, name, addressed=name == "poly") for name in ("poly", "str", "list")
        }
        self.packet = Packet(dut, source)
        self.module = Module(dut, *self.memories.values(), self.packet)

    async def take(self, kind, which, words, ends_packet, last, pauses):
        """Receives a field; returns the error and the cycles without pauses."""
        for memory in self.memories.values():
            memory.touched = {}
        self.packet.load(words, last, pauses)
        final = COUNTS[kind] - 1
        self.module.begin(kind_i=kind, which_i=which, final_i=final, last_i=int(ends_packet))
        for cycles in range(ENDLESS):  # noqa: B007 (counted, and used below)
            (done,) = await self.module.cycle("done_o")
            self.dut.start_i.value = 0
            if done or self.packet.error:
                break
        error, cycles = self.packet.error, cycles - self.packet.paused
        taken = self.packet.taken
        await self.module.assert_idle()
        assert self.packet.taken == taken and self.dut.in_ready_o.value == 0
        assert bool(done) == (error == NONE)
        return error, cycles

    def field(self, kind, which):
        """Returns the words of a random field and what must then be in which memory."""
        source = self.source
        if kind == POLY:
            words = [source.getrandbits(32) for _ in range(POLY_WORDS)]
            value = sum(word << (32 * i) for i, word in enumerate(words)) & ((1 << 8 * BYTES) - 1)
            return (
                words,
                "poly",
                {(which, i): value >> (WORD * i) & ((1 << WORD) - 1) for i in range(WORDS)},
            )
        if kind == STR:
            words = [source.getrandbits(32) for _ in range(8)]
            return (
                words,
                "str",
                {4 * which + i: words[2 * i + 1] << 32 | words[2 * i] for i in range(4)},
            )
        if kind == LIST:
            words = [
                source.choice((0, LIMIT - 1, source.randrange(LIMIT))) for _ in range(LIST_WORDS)
            ]
            return words, "list", {i + UPPER * which: word for i, word in enumerate(words)}
        return [source.getrandbits(32) for _ in range(SKIPPED)], None, {}


COUNTS = {POLY: POLY_WORDS, STR: 8, LIST: LIST_WORDS, SKIP: SKIPPED}
FIELDS = (
    [(POLY, slot) for slot in range(8)]
    + [(STR, i) for i in range(8)]
    + [(LIST, 0), (LIST, 1), (SKIP, 0)]
)


def taken_in(kind, words):
    """Returns the cycles of a field without faults: a polynomial fills whole words of memory."""
    return WORDS * WORD // 32 if kind == POLY else len(words)


async def start(dut):
    source = seeded(dut)
    dut.start_i.value = dut.in_valid_i.value = 0
    await clock_up(dut)
    return Bench(dut, source), source


@cocotb.test()
async def takes_fields(dut):
    bench, source = await start(dut)
    for kind, which in FIELDS:
        for pauses in (0, 3, 9) if kind in (STR, LIST) else (0, source.choice((3, 9))):
            words, name, expected = bench.field(kind, which)
            ends = source.randrange(2)
            last = len(words) - 1 if ends else None
            more = [] if ends else [source.getrandbits(32)]  # of the next field
            cycles = await bench.take(kind, which, words + more, ends, last, pauses)
            assert cycles == (NONE, taken_in(kind, words)), (kind, which)
            for memory in bench.memories:
                assert bench.memories[memory].touched == (expected if memory == name else {})


@cocotb.test()
async def finds_wrong_ends(dut):
    bench, source = await start(dut)
    for kind, which in FIELDS:
        words, *_ = bench.field(kind, which)
        count, pauses = len(words), source.choice((0, 5))
        for last in {0, count - 2, source.randrange(count - 1)}:  # too early
            assert await bench.take(kind, which, words, source.randrange(2), last, pauses) == (
                SHORT,
                last + 1,
            )
        # The packet ends with a field that is not its last one; it goes on after its last one.
        assert await bench.take(kind, which, words, 0, count - 1, pauses) == (SHORT, count)
        assert await bench.take(kind, which, [*words, 1], 1, None, pauses) == (LONG, count)
    words, name, expected = bench.field(STR, 2)
    assert await bench.take(STR, 2, words, 1, 7, 0) == (NONE, 8)  # works after errors
    assert bench.memories[name].touched == expected


@cocotb.test()
async def finds_bad_positions(dut):
    bench, source = await start(dut)
    for bad in (LIMIT, LIMIT + 1, (1 << 31) | 5, 0xFFFFFFFF, 1 << (LIMIT - 1).bit_length()):
        words, *_ = bench.field(LIST, 0)
        place = source.choice((0, LIST_WORDS - 1, source.randrange(LIST_WORDS)))
        words[place] = bad
        assert await bench.take(LIST, source.randrange(2), words, 0, None, 0) == (KEY, place + 1)
    words, *_ = bench.field(POLY, 0)
    bench.packet.load(words, None, 0)
    await bench.module.interrupt(
        source.randrange(1, POLY_WORDS), kind_i=POLY, which_i=1, final_i=POLY_WORDS - 1
    )
    words, name, expected = bench.field(POLY, 3)
    assert await bench.take(POLY, 3, words, 0, None, 0) == (NONE, taken_in(POLY, words))
    assert bench.memories[name].touched == expected
