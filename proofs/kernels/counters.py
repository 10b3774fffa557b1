# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder's counters (src/kem/bike): adders and comparisons, as circuits.

A plane is one bit of every counter. What is proved: the number that a counter's planes stand for
grows by the ones that are added, as long as it fits; and the comparison is that of
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
    """A function that adds bits to counters.

    unit_add_bits_N adds four vectors of weight 1, where carries of the weights from 2 to below N
    are waiting: their sum is in the planes or waits as a carry of weight N. unit_add_alone_N adds
    one vector of weight N. unit_add_group, of plain words, adds eight of weight 1.
    """

    def __init__(self, backend, step, planes):
        self.backend, self.step, self.planes = backend, step, planes

    def __repr__(self):
        return f"{self.backend}-{self.step}-{self.planes}"

    @property
    def _weight(self):
        return int(self.step[-1])

    def __call__(self, machine, free):
        bits = BACKENDS[self.backend].bits
        sizes = {"planes": self.planes}
        if "bits" in self.step:
            sizes.update(waiting=2, added=4)
        else:
            sizes["added"] = 8 if self.step == "unit_add_group" else 1
        operands, memory = {}, {}
        for name, vectors in sizes.items():
            operands[name] = free(vectors * bits)
            memory[name] = machine.memory(name, vectors * bits // 8)
            memory[name].memory.bits[:] = operands[name]
        results = {name: (memory[name], sizes[name] * bits // 8) for name in sizes}
        del results["added"]
        return Setting(self.step, list(memory.values()), operands, results)

    def circuit(self, domain, operands):
        bits = BACKENDS[self.backend].bits
        planes = operands["planes"].reshape(-1, bits)
        added = operands["added"].reshape(-1, bits)
        if self.step == "unit_add_group":
            return {"planes": grown(domain, planes, {0: added}, self.planes).ravel()}
        if "alone" in self.step:
            rest = grown(domain, planes[self._weight :], {0: added}, self.planes - self._weight)
            return {"planes": np.concatenate([planes[: self._weight], rest]).ravel()}
        return self._with_waiting(domain, planes, added, operands["waiting"].reshape(-1, bits))

    def _with_waiting(self, domain, planes, added, waiting):
        """Returns planes and what waits: the lowest planes take four bits and all that waits below
        the carry, and where all of it fits, the carry goes on in the planes."""
        end = self._weight
        weights = {0: added, **{w: waiting[w - 2 : w - 1] for w in range(2, end)}}
        if end == 4:
            return {
                "planes": grown(domain, planes, weights, self.planes).ravel(),
                "waiting": waiting.ravel(),
            }
        total = grown(domain, planes[:end], weights, end + 1)
        after = waiting.copy()
        after[end - 2] = total[end]
        return {
            "planes": np.concatenate([total[:end], planes[end:]]).ravel(),
            "waiting": after.ravel(),
        }


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
