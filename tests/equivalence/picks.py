# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Drawing distinct positions (pick_distinct of src/sparse), and the order of a support that AVX-512
counts with (order_support of src/bike).

What is drawn depends on which candidates are equal and which are the indices of others. So lists
are tried that have every such case among few entries, all cases in one run:

- six entries side by side, with every candidate below a length, across the ends of blocks;
- all pairs of entries that have the same candidate, alone and with a third one whose candidate is
  the index of that which is replaced; so every entry meets every other one;
- random words, for the products.

The order of a support is proved step by step: ranks and places for all numbers, as sums and
choices by comparisons; which
positions are put to the front for all lists of neighbours that are in one class or are not.
"""

import itertools
import secrets

import numpy as np

from equivalence.codes import place
from equivalence.interpreter import Machine
from equivalence.prove import NotProved, by_sample
from equivalence.samples import Samples
from equivalence.terms import Terms

TARGETS = {"neon": "aarch64-linux-gnu"}
BACKENDS = ["portable", "avx2", "avx512", "neon"]


def distinct(words, length):
    """Returns the positions that random words give, as sparse.h says."""
    positions = list(words)
    for i in reversed(range(len(words))):
        candidate = i + (words[i] * (length - i) >> 32)
        positions[i] = i if candidate in positions[i + 1 :] else candidate
    return positions


def word_for(candidate, i, length):
    """Returns the smallest word that gives this candidate at index i."""
    return -(-((candidate - i) << 32) // (length - i))


def neighbours(first):
    """Yields lists of words: all candidates of the last six entries, the others are their own."""
    length = first + 8
    choices = [range(i, length) for i in range(first, first + 6)]
    for candidates in itertools.product(*choices):
        drawn = [word_for(c, first + i, length) for i, c in enumerate(candidates)]
        yield [0] * first + drawn


def triples(count, length):
    """Yields lists of words: i and j have the same candidate, and k has the index of i; without k,
    too, so that i may be the first entry."""
    for i, j in itertools.combinations(range(count), 2):
        words = [0] * count
        words[i], words[j] = (word_for(length - 1, at, length) for at in (i, j))
        yield words
        for k in range(i):
            yield [*words[:k], word_for(i, k, length), *words[k + 1 :]]


def codes_of(rows):
    """Returns codes of the domain of samples for rows of words of 32 bits, one row a sample."""
    table = np.array(rows, dtype="<u4").view(np.uint8)
    bits = np.unpackbits(table.reshape(len(rows), -1), axis=1, bitorder="little")
    packed = np.packbits(bits.T, axis=1, bitorder="little")
    codes = np.empty(len(packed), dtype=object)
    codes[:] = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return codes


class Pick:
    """pick_distinct of a back end for some lists: "neighbours", "triples" or "random"."""

    def __init__(self, backend, lists, size):
        self.backend, self.lists, self.size = backend, lists, size
        self.files = [f"sparse/sparse_{backend}.c"]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        return f"{self.backend}-pick-{self.lists}-{self.size}"

    def _rows(self):
        """Returns lists of words, and the length."""
        if self.lists == "neighbours":
            return list(neighbours(self.size)), self.size + 8
        if self.lists == "triples":
            return list(triples(self.size, 2 * self.size)), 2 * self.size
        rows = [[secrets.randbits(32) for _ in range(self.size)] for _ in range(256)]
        return rows, 24646

    def prove(self, module):
        """Raises NotProved unless all lists give what they should."""
        rows, length = self._rows()
        machine = Machine(module, Samples(len(rows)))
        count = len(rows[0])
        words = place(machine, "words", codes_of(rows))
        out = machine.memory("positions", 4 * count)
        function = machine.address(f"codekem_sparse_{self.backend}").memory.pointers[8].name
        machine.call(function, [out, words, count, length])
        for row, found in zip(rows, by_sample(out.memory.bits, len(rows)), strict=True):
            right = sum(p << (32 * i) for i, p in enumerate(distinct(row, length)))
            if found != right:
                raise NotProved(f"{self!r}: wrong for {row}")


# --- The order of a support -----------------------------------------------------------------------

ORDER_FILES = ["bike/bike_ops_avx512.c", "bike/bike_ops_portable.c"]
MODULE = "bike_ops_avx512"
LANES = 32  # numbers of a vector
CLASS_BITS = 10  # positions that differ below these are of one class


class Rank:
    """rank_avx512 for so many numbers of 16 bits, whatever they are."""

    target = "x86_64-linux-gnu"
    function, operands = "rank", ["numbers"]

    def __init__(self, count):
        self.count, self.files = count, ORDER_FILES

    def __repr__(self):
        return f"avx512-{self.function}-{self.count}"

    def prove(self, module):
        """Raises NotProved unless all numbers are those of the model."""
        domain = Terms()
        machine = Machine(module, domain)
        operands = [domain.free(16 * self.count) for _ in self.operands]
        out = machine.memory("out", 2 * ((self.count + LANES - 1) // LANES) * LANES)
        sources = [place(machine, *pair) for pair in zip(self.operands, operands, strict=True)]
        machine.call(f"{self.function}_avx512.{MODULE}", [out, *sources, self.count])
        found = out.memory.bits[: 16 * self.count]
        right = self.model(domain, [codes.reshape(self.count, 16) for codes in operands])
        if (found != np.concatenate(right)).any():
            raise NotProved(f"{self!r}: a number can be wrong")

    def model(self, domain, operands):
        """Returns how many numbers are below each of them."""
        (numbers,) = operands
        ranks = []
        for number in numbers:
            below = [domain.less(other, number) for other in numbers]
            rank = np.zeros(16, dtype=object)
            for bit in below:
                rank = domain.add(rank, np.concatenate([bit, np.zeros(15, dtype=object)]))
            ranks.append(rank)
        return ranks


class PutInPlaces(Rank):
    """put_in_places_avx512: a number is where the last one of its places says."""

    function, operands = "put_in_places", ["numbers", "places"]

    def model(self, domain, operands):
        """Returns for each place the number that is put there, or zero."""
        numbers, places = operands
        out = []
        for at in range(self.count):
            here = np.array([-(at >> i & 1) for i in range(16)], dtype=object)
            value = np.zeros(16, dtype=object)
            for number, where in zip(numbers, places, strict=True):
                chosen = np.repeat(domain.equal(where, here), 16)
                value = domain.choose(chosen, number, value)
            out.append(value)
        return out


class FindPlaces:
    """find_places_avx512 for so many positions, in all cases of which neighbours share a class."""

    target = "x86_64-linux-gnu"

    def __init__(self, weight):
        self.weight, self.files = weight, ORDER_FILES

    def __repr__(self):
        return f"avx512-find-places-{self.weight}"

    def prove(self, module):
        """Raises NotProved unless the places are a permutation with pairs in front."""
        cases = np.array(list(itertools.product((0, 1), repeat=self.weight - 1)))
        classes = np.hstack([np.zeros((len(cases), 1), dtype=int), np.cumsum(cases, axis=1)])
        inside = np.arange(self.weight) * 77 % (1 << CLASS_BITS)
        numbers = (classes << CLASS_BITS) + inside
        for pairs in range(self.weight // 2 + 1):
            machine = Machine(module, Samples(len(cases)))
            codes = codes_of(numbers).reshape(self.weight, 32)[:, :16].ravel()
            out = machine.memory("places", 2 * self.weight)
            arguments = [out, place(machine, "sorted", codes), self.weight, pairs]
            machine.call(f"find_places_avx512.{MODULE}", arguments)
            found = by_sample(out.memory.bits, len(cases))
            for case, value in zip(classes, found, strict=True):
                places = [value >> (16 * i) & 0xFFFF for i in range(self.weight)]
                self._check(case.tolist(), places, pairs)

    def _check(self, classes, places, pairs):
        """Looks at one case: there are enough pairs unless too many classes have an odd number."""
        alone = sum(classes.count(c) % 2 for c in set(classes))
        if 2 * pairs > self.weight - alone:
            return
        if sorted(places) != list(range(self.weight)):
            raise NotProved(f"{self!r}: no permutation for {classes}")
        at = {p: classes[i] for i, p in enumerate(places)}
        if any(at[2 * n] != at[2 * n + 1] for n in range(pairs)):
            raise NotProved(f"{self!r}: no pair in front for {classes}")
