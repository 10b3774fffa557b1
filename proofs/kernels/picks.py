# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Drawing distinct positions (pick_distinct of src/kem/sparse).

What is drawn depends on which candidates are equal and which are the indices of others. So lists
are tried that have every such case among few entries, all cases in one run:

- six entries side by side, with every candidate below a length, across the ends of blocks;
- all pairs of entries that have the same candidate, alone and with a third one whose candidate is
  the index of that which is replaced; so every entry meets every other one;
- chains of replaced entries: every subset of some entries, each with the index of the next one as
  its candidate, so that the last one, which meets a later candidate, replaces all of them;
- random words, for the products.

How AVX-512 follows such chains within a block is proved apart, for all candidates, as a circuit.
"""

import itertools
import secrets

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.circuits import Unit
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, Setting, by_sample
from proofs.kernels.engine.samples import Samples

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


def chains(first, size):
    """Yields lists of words: the entries of each subset of those from `first` on lead to the next
    one, the last of them to the candidate of the entry behind; the others are their own."""
    count, length = first + size + 1, first + size + 2
    for chosen in itertools.product((False, True), repeat=size):
        words = [0] * first
        following = length - 1
        for i in reversed(range(first, count - 1)):
            words.insert(first, word_for(following, i, length) if chosen[i - first] else 0)
            following = i if chosen[i - first] else following
        yield [*words, word_for(length - 1, count - 1, length)]


def codes_of(rows):
    """Returns codes of the domain of samples for rows of words of 32 bits, one row a sample."""
    table = np.array(rows, dtype="<u4").view(np.uint8)
    bits = np.unpackbits(table.reshape(len(rows), -1), axis=1, bitorder="little")
    packed = np.packbits(bits.T, axis=1, bitorder="little")
    codes = np.empty(len(packed), dtype=object)
    codes[:] = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return codes


class Pick:
    """pick_distinct of a back end for some lists: "neighbours", "triples", "chains" or "random"."""

    def __init__(self, backend, lists, size):
        self.backend, self.lists, self.size = backend, lists, size
        self.files = [f"kem/sparse/sparse_{backend}.c"]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        size = "-".join(map(str, self.size)) if self.lists == "chains" else self.size
        return f"{self.backend}-pick-{self.lists}-{size}"

    def _rows(self):
        """Returns lists of words, and the length."""
        if self.lists == "neighbours":
            return list(neighbours(self.size)), self.size + 8
        if self.lists == "triples":
            return list(triples(self.size, 2 * self.size)), 2 * self.size
        if self.lists == "chains":
            return list(chains(*self.size)), sum(self.size) + 2
        rows = [[secrets.randbits(32) for _ in range(self.size)] for _ in range(256)]
        return rows, 24646

    def prove(self, module):
        """Raises NotProved unless all lists give what they should."""
        rows, length = self._rows()
        machine = Machine(module, Samples(len(rows)))
        count = len(rows[0])
        words = place(machine, "words", codes_of(rows))
        out = machine.memory("positions", 4 * count)
        function = machine.address(f"ckem_sparse_{self.backend}").memory.pointers[8].name
        machine.call(function, [out, words, count, length])
        for row, found in zip(rows, by_sample(out.memory.bits, len(rows)), strict=True):
            right = sum(p << (32 * i) for i, p in enumerate(distinct(row, length)))
            if found != right:
                raise NotProved(f"{self!r}: wrong for {row}")


class Repeats(Unit):
    """mark_repeats of a back end from one entry to another: the top bits of the marks."""

    def __init__(self, backend, begin, end):
        self.backend, self.begin, self.end = backend, begin, end
        self.files = (f"kem/sparse/sparse_{backend}.c",)
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        return f"{self.backend}-repeats-{self.begin}-{self.end}"

    def __call__(self, machine, free):
        operands = {"positions": free(32 * self.end)}
        positions = place(machine, "positions", operands["positions"])
        marks = machine.memory("marks", 4 * self.end)
        function = machine.address(f"ckem_sparse_{self.backend}").memory.pointers[24].name
        arguments = [marks, positions, self.begin, self.end]
        result = (marks + 4 * self.begin, 4 * (self.end - self.begin))
        return Setting(function, arguments, operands, {"marks": result})

    def circuit(self, domain, operands):
        positions = operands["positions"].reshape(self.end, 32)
        marks = np.zeros((self.end, 32), dtype=positions.dtype)
        for i in range(self.begin, self.end):
            for earlier in positions[:i]:
                marks[i] = domain.either(marks[i], domain.equal(positions[i], earlier).repeat(32))
        return {"marks": marks[self.begin :].ravel()}


BLOCK = 16  # entries of a block of AVX-512
LANE_BITS = 4


class FollowReplaced(Unit):
    """follow_replaced of AVX-512, for all blocks at any index, and any lanes that are replaced: a
    lane is found if it is replaced, or if its candidate is the index of a lane that is found.

    No candidate is below its own index: `candidates` adds to the index."""

    target = 'x86_64-linux-gnu -DUNIT="kem/sparse/sparse_avx512.c"'
    files = ("../proofs/kernels/units/apart.c",)

    def __repr__(self):
        return "avx512-follow-replaced"

    def __call__(self, machine, free):
        operands = {"index": free(32), "block": free(32 * BLOCK), "replaced": free(BLOCK)}
        operands["index"][:LANE_BITS] = 0
        domain = machine.domain
        for lane, candidate in enumerate(operands["block"].reshape(BLOCK, 32)):
            least = self._number(lane)
            below = domain.less(candidate[:LANE_BITS], least)
            raised = np.repeat(domain.both(self._here(domain, operands, candidate), below), 4)
            candidate[:LANE_BITS] = domain.choose(raised, least, candidate[:LANE_BITS])
        arguments = [place(machine, "block", operands["block"])]
        arguments += [operands[name].copy() for name in ("index", "replaced")]
        return Setting("follow_replaced.apart", arguments, operands, {}, BLOCK)

    @staticmethod
    def _number(lane):
        """Codes of the number of a lane."""
        return np.array([lane >> i & 1 for i in range(LANE_BITS)], dtype=np.int64)

    @staticmethod
    def _here(domain, operands, candidate):
        """Codes of whether a candidate is the index of an entry of the block."""
        return domain.equal(candidate[LANE_BITS:], operands["index"][LANE_BITS:])

    def circuit(self, domain, operands):
        found = operands["replaced"].reshape(BLOCK, 1).copy()
        for lane in reversed(range(BLOCK)):
            candidate = operands["block"].reshape(BLOCK, 32)[lane]
            for later in range(lane + 1, BLOCK):
                leads = domain.equal(candidate[:LANE_BITS], self._number(later))
                leads = domain.both(leads, self._here(domain, operands, candidate))
                found[lane] = domain.either(found[lane], domain.both(leads, found[later]))
        return {"value": found.ravel()}
