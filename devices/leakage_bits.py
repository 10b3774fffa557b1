# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bits that are polynomials, and words of them, for devices/leakage_symbols.py.

A bit is the sum of its atoms, a frozenset: ONE, variables, and products of two bits. A word is a
number, or a list of 32 bits if it is not known.
"""

ONES = 0xFFFFFFFF
LEFT, RIGHT, ARITHMETIC, ROTATE = range(4)  # as devices/leakage/thumb.h has them
ONE = 0
ZERO_BIT: frozenset[int] = frozenset()
ONE_BIT = frozenset([ONE])


class SymbolsError(Exception):
    """The program did with symbols what is not known here."""


def bits_of(word):
    """A word is a number, or 32 bits."""
    if isinstance(word, int):
        return [ONE_BIT if word >> i & 1 else ZERO_BIT for i in range(32)]
    return word


def word_of(bits):
    """Returns a number where all bits are known."""
    number = 0
    for i, bit in enumerate(bits):
        if bit == ONE_BIT:
            number |= 1 << i
        elif bit:
            return bits
    return number


def number(word, what):
    if not isinstance(word, int):
        raise SymbolsError(f"{what} is not known")
    return word


def shifted(word, kind, count):
    """Returns a word shifted by 1 to 31."""
    if isinstance(word, int):
        if kind == LEFT:
            return word << count & ONES
        if kind == RIGHT:
            return word >> count
        if kind == ARITHMETIC:
            return (word >> count) | (ONES << 32 - count & ONES if word >> 31 else 0)
        return (word >> count | word << 32 - count) & ONES
    if kind == LEFT:
        return word_of([ZERO_BIT] * count + word[: 32 - count])
    top = {RIGHT: [ZERO_BIT], ARITHMETIC: [word[31]]}.get(kind, [])
    return word_of(word[count:] + (top * count if top else word[:count]))


def masked(word, ones):
    """Returns the bits of a word where a number has ones."""
    if isinstance(word, int):
        return word & ones
    return word_of([bit if ones >> i & 1 else ZERO_BIT for i, bit in enumerate(word)])


def xor(x, y):
    """Returns the sums of bits of words."""
    if isinstance(x, int) and isinstance(y, int):
        return x ^ y
    return word_of([a ^ b for a, b in zip(bits_of(x), bits_of(y), strict=True)])


class Bits:
    """Makes bits: variables, sums and products."""

    def __init__(self):
        self.factors = {}  # of an atom that is a product
        self.atoms = {}
        self.count = 1

    def variable(self):
        self.count += 1
        return self.count - 1

    def product(self, a, b):
        if not a or not b or a ^ b == ONE_BIT:
            return ZERO_BIT
        if a in (ONE_BIT, b):
            return b
        if b == ONE_BIT:
            return a
        key = frozenset((a, b))
        if key not in self.atoms:
            atom = self.variable()
            self.atoms[key] = atom
            self.factors[atom] = (a, b)
        return frozenset([self.atoms[key]])

    def both(self, x, y):
        """Returns x AND y."""
        if isinstance(x, int) and isinstance(y, int):
            return x & y
        pairs = zip(bits_of(x), bits_of(y), strict=True)
        return word_of([self.product(a, b) for a, b in pairs])

    def either(self, x, y):
        """Returns x OR y."""
        return xor(xor(x, y), self.both(x, y))

    def add(self, x, y, carry=0):
        """Returns the sum of words and a carry, modulo 2^32."""
        if isinstance(x, int) and isinstance(y, int):
            return x + y + carry & ONES
        out, into = [], ONE_BIT if carry else ZERO_BIT
        for a, b in zip(bits_of(x), bits_of(y), strict=True):
            half = a ^ b
            out.append(half ^ into)
            into = self.product(a, b) ^ self.product(half, into)
        return word_of(out)

    def times(self, x, y):
        """Returns a word times a number."""
        if isinstance(x, int):
            return x * y & ONES
        total = 0
        for i, bit in enumerate(x):
            total = self.add(total, self.both(y << i & ONES, word_of([bit] * 32)))
        return total
