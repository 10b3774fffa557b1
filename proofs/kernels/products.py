# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Products before their reduction (src/kem/gf2x), each proved once, and taken for proved above.

What multiplies in a ring calls one function for the product of two polynomials: mul and mul_add of
the vector back ends, which then only reduce; and Toom's method of the portable back end,
twice. Each such function is compared with the product for itself, in the memory that it gets at
least. Above it, its result is the product of whatever it was given: free bits that stand for the
product of known operands, or the product itself where it is needed again.

A contract spoils what the function may spoil: its scratch memory to the end of the object.
"""

import numpy as np

from proofs.kernels.engine.bits import concrete
from proofs.kernels.engine.prove import Call, NotProved, Setting
from proofs.kernels.engine.samples import parities

MULTIPLY = {  # back end -> the function
    "avx2": "ckem_gf2x_multiply_long_avx2",
    "vpclmul": "multiply_long_vpclmul.gf2x_mul_vpclmul",
    "avx512": "ckem_gf2x_product_avx512",
    "neon": "ckem_gf2x_multiply_neon",
}
BEHIND = {"avx512": 0, "neon": 8}  # words behind the product, which are zero
BLOCKS = ("avx2", "vpclmul")  # these take the number of blocks of 128 bits instead of a ring
VALUE = "multiply_value_portable.gf2x_toom_portable"
WORDS = "ckem_gf2x_mul_words_portable"
GROWTH = 8  # bits of a value, more than a part has


def stride(r):
    """Returns the 64-bit words of an element."""
    return (r + 511) // 512 * 8


def scratch_words(operation, r):
    """Returns what an operation of struct gf2x_ops gets at least (src/kem/gf2x/gf2x_memory.h)."""
    if operation != "mul":
        return 20 * stride(r) + 64
    if r > 332 * 128:
        return 14 * stride(r) // 3 + 200
    return 17 * stride(r) // 2 + 144 if r <= 40960 else 9 * stride(r) + 112


def multiply_product(a, b):
    """Returns the product of polynomials over GF(2), by Python's integers."""
    result = 0
    while b:
        low = b & -b
        result ^= a * low
        b ^= low
    return result


def spoil(machine, pointer, size):
    """What a contract leaves of scratch memory: nothing that is known, up to its end."""
    if pointer.memory.size - pointer.offset < size:
        raise NotProved(f"a function gets less than {size} bytes of scratch memory")
    pointer.memory.bits[8 * pointer.offset :] = machine.domain.unknown


def element(machine, name, r, codes):
    """Returns a new element of a ring."""
    pointer = machine.memory(name, 8 * stride(r))
    pointer.memory.bits[:] = 0
    pointer.memory.bits[: codes.size] = codes
    return pointer


# --- Vectors --------------------------------------------------------------------------------------


