# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder's counters (src/kem/bike): adders and comparisons, as circuits.

A plane is one bit of every counter. What is proved: the number that a counter's planes stand for
grows by the number of ones that are added, as long as it fits; and the comparison is that of
numbers. units/bike_counters.c has the functions.
"""

import numpy as np

from proofs.kernels.engine.circuits import Unit
from proofs.kernels.engine.prove import Setting
from proofs.kernels.rotations import BACKENDS

UNITS = "../proofs/kernels/units/bike_counters.c"
FILES = [UNITS, "kem/gf2x/gf2x_rings.c"]


def target(backend, planes):
    """Returns processor and options for the unit of a back end."""
    found = BACKENDS[backend]
    return f'{found.processor} {found.options} -DUNIT_PLANES={planes} -DUNIT="{found.file}"'


def grown(domain, planes, added, count):
    """Codes of planes as columns: counters plus the ones in `added`, in so many planes."""
    total = np.zeros((count, planes.shape[1]), dtype=planes.dtype)
    for at in range(planes.shape[1]):
        number = np.zeros(count, dtype=planes.dtype)
        number[: planes.shape[0]] = planes[:, at]
        for weight, rows in added.items():
            for bit in rows[:, at]:
                one = np.zeros(count, dtype=planes.dtype)
                one[weight] = bit
                number = domain.add(number, one)
        total[:, at] = number
    return total


class Adder(Unit):
    """A function that adds vectors of weight 2^`weight` to planes from there on.

    Into carries of QUAD vectors: planes 0 and 1, and what counts four. Into the rest: all planes.
    """

    def __init__(self, backend, step, planes):
        self.backend, self.step, self.planes = backend, step, planes

    def __repr__(self):
        return f"{self.backend}-{self.step}-{self.planes}"

    def __call__(self, machine, free):
        bits = BACKENDS[self.backend].bits
        size = bits // 8
        operands = {}
        planes = machine.memory("planes", self.planes * size)
        if self.step == "unit_add_ones":
            planes = machine.memory("planes", 2 * size)
            # of each of four vectors, the first; what follows is for shifts, and none are there
            slot = 2 if self.backend != "avx512" else 4
            added = machine.memory("moved", (4 * slot + 1) * size)
            added.memory.bits[:] = 0
            operands["added"] = free(4 * bits)
            for at in range(4):
                start = at * slot * bits
                added.memory.bits[start : start + bits] = operands["added"][at * bits :][:bits]
            carry = machine.memory("carry", size)
            arguments = [planes, carry, added]
            results = {"planes": (planes, 2 * size), "carry": (carry, size)}
        else:
            count = 4 if self.step == "unit_add_fours" else 8
            added = machine.memory("added", count * size)
            operands["added"] = free(count * bits)
            added.memory.bits[:] = operands["added"]
            arguments = [planes, added]
            results = {"planes": (planes, self.planes * size)}
        operands["planes"] = free(planes.memory.bits.size)
        planes.memory.bits[:] = operands["planes"]
        return Setting(self.step, arguments, operands, results)

    def circuit(self, domain, operands):
        bits = BACKENDS[self.backend].bits
        planes = operands["planes"].reshape(-1, bits)
        added = operands["added"].reshape(-1, bits)
        if self.step == "unit_add_ones":
            total = grown(domain, planes, {0: added}, 3)
            return {"planes": total[:2].ravel(), "carry": total[2]}
        if self.step == "unit_add_fours":
            rest = grown(domain, planes[2:], {0: added}, self.planes - 2)
            return {"planes": np.concatenate([planes[:2], rest]).ravel()}
        return {"planes": grown(domain, planes, {0: added}, self.planes).ravel()}


class Compare(Unit):
    """Whether each counter is at least the threshold; the highest bit is outside of the ring."""

    def __init__(self, backend, planes):
        self.backend, self.planes = backend, planes

    def __repr__(self):
        return f"{self.backend}-compare-{self.planes}"

    def __call__(self, machine, free):
        bits = BACKENDS[self.backend].bits
        stride = max(512, bits) if self.backend == "portable" else bits
        operands = {"planes": free(self.planes * bits), "threshold": free(32)}
        operands["threshold"][self.planes :] = 0
        planes = machine.memory("planes", self.planes * stride // 8)
        for at in range(self.planes):
            row = operands["planes"][at * bits :][:bits]
            planes.memory.bits[at * stride : at * stride + bits] = row
        out = machine.memory("out", 64)
        arguments = [out, planes, operands["threshold"].copy()]
        return Setting("unit_compare", arguments, operands, {"out": (out, 64)})

    def circuit(self, domain, operands):
        bits = BACKENDS[self.backend].bits
        planes = operands["planes"].reshape(-1, bits)
        limit = operands["threshold"][: self.planes]
        out = np.zeros(512, dtype=planes.dtype)
        for at in range(bits - 1):
            out[at : at + 1] = domain.invert(domain.less(planes[:, at], limit))
        return {"out": out}
