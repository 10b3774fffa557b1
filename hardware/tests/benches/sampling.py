# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the benches of the samplers share: the fixed-weight sampler, and the words that it gets."""

CYCLES = 4  # from one word to the next


def sample(words, count, length):
    """Returns {index in the list: position} that the words give [BIKE, S5.1]."""
    drawn = {}
    for index, word in zip(reversed(range(count)), words, strict=True):
        position = index + (word * (length - index) >> 32)
        drawn[index] = index if position in drawn.values() else position
    return drawn


def words_for(positions, count, length):
    """Returns words that give these positions, one for each index from count - 1 down to 0."""
    return [
        -(-(position - index << 32) // (length - index))
        for index, position in zip(reversed(range(count)), positions, strict=True)
    ]


def words_of_kinds(source, count):
    """Returns words of several kinds: random, all the first or the last position, repeats."""
    few = [source.getrandbits(32) for _ in range(count // 4 + 1)]
    return [
        [source.getrandbits(32) for _ in range(count)],
        [0] * count,
        [0xFFFFFFFF] * count,
        source.choices(few, k=count),
        [source.choice((0, 0xFFFFFFFF)) for _ in range(count)],
    ]


class Stream:
    """The words for a sampler: word i is there gaps[i] cycles after the sampler asks for it.

    `name` begins the names of the ports: NAME_valid_i, NAME_word_i or `word`, and NAME_next_o.
    """

    def __init__(self, dut, name, word):
        self.valid, self.next = getattr(dut, f"{name}_valid_i"), getattr(dut, f"{name}_next_o")
        self.word = getattr(dut, word)
        self.words, self.gaps, self.now, self.ready = [], [], 0, 0

    def load(self, words, gaps):
        self.words, self.gaps = list(words), list(gaps)
        self.now, self.ready = -2, 1 + self.gaps[0]  # two cycles before the start

    def drive(self):
        self.now += 1
        # Without a gap the word waits for the sampler.
        valid = bool(self.words) and (self.now >= self.ready or self.gaps[0] == 0)
        self.valid.value = int(valid)
        self.word.value = self.words[0] if valid else 0x5A5A5A5A

    def observe(self):
        if self.next.value == 1:
            self.words.pop(0)
            self.gaps.pop(0)
            self.ready = self.now + CYCLES + (self.gaps[0] if self.gaps else 0)
