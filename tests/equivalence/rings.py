# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ring arithmetic (src/gf2x): its calls as settings for proofs, and the specification.

An element of GF(2)[x] / (x^r - 1) is an integer whose bit j is the coefficient of x^j.
"""

import numpy as np

from equivalence.prove import Call, Setting

OPERATIONS = ["name", "mul", "mul_lean", "mul_add", "square_times", "weight"]  # struct gf2x_ops
RINGS = [12323, 24659, 40973, 17669, 35851, 57637]  # of BIKE, then of HQC

# The files of each back end, below src/.
SHARED = ["gf2x/gf2x_power.c", "gf2x/gf2x_rings.c"]
FILES = {
    "portable": [f"gf2x/portable/gf2x_{part}portable.c" for part in ("", "toom_", "words_")],
    "avx2": [f"gf2x/avx2/gf2x_{part}avx2.c" for part in ("", "mul_", "power_")],
    "avx512": [
        f"gf2x/avx512/gf2x_{part}avx512.c" for part in ("", "lean_", "mul_", "power_", "units_")
    ],
    "neon": ["gf2x/neon/gf2x_neon.c", "gf2x/neon/gf2x_mul_neon64.c"],
}
TARGETS = {
    **dict.fromkeys(["portable", "avx2", "avx512"], "x86_64-linux-gnu"),
    "neon": "aarch64-linux-gnu",
}
# The powers 2^k for which inversion has plans (src/gf2x/gf2x_rings.c).
PLANS = {
    12323: [8, 32, 33, 64, 128, 256, 512, 1024, 2048, 4096, 4129],
    24659: [8, 16, 17, 32, 64, 81, 128, 256, 512, 1024, 4096, 8192, 8273],
    40973: [8, 11, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 8203, 16384],
}


def stride(r):
    """Returns the 64-bit words of an element."""
    return (r + 511) // 512 * 8


# --- Specification --------------------------------------------------------------------------------


def product(a, b, r):
    """Returns a b mod x^r - 1. The coefficients over the integers are a convolution, by Fourier
    transforms; none is above r, so errors of double numbers are far below one half."""
    size = min(c << k for c in (1, 3, 5, 9) for k in range(20) if c << k >= 2 * r)
    transformed = np.fft.rfft(bits_of(a, r), size) * np.fft.rfft(bits_of(b, r), size)
    sums = np.fft.irfft(transformed, size)[: 2 * r]
    rounded = np.rint(sums)
    if np.abs(sums - rounded).max() > 2**-10:
        raise ArithmeticError("a convolution is not precise")
    bits = (rounded.astype(np.int64) & 1).astype(np.uint8)
    return number(bits[:r] ^ bits[r:])


def bits_of(a, r):
    """Returns the coefficients of a as an array."""
    raw = np.frombuffer(a.to_bytes((r + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, count=r, bitorder="little")


def number(bits):
    """Returns the integer with these bits."""
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def power(a, k, r):
    """Returns a^(2^k): coefficient j goes to 2^k j mod r."""
    result = np.zeros(r, dtype=np.uint8)
    result[np.arange(r) * pow(2, k, r) % r] = bits_of(a, r)
    return number(result)


# --- Calls ----------------------------------------------------------------------------------------


def low_product(machine, arguments):
    """What LowProduct proves about mul_low of the portable back end."""
    a, b = (machine.codes(argument, 64) for argument in arguments)
    return machine.domain.carryless(a, b)[:64]


class LowProduct(Call):
    """mul_low of the portable back end: half of a product of words, by integer products."""

    def __repr__(self):
        return "portable-mul_low"

    def __call__(self, machine, free):
        operands = {"a": free(64), "b": free(64)}
        return Setting("mul_low.gf2x_words_portable", [*operands.values()], operands, {}, 64)

    def model(self, operands):
        a, b = operands["a"], operands["b"]
        return {"value": product(a, b, 128) & (1 << 64) - 1}


class RingCall(Call):
    """Arranges a call of an operation of a back end; see prove()."""

    def __init__(self, backend, operation, r, times=None, in_place=None):
        self.backend = backend
        self.operation = operation
        self.r = r
        self.times = times
        self.in_place = in_place  # the operand that the result replaces
        if backend == "portable":
            self.contracts = {"mul_low.gf2x_words_portable": low_product}

    def __repr__(self):
        parts = [self.backend, self.operation, self.r]
        parts += [f"k={self.times}"] if self.times else []
        parts += [f"into_{self.in_place}"] if self.in_place else []
        return "-".join(map(str, parts))

    def __call__(self, machine, free):
        ops = machine.address(f"codekem_gf2x_{self.backend}")
        function = ops.memory.pointers[8 * OPERATIONS.index(self.operation)].name
        names = {"mul_add": ["a0", "b0", "a1", "b1"], "square_times": ["a"]}
        operands, pointers = {}, {}
        for name in names.get(self.operation, ["a", "b"]):
            operands[name] = free(self.r)
            pointers[name] = machine.memory(name, 8 * stride(self.r))
            pointers[name].memory.bits[:] = 0
            pointers[name].memory.bits[: self.r] = operands[name]
        out = pointers.get(self.in_place) or machine.memory("out", 8 * stride(self.r))
        arguments = [machine.address(f"codekem_gf2x_ring_{self.r}"), out, *pointers.values()]
        arguments += [self.times] if self.operation == "square_times" else []
        arguments.append(machine.memory("scratch", self.scratch_bytes()))
        results = {"out": (out, 8 * stride(self.r))}
        for name, pointer in pointers.items():
            if name != self.in_place:
                results[name] = (pointer, 8 * stride(self.r))  # not changed
        return Setting(function, arguments, operands, results)

    def scratch_bytes(self):
        """Returns the size of the scratch memory (src/gf2x/gf2x_memory.h)."""
        if self.operation == "mul_lean":
            return 8 * (6272 if 9 * 4096 < self.r <= 12 * 4096 else 4352)
        return 8 * (20 * stride(self.r) + 64)

    def model(self, operands):
        values = operands
        if self.operation == "square_times":
            out = power(values["a"], self.times, self.r)
        elif self.operation == "mul_add":
            out = product(values["a0"], values["b0"], self.r)
            out ^= product(values["a1"], values["b1"], self.r)
        else:
            out = product(values["a"], values["b"], self.r)
        return {**operands, "out": out}
