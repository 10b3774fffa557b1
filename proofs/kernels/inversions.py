# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inverses in GF(2^12) and GF(2^13) (src/mceliece/goppa/gf2m), for all elements."""

import numpy as np

from proofs.kernels.engine.prove import compare, prove_exhaustively
from proofs.kernels.fields import BLOCK, Element, FieldCall, elements, tables, vector


class FieldInverses(FieldCall):
    """invert of gf2m: every element in every lane of the first block; others are never 0.

    One block runs through all elements, which proves its chain of squares and products. With more
    of them, all of one element, the products of blocks are tried.
    """

    def __init__(self, backend, degree, count, same=()):
        super().__init__(backend, "invert", degree, count, same)

    def prove(self, module):
        """Raises NotProved unless all inverses are right."""
        compare(module, self, 1 << self.degree, self._patterns)

    def _patterns(self, bits):
        """Codes of vectors: in case e, lane l of block i has e + l, or some element but 0."""
        q = 1 << self.degree
        cases = np.arange(q)
        codes = np.empty(bits, dtype=object)
        for lane in range(bits // self.degree):
            block, place = divmod(lane, BLOCK)
            value = (
                cases ^ place % q if block == 0 else (cases * (2 * place + 3) + block) % (q - 1) + 1
            )
            for plane in range(self.degree):
                packed = np.packbits((value >> plane & 1).astype(np.uint8), bitorder="little")
                at = (block * self.degree + plane) * BLOCK + place
                codes[at] = int.from_bytes(packed.tobytes(), "little")
        return codes

    def model(self, operands):
        powers, logarithms = tables(self.degree)
        order = (1 << self.degree) - 1
        a = elements(operands["a"], self.count, self.degree)
        inverse = np.where(a == 0, 0, powers[(order - logarithms[a]) % order])
        zero = (a.reshape(self.count, BLOCK) == 0).any(axis=0)
        return {"out": vector(np.where(np.tile(zero, self.count), 0, inverse), self.degree)}


class ElementInverse(Element):
    """inverse of gf2m.c, for all elements."""

    def __init__(self, backend, degree):
        super().__init__(backend, "inverse", degree)

    def prove(self, module):
        """Raises NotProved unless all inverses are right."""
        prove_exhaustively(module, self, self.degree)

    def model(self, operands):
        powers, logarithms = tables(self.degree)
        a, order = operands["a"], (1 << self.degree) - 1
        return {"value": int(powers[(order - logarithms[a]) % order]) if a else 0}
