# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of samples: a bit is its values for many random operands at once.

The code of a bit is a Python integer whose bit i is the value for the i-th choice of operands; so
the constants are 0 and -1. One run of the interpreter evaluates a function for all choices.
"""

import math

import numpy as np

from proofs.kernels.engine.bits import ANYTHING, Domain, has_anything, random_numbers
from proofs.kernels.engine.integers import MEANINGS

# A wrong function passes with a probability of at most 2^-128.
SECURITY_BITS = 128

WORD = 128  # bits of operands whose products are sums of rows
ROWS = 16  # samples that are transformed at once


def parities(sums):
    """Returns sums of products of bits, from Fourier transforms, modulo 2. None is above 2^16, so
    errors of double numbers are far below one half."""
    rounded = np.rint(sums)
    if np.abs(sums - rounded).max() > 2**-10:
        raise ArithmeticError("a convolution is not precise")
    return (rounded.astype(np.int64) & 1).astype(np.uint8)


def samples_for(degree):
    """Returns how many random operands tell two functions of this degree apart.

    The difference of two functions of degree d >= 1 is a polynomial of degree at most d. If it is
    not zero, it is 1 for at least 2^-d of all operands [the distance of Reed-Muller codes]. So
    n samples miss it with probability at most (1 - 2^-d)^n.
    """
    return math.ceil(SECURITY_BITS / -math.log2(1 - 2**-degree))


class Samples(Domain):
    """See the head of this file."""

    dtype = object
    one = -1
    unknown = ANYTHING
    remembers = False  # nothing is computed twice
    meanings = MEANINGS

    def __init__(self, count):
        self.count = count

    def random(self, bits):
        """Codes of bits that are random in each sample."""
        return random_numbers(bits, self.count)

    def xor(self, a, b):
        return a ^ b

    def both(self, a, b):
        return a & b

    def either(self, a, b):
        return a | b

    def invert(self, a):
        return ~a

    def total(self, codes):
        return np.bitwise_xor.reduce(codes, axis=0)

    def carryless(self, a, b):
        """Codes of the product of polynomials; as Domain.carryless, but faster."""
        if has_anything(a, b):
            return super().carryless(a, b)
        if a.size + b.size > 2 * WORD:
            return self._long_product(a, b)
        words = (self.count + 63) // 64
        x, y = (
            np.frombuffer(self._bytes(codes, 8 * words), np.uint64).reshape(codes.size, words)
            for codes in (a, b)
        )
        total = a.size + b.size
        # Each row is one longer than in the sum, so that in the sum each starts one later.
        steps = np.zeros((a.size, total + 1, words), dtype=np.uint64)
        np.bitwise_and(x[:, None], y[None, :], out=steps[:, : b.size])
        steps = steps.reshape(-1, words)[: a.size * total].reshape(a.size, total, words)
        return self._codes(np.bitwise_xor.reduce(steps, axis=0).tobytes(), total)

    def _bytes(self, codes, size):
        """Returns the codes as so many bytes each."""
        mask = (1 << self.count) - 1
        return b"".join([(code & mask).to_bytes(size, "little") for code in codes.tolist()])

    @staticmethod
    def _codes(raw, total):
        """Returns codes from bytes."""
        size = len(raw) // total
        result = np.empty(total, dtype=object)
        result[:] = [
            int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)
        ]
        return result

    def _long_product(self, a, b):
        """Codes of a product by Fourier transforms: a convolution over the integers, modulo 2."""
        total, bytes_ = a.size + b.size, (self.count + 7) // 8
        size = min(c << k for c in (1, 3, 5, 9) for k in range(20) if c << k >= total)
        x, y = (
            np.unpackbits(
                np.frombuffer(self._bytes(codes, bytes_), np.uint8).reshape(codes.size, bytes_),
                axis=1,
                count=self.count,
                bitorder="little",
            ).T
            for codes in (a, b)
        )
        result = np.zeros((total, self.count), dtype=np.uint8)
        for at in range(0, self.count, ROWS):
            rows = slice(at, at + ROWS)
            transformed = np.fft.rfft(x[rows], size) * np.fft.rfft(y[rows], size)
            result[:, rows] = parities(np.fft.irfft(transformed, size)[:, :total]).T
        return self._codes(np.packbits(result, axis=1, bitorder="little").tobytes(), total)

    def add(self, a, b, carry=0):
        """Codes of the sum of integers."""
        result = np.empty(a.size, dtype=object)
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            result[at] = x ^ y ^ carry
            carry = (x & y) | (carry & (x ^ y))
        return result

    def subtract(self, a, b):
        """Codes of the difference of integers."""
        return self.add(a, ~b, -1)

    def multiply(self, a, b):
        """Codes of the product of integers."""
        result = np.zeros(a.size, dtype=object)
        for at, bit in enumerate(a):
            if bit:
                shifted = np.zeros(a.size, dtype=object)
                shifted[at:] = b[: a.size - at] & bit
                result = self.add(result, shifted)
        return result

    def weight(self, codes):
        """Codes of the number of ones, with as many bits as there are codes."""
        result = np.zeros(codes.size, dtype=object)
        for bit in codes:
            for at in range(codes.size.bit_length()):
                result[at], bit = result[at] ^ bit, result[at] & bit
        return result
