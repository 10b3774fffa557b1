# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bilinear kernels of Classic McEliece (rows of the public matrix times an error) and of SOFIA (the
value of a polynomial from the monomials of a place): calls and specification."""

from proofs.kernels.engine.prove import Call, Setting

TARGETS = {"neon": "aarch64-linux-gnu"}
BACKENDS = ["portable", "avx2", "avx512", "neon"]
ROW_FILES = {backend: [f"mceliece/mceliece_ops_{backend}.c"] for backend in BACKENDS}
VALUE_FILES = {
    backend: [f"sofia/mq4/mq4_{backend}.c", "sofia/mq4/mq4_columns.c"] for backend in BACKENDS
}
# The bytes of a row of each parameter set.
ROW_BYTES = [340, 420, 628, 677, 816]
PARTNER_BYTES = 832
POLYNOMIAL_BYTES = 65 * 32 + 16


def place(machine, name, codes, size=None):
    """Returns a pointer to an object with these codes; zeros behind them up to size bytes."""
    pointer = machine.memory(name, size or codes.size // 8)
    pointer.memory.bits[:] = 0
    pointer.memory.bits[: codes.size] = codes
    return pointer


class Rows(Call):
    """`multiply` of struct mceliece_ops for sixteen rows."""

    model_degree = 2  # parities of products of a row's bits and the partner's
    count = 16

    def __init__(self, backend, row_bytes):
        self.backend, self.row_bytes = backend, row_bytes

    def __repr__(self):
        return f"{self.backend}-rows-{self.row_bytes}"

    def __call__(self, machine, free):
        operands = {
            "rows": free(8 * self.row_bytes * self.count),
            "partner": free(8 * self.row_bytes),
        }
        out = machine.memory("parities", self.count // 8)
        arguments = [
            out,
            place(machine, "rows", operands["rows"]),
            self.count,
            self.row_bytes,
            place(machine, "partner", operands["partner"], PARTNER_BYTES),
        ]
        ops = machine.address(f"ckem_mceliece_ops_{self.backend}")
        function = ops.memory.pointers[24].name
        return Setting(function, arguments, operands, {"parities": (out, self.count // 8)})

    def model(self, operands):
        bits = 8 * self.row_bytes
        parities = 0
        for i in range(self.count):
            row = operands["rows"] >> (bits * i) & ((1 << bits) - 1)
            parities |= ((row & operands["partner"]).bit_count() & 1) << i
        return {"parities": parities}


class Value(Call):
    """`value` of struct mq4_ops."""

    model_degree = 2  # parities of products of a monomial and a coefficient

    def __init__(self, backend):
        self.backend = backend

    def __repr__(self):
        return f"{self.backend}-value"

    def __call__(self, machine, free):
        bits = 8 * POLYNOMIAL_BYTES
        operands = {"monomials": free(2 * bits), "polynomial": free(bits)}
        arguments = [place(machine, name, codes) for name, codes in operands.items()]
        ops = machine.address(f"ckem_mq4_{self.backend}")
        return Setting(ops.memory.pointers[8].name, arguments, operands, {}, 32)

    def model(self, operands):
        bits = 8 * POLYNOMIAL_BYTES
        monomials, polynomial = operands["monomials"], operands["polynomial"]
        parts = [monomials & polynomial, monomials >> bits & polynomial]
        return {"value": sum((part.bit_count() & 1) << i for i, part in enumerate(parts))}
