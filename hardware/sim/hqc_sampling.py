# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles of the units of the HQC core that hash and sample, from start_i to done_o.

`keccak` is a Cycles object of cycles.py: of its methods those of the sponge are used.
"""

from parameters.table import TABLE

LEVELS = {  # n, bytes of m, of v, weight of x and y, of r1, r2 and e
    one.level: (one.n, one.k, one.code_bits // 8, one.weight, one.weight_r)
    for one in TABLE.levels["hqc"]
}
WORDS_OF_BLOCK = 34  # words of 32 bits


def hash_cycles(keccak, level, kind):
    """Of hqc_hash: kind is SEEDS, I, H, G, J or XOF."""
    n, message, code, *_ = LEVELS[level]
    ring = -(-n // 8)
    length, rate, digest = {  # bytes with the domain, lanes of a block, lanes that are stored
        "SEEDS": (33, 17, 4 + message // 8),
        "I": (33, 9, 8),
        "H": (32 + ring + 1, 17, 4),
        "G": (32 + message + 16 + 1, 9, 8),
        "J": (32 + message + ring + code + 16 + 1, 17, 4),
        "XOF": (33, 17, 1),
    }[kind]
    blocks = -(-(length // 8 + 1) // rate)
    # The last lane of s or u is not absorbed by itself: a cycle, unless the sponge has no room then
    # or waits for the permutation in any case.
    silent = int(kind in "HJ" and not (keccak.buffered and keccak.permutation() > 18))
    return 1 + silent + keccak.sponge(blocks) + digest - 1


def next_block(keccak, begin, last):
    """Returns when there is a lane again: the block was there from `begin` on, its last lane was
    taken at `last`."""
    if keccak.buffered:
        return max(last + 3, begin + keccak.permutation())
    return last + 1 + keccak.turn()


def expand_cycles(keccak, level, word, stride, late=0):
    """Of hqc_expand, started in the cycle after the stream has begun, or some cycles later."""
    lanes, words = -(-LEVELS[level][0] // 64), -(-LEVELS[level][0] // word)
    sub, rows = word // 64, word // stride
    begin = -1 - late  # of the stream
    time, ready, fed = 0, begin, -rows  # of a lane; when there is one; of a word
    for i in range(words * sub):
        time += 1
        if i < lanes:
            time = max(time, ready)
        if i % sub == sub - 1:
            fed = time = max(time, fed + rows)
        if i % 17 == 16:
            begin = ready = next_block(keccak, begin, time)
    return fed + 2 * rows + 1


def erase_cycles(level, word):
    return -(-LEVELS[level][0] // word)


def fixed_cycles(keccak, level, word, draw=0, apart=1):
    """Of hqc_sampler's DRAW_FIXED, the first, second or third on a stream (draw 0, 1, 2), so many
    cycles after the one before. The words of the later ones are taken meanwhile."""
    weight = LEVELS[level][4]
    low = 2 * -(-weight // word) + 4
    blocks = ((draw + 1) * weight - 1) // WORDS_OF_BLOCK - draw * weight // WORDS_OF_BLOCK
    pauses = blocks * keccak.turn()
    if draw == 0:
        return 3 * weight + 5 + low + pauses
    return 2 * weight + 3 + low + max(0, pauses - weight - low - apart)


class Rejection:
    """hqc_sampler's DRAW_REJECT on a stream: run() is for one draw after the other.

    gap: gives, for the number of words taken, the cycles in which the next one is not there yet.
    """

    def __init__(self, weight, gap):
        self.weight, self.gap = weight, gap
        self.candidates, self.words = 0, 0  # that were taken
        self.ready = 0  # when the next word is there; from the end of the draw before

    def run(self, kept=(), apart=1):
        """Returns the cycles; kept: whether each candidate is accepted (all others are); apart: the
        cycles since the end of the draw before."""
        kept, left, accepted = iter(kept), self.weight, 0
        time, ready = 1, self.ready - apart
        stages: list[bool | None] = [None] * 3  # whether the candidate there will be accepted
        while True:
            stages = [None, *stages[:2]]
            if left:
                if self.candidates % 4 != 3:  # else the bytes are left from the words before
                    time = max(time, ready)
                    self.words += 1
                    ready = time + 1 + self.gap(self.words)
                self.candidates += 1
                left -= 1
                stages[0] = next(kept, True)
            if stages[2] is not None:
                accepted += stages[2]
                left += not stages[2]
                if accepted == self.weight:
                    self.ready = ready - time - 4
                    return time + 4
            time += 3


def reject_cycles(keccak, level, *kept):
    """Of the last one of several draws by DRAW_REJECT that begin a stream; kept: of each draw,
    whether its candidates are accepted, () if all are."""

    def gap(words):
        return 0 if words % WORDS_OF_BLOCK else keccak.turn()

    stream = Rejection(LEVELS[level][3], gap)
    return [stream.run(draw) for draw in kept][-1]
