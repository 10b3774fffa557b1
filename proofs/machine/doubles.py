# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Portable products of ring elements in machine code: the domain of degrees, where bits have
names.

clang moves words by one place with an addition of a register and its copy. That no carry disturbs
it is known only if both are known to be the same number.
"""

import typing

import numpy as np

from proofs.kernels.engine.degrees import UNKNOWN, Degrees
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import compare, degree_of_difference, results, run
from proofs.kernels.engine.samples import samples_for
from proofs.machine.many import Many
from proofs.machine.products import Product

NAME = 256  # times the number of a bit, above its degree


def plain(codes):
    """Returns codes of the domain of degrees."""
    return (codes & (NAME - 1)).astype(np.uint8)


class Doubles(Degrees):
    """See the head of this file."""

    dtype: typing.Any = np.int64

    def __init__(self):
        super().__init__()
        self._count = 0

    def free(self, bits):
        """Codes of bits that may be anything."""
        return self._named(np.full(bits, 2))

    def _named(self, codes):
        """Returns codes in which each bit has a name; constants have none."""
        first, self._count = self._count + 1, self._count + codes.size
        numbers = np.arange(first, first + codes.size, dtype=np.int64).reshape(codes.shape)
        return np.where((codes > 1) & (codes < NAME), codes + NAME * numbers, codes)

    def add(self, a, b):
        """Codes of the sum of integers: of a number and itself they are its bits, moved."""
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        if both and np.array_equal(a, b) and ((a >= NAME) | (a <= 1)).all():
            return np.concatenate([np.zeros(1, dtype=np.int64), a[:-1]])
        return super().add(*self._plain(a, b))

    @staticmethod
    def _plain(*operands):
        return [plain(x) if isinstance(x, np.ndarray) else x for x in operands]

    def _new(self, a, b, constant, codes):
        """Returns codes of new bits, but those of one operand where the other is a constant."""
        a, b = np.broadcast_arrays(a, b)
        codes = np.where(a == constant, b, codes.astype(np.int64))
        return self._named(np.where(b == constant, a, codes))

    def xor(self, a, b):
        return self._new(a, b, 0, super().xor(plain(a), plain(b)))

    def both(self, a, b):
        return self._new(a, b, 1, super().both(plain(a), plain(b)))

    def either(self, a, b):
        return self._new(a, b, 0, plain(super().either(a, b)))

    def invert(self, a):
        return self._named(super().invert(plain(a)).astype(np.int64))

    def total(self, codes):
        return super().total(plain(codes))

    def carryless(self, a, b):
        return super().carryless(plain(a), plain(b))

    def multiply(self, a, b):
        return super().multiply(*self._plain(a, b))

    def subtract(self, a, b):
        return super().subtract(plain(a), plain(b))

    def weight(self, codes):
        return super().weight(plain(codes))

    def less(self, a, b):
        del a, b
        return np.full(1, UNKNOWN, dtype=np.int64)


class WholeWords(Product):
    """A product of the portable back end."""

    def prove(self, module):
        """Raises NotProved unless the result is the product."""
        domain = Doubles()
        machine = Machine(module, domain, self.contracts)
        setting = self(machine, domain.free)
        operands = {name: plain(codes) for name, codes in setting.operands.items()}
        run(machine, setting)
        found = {name: plain(codes) for name, codes in results(setting).items()}
        count = samples_for(degree_of_difference(self, operands, found))
        compare(module, self, count, samples=Many)
