# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Products in every mode: what goes to a slot, to the decoder, or is compared; the code word that
is added; what a padded s leaves out; that no cycle reads and writes; cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import (
    Memory,
    Module,
    clock_up,
    fields_of,
    parameters,
    seeded,
    tick,
)

LEVEL, WORD, STRIDE, LANES, CLIENT = parameters("LEVEL", "WORD", "STRIDE", "LANES", "CLIENT")
FORMULA = simulated.hqc_cycles.HqcCycles(LEVEL=LEVEL, WORD=WORD, STRIDE=STRIDE, LANES=LANES)
N, WORDS, CODE_WORDS = FORMULA.n, FORMULA.words, FORMULA.code_words
INDEX_BITS = (N - 1).bit_length()
BYTES, PADDING = -(-N // 8), -N % 8
CODE = CODE_WORDS * WORD
COPIES = CODE // FORMULA.symbols // 128
ROW_ADDRESSES = 1 << ((N - 1) // STRIDE + 1).bit_length()
A, B, S, U, V = range(5)
G_S, G_U, G_V, G_DECODE, G_CHECK_U, G_CHECK_V = range(6)
MODES = range(6) if CLIENT else (G_U, G_V)


class Partner:
    """The encoder, which gives the words of the code, and the decoder, which takes words; notes
    whether the slots are read in a cycle in which they are written."""

    def __init__(self, dut):
        self.dut, self.symbols, self.at, self.code = dut, [0], 0, []

    def drive(self):
        assert self.at < len(self.symbols)
        word = self.symbols[self.at]
        self.dut.rm_i.value = word >> WORD * int(self.dut.rm_upper_o.value) & ((1 << WORD) - 1)

    def observe(self):
        if self.dut.symbol_next_o.value == 1:
            self.at += 1
        if self.dut.code_valid_o.value == 1:
            self.code.append(int(self.dut.code_word_o.value))
        else:
            assert int(self.dut.code_word_o.value) == 0
        written, *_ = fields_of(int(self.dut.poly_write_o.value), (1, 3, 10))
        assert not (written and int(self.dut.poly_read_o.value))


class Bench:
    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.polynomials, self.partner = Memory(dut, "poly"), Partner(dut)
        self.module = Module(dut, self.polynomials, self.partner)

    async def power_up(self):
        for name in ("start_i", "reset_i", "mode_i", "feed_valid_i", "feed_first_i", "feed_last_i"):
            getattr(self.dut, name).value = 0
        for name in ("feed_word_i", "list_we_i", "list_waddr_i", "list_wdata_i", "padding_i"):
            getattr(self.dut, name).value = 0
        self.dut.top_i.value = self.dut.wipe_i.value = self.dut.wipe_addr_i.value = 0
        self.dut.rm_i.value = 0
        await clock_up(self.dut)
        self.dut.clear_i.value = self.dut.wipe_i.value = 1
        for address in range(ROW_ADDRESSES):
            self.dut.wipe_addr_i.value = address
            await tick(self.dut)
        self.dut.clear_i.value = self.dut.wipe_i.value = self.dut.wipe_addr_i.value = 0

    async def feed(self, value):
        for i in range(WORDS):
            self.dut.feed_valid_i.value = 1
            self.dut.feed_first_i.value = int(i == 0)
            self.dut.feed_last_i.value = int(i == WORDS - 1)
            self.dut.feed_word_i.value = value >> (WORD * i) & ((1 << WORD) - 1)
            await tick(self.dut)
            self.dut.feed_valid_i.value = 0
            for _ in range(WORD // STRIDE - 1):
                await tick(self.dut)
        for _ in range(2 * (WORD // STRIDE) + 2):
            await tick(self.dut)

    async def lists(self, places):
        groups = -(-len(places) // LANES)
        for i in range(groups * LANES):
            entry = 2 << INDEX_BITS | -places[i] % N if i < len(places) else 0
            self.dut.list_we_i.value = 1 << i % LANES
            self.dut.list_waddr_i.value, self.dut.list_wdata_i.value = i // LANES, entry
            await tick(self.dut)
        self.dut.list_we_i.value = 0

    def take(self, slot, size):
        return self.polynomials.polynomial(slot, WORD, WORDS) & ((1 << size) - 1)


def product(places, dense):
    """Returns the product as the specification has it: one folding of the whole one, then cut."""
    whole = 0
    for place in places:
        whole ^= dense << place
    return (whole ^ whole >> N) & ((1 << N) - 1)


async def check(bench, mode, padding=0, error=None):
    """Runs one product; with error (slot, bit), what is compared differs there."""
    source, dut = bench.source, bench.dut
    weight = FORMULA.key if mode in (G_S, G_DECODE) else FORMULA.error
    size = CODE if mode in (G_V, G_DECODE, G_CHECK_V) else N
    places = source.sample(range(N - 5, N), 4) + source.sample(range(N - 5), weight - 4)
    dense = source.getrandbits(N)
    await bench.feed(dense ^ padding)
    await bench.lists(places)
    dut.padding_i.value = padding
    dut.top_i.value = sum(1 << j for j in range(PADDING - 1) if N - 1 - j in places)
    for slot in range(5):
        bench.polynomials.fill(slot, source.getrandbits(WORD * WORDS), WORD, WORDS)
    bench.polynomials.fill(A, source.getrandbits(N), WORD, WORDS)
    symbols = [source.getrandbits(128) for _ in range(FORMULA.symbols)]
    bench.partner.symbols, bench.partner.at, bench.partner.code = [*symbols, 0], 0, []
    start = {G_V: B, G_CHECK_V: B, G_DECODE: V}.get(mode, A)
    expected = bench.take(start, size) ^ product(places, dense ^ padding << N) & ((1 << size) - 1)
    if mode not in (G_V, G_CHECK_V):  # no padded polynomial is multiplied then
        expected = bench.take(start, size) ^ product(places, dense ^ padding) & ((1 << size) - 1)
    if mode in (G_V, G_CHECK_V):
        copies = sum(1 << 128 * i for i in range(COPIES))
        for i, symbol in enumerate(symbols):
            expected ^= symbol * copies << 128 * COPIES * i
    received = U if mode == G_CHECK_U else V
    if mode in (G_CHECK_U, G_CHECK_V):  # above the bytes anything may be in a slot
        above = source.getrandbits(WORD * WORDS) >> 8 * BYTES << 8 * BYTES
        bench.polynomials.fill(received, expected ^ above ^ (error or 0), WORD, WORDS)
    dut.reset_i.value = 1
    await tick(dut)
    dut.reset_i.value = 0
    before = dict(bench.polynomials.words)
    words = CODE_WORDS if size == CODE else WORDS
    assert await bench.module.run(mode_i=mode) == FORMULA.product(weight, words)
    await bench.module.cycle()  # it is final then
    assert dut.equal_o.value == int(error is None or mode < G_CHECK_U)
    assert dut.upset_o.value == 0
    if mode in (G_S, G_U, G_V):
        assert bench.take(start, WORD * words) == expected
        assert set(bench.polynomials.touched) == {(start, i) for i in range(words)}
        bench.polynomials.touched = {}
    else:
        assert bench.polynomials.words == before
    decoded = sum(word << (WORD * i) for i, word in enumerate(bench.partner.code))
    assert (decoded, len(bench.partner.code)) == ((expected, words) if mode == G_DECODE else (0, 0))
    assert bench.partner.at == (FORMULA.symbols if mode in (G_V, G_CHECK_V) else 0)


@cocotb.test()
async def multiplies_in_every_mode(dut):
    source = seeded(dut)
    bench = Bench(dut, source)
    await bench.power_up()
    for mode in MODES:
        await check(bench, mode)
    await check(bench, G_V, padding=(1 << PADDING) - 1)
    await check(bench, G_V, padding=1 << source.randrange(1, PADDING))
    if CLIENT:
        for bit in (0, N - 1, N, 8 * BYTES - 1):
            await check(bench, G_CHECK_U, error=1 << bit)
        for bit in (0, source.randrange(CODE), CODE - 1):
            await check(bench, G_CHECK_V, error=1 << bit)
    await bench.module.interrupt(source.randrange(1, 1000), mode_i=G_U)
    await check(bench, G_U)
