# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The weight of a ring element in machine code: the sum of all bits, of which clang looks up four
at a time in a table of weights."""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import adding_to, rows
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import Terms
from proofs.kernels.products import stride
from proofs.kernels.rings import OPERATIONS
from proofs.kernels.weights import Sums, Weight
from proofs.machine.pieces import Pieces

INDEX = 4  # bits of an index
TABLE = [entry.bit_count() for entry in range(1 << INDEX)]
LOOKED_UP: list = []
table = adding_to(LOOKED_UP)


@table(r"llvm\.x86\.avx2\.pshuf\.b")
def weights_of_indices(machine, type_, types, arguments):
    """PSHUFB in a table of weights."""
    pool, indices = (rows(machine, type_, value) for value in arguments)
    del types
    for at in range(0, len(pool), len(TABLE)):
        if [simplified(entry) for entry in pool[at : at + len(TABLE)]] != TABLE:
            raise Unsupported("PSHUFB in a table that is not of weights")
    if indices[:, INDEX:].any():
        raise Unsupported("PSHUFB by numbers that may have more than four bits")
    return np.concatenate([machine.domain.weight(index) for index in indices])


class OfBits(Sums):
    """Sums in which the weight of a word is the sum of its bits."""

    meanings = LOOKED_UP + Sums.meanings

    def weight(self, codes):
        total: dict = {}
        for bit in codes:
            for atom, factor in self.sum_of(np.array([bit], dtype=object)).items():
                total[atom] = total.get(atom, 0) + factor
        return self.codes_of(total, codes.size)


class WholeWeight(Weight):
    """weight of a back end in a ring, by its bits."""

    domain: type[Terms] = OfBits

    def prove(self, module):
        """Raises NotProved unless the value is the sum of all bits."""
        domain = self.domain()
        machine = Machine(module, domain)
        element = domain.free(self.r)
        memory = place(machine, "a", element, 8 * stride(self.r))
        ops = machine.address(f"ckem_gf2x_{self.backend}")
        function = ops.memory.pointers[8 * OPERATIONS.index("weight")].name
        value = machine.call(function, [machine.address(f"ckem_gf2x_ring_{self.r}"), memory])
        found = machine.codes(value, 32)
        total = {(bit,): 1 for bit in element}
        # of words, or of 32 bits
        if all((found != domain.codes_of(total, bits)[:32]).any() for bits in (64, 32)):
            raise NotProved(f"{self!r}: not the sum of all bits")


class PortableWeight(WholeWeight):
    """The same of portable code, which adds the bits of a word in pieces of it."""

    domain = Pieces
