# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients in machine code: the domain of origins, with bits that have names.

A comparison gives a mask, all bits of which are one bit. clang subtracts masks where the source has
an `or` of bits that do not meet: that is a bit of the result only if it is known that the mask's
bits are equal.
"""

import numpy as np

from proofs.kernels.engine.bits import Domain
from proofs.kernels.positions import SUM, Origins, SetPositions

NAMED = 256  # and above: twice the number of a bit, or one more for its complement


class Marks(Origins):
    """Origins; a code from NAMED on is a bit that equals no other one but itself."""

    dtype = np.int64

    def __init__(self):
        self._origins = np.arange(NAMED)  # of each code

    def _named(self, origin):
        """Returns the code of a new bit."""
        self._origins = np.append(self._origins, [origin, origin])
        return np.array([self._origins.size - 2])

    def _plain(self, *operands):
        return [self._origins[codes] for codes in operands]

    @staticmethod
    def _pairs(a, b):
        """Returns both as arrays of one shape, and where they are one named bit, or complements."""
        a, b = np.broadcast_arrays(a, b)
        return a, b, (a == b) & (a >= NAMED), (a ^ 1 == b) & (a >= NAMED)

    def invert(self, a):
        return np.where(a < NAMED, super().invert(np.minimum(a, NAMED - 1)), a ^ 1)

    def xor(self, a, b):
        a, b, same, other = self._pairs(a, b)
        result = super().xor(*self._plain(a, b)).astype(self.dtype)
        for x, y in ((a, b), (b, a)):
            result = np.where(x == 0, y, np.where(x == 1, self.invert(y), result))
        return np.where(same, 0, np.where(other, 1, result))

    def both(self, a, b):
        a, b, same, other = self._pairs(a, b)
        result = super().both(*self._plain(a, b)).astype(self.dtype)
        for x, y in ((a, b), (b, a)):
            result = np.where(x == 1, y, result)
        return np.where(same, a, np.where(other, 0, result))

    def either(self, a, b):
        a, b, same, other = self._pairs(a, b)
        result = super().either(*self._plain(a, b)).astype(self.dtype)
        for x, y in ((a, b), (b, a)):
            result = np.where(x == 0, y, result)
        return np.where(same, a, np.where(other, 1, result))

    def equal(self, a, b):
        """Code of a == b: a bit with a name, if it depends on one position."""
        code = Domain.equal(self, a, b)
        return self._named(code[0]) if 1 < code[0] < SUM else code

    @staticmethod
    def _all(size, *operands):
        return Origins._all(size, *operands).astype(np.int64)

    def add(self, a, b):
        """Codes of the sum of integers; bits that do not meet stay bits."""
        if ((a == 0) | (b == 0)).all():
            return self.xor(a, b)
        return self._all(a.size, *self._plain(a, b))

    def subtract(self, a, b):
        """Codes of the difference; a mask is subtracted by an addition of its bit."""
        if not (b[0] >= NAMED and (b == b[0]).all()):
            return self._all(a.size, *self._plain(a, b))
        result, carry = [], b[:1]
        for bit in a.reshape(-1, 1):
            result.append(self.xor(bit, carry))
            carry = self.both(bit, carry)
        return np.concatenate(result)

    def multiply(self, a, b):
        return self._all(a.size, *self._plain(a, b))

    def shift_left(self, codes, places):
        return self._all(codes.size, *self._plain(codes, places))

    def origins(self, codes):
        """Returns codes without names."""
        return self._origins[codes].astype(Origins.dtype)


class WholeSetPositions(SetPositions):
    """set_positions of a back end, with origins that have names."""

    def _run(self, module, domain, positions):
        if not isinstance(domain, Origins):
            return super()._run(module, domain, positions)
        domain = Marks()
        return domain.origins(super()._run(module, domain, positions.astype(domain.dtype)))
