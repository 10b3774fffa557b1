# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lists of positions in groups (src/kem/sparse with AVX2 and NEON), as circuits.

Four positions are looked up together, by which of them are in a row: the table has the union of
what any of them put there. So what is found is the union of what each of the four puts where it is
(Circuits.look_up), and coefficient j is an `or` of circuits that have one position each. All bits
of a position are free, and its circuits must say whether it is j.
"""

import numpy as np

from proofs.kernels.engine.bits import known, simplified
from proofs.kernels.engine.circuits import AND, FREE, Circuits
from proofs.kernels.engine.integers import chosen, looked_up, table
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import rows
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.products import stride

FILES = {b: [f"kem/sparse/sparse_{b}.c", "kem/gf2x/gf2x_rings.c"] for b in ("avx2", "neon")}
TARGETS = {"avx2": "x86_64-linux-gnu", "neon": "aarch64-linux-gnu"}


@table(r"llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b)")
def shuffle_bytes(machine, type_, types, arguments):
    """PSHUFB: in each block of 16 bytes; an index with its top bit gives zero."""
    domain = machine.domain
    source, indices = (rows(machine, type_, value) for value in arguments)
    result = []
    for at, index in enumerate(indices):
        pool = source[at & ~15 :][:16]
        zero = np.repeat(index[7:], 8)
        found = looked_up(domain, pool, index[:4])
        result.append(chosen(domain, zero, np.zeros(8, dtype=domain.dtype), found))
    del types
    return simplified(np.concatenate(result))


MIXED = -1  # what depends on several positions


class Group:
    """set_positions of a back end for so many positions, counted from `first`."""

    def __init__(self, backend, r, count, first):
        self.backend, self.r, self.count, self.first = backend, r, count, first

    def __repr__(self):
        return f"{self.backend}-group-{self.r}-{self.count}-{self.first}"

    def prove(self, module):
        """Raises NotProved unless coefficient j is 1 exactly if one of the positions is j."""
        domain = Circuits()
        machine = Machine(module, domain)
        positions = domain.free(32 * self.count)
        listed = machine.memory("positions", 4 * self.count)
        listed.memory.bits[:] = positions
        out = machine.memory("out", 8 * stride(self.r))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_sparse_{self.backend}")
        arguments = [ring, out, listed, self.count, self.first]
        machine.call(ops.memory.pointers[16].name, arguments)
        sources = self._sources(domain, positions)
        for j, code in enumerate(out.memory.bits.tolist()):
            parts = [0] * self.count  # of each position
            for source, part in union(domain, sources, code):
                parts[source] = domain.either(np.array([parts[source]]), np.array([part]))[0]
            for source, position in enumerate(positions.reshape(self.count, 32)):
                place = known(j + self.first, 32, domain)
                right = domain.equal(position, place)[0] if j < self.r else 0
                if domain.differ(parts[source], right):
                    raise NotProved(f"{self!r}: coefficient {j} can be wrong")

    def _sources(self, domain, positions):
        """Returns for each gate the number of the position on which it depends, or MIXED."""
        first = int(positions[0]) >> 1
        sources = [MIXED] * len(domain.gates)
        for number, gate in enumerate(domain.gates):
            if gate is not None and gate[0] != FREE:
                both = {sources[code >> 1] for code in gate[1:]}
                sources[number] = both.pop() if len(both) == 1 else MIXED
            elif first <= number < first + positions.size:
                sources[number] = (number - first) // 32
        return sources


def union(domain, sources, code):
    """Yields (position, code) of circuits of one position each whose `or` a code is."""
    stack = [code]
    while stack:
        code = stack.pop()
        kind, a, b = domain.gates[code >> 1] if code > 1 else (FREE, 0, 0)
        if code > 1 and sources[code >> 1] != MIXED:
            yield sources[code >> 1], code
        elif kind == AND and code & 1:
            stack += [a ^ 1, b ^ 1]
        elif code != 0:
            raise NotProved("a coefficient mixes several positions")
