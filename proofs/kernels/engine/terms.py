# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of terms: fingerprints of bits, and numbers as sums, for code that computes with both.

A number is a sum of other numbers with integers as factors, modulo 2^bits; equal sums have equal
codes, in whatever order they were added. A function of which only the arguments matter
(`function`) gives new bits for new arguments and the same bits for the same ones: it stands for
what another proof is about. Comparisons are such functions.
"""

import functools
import operator

import numpy as np

from proofs.kernels.engine import intrinsics
from proofs.kernels.engine.bits import ANYTHING, has_anything, simplified
from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.integers import look_up_bytes
from proofs.kernels.engine.intrinsics import adding_to, rows

# Before those of intrinsics.py.
MEANINGS = []
table = adding_to(MEANINGS)


class Terms(Fingerprints):
    """See the head of this file."""

    meanings = MEANINGS

    def __init__(self):
        super().__init__()
        self._functions = {}
        self._sums = {}  # codes as a tuple -> the sum
        self._codes = {}  # the sum and its bits -> codes
        self._members = {}  # codes of the largest of some numbers -> their set
        self._limits = {}  # an atom, the codes of a number that is no sum -> least, largest value

    # --- Functions of which only the arguments matter ---

    def function(self, name, arguments, bits, ordered=True):
        """Returns codes of the value of a function of some numbers, in their order or in any."""
        if has_anything(*arguments):
            return np.full(bits, ANYTHING, dtype=object)
        numbers = [tuple(codes) for codes in arguments]
        key = (name, tuple(numbers) if ordered else frozenset(numbers))
        if key not in self._functions:
            self._functions[key] = self.free(bits)
        return self._functions[key].copy()

    def equal(self, a, b):
        """Code of a == b: a function of the set of bits of the sum."""
        codes = self.xor(a, b).tolist()
        if -1 in codes:
            return np.zeros(1, dtype=object)
        if has_anything(codes):
            return np.array([ANYTHING], dtype=object)
        differ = sorted(set(codes) - {0})
        if len(differ) < 2:
            return np.array([~differ[0] if differ else -1], dtype=object)
        return self.function("zero", [differ], 1)

    def less(self, a, b):
        """Code of a < b."""
        x, y = simplified(a), simplified(b)
        if type(x) is int and type(y) is int:
            return np.array([-1 if x < y else 0], dtype=object)
        return self.function("less", [a, b], 1)

    def choose(self, choice, one, zero):
        """Codes of choice ? one : zero."""
        return zero ^ self.both(choice, one ^ zero)

    # --- Numbers ---

    def sum_of(self, codes):
        """Returns a number as a sum: atom -> factor, () -> constant."""
        known = simplified(codes)
        if type(known) is int:
            return {(): known} if known else {}
        codes = tuple(codes)
        found = self._seen(codes)
        if found is not None:
            return found
        size = len(codes)
        while codes[size - 1] == 0:
            size -= 1
        low = self._seen(codes[:size])
        if size < len(codes) and low is not None:
            least, largest = self.range_of(low)
            if least >= 0 and largest < 1 << size:
                return low
        sign = len(codes)
        while sign > 1 and codes[sign - 2] == codes[-1]:
            sign -= 1
        low = self._seen(codes[:sign])
        if sign < len(codes) and low is not None:
            if sign == 1:
                return {atom: -factor for atom, factor in low.items()}  # a mask, -1 or 0
            least, largest = self.range_of(low)
            if -(1 << (sign - 1)) <= least and largest < 1 << (sign - 1):
                return low
        self._limits[codes[:size]] = (0, (1 << size) - 1)
        return {codes[:size]: 1}

    def _seen(self, codes):
        if codes in self._sums:
            return self._sums[codes]
        if codes in self._limits:
            return {codes: 1}
        if len(codes) == 1:
            bit = codes[0]
            self._limits[(~bit if bit < 0 else bit,)] = (0, 1)
            return {(~bit,): -1, (): 1} if bit < 0 else {(bit,): 1}
        return None

    def range_of(self, sum_):
        """Returns the least and the largest value that a sum may have."""
        least = largest = 0
        for atom, factor in sum_.items():
            ends = [factor * end for end in (self._limits[atom] if atom else (1, 1))]
            least, largest = least + min(ends), largest + max(ends)
        return least, largest

    def codes_of(self, sum_, bits):
        """Returns codes of a sum modulo 2^bits."""
        half = 1 << (bits - 1)
        sum_ = {atom: (factor + half) % (2 * half) - half for atom, factor in sum_.items()}
        sum_ = {atom: factor for atom, factor in sum_.items() if factor}
        atoms = [atom for atom in sum_ if atom]
        if not atoms or (len(atoms) == 1 and len(atoms[0]) == 1):  # two values, by a bit
            zero = sum_.get((), 0)
            one = sum(sum_.values()) if atoms else zero
            bit = atoms[0][0] if atoms else 0
            choices = [0, bit, ~bit, -1]
            pairs = [(zero >> i & 1) * 2 + (one >> i & 1) for i in range(bits)]
            return np.array([choices[pair] for pair in pairs] + [None], dtype=object)[:-1]
        if len(sum_) == 1:
            (atom, factor), *_ = sum_.items()
            if factor == 1 and len(atom) <= bits:
                codes = np.zeros(bits, dtype=object)
                codes[: len(atom)] = atom
                return codes
        key = (frozenset(sum_.items()), bits)
        if key not in self._codes:
            self._codes[key] = self.free(bits)
            self._sums[tuple(self._codes[key])] = sum_
        return self._codes[key].copy()

    def add(self, a, b, factor=1):
        """Codes of a + factor b."""
        if has_anything(a, b):
            return np.full(a.size, ANYTHING, dtype=object)
        total = dict(self.sum_of(a))
        for atom, times in self.sum_of(b).items():
            total[atom] = total.get(atom, 0) + factor * times
        return self.codes_of(total, a.size)

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        known = simplified(a)
        ones = set(np.flatnonzero(a != 0)) if type(known) is int else set()
        if ones.issuperset(np.flatnonzero(b != 0)):
            return a ^ b  # nothing is borrowed
        if a[0] == 0 and (b == b[0]).all():  # a mask, which is 0 or -1: nothing is carried
            return np.concatenate([b[:1], a[1:]])
        return self.add(a, b, -1)

    def multiply(self, a, b):
        """Codes of the product by a known number; copies of bits that do not meet stay bits."""
        known = simplified(a)
        if type(known) is not int:
            known, b = simplified(b), a
        if type(known) is not int:
            return self.function("times", [a, b], a.size, ordered=False)
        if has_anything(b):
            return np.full(a.size, ANYTHING, dtype=object)
        result = np.zeros(a.size, dtype=object)
        for place in range(a.size):
            if known >> place & 1:
                moved = np.zeros(a.size, dtype=object)
                moved[place:] = b[: a.size - place]
                if ((result != 0) & (moved != 0)).any():
                    factors = {atom: known * times for atom, times in self.sum_of(b).items()}
                    return self.codes_of(factors, a.size)
                result = result ^ moved
        return result

    def look_up_sum(self, numbers, index):
        """Codes of numbers[index] for known bytes that have terms (terms_of)."""
        total = {(): numbers[0]}
        for bit, factor in zip(np.split(index, index.size), terms_of(numbers), strict=True):
            for atom, times in self.sum_of(bit).items():
                total[atom] = total.get(atom, 0) + factor * times
        return self.codes_of(total, 8)

    def weight(self, codes):
        """Codes of the number of ones, a function of the bits."""
        result = np.zeros(codes.size, dtype=object)
        size = codes.size.bit_length()
        result[:size] = self.function("weight", [codes], size)
        return result

    def largest(self, *numbers):
        """Codes of the largest of some numbers: a function of their set, which needs no zeros."""
        if has_anything(*numbers):
            return np.full(numbers[0].size, ANYTHING, dtype=object)
        members = set()
        for codes in numbers:
            members |= self._members.get(tuple(codes), {tuple(codes)})
        members = {codes for codes in members if any(codes)}
        if len(members) < 2:
            return np.array([*members, (0,) * numbers[0].size][0], dtype=object)
        codes = self.function("largest", members, numbers[0].size, ordered=False)
        self._members[tuple(codes)] = members
        return codes


def terms_of(numbers):
    """Returns for each bit of a place what it adds to the byte there; None if there are no such
    numbers, or if each bit of the bytes is a sum modulo 2 of bits of the place."""
    first, bits = numbers[0], len(numbers).bit_length() - 1
    terms = [(numbers[1 << at] - first + 128) % 256 - 128 for at in range(bits)]
    in_bits = True
    for place, number in enumerate(numbers):
        ones = [at for at in range(bits) if place >> at & 1]
        if (first + sum(terms[at] for at in ones) - number) % 256:
            return None
        changes = (numbers[1 << at] ^ first for at in ones)
        in_bits &= functools.reduce(operator.xor, changes, first) == number
    return None if in_bits else terms


# --- Meanings of instructions in this domain ------------------------------------------------------


table(r"llvm\.aarch64\.neon\.tbl1\.v16i8")(look_up_bytes)


@table(r"llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b)")
def shuffle_bytes(machine, type_, types, arguments):
    """PSHUFB of a known table whose bytes have terms; see intrinsics.py for others."""
    pool, indices = (rows(machine, type_, value) for value in arguments)
    known = simplified(arguments[0])
    if type(known) is int and not indices[:, 4:].any():
        numbers = known.to_bytes(len(pool), "little")
        tables = [numbers[at & ~15 :][:16] for at in range(len(pool))]
        if all(terms_of(table) for table in tables):
            pairs = zip(tables, indices[:, :4], strict=True)
            return np.concatenate([machine.domain.look_up_sum(*pair) for pair in pairs])
    return intrinsics.shuffle_bytes(machine, type_, types, arguments)


@table(r"llvm\.umax\.v.*|llvm\.aarch64\.neon\.umax\.v.*")
def larger(machine, type_, types, arguments):
    """The larger number of each pair."""
    pairs = zip(*(rows(machine, type_, value) for value in arguments), strict=True)
    del types
    return np.concatenate([machine.domain.largest(*pair) for pair in pairs])


@table(r"llvm\.aarch64\.neon\.umaxv\..*")
def largest_across(machine, type_, types, arguments):
    """The largest number of a vector."""
    numbers = rows(machine, types[0], arguments[0])
    result = np.zeros(type_.bits, dtype=object)
    result[: numbers.shape[1]] = machine.domain.largest(*numbers)
    return result


@table(r"llvm\.x86\.sse41\.phminposuw")
def smallest(machine, type_, types, arguments):
    """PHMINPOSUW: the smallest number is the complement of the largest complement."""
    numbers = [~row for row in rows(machine, type_, arguments[0])]
    result = np.full(type_.bits, machine.domain.unknown, dtype=object)
    result[:16] = ~machine.domain.largest(*numbers)
    del types
    return result


@table(r"llvm\.aarch64\.neon\.abs\..*|llvm\.abs\..*")
def absolute(machine, type_, types, arguments):
    """The absolute value of each number, a function of it."""
    domain = machine.domain
    parts = rows(machine, type_, arguments[0])
    del types
    return np.concatenate([domain.function("absolute", [x], x.size) for x in parts])
