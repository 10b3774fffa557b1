# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of fingerprints: what a bit is as a sum of products, of sums of products, and so on.

Each free bit has a random number, and so has each product of two different bits, whatever their
order. The code of a bit is the sum (exclusive or) of the numbers of its terms, and its complement
if the constant 1 is one of them. Two bits that are the same sum of the same products have the same
code, in whatever order they were computed. Two bits with the same code are equal, but for a
collision of random numbers: with 2^24 bits that has a probability below 2^-200.
"""

import secrets

import numpy as np

from proofs.kernels.engine.bits import ANYTHING, Domain, random_numbers

BITS = 256


class Fingerprints(Domain):
    """See the head of this file."""

    dtype = object
    one = -1
    unknown = ANYTHING
    remembers = False

    def __init__(self):
        self._products = {}
        self._multiply = np.frompyfunc(self._product, 2, 1)

    @staticmethod
    def free(bits):
        """Codes of bits that may be anything."""
        return random_numbers(bits, BITS)

    def xor(self, a, b):
        return a ^ b

    def invert(self, a):
        return ~a

    def both(self, a, b):
        return self._multiply(a, b)

    def total(self, codes):
        return np.bitwise_xor.reduce(codes, axis=0)

    def _product(self, a, b):
        """The code of a b; with a = x + s, b = y + t for constants s and t it is x y + ..."""
        if a in (0, -1):
            return b & a
        if b in (0, -1):
            return a & b
        if a is ANYTHING or b is ANYTHING:
            return ANYTHING
        x, y = (~a if a < 0 else a), (~b if b < 0 else b)
        if x == y:
            return a if a == b else 0
        pair = (x, y) if x < y else (y, x)
        if pair not in self._products:
            self._products[pair] = secrets.randbits(BITS)
        code = self._products[pair]
        code ^= y if a < 0 else 0
        code ^= x if b < 0 else 0
        return ~code if a < 0 and b < 0 else code
