# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pivots that may move (src/mceliece/goppa/bitmatrix): which columns they are, their places, and
moving there.

Finding pivots and counting their places repeat what they do with the lowest bit of a word, x & -x,
which test_matrices.py compares with its meaning: here all repetitions are compared as sums of
products and of integers. A step of moving bits swaps two bits, of which one is known and the other
is not; where the other steps swap bits with themselves, that is compared as a circuit.
"""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.prove import Setting
from proofs.kernels.matrices import Formula, Numbered

PIVOTS = 32


class PivotPlaces(Formula):
    """bitmatrix_pivot_places: the numbers of the ones of any word, from the lowest on."""

    def __init__(self):
        super().__init__("portable")

    def __call__(self, machine, free):
        pivots, places = free(64), machine.memory("place", PIVOTS)
        result = {"place": (places, PIVOTS)}
        name = "ckem_bitmatrix_pivot_places"
        return Setting(name, [places, pivots.copy()], {"pivots": pivots}, result)

    def expected(self, domain, operands):
        pivots, places = operands["pivots"], []
        zero, one = np.zeros(64, dtype=object), np.array([-1] + 63 * [0], dtype=object)
        for _ in range(PIVOTS):
            lowest = domain.both(pivots, domain.subtract(zero, pivots))
            below = domain.subtract(lowest, one)
            count = np.zeros(32, dtype=object)
            for bit in below:
                count = domain.add(count, np.array([bit] + 31 * [0], dtype=object))
            places.append(count[:8])
            pivots = domain.both(pivots, domain.subtract(pivots, one))
        return {"place": np.concatenate(places)}


class MoveBit(Numbered):
    """bitmatrix_move_bits where one place is any number below 64 and the others move nothing."""

    def __init__(self, which):
        super().__init__("portable", which)

    def __call__(self, machine, free):
        (which,) = self.shape
        operands = {"x": free(64), "place": free(6)}
        places = place(machine, "places", machine.codes(self._identity(), 8 * PIVOTS))
        places.memory.bits[8 * which : 8 * which + 8] = 0
        places.memory.bits[8 * which : 8 * which + 6] = operands["place"]
        name = "ckem_bitmatrix_move_bits"
        return Setting(name, [operands["x"].copy(), places], operands, {}, 64)

    @staticmethod
    def _identity():
        """Returns the bytes of places that are where they are."""
        return int.from_bytes(bytes(range(PIVOTS)), "little")

    def expected(self, domain, operands):
        (which,) = self.shape
        x, value = operands["x"], operands["x"].copy()
        for at in range(64):
            number = np.array([at >> i & 1 for i in range(6)], dtype=np.int64)
            here = domain.equal(operands["place"], number)
            one, other = value[which : which + 1], value[at : at + 1]
            if at != which:
                moved = domain.choose(here, x[which : which + 1], other)
                value[which : which + 1] = domain.choose(here, x[at : at + 1], one)
                value[at : at + 1] = moved
        return {"value": value}


class MovePivot(Numbered):
    """bitmatrix_move_pivots, which swaps 16-bit numbers: as MoveBit, but for places above its own,
    where pivots are."""

    def __init__(self, which):
        super().__init__("portable", which)
        self.contracts = {"ckem_bitmatrix_pivot_places": self._places}
        self.place = np.zeros(0)

    def _places(self, machine, arguments):
        (which,) = self.shape
        places = arguments[0].memory
        places.bits[:] = machine.codes(int.from_bytes(bytes(range(PIVOTS)), "little"), 8 * PIVOTS)
        places.bits[8 * which : 8 * which + 8] = 0
        places.bits[8 * which : 8 * which + 6] = self.place

    def __call__(self, machine, free):
        operands = {"a": free(64 * 16), "place": free(6)}
        self.place = operands["place"].copy()
        a = place(machine, "a", operands["a"])
        arguments = [PIVOTS, machine.domain.free(64), a]
        return Setting("ckem_bitmatrix_move_pivots", arguments, operands, {"a": (a, 128)})

    def expected(self, domain, operands):
        (which,) = self.shape
        a = operands["a"].reshape(64, 16)
        moved = a.copy()
        for at in range(which + 1, 64):
            number = np.array([at >> i & 1 for i in range(6)], dtype=np.int64)
            here = np.repeat(domain.equal(operands["place"], number), 16)
            moved[which] = domain.choose(here, a[at], moved[which])
            moved[at] = domain.choose(here, a[which], a[at])
        return {"a": moved.ravel()}


class FindPivots(Formula):
    """bitmatrix_find_pivots of any matrix that has all pivots."""

    def __init__(self):
        super().__init__("portable")
        self.asked = 0
        self.contracts = {"ct_mask_zero_u64.bitmatrix": self._mask_zero}

    def _mask_zero(self, machine, arguments):
        """The first call for a row asks whether there is no pivot; two more follow for each of the
        other rows below it."""
        row, left = 0, self.asked
        while left >= 1 + 2 * (PIVOTS - 1 - row):
            left -= 1 + 2 * (PIVOTS - 1 - row)
            row += 1
        self.asked += 1
        if left == 0:
            return 0
        codes = machine.codes(arguments[0], 64)
        return np.repeat(machine.domain.equal(codes, np.zeros(64, dtype=object)), 64)

    def __call__(self, machine, free):
        self.asked = 0
        operands = {"x": free(64 * PIVOTS)}
        x, pivots = place(machine, "x", operands["x"]), machine.memory("pivots", 8)
        result = {"pivots": (pivots, 8), "x": (x, 8 * PIVOTS)}
        return Setting("ckem_bitmatrix_find_pivots", [x, pivots], operands, result, 1)

    def expected(self, domain, operands):
        x = operands["x"].reshape(PIVOTS, 64).copy()
        zero, pivots = np.zeros(64, dtype=object), np.zeros(64, dtype=object)

        def has(row, pivot):
            return np.repeat(domain.invert(domain.equal(domain.both(row, pivot), zero)), 64)

        for i in range(PIVOTS):
            columns = zero
            for row in x[i:]:
                columns = domain.either(columns, row)
            pivot = domain.both(columns, domain.subtract(zero, columns))
            for r in range(i + 1, PIVOTS):
                x[i] = x[i] ^ domain.both(x[r], domain.invert(has(x[i], pivot)))
            for r in range(i + 1, PIVOTS):
                x[r] = x[r] ^ domain.both(x[i], has(x[r], pivot))
            pivots = domain.either(pivots, pivot)
        return {"pivots": pivots, "x": x.ravel(), "value": np.array([-1], dtype=object)}
