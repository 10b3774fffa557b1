# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The weight of a ring element (src/kem/gf2x) with AVX2 and AVX-512: the sum of the weights of all
words, in the domain of terms."""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import adding_to, rows
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import MEANINGS, Terms
from proofs.kernels.products import stride
from proofs.kernels.rings import FILES, OPERATIONS, SHARED, TARGETS

WORD = 64
SUMS: list = []
table = adding_to(SUMS)


@table(r"llvm\.vector\.reduce\.add\..*")
def add_across(machine, type_, types, arguments):
    """The sum of a vector."""
    result = np.zeros(type_.bits, dtype=object)
    for row in rows(machine, types[0], arguments[0]):
        result = machine.domain.add(result, row)
    return result


class Sums(Terms):
    """Terms with sums of vectors; words without a bit have no weight."""

    meanings = SUMS + MEANINGS

    def weight(self, codes):
        """See Terms."""
        return super().weight(codes) if codes.any() else np.zeros(codes.size, dtype=object)

    def codes_of(self, sum_, bits):
        """See Terms: the lower half of a number is the sum modulo less."""
        codes = super().codes_of(sum_, bits)
        if bits == WORD:
            self._sums.setdefault(tuple(codes[: WORD // 2]), sum_)
        return codes


class Weight:
    """weight of a back end in a ring."""

    def __init__(self, backend, r):
        self.backend, self.r = backend, r
        self.files = [*FILES[backend], *SHARED, "kem/gf2x/gf2x.c"]
        self.target = TARGETS[backend]

    def __repr__(self):
        return f"{self.backend}-weight-{self.r}"

    def prove(self, module):
        """Raises NotProved unless the value is the sum of all bits."""
        domain = Sums()
        machine = Machine(module, domain)
        element = domain.free(self.r)
        memory = place(machine, "a", element, 8 * stride(self.r))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_gf2x_{self.backend}")
        function = ops.memory.pointers[8 * OPERATIONS.index("weight")].name
        found = machine.codes(machine.call(function, [ring, memory]), 32)
        total: dict = {}
        for part in memory.memory.bits.reshape(-1, WORD):
            for atom, factor in domain.sum_of(domain.weight(part)).items():
                total[atom] = total.get(atom, 0) + factor
        # the low bits of a sum of words, or a sum of 32 bits
        sums = [domain.codes_of(dict(total), bits)[:32] for bits in (64, 32)]
        if not any((found == right).all() for right in sums):
            raise NotProved(f"{self!r}: not the sum of all bits")
