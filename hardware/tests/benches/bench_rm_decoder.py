# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Reed-Muller decoder against the definition: all symbols, noise up to ties and beyond, entries
that tie, words as close together as allowed and further apart, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded
from hardware.tests.benches.codes import rm_decode, rm_entries, rm_word

COPIES, WORD, VALUES = parameters("COPIES", "WORD", "VALUES")
GAP = 64 // VALUES  # the least that is allowed
LATENCY = simulated.code_cycles.rm_decoder(VALUES)


class Decoder:
    """Hands words to the decoder and compares its symbols with the definition, and their cycles."""

    def __init__(self, dut):
        self.module = Module(dut)
        self.dut, self.cycle, self.expected, self.symbols = dut, 0, [], 0
        dut.word_valid_i.value = 0

    async def step(self, word=None):
        self.dut.word_valid_i.value = int(word is not None)
        if word is not None:
            self.dut.word_i.value = word
        valid, symbol = await self.module.cycle("symbol_valid_o", "symbol_o")
        due = self.expected and self.expected[0][0] == self.cycle
        assert valid == int(bool(due)), self.cycle
        if due:
            assert symbol == self.expected.pop(0)[1]
            self.symbols += 1
        self.cycle += 1

    async def decode(self, copies, gap=GAP):
        words = [
            copy >> (WORD * part) & ((1 << WORD) - 1)
            for copy in copies
            for part in range(128 // WORD)
        ]
        for number, word in enumerate(words):
            if number == len(words) - 1:
                self.expected.append((self.cycle + LATENCY, rm_decode(copies)))
            await self.step(word)
            for _ in range(gap - 1):
                await self.step()

    async def finish(self):
        for _ in range(LATENCY + 1):
            await self.step()
        assert self.expected == []


def noise(source, density):
    return sum((source.random() < density) << j for j in range(128))


def tied(source):
    """Returns copies of which the largest entry comes several times."""
    while True:
        copies = [noise(source, 0.5) for _ in range(COPIES)]
        if source.random() < 0.5:  # a symbol for each copy, and one bit more or less
            copies = [rm_word(source.randrange(256)) for _ in range(COPIES)]
            copies[-1] ^= 1 << source.randrange(128) if source.random() < 0.3 else 0
        sizes = [abs(entry) for entry in rm_entries(copies)]
        if sizes.count(max(sizes)) > 1:
            return copies


def tied_pair(source):
    """Returns copies whose largest entries are those of t and t + 1, t even: of the positions j of
    one parity as many agree with the word of t as do not."""
    word, parity = rm_word(source.randrange(256)), source.randrange(2)
    for j in source.sample(range(parity, 128, 2), 32):
        word ^= 1 << j
    sizes = [abs(entry) for entry in rm_entries([word] * COPIES)]
    t = sizes.index(max(sizes))
    assert t % 2 == 0 and sizes[t] == sizes[t + 1]
    return [word] * COPIES


@cocotb.test()
async def decodes(dut):
    source = seeded(dut)
    decoder = Decoder(dut)
    await clock_up(dut)
    for symbol in range(256):
        flips = source.choice([0, 0, 0.1, 0.3])
        await decoder.decode([rm_word(symbol) ^ noise(source, flips) for _ in range(COPIES)])
    for density in (0.3, 0.35, 0.4, 0.45, 0.5):
        for _ in range(20):
            word = rm_word(source.randrange(256))
            copies = [word ^ noise(source, density) for _ in range(COPIES)]
            await decoder.decode(copies, source.choice([GAP, GAP, GAP + 1, 2 * GAP + 3]))
    for copies in ([0] * COPIES, [(1 << 128) - 1] * COPIES):
        await decoder.decode(copies)
    for _ in range(80):
        await decoder.decode(tied(source))
        await decoder.decode(tied_pair(source))
    await decoder.finish()
    assert decoder.symbols == 256 + 100 + 2 + 160


@cocotb.test()
async def begins_anew_after_a_clear(dut):
    source = seeded(dut)
    decoder = Decoder(dut)
    await clock_up(dut)
    for _ in range(4):
        dut.word_valid_i.value, dut.word_i.value = 1, source.getrandbits(WORD)
        await decoder.module.cycle()
        dut.word_valid_i.value = 0
        for _ in range(source.randrange(GAP)):
            await decoder.module.cycle()
        dut.clear_i.value = 1
        await decoder.module.cycle()
        dut.clear_i.value = 0
        symbols = [source.randrange(256) for _ in range(2)]
        for symbol in symbols:
            await decoder.decode([rm_word(symbol)] * COPIES)
        await decoder.finish()
