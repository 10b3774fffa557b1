# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ring arithmetic (src/kem/gf2x): its calls as settings for proofs, and the specification.

An element of GF(2)[x] / (x^r - 1) is an integer whose bit j is the coefficient of x^j. What
multiplies before the reduction has proofs of its own (products.py).
"""

import numpy as np

from parameters.power_plans import plans_of
from parameters.table import TABLE
from proofs.kernels.engine.prove import Call, Setting
from proofs.kernels.products import (
    MULTIPLY,
    VALUE,
    Multiply,
    convolution,
    element,
    scratch_words,
    stride,
    value_product,
)

OPERATIONS = ["name", "mul", "mul_add", "square_times", "weight"]  # struct gf2x_ops
RINGS = [r for rings in TABLE.rings for r in rings]  # of BIKE, then of HQC

# The files of each back end, below src/.
SHARED = ["kem/gf2x/gf2x_power.c", "kem/gf2x/gf2x_rings.c"]
FILES = {
    "portable": [f"kem/gf2x/portable/gf2x_{part}portable.c" for part in ("", "toom_", "words_")],
    "avx2": [f"kem/gf2x/avx2/gf2x_{part}avx2.c" for part in ("", "mul_", "power_")],
    "vpclmul": [
        "kem/gf2x/avx2/gf2x_mul_vpclmul.c",
        *(f"kem/gf2x/avx2/gf2x_{part}avx2.c" for part in ("", "mul_", "power_")),
    ],
    "avx512": [f"kem/gf2x/avx512/gf2x_{part}avx512.c" for part in ("", "mul_", "power_")],
    "neon": ["kem/gf2x/neon/gf2x_neon.c", "kem/gf2x/neon/gf2x_mul_neon64.c"],
}
TARGETS = {
    **dict.fromkeys(["portable", "avx2", "vpclmul", "avx512"], "x86_64-linux-gnu"),
    "neon": "aarch64-linux-gnu",
}
# The powers 2^k for which inversion has plans (src/kem/gf2x/gf2x_rings.c).
PLANS = {r: [k for k, *_ in plans_of(r)] for r in TABLE.rings[0]}


# --- Specification --------------------------------------------------------------------------------


def product(a, b, r):
    """Returns a b mod x^r - 1."""
    whole = convolution(a, b, r)
    return (whole ^ whole >> r) & (1 << r) - 1


def powered(codes, k):
    """Codes of a^(2^k): coefficient j goes to 2^k j mod r."""
    result = np.empty_like(codes)
    result[np.arange(codes.size) * pow(2, k, codes.size) % codes.size] = codes
    return result


# --- Calls ----------------------------------------------------------------------------------------


class RingCall(Call):
    """Arranges a call of an operation of a back end; see prove().

    Products of vector back ends are reduced ones of free bits: what multiplies is proved apart. For
    the portable one they are made of the products of values."""

    def __init__(self, backend, operation, r, times=None, in_place=None):
        self.backend = backend
        self.operation = operation
        self.r = r
        self.times = times
        self.in_place = in_place  # the operand that the result replaces
        self.pairs = {"mul_add": ["a0 b0", "a1 b1"], "square_times": []}.get(operation, ["a b"])
        self.products = backend in MULTIPLY and operation != "square_times"
        # sums of bits of the operand or of free products; or of a_i b_j
        self.model_degree = 1 if self.products or operation == "square_times" else 2
        self.known = []  # codes of factors and of their products
        if backend == "portable":
            self.contracts = {VALUE: value_product}
        elif self.products:
            multiply = Multiply(backend, r)
            self.contracts = {multiply.function: multiply.contract(self.known)}

    def __repr__(self):
        parts = [self.backend, self.operation, self.r]
        parts += [f"k={self.times}"] if self.times else []
        parts += [f"into_{self.in_place}"] if self.in_place else []
        return "-".join(map(str, parts))

    def __call__(self, machine, free):
        ops = machine.address(f"ckem_gf2x_{self.backend}")
        function = ops.memory.pointers[8 * OPERATIONS.index(self.operation)].name
        operands, pointers = {}, {}
        self.known.clear()
        for name in " ".join(self.pairs).split() or ["a"]:
            operands[name] = free(self.r)
            pointers[name] = element(machine, name, self.r, operands[name])
        for pair in self.pairs if self.products else []:
            codes = operands[f"product {pair}"] = free(2 * self.r - 1)
            self.known.append((*(operands[name] for name in pair.split()), codes))
        size = 8 * stride(self.r)
        out = pointers.get(self.in_place) or machine.memory("out", size)
        arguments = [machine.address(f"ckem_gf2x_ring_{self.r}"), out, *pointers.values()]
        arguments += [self.times] if self.operation == "square_times" else []
        arguments.append(machine.memory("scratch", 8 * scratch_words(self.operation, self.r)))
        results = {name: (pointer, size) for name, pointer in pointers.items()}  # not changed
        results.pop(self.in_place, None)
        return Setting(function, arguments, operands, {"out": (out, size), **results})

    def image(self, operands):
        """Codes of the results, if they are linear."""
        if self.operation == "square_times":
            out = powered(operands["a"], self.times)
        elif self.products:
            out = np.zeros(self.r, dtype=object)
            for pair in self.pairs:
                codes = operands[f"product {pair}"]
                out = out ^ codes[: self.r]
                out[: self.r - 1] ^= codes[self.r :]
        else:
            return None
        return {**operands, "out": out}

    def model(self, operands):
        out = 0
        for pair in self.pairs:
            a, b = (operands[name] for name in pair.split())
            out ^= product(a, b, self.r)
        return {**operands, "out": out}
