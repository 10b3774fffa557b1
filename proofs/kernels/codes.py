# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The codes of HQC (src/kem/hqc): calls of their encoders and of their arithmetic, and the
specification. An element of GF(256) is an integer whose bit i is the coefficient of x^i, modulo
x^8 + x^4 + x^3 + x^2 + 1; a string of bytes is an integer with the first byte lowest."""

import functools
import operator

import numpy as np

from proofs.kernels.engine.prove import Call, Setting, prove_exhaustively

MODULUS = 0x11D
AES = 0x11B  # of the field in which the instructions of GFNI multiply
FILES = {
    "portable": ["kem/hqc/codes_portable.c", "kem/hqc/reed_muller.c", "kem/hqc/params.c"],
    "avx2": ["kem/hqc/codes_avx2.c", "kem/hqc/params.c"],
    "gfni": ["kem/hqc/codes_gfni.c", "kem/hqc/codes_avx2.c", "kem/hqc/params.c"],
    "avx512": ["kem/hqc/codes_avx512.c", "kem/hqc/params.c"],
    "neon": ["kem/hqc/codes_neon.c", "kem/hqc/params.c"],
}
SIZES = {"46_16": (46, 16), "56_24": (56, 24), "90_32": (90, 32)}  # length and message, in bytes
VECTOR_BITS = {"portable": 64, "avx2": 256, "gfni": 256, "avx512": 256, "neon": 128}


# --- Specification --------------------------------------------------------------------------------


@functools.cache
def times(a, b, modulus=MODULUS):
    """Returns a b modulo a polynomial of degree 8."""
    result = 0
    for i in range(8):
        if b >> i & 1:
            result ^= a << i
    for i in range(14, 7, -1):
        if result >> i & 1:
            result ^= modulus << (i - 8)
    return result


@functools.cache
def products(modulus=MODULUS):
    """Returns the table of a b."""
    table = [[times(a, b, modulus) for b in range(256)] for a in range(256)]
    return np.array(table, dtype=np.uint8)


@functools.cache
def power(a, n, modulus=MODULUS):
    """Returns a^n."""
    result = 1
    for _ in range(n):
        result = times(result, a, modulus)
    return result


def field_of(backend):
    """Returns the modulus of the field in which a back end multiplies."""
    return AES if backend in ("gfni", "avx512") else MODULUS


@functools.cache
def generator(parity):
    """Returns the coefficients of (x - a) (x - a^2) ... (x - a^parity), lowest first, a = x."""
    result = [1]
    for i in range(1, parity + 1):
        root = power(2, i)
        shifted = [0, *result]
        result = [s ^ times(root, c) for s, c in zip(shifted, [*result, 0], strict=True)]
    return result


def encoded(message, length, size):
    """Returns the code word of a message: the remainder of x^parity message, then the message."""
    parity = length - size
    divisor = np.array(generator(parity))
    word = np.zeros(length, dtype=np.uint8)
    word[parity:] = list(message.to_bytes(size, "little"))
    for top in range(length - 1, parity - 1, -1):
        word[top - parity : top + 1] ^= products()[word[top], divisor]
    return int.from_bytes(word[:parity].tobytes(), "little") | message << (8 * parity)


def syndromes(received, length, count):
    """Returns the values of a word at a, a^2, ..., a^count."""
    points = np.array([power(2, i) for i in range(1, count + 1)])
    values = np.zeros(count, dtype=np.uint8)
    for byte in reversed(received.to_bytes(length, "little")):
        values = products()[values, points] ^ byte
    return int.from_bytes(values.tobytes(), "little")


def reed_muller_word(symbol):
    """Returns the code word of a byte: bit j is M_7 + sum of M_i j_i."""
    return sum(((symbol >> 7 ^ (symbol & j & 127).bit_count()) & 1) << j for j in range(128))


# --- Calls ----------------------------------------------------------------------------------------


def place(machine, name, codes, size=None):
    """Returns a pointer to an object with these codes; zeros behind them up to size bytes."""
    pointer = machine.memory(name, size or codes.size // 8)
    pointer.memory.bits[:] = 0
    pointer.memory.bits[: codes.size] = codes
    return pointer


class Encode(Call):
    """reed_solomon_encode of a back end for one of the codes."""

    model_degree = (
        1  # long division by a known polynomial: known factors times bytes of the message
    )

    def __init__(self, backend, code):
        self.backend, self.code = backend, code
        self.length, self.size = SIZES[code]

    def __repr__(self):
        return f"{self.backend}-encode-{self.code}"

    def __call__(self, machine, free):
        message = free(8 * self.size)
        word = machine.memory("codeword", self.length)
        unit = f"codes_{self.backend}"
        return Setting(
            f"reed_solomon_encode_{self.backend}.{unit}",
            [
                machine.address(f"code_{self.code}.params"),
                word,
                place(machine, "message", message),
            ],
            {"message": message},
            {"codeword": (word, self.length)},
        )

    def model(self, operands):
        return {"codeword": encoded(operands["message"], self.length, self.size)}


class Syndromes(Call):
    """compute_syndromes of a back end for one of the codes."""

    model_degree = 1  # Horner's rule at known points

    def __init__(self, backend, code):
        self.backend, self.code = backend, code
        self.length, size = SIZES[code]
        self.count = self.length - size

    def __repr__(self):
        return f"{self.backend}-syndromes-{self.code}"

    def __call__(self, machine, free):
        received = free(8 * self.length)
        found = machine.memory("syndromes", 96)
        return Setting(
            f"compute_syndromes_{self.backend}.codes_{self.backend}",
            [
                machine.address(f"code_{self.code}.params"),
                found,
                place(machine, "received", received, 96),
            ],
            {"received": received},
            {"syndromes": (found, 96)},
        )

    def model(self, operands):
        return {"syndromes": syndromes(operands["received"], self.length, self.count)}


class ReedMullerEncode(Call):
    """reed_muller_encode, the same for all back ends."""

    model_degree = 1  # a sum of bits of the symbol, which j chooses

    def __init__(self, copies):
        self.copies = copies

    def __repr__(self):
        return f"reed_muller_encode-{self.copies}"

    def __call__(self, machine, free):
        symbols = free(16)
        out = machine.memory("out", 2 * 16 * self.copies)
        return Setting(
            "ckem_reed_muller_encode",
            [out, place(machine, "symbols", symbols), 2, self.copies],
            {"symbols": symbols},
            {"out": (out, 2 * 16 * self.copies)},
        )

    def model(self, operands):
        out = 0
        for i in range(2 * self.copies):
            symbol = operands["symbols"] >> (8 * (i // self.copies)) & 255
            out |= reed_muller_word(symbol) << (128 * i)
        return {"out": out}


class FieldProduct(Call):
    """gf256_mul of a back end: a vector of products."""

    model_degree = 2  # a bit of b chooses multiples of a

    def __init__(self, backend):
        self.backend = backend

    def __repr__(self):
        return f"{self.backend}-gf256_mul"

    def __call__(self, machine, free):
        bits = VECTOR_BITS[self.backend]
        operands = {"a": free(bits), "b": free(bits)}
        arguments = [operand.copy() for operand in operands.values()]
        if bits == 256:  # vectors longer than a register of the basic processor
            arguments = [place(machine, "operand", operand) for operand in arguments]
        unit = f"codes_{self.backend}"
        return Setting(f"gf256_mul.{unit}", arguments, operands, {}, bits)

    def model(self, operands):
        size = VECTOR_BITS[self.backend] // 8
        a, b = (list(operands[name].to_bytes(size, "little")) for name in "ab")
        table = products(field_of(self.backend))
        return {"value": int.from_bytes(table[a, b].tobytes(), "little")}


class FieldScale(Call):
    """gf256_scale of AVX2: by one element a, of which it has the products by 0 ... 15 and by 16
    times these. Place i has the other factor b + i, for all 65,536 pairs."""

    backend = "avx2"

    def __repr__(self):
        return f"{self.backend}-gf256_scale"

    def __call__(self, machine, free):
        pair = free(16)
        a, b = pair[:8], pair[8:]
        multiples = []
        for factor in [n << shift for shift in (0, 4) for _ in range(2) for n in range(16)]:
            for bit in range(8):
                chosen = [a[i] for i in range(8) if times(1 << i, factor) >> bit & 1]
                multiples.append(functools.reduce(operator.xor, chosen, 0))
        ones = machine.domain.one
        flips = [ones if i >> bit & 1 else 0 for i in range(32) for bit in range(8)]
        scalar = place(machine, "scalar", np.array(multiples, dtype=object))
        vector = place(machine, "vector", np.tile(b, 32) ^ np.array(flips, dtype=object))
        return Setting("gf256_scale.codes_avx2", [scalar, vector], {"pair": pair}, {}, 256)

    def model(self, operands):
        a, b = operands["pair"] & 255, operands["pair"] >> 8
        return {"value": int.from_bytes(bytes(times(a, b ^ i) for i in range(32)), "little")}

    def prove(self, module):
        """The degree of a look-up is too high for samples, but there are only so many pairs."""
        prove_exhaustively(module, self, 16)


class FieldInverse(Call):
    """gf256_invert of a back end, with the same element in all places: for all 256 of them."""

    def __init__(self, backend):
        self.backend = backend

    def __repr__(self):
        return f"{self.backend}-gf256_invert"

    def __call__(self, machine, free):
        bits = VECTOR_BITS[self.backend]
        element = free(8)
        vector = np.tile(element, bits // 8)
        argument = place(machine, "operand", vector) if bits == 256 else vector
        name = f"gf256_invert_{self.backend}.codes_{self.backend}"
        return Setting(name, [argument], {"a": element}, {}, bits)

    def model(self, operands):
        inverse = power(operands["a"], 254, field_of(self.backend))
        return {"value": int.from_bytes(bytes([inverse]) * (VECTOR_BITS[self.backend] // 8))}

    def prove(self, module):
        """Inversion is not linear, but there are only 256 elements."""
        prove_exhaustively(module, self, 8)
