# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The codes of HQC (src/kem/hqc): calls of their encoders and of their arithmetic, and the
specification. An element of GF(256) is an integer whose bit i is the coefficient of x^i, modulo
x^8 + x^4 + x^3 + x^2 + 1; a string of bytes is an integer with the first byte lowest."""

import functools

import numpy as np

from proofs.kernels.engine.prove import Call, Setting, prove_exhaustively

MODULUS = 0x11D
FILES = {
    "portable": ["kem/hqc/codes_portable.c", "kem/hqc/reed_muller.c", "kem/hqc/params.c"],
    "avx2": ["kem/hqc/codes_avx2.c", "kem/hqc/params.c"],
    "avx512": ["kem/hqc/codes_avx512.c", "kem/hqc/params.c"],
    "neon": ["kem/hqc/codes_neon.c", "kem/hqc/params.c"],
}
SIZES = {"46_16": (46, 16), "56_24": (56, 24), "90_32": (90, 32)}  # length and message, in bytes
VECTOR_BITS = {"portable": 64, "avx2": 256, "neon": 128}


# --- Specification --------------------------------------------------------------------------------


@functools.cache
def times(a, b):
    """Returns a b."""
    result = 0
    for i in range(8):
        if b >> i & 1:
            result ^= a << i
    for i in range(14, 7, -1):
        if result >> i & 1:
            result ^= MODULUS << (i - 8)
    return result


@functools.cache
def products():
    """Returns the table of a b."""
    return np.array([[times(a, b) for b in range(256)] for a in range(256)], dtype=np.uint8)


@functools.cache
def power(a, n):
    """Returns a^n."""
    result = 1
    for _ in range(n):
        result = times(result, a)
    return result


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
    """compute_syndromes of a back end for one of the codes; `struct decoder` begins with them."""

    model_degree = 1  # Horner's rule at known points

    def __init__(self, backend, code):
        self.backend, self.code = backend, code
        self.length, size = SIZES[code]
        self.count = self.length - size

    def __repr__(self):
        return f"{self.backend}-syndromes-{self.code}"

    def __call__(self, machine, free):
        received = free(8 * self.length)
        decoder = machine.memory("decoder", 64 + 96 + 4 * 32)
        return Setting(
            f"compute_syndromes_{self.backend}.codes_{self.backend}",
            [
                machine.address(f"code_{self.code}.params"),
                decoder,
                place(machine, "received", received),
            ],
            {"received": received},
            {"syndromes": (decoder, 64), "reversed": (decoder + 64, 96)},
        )

    def model(self, operands):
        values = syndromes(operands["received"], self.length, self.count)
        turned = int.from_bytes(values.to_bytes(self.count, "big"), "little")
        return {"syndromes": values, "reversed": turned}


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
        if self.backend == "avx2":  # vectors longer than a register of the basic processor
            arguments = [place(machine, "operand", operand) for operand in arguments]
        unit = f"codes_{self.backend}"
        return Setting(f"gf256_mul.{unit}", arguments, operands, {}, bits)

    def model(self, operands):
        size = VECTOR_BITS[self.backend] // 8
        a, b = (list(operands[name].to_bytes(size, "little")) for name in "ab")
        return {"value": int.from_bytes(products()[a, b].tobytes(), "little")}


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
        argument = place(machine, "operand", vector) if self.backend == "avx2" else vector
        name = f"gf256_invert_{self.backend}.codes_{self.backend}"
        return Setting(name, [argument], {"a": element}, {}, bits)

    def model(self, operands):
        inverse = power(operands["a"], 254)
        return {"value": int.from_bytes(bytes([inverse]) * (VECTOR_BITS[self.backend] // 8))}

    def prove(self, module):
        """Inversion is not linear, but there are only 256 elements."""
        prove_exhaustively(module, self, 8)
