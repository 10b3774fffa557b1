# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Muller decoding of HQC (src/kem/hqc): the nearest code word, of several the one that the
standard says: the first peak of the Hadamard transform.

With vectors it is proved whole (Whole), portable code in parts, each of which the next takes for
granted: counting of copies and the call of the rest (Counts), the transform (Transform), the
largest key (Largest), and what keys are made of (Peak, Key). No entry is above 64 copies in
absolute value: each is a sum of 128 numbers below copies + 1, one half of them negative, and the
first loses 64 copies.
"""

import numpy as np

from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import Terms

FILES = {
    "portable": ["kem/hqc/reed_muller.c"],
    "avx2": ["kem/hqc/codes_avx2.c"],
    "neon": ["kem/hqc/codes_neon.c"],
}
COPIES = (3, 5)
ENTRIES = 128  # of the transform
DECODE = 8  # offset in struct hqc_codes
NUMBER_BITS = 11  # with the sign, enough for 64 * 5


def known(value, bits, domain):
    """Returns codes of a known number."""
    return np.array([domain.one if value >> i & 1 else 0 for i in range(bits)], domain.dtype)


def sign(j, t):
    """Returns (-1)^<j, t>."""
    return -1 if (j & t).bit_count() & 1 else 1


def widened(codes, bits):
    """Returns codes of a number with a sign, with more bits."""
    return np.concatenate([codes, np.repeat(codes[-1:], bits - codes.size)])


class Part:
    """A part of a back end's decoder."""

    def __init__(self, backend, copies=0):
        self.backend, self.copies = backend, copies
        self.files = FILES[backend]

    def __repr__(self):
        ending = f"-{self.copies}" if self.copies else ""
        return f"{self.backend}-reed_muller-{type(self).__name__.lower()}{ending}"

    def demand(self, holds, what):
        """Raises NotProved for something that need not hold."""
        if not holds:
            raise NotProved(f"{self!r}: {what} can be wrong")

    def same(self, domain, codes, expected, what):
        """Raises NotProved unless circuits are the same."""
        for found, right in zip(codes.tolist(), expected.tolist(), strict=True):
            self.demand(not domain.differ(found, right), what)

    def prove(self, module):
        """Raises NotProved unless the part is right for everything it may get."""
        raise NotImplementedError


class Transform(Part):
    """The Hadamard transform of 64 words, two numbers modulo 2^32 in each, but for the last step
    and the shift, which are left to its callers."""

    def prove(self, module):
        domain = Terms()
        machine = Machine(module, domain)
        numbers = machine.memory("w", 64 * 4)
        numbers.memory.bits[:] = domain.free(64 * 32)
        sums = [domain.sum_of(row) for row in numbers.memory.bits.reshape(64, 32).copy()]
        machine.call("transform.reed_muller", [numbers])
        for t, found in enumerate(numbers.memory.bits.reshape(64, 32)):
            total = {atom: sign(j, t) * f for j, s in enumerate(sums) for atom, f in s.items()}
            self.demand((found == domain.codes_of(total, 32)).all(), f"entry {t}")


class Counts(Part):
    """reed_muller_decode of two symbols, with any transform and any search."""

    def prove(self, module):
        domain = Circuits()
        words = domain.free(2 * 128 * self.copies).reshape(2, self.copies, 128)
        waiting, symbols = [], []

        def transform(machine, arguments):
            codes = arguments[0].memory.bits[8 * arguments[0].offset :][: 16 * 128]
            counts = np.zeros((128, 16), dtype=np.int64)
            for row in words[len(symbols)]:
                for at in range(128):
                    one = np.zeros(16, dtype=np.int64)
                    one[0] = row[at]
                    counts[at] = domain.add(counts[at], one)
            pairs = counts.reshape(2, 64, 16).swapaxes(0, 1)  # j and j + 64 share a word
            self.same(domain, codes, pairs.ravel(), "a count")
            waiting.append(domain.free(codes.size))
            codes[:] = waiting[-1]

        def find_peak(machine, arguments):
            codes = arguments[0].memory.bits[8 * arguments[0].offset :][: 16 * 128]
            entries = waiting.pop().copy()
            shift = known(32 * self.copies * 0x10001, 32, domain)  # of both halves
            entries[:32] = domain.subtract(entries[:32], shift)
            self.same(domain, codes, entries, "an entry")
            symbols.append(domain.free(8))
            return symbols[-1]

        contracts = {"transform.reed_muller": transform, "find_peak.reed_muller": find_peak}
        machine = Machine(module, domain, contracts)
        source = machine.memory("in", 2 * 16 * self.copies)
        source.memory.bits[:] = words.ravel()
        out = machine.memory("symbols", 2)
        machine.call("ckem_reed_muller_decode", [out, source, 2, self.copies])
        self.same(domain, out.memory.bits, np.concatenate(symbols), "a symbol")


