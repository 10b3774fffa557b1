# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients (set_positions of src/kem/sparse): no polynomial of low degree.

First a domain shows that every bit of the result is a sum (or an `or`) of functions of one position
each. Then each position alone runs through all of its values, while the others are
SPARSE_NO_POSITION: with the result right for all of them, and zero for no position at all, each
function is known, and so is their sum.
"""

import numpy as np

from proofs.kernels.engine.bits import Domain, packed
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.samples import Samples
from proofs.kernels.products import stride

SUM, ANY, UNKNOWN = 253, 254, 255
POSITION_BITS = 15  # positions of both halves of an error of BIKE-L1 are below 2^15
SHARED = ["kem/gf2x/gf2x_rings.c"]
FILES = {backend: [f"kem/sparse/sparse_{backend}.c", *SHARED] for backend in ("portable", "avx512")}
FILES["gfni"] = ["kem/sparse/sparse_gfni.c", "kem/sparse/sparse_avx2.c", *SHARED]


class Origins(Domain):
    """Which positions a bit depends on: 2 + i for a function of position i alone, SUM for a sum of
    such functions, ANY for an `or` of such functions, 255 for anything else."""

    unknown = UNKNOWN

    @staticmethod
    def _mixed(a, b, several):
        """Codes where both operands depend on positions."""
        alone = (a < SUM) & (b < SUM)
        kept = ((a == several) | (a < SUM)) & ((b == several) | (b < SUM))
        return np.where(alone & (a == b), a, np.where(kept, several, UNKNOWN))

    @staticmethod
    def _known_first(a, b):
        """Returns both as arrays of one shape."""
        return np.broadcast_arrays(np.asarray(a), np.asarray(b))

    def invert(self, a):
        return np.where(a < 2, a ^ 1, np.where(a == ANY, UNKNOWN, a)).astype(np.uint8)

    def xor(self, a, b):
        a, b = self._known_first(a, b)
        result = np.where(a == 0, b, np.where(b == 0, a, self._mixed(a, b, SUM)))
        result = np.where(a == 1, self.invert(b), np.where(b == 1, self.invert(a), result))
        return result.astype(np.uint8)

    def both(self, a, b):
        a, b = self._known_first(a, b)
        same = np.where((a == b) & (a < SUM), a, UNKNOWN)
        result = np.where(a == 1, b, np.where(b == 1, a, same))
        return np.where((a == 0) | (b == 0), 0, result).astype(np.uint8)

    def either(self, a, b):
        a, b = self._known_first(a, b)
        result = np.where(a == 0, b, np.where(b == 0, a, self._mixed(a, b, ANY)))
        return np.where((a == 1) | (b == 1), 1, result).astype(np.uint8)

    @staticmethod
    def _all(size, *operands):
        """Any function of all bits of the operands."""
        found = {int(code) for codes in operands for code in codes if code > 1}
        code = found.pop() if len(found) == 1 else UNKNOWN
        return np.full(size, UNKNOWN if code >= SUM else code, dtype=np.uint8)

    def add(self, a, b):
        """Codes of the sum of integers."""
        return self._all(a.size, a, b)

    subtract = add
    multiply = add

    def shift_left(self, codes, places):
        """Codes of the bits moved by places that are not known."""
        return self._all(codes.size, codes, places)


class SetPositions:
    """set_positions of a back end for so many positions, counted from `first`."""

    def __init__(self, backend, r, count, first):
        self.backend, self.r, self.count, self.first = backend, r, count, first

    def __repr__(self):
        return f"{self.backend}-set_positions-{self.r}-{self.count}-{self.first}"

    def _run(self, module, domain, positions):
        """Returns the codes of the result for the codes of positions."""
        machine = Machine(module, domain)
        listed = machine.memory("positions", 4 * self.count)
        listed.memory.bits[:] = positions
        out = machine.memory("out", 8 * stride(self.r))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_sparse_{self.backend}")
        function = ops.memory.pointers[16].name
        machine.call(function, [ring, out, listed, self.count, self.first])
        return out.memory.bits

    def prove(self, module):
        """Raises NotProved unless the result is right for all positions below 2^15."""
        origins = np.repeat(np.arange(2, 2 + self.count, dtype=np.uint8), 32)
        found = set(np.unique(self._run(module, Origins(), origins)))
        if UNKNOWN in found or {SUM, ANY} <= found:
            raise NotProved(f"{self}: a bit mixes several positions")
        self._compare(module, None)
        for which in range(self.count):
            self._compare(module, which)

    def _compare(self, module, which):
        """Lets one position, or none, run through all of its values."""
        every = 1 << POSITION_BITS
        positions = np.full(32 * self.count, -1, dtype=object)
        if which is not None:
            for i in range(32):
                bit = (np.arange(every) >> i & 1).astype(np.uint8)
                positions[32 * which + i] = packed(bit)
        codes = self._run(module, Samples(every), positions)
        for j, code in enumerate(codes):
            place = self.first + j
            wanted = which is not None and j < self.r and place < every
            if code & ((1 << every) - 1) != (1 << place if wanted else 0):
                raise NotProved(f"{self}: bit {j} is wrong for position number {which}")
