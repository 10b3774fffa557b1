# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ciphertexts of mceliece348864 for errors at any elements of the field, made from a secret key by
plain arithmetic: also at elements outside of the support, which no encapsulation makes."""

import functools
import hashlib

M, T, N = 12, 64, 3488
FIELD, MODULUS = 1 << M, 0b1000000001001  # z^12 + z^3 + 1
ROWS = M * T


def multiply(a, b):
    product = 0
    for i in range(M):
        product ^= (a << i) * (b >> i & 1)
    for i in range(2 * M - 2, M - 1, -1):
        product ^= (MODULUS << (i - M)) * (product >> i & 1)
    return product


def invert(a):
    power, square = 1, a
    for _ in range(M - 1):
        square = multiply(square, square)
        power = multiply(power, square)
    return power


class Key:
    """A secret key of which the first attempt succeeded: s, Goppa polynomial, field in order."""

    def __init__(self, secret_key):
        self.rejecting = secret_key[-N // 8 :]
        coefficients = [secret_key[40 + 2 * i : 42 + 2 * i] for i in range(T)]
        self._goppa = [*(int.from_bytes(two, "little") for two in coefficients), 1]
        drawn = hashlib.shake_256(b"\x40" + secret_key[:32]).digest(N // 8 + 4 * FIELD)
        assert drawn[: N // 8] == self.rejecting
        words = [drawn[i : i + 4] for i in range(N // 8, len(drawn), 4)]
        order = sorted(range(FIELD), key=lambda i: int.from_bytes(words[i], "little"))
        self.elements = [int(f"{i:012b}"[::-1], 2) for i in order]
        self._column = functools.cache(self._column_at)

    def _column_at(self, place):
        """The column of the parity-check matrix for an element: x^i / g(x), each i."""
        x, value = self.elements[place], 0
        for coefficient in reversed(self._goppa):
            value = multiply(value, x) ^ coefficient
        entry, column = invert(value), 0
        for i in range(T):
            column |= entry << (M * i)
            entry = multiply(entry, x)
        return column

    def ciphertext(self, places):
        """Returns the first ROWS bits of the word of the same syndrome that has no others."""
        pivots, syndrome, word = {}, 0, 0
        for place in places:
            syndrome ^= self._column(place)
        for i in range(ROWS):
            column, combination = self._column(i), 1 << i
            while (top := column.bit_length()) in pivots:
                column, combination = column ^ pivots[top][0], combination ^ pivots[top][1]
            pivots[top] = column, combination
        while syndrome:
            column, combination = pivots[syndrome.bit_length()]
            syndrome, word = syndrome ^ column, word ^ combination
        return word.to_bytes(ROWS // 8, "little")

    def rejected(self, ciphertext):
        """Returns the secret of a ciphertext that is not decoded."""
        return hashlib.shake_256(b"\0" + self.rejecting + ciphertext).digest(32)


def accepted(places, ciphertext):
    """Returns the secret of a ciphertext whose error is at these places."""
    error = sum(1 << place for place in places).to_bytes(N // 8, "little")
    return hashlib.shake_256(b"\x01" + error + ciphertext).digest(32)
