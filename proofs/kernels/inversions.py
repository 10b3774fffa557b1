# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inverses, for all elements: in GF(2^12) and GF(2^13) (src/mceliece/goppa/gf2m), and in the field
of AES, where HQC with AVX-512 works (src/kem/hqc); there also the syndromes, which go through the
same maps."""

import numpy as np

from proofs.kernels.codes import SIZES, power, syndromes
from proofs.kernels.engine.intrinsics import table
from proofs.kernels.engine.prove import Call, Setting, compare, prove_exhaustively
from proofs.kernels.fields import BLOCK, Element, FieldCall, elements, tables, vector

UNITS = "../proofs/kernels/units/hqc_codes.c"
UNIT_FILES = [UNITS, "kem/hqc/params.c"]


@table(r"llvm\.x86\.vgf2p8affineinvqb\.\d+")
def invert_bytes(machine, type_, types, arguments):
    """GF2P8AFFINEINVQB with the identity as its matrix: x^254 modulo x^8 + x^4 + x^3 + x + 1."""
    identity = int.from_bytes(bytes.fromhex("8040201008040201") * (type_.count // 8), "little")
    if arguments[1] != identity or arguments[2] != 0:
        raise NotImplementedError("an inverse with another matrix")
    domain = machine.domain
    result = []
    for x in np.split(machine.codes(arguments[0], type_.bits), type_.count):
        value = np.array([domain.one] + 7 * [0], dtype=domain.dtype)
        for bit in f"{254:b}":
            value = times_aes(domain, value, value)
            value = times_aes(domain, value, x) if bit == "1" else value
        result.append(value)
    del types
    return np.concatenate(result)


def times_aes(domain, x, y):
    """Codes of a product in the field of AES."""
    product = domain.carryless(x, y).copy()
    for top in range(15, 7, -1):
        for place in (top - 8, top - 7, top - 5, top - 4):
            product[place] = domain.xor(product[place : place + 1], product[top : top + 1])[0]
    return product[:8]


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


class AesInverse(Call):
    """The inverse of a byte in all places, there and back from the field of AES."""

    def __init__(self, size):
        self.size = size  # of a vector in bytes

    def __repr__(self):
        return f"avx512-invert-{self.size}"

    def __call__(self, machine, free):
        element = free(8)
        source, out = machine.memory("in", self.size), machine.memory("out", self.size)
        source.memory.bits[:] = np.tile(element, self.size)
        name = "unit_invert" if self.size == 64 else "unit_invert_half"
        return Setting(name, [out, source], {"a": element}, {"out": (out, self.size)})

    def model(self, operands):
        return {"out": int.from_bytes(bytes([power(operands["a"], 254)]) * self.size, "little")}


class AesSyndromes(Call):
    """compute_syndromes with AVX-512, there and back from the field of AES."""

    model_degree = 1  # Horner's rule at known points

    def __init__(self, code):
        self.code = code
        self.length, size = SIZES[code]
        self.count = self.length - size

    def __repr__(self):
        return f"avx512-syndromes-{self.code}"

    def __call__(self, machine, free):
        word = free(8 * self.length)
        source, out = machine.memory("received", self.length), machine.memory("out", 128)
        source.memory.bits[:] = word
        code = machine.address(f"code_{self.code}.params")
        return Setting("unit_syndromes", [code, out, source], {"word": word}, {"out": (out, 128)})

    def model(self, operands):
        values = syndromes(operands["word"], self.length, self.count)
        turned = int.from_bytes(values.to_bytes(self.count, "big"), "little")
        return {"out": values | turned << 512}
