# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of degrees: each bit carries a bound on its degree as a polynomial.

Every bit that a function computes is a polynomial over GF(2) in the bits of its operands. The code
of a bit is 0 or 1 if it is that constant for all operands; d + 1 if its degree is at most d >= 1;
255 if nothing is known. Sums take the larger degree, products the sum of both. All that is here
rounds upwards, so a bound that comes out is true; that it is small is what proofs need.

Integer additions and multiplications keep a bound where no carry can disturb it (Columns).
"""

import numpy as np

from proofs.kernels.engine.bits import Domain

UNKNOWN = 255
LONG = 128  # bits of operands


class Columns:
    """A sum of bits with weights 2^c: how many there are at each c, and their largest code.

    The bits of operands with holes meet in few columns, and where the columns below cannot overflow
    into a column, its bit of the sum is the parity of its bits, hence of their degree.
    """

    def __init__(self, counts, codes):
        self.counts = counts
        self.codes = codes
        self.known_bits = None

    @staticmethod
    def of(value):
        """Returns the columns of a value: an array of codes, or such a sum already."""
        if isinstance(value, Columns):
            return value
        return Columns((value != 0).astype(np.int64), value.astype(np.int64))

    def __add__(self, other):
        return Columns(self.counts + other.counts, np.maximum(self.codes, other.codes))

    def __mul__(self, other):
        size = self.counts.size
        counts = np.convolve(self.counts, other.counts)[:size]
        products = self.codes[:, None] + other.codes[None, :] - 1
        products = np.where((self.codes[:, None] == 0) | (other.codes[None, :] == 0), 0, products)
        codes = np.zeros(size, dtype=np.int64)
        for i in range(size):
            np.maximum(codes[i:], products[i, : size - i], out=codes[i:])
        return Columns(counts, codes)

    def bits(self):
        """Returns the codes of the bits of the sum modulo 2^size."""
        result = np.zeros(self.counts.size, dtype=np.uint8)
        carry = 0  # at most so many come from below
        for at, (count, code) in enumerate(zip(self.counts, self.codes, strict=True)):
            if carry:
                result[at] = UNKNOWN
            elif count and (code > 1 or count > 1):
                # several constants: their parity is not kept, a degree of 1 is a bound as well
                result[at] = min(max(code, 2), UNKNOWN)
            elif count:
                result[at] = 1
            carry = (carry + int(count)) // 2
        return result


class Degrees(Domain):
    """See the head of this file."""

    dtype = np.uint8
    unknown = UNKNOWN

    def __init__(self):
        self._products = {}

    def xor(self, a, b):
        larger = np.maximum(a, b)
        return np.where(larger > 1, larger, a ^ b)

    def both(self, a, b):
        added = a.astype(np.int16) + b - 1
        added[(a == 0) | (b == 0)] = 0
        return np.minimum(added, UNKNOWN).astype(np.uint8)

    def invert(self, a):
        return np.where(a > 1, a, a ^ 1)

    def total(self, codes):
        largest = codes.max(axis=0)
        ones = (codes == 1).sum(axis=0, dtype=np.int64) & 1
        return np.where(largest > 1, largest, ones).astype(np.uint8)

    def carryless(self, a, b):
        """Codes of the product of polynomials; one bound for all bits of a long one."""
        if a.size + b.size <= 2 * LONG:
            return super().carryless(a, b)
        known = self.both(a.max(keepdims=True), b.max(keepdims=True))[0]
        return np.full(a.size + b.size, max(known, 2) if known else 0, dtype=np.uint8)

    def add(self, a, b):
        """Codes of the sum of integers; the operands may be Columns."""
        return Columns.of(a) + Columns.of(b)

    def multiply(self, a, b):
        """Codes of the product of integers; the operands may be Columns."""
        key = None
        if not isinstance(a, Columns) and not isinstance(b, Columns):
            key = (a.tobytes(), b.tobytes())
            if key in self._products:
                return self._products[key]
        product = Columns.of(a) * Columns.of(b)
        if key is not None:
            self._products[key] = product
        return product

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        if not a.any() and not b[1:].any():
            return np.full(b.size, b[0], dtype=np.uint8)  # 0 - b for one bit b: all bits are b
        result = np.zeros(a.size, dtype=np.uint8)
        touched = np.flatnonzero((a > 0) | (b > 0))
        if touched.size:
            first = touched[0]
            result[first:] = UNKNOWN
            result[first] = self.xor(a[first : first + 1], b[first : first + 1])[0]
        return result

    def weight(self, codes):
        """Codes of the number of ones: its bit k is the sum of all products of 2^k bits."""
        result = np.zeros(codes.size, dtype=np.uint8)
        degree = max(1, int(codes.max()) - 1)
        for k in range(int((codes != 0).sum()).bit_length()):
            result[k] = min(UNKNOWN, 1 + (degree << k))
        return result

    def less(self, a, b):
        """Nothing: a bound would be too large to be of use."""
        del a, b
        return np.full(1, UNKNOWN, dtype=np.uint8)

    @staticmethod
    def settle(value):
        """Returns the codes of a value that may be Columns."""
        if isinstance(value, Columns):
            if value.known_bits is None:
                value.known_bits = value.bits()
            return value.known_bits
        return value
