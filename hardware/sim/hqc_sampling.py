# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles of the units of the HQC core that hash and sample, from start_i to done_o.

`keccak` is a Cycles object of cycles.py: of its methods those of the sponge are used.
"""

LEVELS = {  # n, bytes of m, of v, weight of x and y, of r1, r2 and e
    1: (17669, 16, 2208, 66, 75),
    3: (35851, 24, 4480, 100, 114),
    5: (57637, 32, 7200, 131, 149),
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


def lanes_turn(keccak, waited):
    """Returns the cycles after a block of lanes in which there is none, if one is taken each cycle;
    the block has waited for so long."""
    if not keccak.buffered:
        return keccak.turn()
    return max(2, keccak.permutation() - 17 - waited)


def expand_cycles(keccak, level, word, stride, late=0):
    """Of hqc_expand, started in the cycle after the stream has begun, or some cycles later; it
    takes the first lane two cycles after the stream's begin, or later."""
    n = LEVELS[level][0]
    turns = [lanes_turn(keccak, 2 + late if i == 0 else 0) for i in range((n - 1) // 64 // 17)]
    return -(-n // word) * word // 64 + 2 * word // stride + 1 + sum(turns)


def erase_cycles(level, word):
    return -(-LEVELS[level][0] // word)


def fixed_cycles(keccak, level, drawn_before):
    """Of hqc_sampler's DRAW_FIXED, after so many words of the stream."""
    weight = LEVELS[level][4]
    end = drawn_before + weight
    refills = (end - 1) // WORDS_OF_BLOCK - drawn_before // WORDS_OF_BLOCK
    return 4 * weight + 5 + refills * keccak.turn()


class Rejection:
    """hqc_sampler's DRAW_REJECT: run() for one draw after the other on a stream."""

    def __init__(self, keccak, level):
        self.turn, self.weight = keccak.turn(), LEVELS[level][3]
        self.phase, self.words = 0, 0  # candidates drawn, modulo 4; words taken
        self.last = 0  # when the last word was taken

    def word(self, time):
        """Takes a word that is asked for from this cycle on; returns when it is there."""
        if self.words and self.words % WORDS_OF_BLOCK == 0:
            time = max(time, self.last + 1 + self.turn)
        self.words += 1
        self.last = time
        return time

    def run(self, kept=()):
        """Returns the cycles; kept: whether each candidate is accepted (all others are)."""
        kept, left, accepted = iter(kept), self.weight, 0
        time = 1
        stages: list[bool | None] = [None] * 4  # whether the candidate there will be accepted
        self.last = -self.turn  # what was taken before was refilled meanwhile
        while True:
            stages = [None, *stages[:3]]
            if left:
                if self.phase != 3:
                    time = self.word(time)
                self.phase = (self.phase + 1) % 4
                left -= 1
                stages[0] = next(kept, True)
            if stages[3] is not None:
                accepted += stages[3]
                left += not stages[3]
                if accepted == self.weight:
                    return time + 2
            time += 3


def reject_cycles(keccak, level, draws=1):
    """Of the last one of several draws that begin a stream, without a rejected candidate."""
    stream = Rejection(keccak, level)
    return [stream.run() for _ in range(draws)][-1]
