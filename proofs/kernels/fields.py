# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Vectors over GF(2^12) and GF(2^13) (src/mceliece/goppa/gf2m): their calls, and the specification
on arrays of numbers. A vector of blocks is a string of bits as in gf2m.h:
[block][plane][element]."""

import functools

import numpy as np

from proofs.kernels.engine.prove import Call, Setting
from proofs.kernels.products import bits_of, number

OPERATIONS = {
    "pack": 8,
    "unpack": 16,
    "multiply": 24,
    "square": 32,
    "invert": 40,
    "evaluate": 48,
    "power_sums": 56,
    "select": 64,
    "zeros": 72,
    "power_rows": 80,
}  # offsets in struct gf2m_ops
MODULI = {12: 0x1009, 13: 0x201B}
BLOCK = 512
STRIDE = 9  # words from a row of power_rows to the next one
SHARED = [f"mceliece/goppa/gf2m/gf2m{part}.c" for part in ("", "_12", "_13", "_pack")]
FILES = {b: [f"mceliece/goppa/gf2m/gf2m_{b}.c", *SHARED] for b in ("portable", "avx2", "avx512")}
FILES["neon"] = ["mceliece/goppa/gf2m/gf2m_neon64.c", *SHARED]
TARGETS = {"neon": "aarch64-linux-gnu"}


# --- Specification --------------------------------------------------------------------------------


def one_product(a, b, degree):
    """Returns a b for two elements."""
    result = 0
    for i in range(degree):
        if b >> i & 1:
            result ^= a << i
    for i in range(2 * degree - 2, degree - 1, -1):
        if result >> i & 1:
            result ^= MODULI[degree] << (i - degree)
    return result


@functools.cache
def tables(degree):
    """Returns the powers of a generator, twice, and logarithms."""
    size = (1 << degree) - 1
    for base in range(2, size):
        powers, value = [], 1
        for _ in range(size):
            powers.append(value)
            value = one_product(value, base, degree)
            if value == 1:
                break
        if len(powers) == size:
            break
    logarithms = np.zeros(size + 1, dtype=np.int64)
    logarithms[powers] = np.arange(size)
    return np.array(powers * 2), logarithms


def products(a, b, degree):
    """Returns the products of two arrays."""
    powers, logarithms = tables(degree)
    return np.where((a == 0) | (b == 0), 0, powers[logarithms[a] + logarithms[b]])


@functools.cache
def points(degree):
    """Returns the points in natural order: point i has the bits of i in reverse."""
    return np.array([int(f"{i:0{degree}b}"[::-1], 2) for i in range(1 << degree)])


def numbers(value, count, bits, degree):
    """Returns an array of `count` numbers of so many bits, of which the lowest `degree` count."""
    table = bits_of(value, count * bits).reshape(count, bits)[:, :degree].astype(np.int64)
    return table @ (1 << np.arange(degree))


def elements(value, blocks, degree):
    """Returns the elements of a vector of blocks."""
    planes = bits_of(value, blocks * degree * BLOCK).reshape(blocks, degree, BLOCK)
    return np.einsum("bde,d->be", planes.astype(np.int64), 1 << np.arange(degree)).ravel()


def vector(values, degree):
    """Returns the vector of blocks with these elements."""
    blocks = np.asarray(values).reshape(-1, 1, BLOCK)
    return number((blocks >> np.arange(degree)[None, :, None] & 1).astype(np.uint8).ravel())


def words16(values):
    """Returns numbers of 16 bits one behind the other."""
    return int.from_bytes(np.asarray(values).astype("<u2").tobytes(), "little")


# --- Calls ----------------------------------------------------------------------------------------


class FieldCall(Call):
    """An operation of a back end. count: blocks, coefficients, numbers or powers, as it takes;
    same: names of two vectors that are in the same memory."""

    def __init__(self, backend, operation, degree, count, same=()):
        self.backend, self.operation, self.degree, self.count = backend, operation, degree, count
        # an operand's bits choose multiples of another's; all else is known factors and squares
        self.model_degree = 2 if operation in ("multiply", "select") else 1
        self.same = same
        self.files = FILES[backend]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        parts = [self.backend, self.operation, self.degree, self.count, *self.same]
        return "-".join(map(str, parts))

    def sizes(self):
        """Returns the bits of each operand and the bytes of the result."""
        n, block = self.count, self.degree * BLOCK
        padded = -(-n // BLOCK)
        field = self.degree << self.degree
        return {
            "pack": ({"in": 16 * n}, padded * block // 8),
            "unpack": ({"in": padded * block}, 2 * n),
            "multiply": ({"a": n * block, "b": n * block}, n * block // 8),
            "square": ({"a": n * block}, n * block // 8),
            "invert": ({"a": n * block}, n * block // 8),
            "evaluate": ({"f": 16 * n}, field // 8),
            "power_sums": ({"weights": field}, 2 * n),
            "select": ({"a": n * block, "bits": n * BLOCK}, n * block // 8),
            "power_rows": ({"first": block}, n * self.degree * STRIDE * 8),
        }[self.operation]

    def __call__(self, machine, free):
        sizes, size = self.sizes()
        operands = {name: free(bits) for name, bits in sizes.items()}
        if self.operation == "evaluate":  # coefficients are elements
            for at in range(16 * self.count):
                if at % 16 >= self.degree:
                    operands["f"][at] = 0
        room = {name: codes.size // 8 for name, codes in operands.items()} | {"out": size}
        if self.operation in ("invert", "evaluate", "power_sums"):
            room["scratch"] = 8 * ((self.degree << (self.degree - 6)) + 512)
        if self.operation == "power_rows":
            room["ratio"] = self.degree * BLOCK // 8
        memory = {name: machine.memory(name, size) for name, size in room.items()}
        if self.same:
            larger = max(self.same, key=room.get)
            memory.update(dict.fromkeys(self.same, memory[larger]))
        for name, codes in operands.items():
            memory[name].memory.bits[: codes.size] = codes
        arguments = [machine.address(f"ckem_gf2m_{self.degree}"), memory["out"]]
        if self.operation == "power_rows":
            content = vector(self.ratio(), self.degree)
            memory["ratio"].memory.bits[:] = machine.codes(content, self.degree * BLOCK)
            memory["out"].memory.bits[:] = 0  # what is between the rows stays
            arguments += [STRIDE, memory["first"], memory["ratio"], self.count]
        else:
            arguments += [*[memory[name] for name in operands], self.count]
        if "scratch" in memory:
            arguments.append(memory["scratch"])
        ops = machine.address(f"ckem_gf2m_{self.backend}")
        function = ops.memory.pointers[OPERATIONS[self.operation]].name
        return Setting(function, arguments, operands, {"out": (memory["out"], size)})

    @staticmethod
    def ratio():
        """Returns the fixed factors of power_rows."""
        return np.arange(BLOCK) * 7 + 1

    def model(self, operands):
        return {"out": getattr(self, f"_{self.operation}")(operands)}

    def _pack(self, operands):
        values = numbers(operands["in"], self.count, 16, self.degree)
        return vector(np.pad(values, (0, -self.count % BLOCK)), self.degree)

    def _unpack(self, operands):
        values = elements(operands["in"], -(-self.count // BLOCK), self.degree)
        return words16(values[: self.count])

    def _multiply(self, operands):
        a, b = (elements(operands[name], self.count, self.degree) for name in "ab")
        return vector(products(a, b, self.degree), self.degree)

    def _square(self, operands):
        a = elements(operands["a"], self.count, self.degree)
        return vector(products(a, a, self.degree), self.degree)

    def _select(self, operands):
        a = elements(operands["a"], self.count, self.degree)
        return vector(a * bits_of(operands["bits"], self.count * BLOCK), self.degree)

    def _evaluate(self, operands):
        places = points(self.degree)
        values = np.zeros_like(places)
        for coefficient in numbers(operands["f"], self.count, 16, self.degree)[::-1]:
            values = products(values, places, self.degree) ^ coefficient
        return vector(values, self.degree)

    def _power_sums(self, operands):
        places = points(self.degree)
        terms = elements(operands["weights"], len(places) // BLOCK, self.degree)
        sums = []
        for _ in range(self.count):
            sums.append(np.bitwise_xor.reduce(terms))
            terms = products(terms, places, self.degree)
        return words16(sums)

    def _power_rows(self, operands):
        terms = elements(operands["first"], 1, self.degree)
        rows = []
        for _ in range(self.count):
            rows.append(terms)
            terms = products(terms, self.ratio(), self.degree)
        planes = np.array(rows)[:, None] >> np.arange(self.degree)[:, None] & 1
        planes = np.pad(planes, ((0, 0), (0, 0), (0, 64 * STRIDE - BLOCK)))
        return number(planes.astype(np.uint8).ravel())


class Element(Call):
    """multiply or point of gf2m.c, for any element or place."""

    def __init__(self, backend, operation, degree):
        self.operation, self.degree = operation, degree
        self.model_degree = 2 if operation == "multiply" else 1  # points are in order of their bits
        self.files = FILES[backend]
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        return f"{self.target.split('-')[0]}-element-{self.operation}-{self.degree}"

    def __call__(self, machine, free):
        bits = 32 if self.operation == "point" else 16
        operands = {}
        for name in "ab" if self.operation == "multiply" else "a":
            operands[name] = np.zeros(bits, dtype=machine.domain.dtype)
            operands[name][: self.degree] = free(self.degree)
        arguments = [machine.address(f"ckem_gf2m_{self.degree}"), *operands.values()]
        function = f"ckem_gf2m_{self.operation}"
        return Setting(function, arguments, operands, {}, value_bits=16)

    def model(self, operands):
        if self.operation == "point":
            return {"value": int(points(self.degree)[operands["a"]])}
        return {"value": one_product(operands["a"], operands["b"], self.degree)}
