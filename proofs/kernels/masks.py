# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masks and choices (src/common/base/ct.h, src/kem/hqc) as circuits: what other proofs take for
granted."""

import numpy as np

from proofs.kernels.codes import VECTOR_BITS, place
from proofs.kernels.engine.circuits import Unit
from proofs.kernels.engine.prove import Setting


class Mask(Unit):
    """A function of common/base/ct.h as one file has it: zero(x), equal(a, b), less(a, b) or
    select(mask, a, b)."""

    def __init__(self, name, bits, unit):
        self.name, self.bits, self.unit = name, bits, unit

    def __repr__(self):
        return f"{self.name}_u{self.bits}-{self.unit}"

    def __call__(self, machine, free):
        count = {"ct_mask_zero": 1, "ct_select": 3}.get(self.name, 2)
        operands = {f"x{i}": free(self.bits) for i in range(count)}
        if count == 3:  # a mask is all ones or all zeros
            operands["x0"] = np.repeat(free(1), self.bits)
        arguments = [codes.copy() for codes in operands.values()]
        name = f"{self.name}_u{self.bits}.{self.unit}"
        return Setting(name, arguments, operands, {}, self.bits)

    def circuit(self, domain, operands):
        x = list(operands.values())
        if self.name == "ct_select":
            return {"value": domain.choose(x[0], x[1], x[2])}
        if self.name == "ct_mask_less":
            bit = domain.less(*x)
        else:
            bit = domain.equal(*x, *([] if len(x) == 2 else [np.zeros_like(x[0])]))
        return {"value": np.repeat(bit, self.bits)}


class KeepIfZero(Unit):
    """gf256_keep_if_zero of a back end: the bytes of a where those of b are zero."""

    def __init__(self, backend):
        self.backend = backend

    def __repr__(self):
        return f"{self.backend}-gf256_keep_if_zero"

    def __call__(self, machine, free):
        bits = VECTOR_BITS[self.backend]
        operands = {"a": free(bits), "b": free(bits)}
        arguments = [codes.copy() for codes in operands.values()]
        if bits == 256:  # passed by address
            arguments = [place(machine, "operand", codes) for codes in arguments]
        return Setting(f"gf256_keep_if_zero.codes_{self.backend}", arguments, operands, {}, bits)

    def circuit(self, domain, operands):
        kept = []
        for a, b in zip(*(operands[name].reshape(-1, 8) for name in "ab"), strict=True):
            zero = np.repeat(domain.equal(b, np.zeros_like(b)), 8)
            kept.append(domain.both(zero, a))
        return {"value": np.concatenate(kept)}
