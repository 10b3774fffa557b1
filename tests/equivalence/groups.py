# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients with AVX2 and NEON (set_positions of src/sparse), as circuits.

These place four positions at a time, by tables of what their subsets put into a byte; so a bit of
the result mixes positions, and the method of positions.py does not apply. All bits of all positions
are free here: coefficient j must be 1 if one of them is j, whatever they are.
"""

import numpy as np

from equivalence.bits import known, simplified
from equivalence.circuits import Unit
from equivalence.integers import chosen, looked_up, table
from equivalence.intrinsics import rows
from equivalence.prove import Setting
from equivalence.rings import stride

FILES = {b: [f"sparse/sparse_{b}.c", "gf2x/gf2x_rings.c"] for b in ("avx2", "neon")}
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


class Group(Unit):
    """set_positions of a back end for so many positions, counted from `first`."""

    def __init__(self, backend, r, count, first):
        self.backend, self.r, self.count, self.first = backend, r, count, first

    def __repr__(self):
        return f"{self.backend}-group-{self.r}-{self.count}-{self.first}"

    def __call__(self, machine, free):
        positions = free(32 * self.count)
        listed = machine.memory("positions", 4 * self.count)
        listed.memory.bits[:] = positions
        size = 8 * stride(self.r)
        out = machine.memory("out", size)
        ring = machine.address(f"codekem_gf2x_ring_{self.r}")
        ops = machine.address(f"codekem_sparse_{self.backend}")
        arguments = [ring, out, listed, self.count, self.first]
        operands = {"positions": positions}
        return Setting(ops.memory.pointers[16].name, arguments, operands, {"out": (out, size)})

    def circuit(self, domain, operands):
        positions = operands["positions"].reshape(self.count, 32)
        out = np.zeros(64 * stride(self.r), dtype=np.int64)
        for j in range(self.r):
            place = known(j + self.first, 32, domain)
            for position in positions:
                out[j : j + 1] = domain.either(out[j : j + 1], domain.equal(position, place))
        return {"out": out}
