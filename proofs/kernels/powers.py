# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Powers of an element in a ring (src/mceliece/goppa/recurrence): the sequence of their first
coefficients.

The first numbers of the sequence are compared as sums of products, as in recurrences.py. The second
product is of two elements that may be anything, the third of one that all coefficients of the
second went into, and number 3 of the sequence is a coefficient of it. Then the same goes on.
"""

import contextlib

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.bits import Memory, Pointer
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.recurrences import FILES, SHARED, Choices, Elements, Enough

NUMBERS = 4  # of the sequence
SCRATCH_WORDS = 2304  # RECURRENCE_POWERS_WORDS
# y^length + the sum of z^e y^low: (low, e) as in the specification of Classic McEliece.
RINGS = {
    64: [(3, 0), (1, 0), (0, 1)],
    96: [(10, 0), (9, 0), (6, 0), (0, 0)],
    119: [(8, 0), (0, 0)],
    128: [(7, 0), (2, 0), (1, 0), (0, 0)],
}


class Sequence(Memory):
    """The memory of the result; ends the run when there are enough numbers."""

    def store(self, offset, type_, value, domain):
        super().store(offset, type_, value, domain)
        if offset == 2 * (NUMBERS - 1):
            raise Enough


class Powers:
    """power_sequence of a back end."""

    def __init__(self, backend, degree, length):
        self.backend, self.degree, self.length = backend, degree, length
        self.files = [*FILES[backend], *SHARED]
        self.target = "aarch64-linux-gnu" if backend == "neon" else "x86_64-linux-gnu"

    def __repr__(self):
        return f"{self.backend}-power_sequence-{self.degree}-{self.length}"

    def prove(self, module):
        """Raises NotProved unless the first numbers are those of the powers."""
        domain = Choices()
        machine = Machine(module, domain)
        numbers = np.zeros((self.length, 16), dtype=object)
        numbers[:, : self.degree] = domain.free(self.length * self.degree).reshape(
            self.length, self.degree
        )
        beta = place(machine, "beta", numbers.ravel())
        sequence = Pointer(Sequence("sequence", 4 * self.length, domain))
        ops = machine.address(f"ckem_recurrence_{self.backend}")
        field = machine.address(f"ckem_gf2m_{self.degree}")
        arguments = [field, place(machine, "ring", self._ring(machine)), sequence, beta]
        arguments.append(machine.memory("scratch", 8 * SCRATCH_WORDS))
        with contextlib.suppress(Enough):
            machine.call(ops.memory.pointers[16].name, arguments)
        found = sequence.memory.bits[: 16 * NUMBERS].reshape(NUMBERS, 16)
        elements = Elements(domain, self.degree)
        power = [elements.one] + [elements.zero] * (self.length - 1)
        for n in range(NUMBERS):
            right = np.zeros(16, dtype=object)
            right[: self.degree] = power[0]
            if (found[n] != right).any():
                raise NotProved(f"{self!r}: number {n} can be wrong")
            if n < NUMBERS - 1:
                power = self._product(elements, power, list(numbers[:, : self.degree]))

    def _ring(self, machine):
        """Returns the codes of struct recurrence_ring."""
        terms = RINGS[self.length]
        raw = self.length.to_bytes(4, "little") + bytes([len(terms)])
        raw += bytes([low for low, _ in terms]).ljust(4, b"\0")
        raw += bytes([1 << e for _, e in terms]).ljust(4, b"\0")
        return machine.codes(int.from_bytes(raw, "little"), 8 * 16)

    def _product(self, elements, x, y):
        """Returns the product of two elements of the ring."""
        product = [elements.zero] * (2 * self.length - 1)
        images = [elements.images(b) for b in y]
        for i, a in enumerate(x):
            for j, b in enumerate(y if a.any() else []):
                if self.backend in ("avx2", "avx512"):  # bits of one, multiples of the other
                    product[i + j] = product[i + j] ^ elements.by_images(a, images[j])
                else:
                    product[i + j] = product[i + j] ^ elements.product(a, b)
        for i in range(2 * self.length - 2, self.length - 1, -1):
            for low, e in RINGS[self.length]:
                shifted = np.concatenate([np.zeros(e, dtype=object), product[i]])
                at = i - self.length + low
                product[at] = product[at] ^ elements.reduced(shifted)
        return product[: self.length]
