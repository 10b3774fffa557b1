# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sampler against the biased one of the specification [BIKE, S5.1]: lists, halves, cycles."""

import cocotb
from benches import Memory, Module, clock_up, parameters, seeded

import simulated

LEVEL, WORD = parameters("LEVEL", "WORD")
FORMULA = simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WORD)
R, D, T, WORDS = FORMULA.r, FORMULA.d, FORMULA.t, FORMULA.words
UPPER = 1 << (D - 1).bit_length()  # where h1's list begins
# kind: the slots that it fills, the number of positions, where its list begins
KINDS = {0: ((0, 1), T, 0), 1: ((3, 4), T, 0), 2: ((0,), D, 0), 3: ((1,), D, UPPER)}


def sample(words, count, length):
    """Returns {index in the list: position} that the words give."""
    drawn = {}
    for index, word in zip(reversed(range(count)), words, strict=True):
        position = index + (word * (length - index) >> 32)
        drawn[index] = index if position in drawn.values() else position
    return drawn


class Stream:
    """The words of the PRF: word i is there gaps[i] cycles after the sampler asks for it."""

    def __init__(self, dut):
        self.dut, self.words, self.gaps, self.now, self.ready = dut, [], [], 0, 0

    def load(self, words, gaps, cycles_before):
        self.words, self.gaps = list(words), list(gaps)
        self.now, self.ready = -2, cycles_before + self.gaps[0]  # two cycles before the start

    def drive(self):
        self.now += 1
        # Without a gap the word waits for the sampler.
        valid = bool(self.words) and (self.now >= self.ready or self.gaps[0] == 0)
        self.dut.prf_valid_i.value = int(valid)
        self.dut.prf_word_i.value = self.words[0] if valid else 0x5A5A5A5A

    def observe(self):
        if self.dut.prf_next_o.value == 1:
            self.words.pop(0)
            self.gaps.pop(0)
            self.ready = self.now + 8 + (self.gaps[0] if self.gaps else 0)


def words_of_kinds(source, count):
    """Returns PRF words of several kinds: random, all the first or the last position,
    collisions."""
    few = [source.getrandbits(32) for _ in range(count // 4)]
    return [
        [source.getrandbits(32) for _ in range(count)],
        [0] * count,
        [0xFFFFFFFF] * count,
        source.choices(few, k=count),
        [source.choice((0, 0xFFFFFFFF)) for _ in range(count)],
    ]


async def check(module, polynomials, entries, stream, kind, words, gaps, source):
    slots, count, base = KINDS[kind]
    half = WORDS * len(slots)
    for slot in range(5):  # what was there before
        polynomials.fill(slot, source.getrandbits(WORD * WORDS), WORD, WORDS)
    before = dict(polynomials.words)
    polynomials.touched, entries.touched = {}, {}
    stream.load(words, gaps, half + 1)
    cycles = await module.run(kind_i=kind)
    assert cycles == half + 8 * count + sum(gaps)
    drawn = sample(words, count, R * len(slots))
    assert entries.touched == {
        base + index: (position >= R) << (R - 1).bit_length() | position % R
        for index, position in drawn.items()
    }
    for i, slot in enumerate(slots):
        assert polynomials.polynomial(slot, WORD, WORDS) == sum(
            1 << (position - R * i) for position in drawn.values() if position // R == i
        )
    assert all(slot in slots for slot, _ in polynomials.touched)
    assert all(polynomials.words[key] == before[key] for key in before if key[0] not in slots)


@cocotb.test()
async def samples(dut):
    source = seeded(dut)
    polynomials, entries, stream = Memory(dut, "poly"), Memory(dut, "list"), Stream(dut)
    module = Module(dut, polynomials, entries, stream)
    dut.start_i.value = 0
    await clock_up(dut)
    for kind, (_, count, _) in KINDS.items():
        for words in words_of_kinds(source, count):
            await check(module, polynomials, entries, stream, kind, words, [0] * count, source)
        gaps = [source.choice((0, 0, 0, 1, 30)) for _ in range(count)]
        words = [source.getrandbits(32) for _ in range(count)]
        await check(module, polynomials, entries, stream, kind, words, gaps, source)
        stream.load(words, gaps, 1)
        await module.interrupt(source.randrange(1, 8 * count), kind_i=kind)
        await check(module, polynomials, entries, stream, kind, words, [0] * count, source)
