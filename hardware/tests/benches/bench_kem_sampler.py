# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sampler of any scheme: weights of 1 and more, one slot or two, repeats, neighbours in a
word, words that come late; the slots, the list and the cycles."""

import cocotb

from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded
from hardware.tests.benches.sampling import Stream, sample, words_for, words_of_kinds

WORD, POSITIONS = parameters("WORD", "POSITIONS")
WORDS = -(-POSITIONS // WORD)
INDEX_BITS = (POSITIONS - 1).bit_length()


class Sampler:
    """The module with its memories and its words."""

    def __init__(self, dut, source):
        self.source = source
        self.polynomials, self.entries = Memory(dut, "poly"), Memory(dut, "list")
        self.stream = Stream(dut, "word", "word_i")
        self.module = Module(dut, self.polynomials, self.entries, self.stream)

    async def erase(self, pair, slot):
        """Fills all slots and erases some; nothing else may be written."""
        for other in range(8):
            self.polynomials.fill(other, (1 << WORD * WORDS) - 1, WORD, WORDS)
        self.polynomials.touched = {}
        cycles = await self.module.run(erase_i=1, pair_i=int(pair), slot_i=slot)
        assert cycles == WORDS * (1 + pair)
        assert self.polynomials.touched == {
            (slot + half, i): 0 for half in range(1 + pair) for i in range(WORDS)
        }

    async def draw(self, words, gaps, pair, slot, base):
        """Draws into slots of zeros; checks what was written, and the cycles."""
        count, slots = len(words), range(slot, slot + 1 + pair)
        self.polynomials.words = {(i, j): 0 for i in slots for j in range(WORDS)}
        self.polynomials.touched, self.entries.touched = {}, {}
        self.stream.load(words, gaps)
        cycles = await self.module.run(
            erase_i=0, pair_i=int(pair), slot_i=slot, weight_i=count, list_i=base
        )
        assert cycles == 4 * count + 8 + sum(gaps)
        drawn = sample(words, count, POSITIONS * (1 + pair))
        assert self.entries.touched == {
            base + i: (place >= POSITIONS) << INDEX_BITS | place % POSITIONS
            for i, place in drawn.items()
        }
        for half, at in enumerate(slots):
            assert self.polynomials.polynomial(at, WORD, WORDS) == sum(
                1 << place % POSITIONS for place in drawn.values() if place // POSITIONS == half
            )
        assert all(key in self.polynomials.words for key in self.polynomials.touched)
        assert {at for at, _ in self.polynomials.touched} <= set(slots)

    def neighbours(self, count, length):
        """Returns words of positions in a few words of the memory, one after the other in the
        same, with every third a repeat; and some that the indices will take."""
        place = self.source.randrange(count, length - WORD)
        near = [place + self.source.randrange(WORD) for _ in range(count)]
        for i in range(2, count, 3):
            near[i] = near[i - self.source.choice((1, 2))]
        for i in range(0, count, 5):
            near[i] = count - 1
        return words_for(near, count, length)


def weights(pair):
    length = POSITIONS * (1 + pair)
    return [1, 2, 3, min(WORD + 5, length // 3), min(264, length // 2)]


@cocotb.test()
async def draws(dut):
    source = seeded(dut)
    sampler = Sampler(dut, source)
    dut.start_i.value = 0
    await clock_up(dut)
    for pair, slot in ((True, 3), (False, 7)):
        await sampler.erase(pair, slot)
        length = POSITIONS * (1 + pair)
        for count in weights(pair):
            base = source.choice((0, 256)) if count <= 256 else 0
            kinds = [*words_of_kinds(source, count), sampler.neighbours(count, length)]
            for words in kinds:
                await sampler.draw(words, [0] * count, pair, slot, base)
            gaps = [source.choice((0, 0, 0, 1, 30)) for _ in range(count)]
            await sampler.draw(source.choice(kinds), gaps, pair, slot, base)
        sampler.stream.load(words, gaps)
        await sampler.module.interrupt(
            source.randrange(1, 4 * count), erase_i=0, pair_i=int(pair), weight_i=count
        )
        await sampler.draw(words, [0] * count, pair, slot, 0)
        await sampler.module.interrupt(source.randrange(1, WORDS), erase_i=1)
        await sampler.erase(pair, slot)
