# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The domain of pieces: terms for code that computes with several small numbers in a word.

A word is a sum of bits with factors, as in terms.py. Where its lower part cannot carry into the
upper one, it is cut: each piece has codes of its own, so a mask or a shift takes whole pieces, and
what it leaves is a sum again.
"""

import numpy as np

from proofs.kernels.engine.bits import has_anything, simplified
from proofs.kernels.engine.terms import Terms


class Pieces(Terms):
    """See the head of this file."""

    def __init__(self):
        super().__init__()
        # first code of a piece -> its codes, its sum, whether that is the number or only modulo
        self._pieces: dict[int, tuple] = {}
        self._signs: dict[frozenset, int] = {}  # sums -> codes of: they are below zero
        self._zeros: dict[int, dict] = {}  # codes of: a sum is zero -> the sum

    # --- Sums of codes ---

    def sum_of(self, codes):
        """See Terms: pieces that are known, and bits of one each for all else."""
        number = simplified(codes)
        if type(number) is int:
            return {(): number} if number else {}
        found = self._sums.get(tuple(codes))
        if found is not None:
            return found
        same = np.flatnonzero(codes != codes[-1])
        found = self._signed(tuple(codes[: same[-1] + 2])) if same.size else None
        if found is not None:  # with more copies of its sign
            return found
        total: dict = {}
        at, size = 0, codes.size
        while at < size:
            part, sum_, exact = self._pieces.get(codes[at], ((), None, False))
            end = at + len(part)
            if part and (exact or end == size) and tuple(codes[at:end]) == part:
                for atom, factor in sum_.items():
                    total[atom] = total.get(atom, 0) + (factor << at)
                at = end
            else:
                self._add_bit(total, codes[at], at)
                at += 1
        return signed(total, size)

    def _add_bit(self, total, code, at):
        if code in (0, -1):
            total[()] = total.get((), 0) - (int(code) << at)
            return
        atom, factor = ((~code,), -1) if code < 0 else ((code,), 1)
        self._limits[atom] = (0, 1)
        total[atom] = total.get(atom, 0) + (factor << at)
        if code < 0:
            total[()] = total.get((), 0) + (1 << at)

    # --- Codes of sums ---

    def codes_of(self, sum_, bits):
        """See Terms."""
        rest, at = signed(sum_, bits), 0
        if len([atom for atom in rest if atom]) < 2:
            return super().codes_of(rest, bits)
        whole, result = rest, np.zeros(bits, dtype=object)
        while True:
            for place in places(rest, bits - at):
                pair = self._cut(rest, place)
                if pair:
                    result[at : at + place] = self._piece(pair[0], place)
                    at, rest = at + place, signed(pair[1], bits - at - place)
                    break
            else:
                result[at:] = self._piece(rest, bits - at, self._sign(whole, bits))
                self._sums.setdefault(tuple(result), whole)
                return result

    def _cut(self, sum_, place):
        """Returns sums for the bits below a place and for those above, or None if the lower one
        may have more bits."""
        size, low, high = 1 << place, {}, {}
        least = largest = 0
        for atom, factor in sum_.items():
            if not atom:
                continue
            below = factor if abs(factor) < size else factor % size
            if below:
                low[atom] = below
                ends = sorted(below * end for end in self._limits[atom])
                least, largest = least + ends[0], largest + ends[1]
                if largest - least >= size:
                    return None
            if factor != below:
                high[atom] = (factor - below) >> place
        constant = sum_.get((), 0)
        below = (constant + least) % size - least
        if largest + below >= size:
            return None
        low[()], high[()] = below, (constant - below) >> place
        return low, high

    def _piece(self, sum_, width, sign=None):
        """Returns the codes of a sum of so many bits, which is not cut any more. sign: the code of
        the highest bit, where it is known."""
        least, largest = self.range_of(sum_)
        over = least - least % (1 << width)
        exact = largest - over < 1 << width
        if exact:  # not only modulo
            sum_ = {**sum_, (): sum_.get((), 0) - over}
            largest -= over
        atoms = {atom: factor for atom, factor in sum_.items() if factor}
        size = largest.bit_length() if exact else width
        codes = np.zeros(width, dtype=object)
        if size:
            codes[:size] = super().codes_of(atoms, size)
        if len(atoms) > 1:
            codes[-1:] = codes[-1:] if sign is None else sign
            self._pieces.setdefault(codes[0], (tuple(codes[:size]), atoms, exact))
        return codes

    # --- Signs ---

    def _sign(self, sum_, bits):
        """Returns the code of the sign of a sum that fits into so many bits with one, or None."""
        least, largest = self.range_of(sum_)
        half = 1 << bits - 1
        return self._negative(sum_) if -half <= least < 0 and largest < half else None

    def _negative(self, sum_):
        """Returns the code of: a sum is below zero; of s it is the complement of that of -1 - s."""
        sum_ = {atom: factor for atom, factor in sum_.items() if factor}
        least, largest = self.range_of(sum_)
        if least >= 0 or largest < 0:
            return 0 if least >= 0 else -1
        first = min(atom for atom in sum_ if atom)
        turned = sum_[first] < 0
        if turned:
            sum_ = {atom: -factor for atom, factor in {(): 0, **sum_}.items()}
            sum_[()] -= 1
        key = frozenset((atom, factor) for atom, factor in sum_.items() if factor)
        code = self._signs.setdefault(key, self.free(1)[0])
        return ~code if turned else code

    def less(self, a, b):
        """See Terms: the sign of the difference."""
        x, y = self._value(a), self._value(b)
        if x is None or y is None:
            return super().less(a, b)
        for atom, factor in y.items():
            x[atom] = x.get(atom, 0) - factor
        return np.array([self._negative(x)], dtype=object)

    def _value(self, codes):
        """Returns a sum that is a number, not only modulo; or None. Signed numbers are compared
        with their highest bits turned, hence with half of all numbers more."""
        if has_anything(codes):
            return None
        half = 1 << codes.size - 1
        sum_ = self._signed((*codes[:-1], ~codes[-1]))
        if sum_ is not None:
            return {**sum_, (): sum_.get((), 0) + half}
        sum_ = self.sum_of(np.append(codes, [0]))
        least, largest = self.range_of(sum_)
        return dict(sum_) if least >= 0 and largest < 2 * half else None

    def _signed(self, codes):
        """Returns the sum of codes that are known as one, if it is the number with its sign."""
        sum_, half = self._sums.get(codes), 1 << len(codes) - 1
        if sum_ is not None:
            least, largest = self.range_of(sum_)
            if -half <= least and largest < half:
                return sum_
        return None

    def equal(self, a, b):
        """See Terms."""
        found = super().equal(a, b)
        if not b.any():
            sum_ = self._signed(tuple(a))
            if sum_ is not None:
                self._zeros[found[0]] = sum_
        return found

    def either(self, a, b):
        """See Terms: a number is below zero or zero if one less is below zero."""
        if a.size == b.size == 1:
            for x, y in ((a[0], b[0]), (b[0], a[0])):
                sum_ = self._zeros.get(x)
                if sum_ is not None and self._negative(sum_) == y:
                    less = {**sum_, (): sum_.get((), 0) - 1}
                    return np.array([self._negative(less)], dtype=object)
        return super().either(a, b)

    # --- Arithmetic ---

    def add(self, a, b, factor=1):
        """See Terms; where the bits of both do not meet, nothing is carried."""
        if factor == 1 and not ((a != 0) & (b != 0)).any():
            return a ^ b
        return super().add(a, b, factor)

    def subtract(self, a, b):
        """See Terms: x moved by k minus x is x times 2^k - 1."""
        tops = np.flatnonzero(a != 0), np.flatnonzero(b != 0)
        if tops[0].size and tops[1].size and not has_anything(a, b):
            k = int(tops[0][0] - tops[1][0])
            if k > 0 and not a[:k].any() and (a[k:] == b[:-k]).all():
                factor = np.array([-((1 << k) - 1 >> i & 1) for i in range(a.size)], dtype=object)
                return self.multiply(factor, b)
        return super().subtract(a, b)


def signed(sum_, bits):
    """Returns a sum modulo 2^bits, with factors of the least absolute value."""
    half = 1 << bits - 1
    found = {atom: (factor + half) % (2 * half) - half for atom, factor in sum_.items()}
    return {atom: factor for atom, factor in found.items() if factor}


def places(sum_, bits):
    """Returns the places at which a word may be cut, the lowest first: those of the powers of two
    that make up factors, of which no two are neighbours."""
    found = set()
    for atom, factor in sum_.items():
        powers = (factor ^ 3 * factor) >> 1 if atom else 0
        while powers > 0:
            found.add((powers & -powers).bit_length() - 1)
            powers &= powers - 1
    return sorted(place for place in found if 0 < place < bits)