class Multiply(Call):
    """The function of a back end with vectors that multiplies elements without reducing."""

    model_degree = 2  # sums of a_i b_j

    def __init__(self, backend, r):
        self.backend, self.r = backend, r
        self.function = MULTIPLY[backend]

    def __repr__(self):
        return f"{self.backend}-multiply-{self.r}"

    def product_words(self):
        """Returns the words of the result, of which the last ones are zero."""
        if self.backend in BLOCKS:
            return 4 * self.blocks()
        return 2 * stride(self.r) + BEHIND[self.backend]

    def blocks(self):
        """Returns the blocks of 128 bits of an operand."""
        return (self.r + 127) // 128

    def words(self):
        """Returns the words that are read of an operand."""
        return 2 * self.blocks() if self.backend in BLOCKS else stride(self.r)

    def scratch(self):
        """Returns the words of scratch memory that mul and mul_add leave."""
        if self.backend in BLOCKS:  # as gf2x_avx2.h says
            n = self.blocks()
            return 2 * (16 * (n + 8) // 3 if n <= 330 else 2 * n + 340)
        one, adding = (scratch_words(name, self.r) for name in ("mul", "mul_add"))
        if self.backend == "avx512":
            return min(one, adding - stride(self.r))
        return min(one - self.product_words(), adding - 2 * self.product_words())

    def __call__(self, machine, free):
        operands = {name: free(self.r) for name in "ab"}
        pointers = [element(machine, name, self.r, codes) for name, codes in operands.items()]
        size = 8 * self.product_words()
        results = {name: (p, 8 * stride(self.r)) for name, p in zip("ab", pointers, strict=True)}
        scratch = machine.memory("scratch", 8 * self.scratch())
        if self.backend == "avx512":  # returns where the product is
            ring = machine.address(f"ckem_gf2x_ring_{self.r}")
            return Setting(
                self.function, [ring, *pointers, scratch], operands, results, value_bits=8 * size
            )
        out = machine.memory("product", size)
        results["value"] = (out, size)
        if self.backend in BLOCKS:
            arguments = [out, *pointers, self.blocks(), scratch]
            return Setting(self.function, arguments, operands, results)
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        return Setting(self.function, [ring, out, *pointers, scratch], operands, results)

    def model(self, operands):
        return {**operands, "value": convolution(operands["a"], operands["b"], self.r)}

    def contract(self, known):
        """What stands for the function. known: (codes of a, of b, of the product), which the
        arguments must be; in a domain that does not tell operands apart, one after the other."""
        calls = []

        def product(machine, arguments):
            if self.backend in BLOCKS:
                out, *factors, count, scratch = arguments
                if count != self.blocks():
                    raise NotProved("a product of another length")
            else:
                out = None if self.backend == "avx512" else arguments.pop(1)
                ring, *factors, scratch = arguments
                expected = machine.address(f"ckem_gf2x_ring_{self.r}")
                if (ring.memory, ring.offset) != (expected.memory, expected.offset):
                    raise NotProved("a product in another ring")
            words = [read(pointer, self.words()) for pointer in factors]
            for *wanted, found in known[len(calls) % len(known) :]:
                codes = found
                wanted = [padded(x, 64 * self.words()) for x in wanted]
                if all((x == y).all() for x, y in zip(words, wanted, strict=True)):
                    break
            else:
                raise NotProved("a product of something that is no operand")
            calls.append(1)
            spoil(machine, scratch, 8 * self.scratch())
            out = scratch if out is None else out
            size = 8 * self.product_words()
            out.memory.check(out.offset, size)
            start = 8 * out.offset
            out.memory.bits[start : start + 8 * size] = padded(codes, 8 * size)
            return scratch if self.backend == "avx512" else None

        return product


def convolution(a, b, r):
    """Returns the product of polynomials of r coefficients."""
    size = min(c << k for c in (1, 3, 5, 9) for k in range(20) if c << k >= 2 * r)
    transformed = np.fft.rfft(bits_of(a, r), size) * np.fft.rfft(bits_of(b, r), size)
    sums = np.fft.irfft(transformed, size)[: 2 * r]
    return number(parities(sums))


def bits_of(a, r):
    """Returns the coefficients of a as an array."""
    raw = np.frombuffer(a.to_bytes((r + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, count=r, bitorder="little")


def number(bits):
    """Returns the integer with these bits."""
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def read(pointer, words):
    """Returns the codes of words of memory."""
    pointer.memory.check(pointer.offset, 8 * words)
    return pointer.memory.bits[8 * pointer.offset : 8 * (pointer.offset + 8 * words)].copy()


def padded(codes, size):
    """Returns codes with zeros behind them."""
    result = np.zeros(size, dtype=codes.dtype)
    result[: codes.size] = codes
    return result


# --- Toom's method of the portable back end -------------------------------------------------------


def cut(bits):
    """Returns (bits, bits of a part, words of a value) of a polynomial that is cut into five."""
    part = (bits + 4) // 5
    return bits, part, (part + GROWTH + 63) // 64


def words_scratch(n):
    """Returns the bytes that a product of n words takes besides."""
    return 8 * (6 * n + 64)


def low_product(machine, arguments):
    """What LowProduct proves about mul_low of the portable back end."""
    a, b = (machine.codes(argument, 64) for argument in arguments)
    return machine.domain.carryless(a, b)[:64]


def place_product(machine, out, operands):
    """Writes the product of two polynomials of the same number of bits."""
    codes = machine.domain.carryless(*operands)
    start = 8 * out.offset
    out.memory.bits[start : start + codes.size] = codes


def words_product(machine, arguments):
    """What WordsProduct proves about mul_words: the factors are lost."""
    out, a, b, n, scratch = arguments
    spoil(machine, scratch, words_scratch(n))
    out.memory.check(out.offset, 16 * n)
    operands = [read(pointer, n) for pointer in (a, b)]
    for pointer in (a, b):
        start = 8 * pointer.offset
        pointer.memory.bits[start : start + 64 * n] = machine.domain.unknown
    place_product(machine, out, operands)


def value_product(machine, arguments):
    """What ValueProduct proves about multiply_value: a value is the product of two parts."""
    out, a, b, words, shape, scratch = arguments
    bits, part, inner = (
        concrete(read(shape + 8 * i, 1).astype(machine.domain.dtype), "a length") for i in range(3)
    )
    if (bits, part, inner) != cut(bits):
        raise NotProved("a value is cut in another way than was proved")
    apart = {(p.memory, p.offset - 8 * i * words) for i, p in enumerate((a, b))}
    if apart != {(out.memory, out.offset)}:
        raise NotProved("a product of values stands elsewhere than was proved")
    operands = [read(pointer, words) for pointer in (a, b)]
    if any((codes[bits:] != 0).any() for codes in operands):
        raise NotProved("a value is longer than was proved")
    spoil(machine, scratch, value_scratch(inner))
    place_product(machine, out, operands)


def value_scratch(inner):
    """Returns the bytes that a product of values takes besides; inner: words of its parts."""
    return 8 * 20 * inner + words_scratch(inner)


class LowProduct(Call):
    """mul_low of the portable back end: half of a product of words, by integer products."""

    model_degree = 2  # sums of a_i b_j
    backend = "portable"

    def __repr__(self):
        return "portable-mul_low"

    def __call__(self, machine, free):
        operands = {"a": free(64), "b": free(64)}
        return Setting("mul_low.gf2x_words_portable", [*operands.values()], operands, {}, 64)

    def model(self, operands):
        a, b = operands["a"], operands["b"]
        return {"value": multiply_product(a, b) & (1 << 64) - 1}


class WordsProduct(Call):
    """The product of n words of the portable back end."""

    model_degree = 2  # sums of a_i b_j
    backend = "portable"

    def __init__(self, n):
        self.n = n
        self.contracts = {"mul_low.gf2x_words_portable": low_product}

    def __repr__(self):
        return f"portable-mul_words-{self.n}"

    def __call__(self, machine, free):
        operands = {name: free(64 * self.n) for name in "ab"}
        inputs = []
        for name, codes in operands.items():
            inputs.append(machine.memory(name, 8 * self.n))
            inputs[-1].memory.bits[:] = codes
        out = machine.memory("out", 16 * self.n)
        scratch = machine.memory("scratch", words_scratch(self.n))
        arguments = [out, *inputs, self.n, scratch]
        return Setting(WORDS, arguments, operands, {"out": (out, 16 * self.n)})

    def model(self, operands):
        return {"out": convolution(operands["a"], operands["b"], 64 * self.n)}


class ValueProduct(Call):
    """The product of values of so many bits, in words, where they are."""

    model_degree = 2  # sums of a_i b_j
    backend = "portable"

    def __init__(self, bits, words):
        self.bits, self.words = bits, words
        self.contracts = {WORDS: words_product}

    def __repr__(self):
        return f"portable-multiply_value-{self.bits}-{self.words}"

    def __call__(self, machine, free):
        operands = {name: free(self.bits) for name in "ab"}
        out = machine.memory("values", 16 * self.words)
        codes = [padded(x, 64 * self.words) for x in operands.values()]
        out.memory.bits[:] = np.concatenate(codes)
        shape = machine.memory("cut", 24)
        for at, length in enumerate(cut(self.bits)):
            shape.memory.bits[64 * at : 64 * at + 64] = machine.codes(length, 64)
        scratch = machine.memory("scratch", value_scratch(cut(self.bits)[2]))
        arguments = [out, out, out + 8 * self.words, self.words, shape, scratch]
        return Setting(VALUE, arguments, operands, {"out": (out, 16 * self.words)})

    def model(self, operands):
        return {"out": convolution(operands["a"], operands["b"], self.bits)}


def parts_of(r):
    """Returns the calls below the product of a ring."""
    _, part, words = cut(r)
    inner = cut(part + GROWTH)
    return [ValueProduct(inner[0], words), WordsProduct(inner[2])]
