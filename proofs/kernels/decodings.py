# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What Classic McEliece's decoder takes of src/mceliece/goppa/gf2m, as it calls it: power sums of
weights that are in the scratch memory, values that come there, and which of them are zero (as
circuits)."""

import functools

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.circuits import Unit
from proofs.kernels.engine.prove import Setting
from proofs.kernels.fields import BLOCK, FILES, SHARED, FieldCall

TARGETS = {"neon": "aarch64-linux-gnu"}
ZEROS = 72  # offset in struct gf2m_ops
ERRORS = {12: [64], 13: [96, 119, 128]}  # of the parameter sets, by the degree of the field


class Decoding:
    """A function of struct gf2m_ops of a back end."""

    def _built(self, backend):
        self.files = list(dict.fromkeys([*FILES[backend], *SHARED]))
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")


class InScratch(FieldCall, Decoding):
    """`power_sums` or `evaluate`: the vector is at the beginning of the scratch memory."""

    def __init__(self, backend, operation, degree, count):
        super().__init__(backend, operation, degree, count)
        self._built(backend)

    def __repr__(self):
        return f"{self.backend}-{self.operation}-in-scratch-{self.degree}-{self.count}"

    def __call__(self, machine, free):
        setting = super().__call__(machine, free)
        scratch = setting.arguments[4]
        if self.operation == "power_sums":
            weights = setting.operands["weights"]
            scratch.memory.bits[: weights.size] = weights
            setting.arguments[2] = scratch
        else:
            setting.arguments[1] = scratch
            setting.results["out"] = (scratch, setting.results["out"][1])
        return setting


class Zeros(Unit, Decoding):
    """Bits that are 1 where an element is 0, for a vector over the whole field."""

    def __init__(self, backend, degree):
        self.backend, self.degree, self.blocks = backend, degree, (1 << degree) // BLOCK
        self._built(backend)

    def __repr__(self):
        return f"{self.backend}-zeros-{self.degree}"

    def __call__(self, machine, free):
        operands = {"a": free(self.degree * BLOCK * self.blocks)}
        size = BLOCK // 8 * self.blocks
        bits = machine.memory("bits", size)
        field = machine.address(f"ckem_gf2m_{self.degree}")
        function = machine.address(f"ckem_gf2m_{self.backend}").memory.pointers[ZEROS].name
        arguments = [field, bits, place(machine, "a", operands["a"]), self.blocks]
        return Setting(function, arguments, operands, {"bits": (bits, size)})

    def circuit(self, domain, operands):
        planes = operands["a"].reshape(self.blocks, self.degree, BLOCK)
        ones = [functools.reduce(domain.either, block) for block in planes]
        return {"bits": domain.invert(np.concatenate(ones))}
