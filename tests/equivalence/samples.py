# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of samples: a bit is its values for many random operands at once.

The code of a bit is a Python integer whose bit i is the value for the i-th choice of operands; so
the constants are 0 and -1. One run of the interpreter evaluates a function for all choices.
"""

import math
import secrets

import numpy as np

from equivalence.bits import Domain
from equivalence.integers import MEANINGS

# A wrong function passes with a probability of at most 2^-128.
SECURITY_BITS = 128


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
    remembers = False  # nothing is computed twice
    meanings = MEANINGS

    def __init__(self, count):
        self.count = count
        self.unknown = secrets.randbits(count)

    def random(self, bits):
        """Codes of bits that are random in each sample."""
        codes = np.empty(bits, dtype=object)
        codes[:] = [secrets.randbits(self.count) for _ in range(bits)]
        return codes

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
        size, words = (self.count + 63) // 64 * 8, (self.count + 63) // 64
        mask = (1 << self.count) - 1
        x, y = (
            np.frombuffer(
                b"".join([(code & mask).to_bytes(size, "little") for code in codes.tolist()]),
                np.uint64,
            ).reshape(codes.size, words)
            for codes in (a, b)
        )
        total = a.size + b.size
        # Each row is one longer than in the sum, so that in the sum each starts one later.
        steps = np.zeros((a.size, total + 1, words), dtype=np.uint64)
        np.bitwise_and(x[:, None], y[None, :], out=steps[:, : b.size])
        steps = steps.reshape(-1, words)[: a.size * total].reshape(a.size, total, words)
        sums = np.bitwise_xor.reduce(steps, axis=0)
        result = np.empty(total, dtype=object)
        result[:] = [int.from_bytes(row.tobytes(), "little") for row in sums]
        return result

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