class Largest(Part):
    """The largest of the keys that the search goes through, for any keys."""

    def prove(self, module):
        domain = Terms()
        keys, compared = [], {}

        def key_of(machine, arguments):
            keys.append(domain.free(32))
            return keys[-1]

        def mask_less(machine, arguments):
            pair = [machine.codes(a, 32) for a in arguments]
            mask = domain.free(1)
            compared[mask[0]] = [tuple(codes) for codes in pair]
            return np.repeat(mask, 32)

        def select(machine, arguments):
            mask, one, zero = (machine.codes(a, 32) for a in arguments)
            self.demand(compared[mask[0]] == [tuple(zero), tuple(one)], "a choice")
            return domain.largest(one, zero)

        unit = "reed_muller"
        contracts = {
            f"key_of.{unit}": key_of,
            f"ct_mask_less_u32.{unit}": mask_less,
            f"ct_select_u32.{unit}": select,
        }
        machine = Machine(module, domain, contracts)
        words = machine.memory("w", 256)
        words.memory.bits[:] = domain.free(16 * 128)
        symbol = machine.call("find_peak.reed_muller", [words])
        best = domain.largest(*keys)
        expected = np.concatenate([~best[1:8], best[:1]])
        self.demand(len(keys) == 128 and (symbol == expected).all(), "the largest key")


class Peak(Part):
    """What the key of each entry is made of."""

    def prove(self, module):
        domain = Circuits()
        places = []

        def key_of(machine, arguments):
            places.append([machine.codes(arguments[0], 32), arguments[1]])
            return domain.free(32)

        machine = Machine(module, domain, {"key_of.reed_muller": key_of})
        halves = [[widened(domain.free(NUMBER_BITS), 32) for _ in range(2)] for _ in range(64)]
        words = machine.memory("w", 256)
        for t, (low, high) in enumerate(halves):
            moved = np.concatenate([np.zeros(16, dtype=np.int64), high[:16]])
            words.memory.bits[32 * t : 32 * t + 32] = domain.add(low, moved)
        machine.call("find_peak.reed_muller", [words])
        for t, (low, high) in enumerate(halves):
            for place, value in ((t, domain.add(low, high)), (64 + t, domain.subtract(low, high))):
                found, number = places[2 * t + place // 64]
                self.demand(number == place, "a place")
                self.same(domain, found, value, "an entry")


class Key(Part):
    """The key of an entry, in which the order is that of height and then of smaller places."""

    def prove(self, module):
        domain = Circuits()
        entry, where = widened(domain.free(NUMBER_BITS), 32), np.zeros(32, dtype=np.int64)
        where[:7] = domain.free(7)
        key = Machine(module, domain).call("key_of.reed_muller", [entry, where])
        top = np.repeat(entry[-1:], entry.size)
        zero = domain.equal(entry, np.zeros(entry.size, dtype=np.int64))
        right = np.zeros(32, dtype=np.int64)
        right[:1] = domain.both(domain.invert(top[:1]), domain.invert(zero))
        right[1:8] = domain.invert(where[:7])
        right[8:] = domain.subtract(domain.xor(entry, top), top)[:24]
        self.same(domain, key, right, "a key")


class Whole(Part):
    """reed_muller_decode with vectors: the largest key of all entries, which are sums of bits. Half
    the absolute value fills the upper byte of a key (all entries are even or all are odd, since all
    are sums of the same numbers), 127 - t and whether the entry is positive the lower one."""

    domain: type[Terms] = Terms

    def prove(self, module):
        domain = self.domain()
        for copies, symbol in zip(*self.run(module, domain), strict=True):
            best = self.largest(domain, [self.entry(copies, t) for t in range(ENTRIES)])
            expected = np.concatenate([~best[1:8], best[:1]])
            self.demand((symbol == expected).all(), "a symbol")

    def run(self, module, domain):
        """Decodes two symbols; returns codes: words[2][copies][ENTRIES], symbols[2][8]."""
        machine = Machine(module, domain)
        words = domain.free(2 * ENTRIES * self.copies).reshape(2, self.copies, ENTRIES)
        source = machine.memory("in", words.size // 8)
        source.memory.bits[:] = words.ravel()
        out = machine.memory("symbols", 2)
        ops = machine.address(f"ckem_hqc_codes_{self.backend}")
        machine.call(ops.memory.pointers[DECODE].name, [out, source, 2, self.copies])
        return words, out.memory.bits.reshape(2, 8)

    def entry(self, copies, t):
        """Returns an entry of the transform of copies[][ENTRIES], a sum of their bits."""
        total: dict[tuple, int] = {
            (bit,): sign(j, t) for row in copies for j, bit in enumerate(row)
        }
        if t == 0:
            total[()] = -ENTRIES // 2 * self.copies
        return total

    def largest(self, domain, entries):
        """Returns the codes of the largest key of entries."""
        return domain.largest(*(self.key(domain, sum_, t) for t, sum_ in enumerate(entries)))

    @staticmethod
    def key(domain, sum_, t):
        """Returns the codes of the key of an entry."""
        entry = domain.codes_of(sum_, 16)
        top = known(1 << 15, 16, domain)
        positive = domain.less(top, entry ^ top)
        height = domain.function("absolute", [entry], 16)
        return np.concatenate([positive, known(ENTRIES - 1 - t, 7, domain), height[1:9]])
