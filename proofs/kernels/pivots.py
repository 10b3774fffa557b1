# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pivots of a block (src/mceliece/goppa/bitmatrix): which row becomes one, and what is added to all
rows.

The portable search for a row is compared as a circuit, what is added as sums of products. AVX-512
does both in registers: the specification takes the same lowest bits of the same columns, by
x & -x (which test_matrices.py compares with its meaning).
"""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.circuits import AND
from proofs.kernels.engine.prove import NotProved, Setting
from proofs.kernels.matrices import Formula, Kernel, Lookups


class Eliminate(Formula):
    """bitmatrix_find_block with any rows that take_pivot leaves: what is added to all rows."""

    def __init__(self, rows, columns, other):
        super().__init__("portable", rows, columns, other)
        self.pivots = []
        self.contracts = {"take_pivot.bitmatrix": self._take_pivot}

    def _take_pivot(self, machine, arguments):
        """Any row, and any number of 16 bits; x and other are as they must be at this step."""
        _, c, x, other, found = arguments
        row, number = machine.domain.free(64), machine.domain.free(16)
        x.memory.bits[64 * c : 64 * c + 64] = row
        others = machine.domain.free(64)
        if other != 0:
            other.memory.bits[64 * c : 64 * c + 64] = others
        found.memory.bits[8 * found.offset :][:64] = -1
        self.pivots.append((row, others, number))
        return np.concatenate([number, np.zeros(16, dtype=object)])

    def __call__(self, machine, free):
        rows, columns, with_other = self.shape
        operands = {"x": free(64 * rows), "other": free(64 * rows)}
        x, other = (place(machine, name, codes) for name, codes in operands.items())
        numbers = machine.memory("place", 2 * columns)
        self.pivots.clear()
        arguments = [rows, columns, x, other if with_other else 0, numbers]
        size = 8 * rows
        result = {"x": (x, size), "other": (other, size), "place": (numbers, 2 * columns)}
        return Setting("ckem_bitmatrix_find_block", arguments, operands, result, 1)

    def expected(self, domain, operands):
        rows, _, with_other = self.shape
        x, other = (operands[name].reshape(rows, 64).copy() for name in ("x", "other"))
        for c, (pivot, others, _) in enumerate(self.pivots):
            x[c] = pivot
            other[c] = others if with_other else other[c]
            rest = pivot.copy()
            rest[c] = 0
            for i in range(rows):
                if i != c:
                    add = np.full(64, x[i, c], dtype=object)
                    x[i] = x[i] ^ domain.both(rest, add)
                    if with_other:
                        other[i] = other[i] ^ domain.both(others, add)
        numbers = np.concatenate([number for *_, number in self.pivots])
        value = np.array([-1], dtype=object)
        return {"x": x.ravel(), "other": other.ravel(), "place": numbers, "value": value}


class Chains(Lookups):
    """The domain of circuits with one more rule: a and not (a and b) is a and not b."""

    def _one_and(self, a, b):
        for x, y in ((a, b), (b, a)):
            if y & 1 and y > 1 and self.gates[y >> 1][0] == AND:
                inputs = list(self.gates[y >> 1][1:])
                if x in inputs:
                    inputs.remove(x)
                    return super()._one_and(x, inputs[0] ^ 1)
        return super()._one_and(a, b)


class TakePivot(Kernel):
    """take_pivot: adds to row c the first row from there on that has bit c, and its number."""

    def __init__(self, rows, c):
        super().__init__("portable", rows, c)

    def __call__(self, machine, free):
        rows, c = self.shape
        operands = {"x": free(64 * rows)}
        x, found = place(machine, "x", operands["x"]), machine.memory("found", 8)
        result = {"x": (x, 8 * rows), "found": (found, 8)}
        return Setting("take_pivot.bitmatrix", [rows, c, x, 0, found], operands, result, 32)

    def expected(self, domain, operands):
        rows, c = self.shape
        x = operands["x"].reshape(rows, 64).copy()
        none = domain.invert(x[c, c : c + 1])
        number = np.array([c >> i & 1 for i in range(32)])
        number = domain.both(number, np.repeat(domain.invert(none), 32))
        row = x[c]
        for i in range(c + 1, rows):
            first = domain.both(none, x[i, c : c + 1])
            row = domain.xor(row, domain.both(x[i], np.repeat(first, 64)))
            mine = np.array([i >> k & 1 for k in range(32)])
            number = domain.either(number, domain.both(mine, np.repeat(first, 32)))
            none = domain.both(none, domain.invert(x[i, c : c + 1]))
        x[c] = row
        return {"x": x.ravel(), "found": np.repeat(domain.invert(none), 64), "value": number}

    def prove(self, module):
        """Raises NotProved unless the first row is taken."""
        domain = Chains()
        for name, at, code, right in self.pairs(module, domain):
            if domain.differ(code, right):
                raise NotProved(f"{self!r}: bit {at} of {name} can be wrong")


class FindInReach(Formula):
    """find_in_reach of AVX-512: all columns of 128 rows, if each has a pivot."""

    def __init__(self):
        super().__init__("avx512", 128)
        self.target = "x86_64-linux-gnu"
        self.asked = []  # what is asked about, two times for each column
        self.contracts = {"ct_mask_zero_u64.bitmatrix_avx512": self._mask_zero}

    def _mask_zero(self, machine, arguments):
        """Of the two calls for a column the first one asks whether there is no pivot."""
        codes = machine.codes(arguments[0], 64)
        self.asked.append(codes)
        if len(self.asked) % 2:
            return 0
        return np.repeat(machine.domain.equal(codes, np.zeros(64, dtype=object)), 64)

    def __call__(self, machine, free):
        operands = {"x": free(64 * 128)}
        x, numbers = place(machine, "x", operands["x"]), machine.memory("place", 128)
        self.asked.clear()
        result = {"x": (x, 1024), "place": (numbers, 128)}
        return Setting("find_in_reach.bitmatrix_avx512", [x, numbers], operands, result, 1)

    def expected(self, domain, operands):
        x = operands["x"].reshape(128, 64).copy()
        zero, one = np.zeros(64, dtype=object), np.array([-1] + 63 * [0], dtype=object)
        numbers = []
        for c in range(64):
            first, second = x[:64, c].copy(), x[64:, c].copy()
            first[:c] = 0
            if (self.asked[2 * c] != domain.either(first, second)).any():
                raise NotProved(f"{self!r}: whether column {c} has a pivot can be wrong")
            none = np.repeat(domain.equal(first, zero), 64)
            first = domain.both(first, domain.subtract(zero, first))
            second = domain.both(domain.both(second, domain.subtract(zero, second)), none)
            below = [domain.weight(domain.subtract(row, one)) for row in (first, second)]
            numbers.append(domain.add(below[0], domain.both(below[1], none))[:16])
            first[c] = -1
            rows = np.concatenate([first, second])
            pivot = domain.total(domain.both(x, np.repeat(rows[:, None], 64, axis=1)))
            rest = pivot.copy()
            rest[c] = 0
            for i in range(128):
                x[i] = x[i] ^ domain.both(rest, np.full(64, x[i, c], dtype=object))
            x[c] = pivot
        value = np.array([-1], dtype=object)
        return {"x": x.ravel(), "place": np.concatenate(numbers), "value": value}
