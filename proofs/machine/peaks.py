# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Muller decoding of HQC in machine code, whole, where it is not done as LLVM's is proved."""

import itertools

import numpy as np

from proofs.kernels.peaks import ENTRIES, Whole, known
from proofs.machine.pieces import Pieces


class WholeInPieces(Whole):
    """reed_muller_decode of a back end whose numbers lie beside each other in words."""

    domain = Pieces


class PortableWhole(WholeInPieces):
    """The same of portable code. A key has the absolute value of an entry at t, then 127 - t, then
    whether it is positive."""

    NUMBER, KEY = 32, 8  # bits of an entry, and below its absolute value in a key

    def largest(self, domain, entries):
        """See Whole; the comparisons are those of the code, in its order."""
        keys = [self.key(domain, entry, t) for t, entry in enumerate(entries)]
        half = ENTRIES // 2
        pairs = zip(keys[:half], keys[half:], strict=True)
        best, *others = itertools.chain.from_iterable(pairs)
        for key in others:
            best = domain.choose(np.repeat(domain.less(best, key), self.NUMBER), key, best)
        return best

    @classmethod
    def key(cls, domain, sum_, t):
        """See Whole."""
        value = domain.codes_of(sum_, cls.NUMBER)
        opposite = domain.codes_of({atom: -f for atom, f in sum_.items()}, cls.NUMBER)
        negative, positive = value[-1:], opposite[-1:]
        turned = domain.xor(value, np.repeat(negative, cls.NUMBER))
        one = np.concatenate([negative, known(0, cls.NUMBER - 1, domain)])
        absolute = domain.add(turned, one)
        below = known(ENTRIES - 1 - t, cls.KEY - 1, domain)
        return np.concatenate([positive, below, absolute[: -cls.KEY]])
