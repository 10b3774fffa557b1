# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Products and powers on the Cortex-M4: their calls, and what they must compute (machine_code.py).

Assembly multiplies one, eight and sixteen words, C puts longer products of words together, and
Toom's method those of a ring: each is proved over what the one below was proved to compute.
"""

import numpy as np

from proofs.kernels.engine.prove import NotProved
from proofs.kernels.machine_code import MachineCall
from proofs.kernels.products import convolution, stride
from proofs.kernels.rings import powered, product

SIZES = {"mul1": 1, "mul8": 8, "mul16": 16}  # words of a factor
WORDS = "ckem_gf2x_mul_words_m4"
SPOILED = (0, 1, 2, 3, 12)  # registers that a function may leave as it likes


def scratch_words(n):
    """Returns GF2X_WORDS_SCRATCH_M4."""
    return 0 if n == 16 else 4 * n + 96


def inner_words(r):
    """Returns GF2X_INNER_WORDS_M4: the words of the products below that of a ring."""
    bits = (r + 4) // 5 + 8
    return ((bits + 4) // 5 + 8 + 31) // 32


def place_product(processor, n):
    """What stands for a product of n words that was proved: out, a and b are in registers."""
    out, a, b = (processor.number(processor.registers[i], "an address") for i in range(3))
    if not apart(out, 2 * n, (a, b), n):
        raise NotProved("a product overlaps a factor")
    codes = processor.domain.carryless(processor.memory(a, n), processor.memory(b, n))
    for i in range(2 * n):
        processor.store(out + 4 * i, codes[32 * i : 32 * i + 32])
    unknown = np.full(32, processor.domain.unknown, dtype=processor.domain.dtype)
    for number in SPOILED:
        processor.registers[number] = unknown
    processor.flags = None


def apart(start, count, others, other_count):
    """Tells whether words do not meet with those of others."""
    return all(start + 4 * count <= other or other + 4 * other_count <= start for other in others)


def words_product(processor):
    """What WordsCode proves: the scratch memory, the last argument, is spoiled."""
    n = processor.number(processor.registers[3], "a length")
    scratch = processor.number(processor.load(processor.registers[13]), "an address")
    place_product(processor, n)
    for i in range(scratch_words(n)):
        processor.words.pop(scratch + 4 * i, None)


class Words(MachineCall):
    """An assembly function for the product of two polynomials in 32-bit words."""

    model_degree = 2  # sums of a_i b_j

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"m4-{self.name}"

    def __call__(self, processor, free):
        size = SIZES[self.name]
        operands = {"a": free(32 * size), "b": free(32 * size)}
        out = processor.allocate(2 * size)
        if self.name == "mul1":
            arguments = [out, operands["a"].copy(), operands["b"].copy()]
        else:
            arguments = [out, *(processor.allocate(size, codes) for codes in operands.values())]
        function = f"ckem_gf2x_{self.name}_m4"
        return function, arguments, operands, {"out": (out, 2 * size)}

    def model(self, operands):
        return {"out": convolution(operands["a"], operands["b"], 32 * SIZES[self.name])}


class WordsCode(MachineCall):
    """The product of n words, over the products of eight and sixteen."""

    model_degree = 2  # sums of a_i b_j

    def __init__(self, n):
        self.n = n
        self.contracts = {
            f"ckem_gf2x_mul{size}_m4": lambda processor, size=size: place_product(processor, size)
            for size in (8, 16)
        }

    def __repr__(self):
        return f"m4-mul_words-{self.n}"

    def __call__(self, processor, free):
        operands = {name: free(32 * self.n) for name in "ab"}
        out = processor.allocate(2 * self.n)
        inputs = [processor.allocate(self.n, codes) for codes in operands.values()]
        scratch = processor.allocate(scratch_words(self.n))
        return WORDS, [out, *inputs, self.n, scratch], operands, {"out": (out, 2 * self.n)}

    def model(self, operands):
        return {"out": convolution(operands["a"], operands["b"], 32 * self.n)}


class RingCode(MachineCall):
    """An operation on ring elements, over products of words."""

    def __init__(self, operation, r, times=None):
        self.operation, self.r, self.times = operation, r, times
        self.model_degree = 1 if operation == "square_times" else 2  # bits move; sums of a_i b_j
        self.contracts = {WORDS: words_product}

    def __repr__(self):
        return f"m4-{self.operation}-{self.r}" + (f"-k={self.times}" if self.times else "")

    def __call__(self, processor, free):
        names = {"mul_add": ["a0", "b0", "a1", "b1"], "square_times": ["a"]}
        operands, pointers = {}, []
        words = 2 * stride(self.r)
        for name in names.get(self.operation, ["a", "b"]):
            operands[name] = free(self.r)
            padded = np.zeros(32 * words, dtype=operands[name].dtype)
            padded[: self.r] = operands[name]
            pointers.append(processor.allocate(words, padded))
        out = processor.allocate(words)
        ring = processor.program.symbols[f"ckem_gf2x_ring_{self.r}"]
        arguments = [ring, out, *pointers]
        arguments += [self.times] if self.operation == "square_times" else []
        arguments.append(processor.allocate(self.scratch()))
        results = {"out": (out, words)}
        kept = zip(operands, pointers, strict=True)
        results |= {name: (pointer, words) for name, pointer in kept}  # not changed
        return f"{self.operation}_m4", arguments, operands, results

    def scratch(self):
        """Returns the words of scratch memory of the profile for small devices (gf2x_memory.h)."""
        if self.operation == "mul_add":
            return 10 * stride(self.r)
        return 7 * stride(self.r) + 8 if self.r < 16384 else 8 * stride(self.r)

    def image(self, operands):
        if self.operation != "square_times":
            return None
        return {**operands, "out": powered(operands["a"], self.times)}

    def model(self, operands):
        values = operands
        if self.operation == "mul_add":
            out = product(values["a0"], values["b0"], self.r)
            out ^= product(values["a1"], values["b1"], self.r)
        else:
            out = product(values["a"], values["b"], self.r)
        return {**operands, "out": out}
