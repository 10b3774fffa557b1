# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of forms: for each of many cases a bit is a sum of free bits.

A case gives some operands known values, such as every position of a list; other operands are free.
So a selection by the known bits is a selection of free bits, for all cases in one run. The code of
a bit is 0 or -1 if it is that constant in all cases; Cases if it is a constant in each; Forms if it
is a sum of free bits, by the sum of their random numbers of 192 bits. A product of two sums is a
new random number: nothing is known of it. Two different sums have the same number with a
probability of 2^-192.
"""

import numpy as np

from proofs.kernels.engine.bits import ANYTHING, Domain, has_anything
from proofs.kernels.engine.integers import MEANINGS

WORDS = 3  # 64-bit words of a random number
ALL = np.uint64(2**64 - 1)


class Cases:
    """Constants: a word for each case, all ones for 1."""

    __slots__ = ("words",)

    def __init__(self, words):
        self.words = words


class Form:
    """Sums of free bits: words[3][cases], or words[3][1] if it is the same in all cases."""

    __slots__ = ("words",)

    def __init__(self, words):
        self.words = words


class Forms(Domain):
    """See the head of this file."""

    dtype = object
    one = -1
    unknown = ANYTHING
    remembers = False
    meanings = MEANINGS

    def __init__(self, cases, seed=None):
        self.cases = cases
        self._random = np.random.default_rng(seed)  # from the operating system if there is no seed
        self._constant = self._number(1)  # of the constant 1
        self._xor = np.frompyfunc(self._one_xor, 2, 1)
        self._both = np.frompyfunc(self._one_and, 2, 1)

    def _number(self, cases):
        return self._random.integers(0, 2**64, (WORDS, cases), dtype=np.uint64)

    @staticmethod
    def _as_array(codes):
        result = np.empty(len(codes), dtype=object)
        result[:] = codes
        return result

    def free(self, bits):
        """Codes of bits that may be anything, the same ones in all cases."""
        return self._as_array([Form(self._number(1)) for _ in range(bits)])

    def values(self, values, bits):
        """Codes of the bits of a number that each case knows."""
        values = np.asarray(values, dtype=np.uint64)
        rows = [(values >> np.uint64(i) & np.uint64(1)) * ALL for i in range(bits)]
        same = [(row == row[0]).all() for row in rows]
        return self._as_array(
            [-int(row[0] & 1) if s else Cases(row) for row, s in zip(rows, same, strict=True)]
        )

    def _numbers(self, codes):
        """Returns integers below 2^64 that are constants in each case."""
        total = np.zeros(self.cases, dtype=np.uint64)
        for at, code in enumerate(codes):
            words = code.words if isinstance(code, Cases) else np.uint64(-code)
            total |= (words & np.uint64(1)) << np.uint64(at)
        return total

    def numbers(self, codes):
        """Returns words[codes][3][cases], the random numbers of what the bits are; those of a bit
        of which nothing is known are new ones."""
        result = np.empty((len(codes), WORDS, self.cases), dtype=np.uint64)
        for row, code in zip(result, codes, strict=True):
            row[:] = self._form(code)
        return result

    def _form(self, code):
        if code is ANYTHING:
            return self._number(self.cases)
        if isinstance(code, Form):
            return code.words
        if isinstance(code, Cases):
            return self._constant & code.words
        return self._constant if code else np.zeros((WORDS, 1), dtype=np.uint64)

    def _one_xor(self, a, b):
        if type(a) is int:
            a, b = b, a
        if type(b) is int:
            if type(a) is int:
                return a ^ b
            if b == 0 or a is ANYTHING:
                return a
            return Cases(~a.words) if type(a) is Cases else Form(a.words ^ self._constant)
        if type(a) is Cases and type(b) is Cases:
            return Cases(a.words ^ b.words)
        if a is ANYTHING or b is ANYTHING:
            return ANYTHING
        return Form(self._form(a) ^ self._form(b))

    def _one_and(self, a, b):
        if type(a) is int:
            a, b = b, a
        if type(b) is int:
            return a if b else 0
        if a is ANYTHING or b is ANYTHING:
            return ANYTHING
        if type(a) is Form:
            a, b = b, a
        if type(a) is Cases:
            return type(b)(b.words & a.words)
        return a if a is b else self._product(a.words, b.words)

    def _product(self, a, b):
        """The code of the product of two forms: right where one of them is a constant."""
        a, b = np.broadcast_arrays(a, b)
        result = self._number(self.cases)
        for x, y in ((a, b), (b, a)):
            zero, one = (x == 0).all(axis=0), (x == self._constant).all(axis=0)
            result = np.where(zero, np.uint64(0), np.where(one, y, result))
        same = (a == b).all(axis=0)
        return Form(np.where(same, a, result))

    def xor(self, a, b):
        return self._xor(a, b)

    def both(self, a, b):
        return self._both(a, b)

    def invert(self, a):
        return self._xor(a, -1)

    def add(self, a, b, carry=0):
        """Codes of the sum of integers."""
        result = np.empty(a.size, dtype=object)
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            half = self._one_xor(x, y)
            result[at] = self._one_xor(half, carry)
            carry = self._one_xor(self._one_and(x, y), self._one_and(half, carry))
        return result

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        return self.add(a, self.invert(b), -1)

    def multiply(self, a, b):
        """Codes of the product of integers that are constants in each case, or of which one is a
        power of two or zero in each case."""
        if has_anything(a, b):
            return self._as_array([ANYTHING] * a.size)
        if all(isinstance(code, (int, Cases)) for code in (*a, *b)):
            return self.values(self._numbers(a) * self._numbers(b), a.size)
        if not all(isinstance(code, (int, Cases)) for code in a):
            a, b = b, a
        seen = np.zeros(self.cases, dtype=np.uint64)
        result = np.zeros(a.size, dtype=object)
        for at, bit in enumerate(a):
            words = bit.words if isinstance(bit, Cases) else np.uint64(bit & (2**64 - 1))
            if (seen & words).any():
                raise NotImplementedError("a product by something that is no power of two")
            seen |= words
            result[at:] = self.xor(result[at:], self.both(bit, b[: a.size - at]))
        return result
