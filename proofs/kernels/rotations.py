# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the decoder's counters move a syndrome (src/kem/bike), for every position and every syndrome.

With one position and the threshold 1, count_unsatisfied returns the syndrome, moved by the
position. Each case of the domain of forms is a position, so what comes out for one of them is
known as a sum of bits of the syndrome: it must be the right one of them.
"""

import dataclasses

import numpy as np

from proofs.kernels.engine.forms import Forms
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.products import stride

WORD = 64  # bits of what moves as a whole
SCRATCH_STRIDES = 22  # of BIKE_COUNT_SCRATCH_WORDS


@dataclasses.dataclass
class Backend:
    """How a back end is compiled, and the bits of a vector."""

    bits: int
    file: str
    options: str
    processor: str = "x86_64-linux-gnu"


BACKENDS = {
    "portable": Backend(64, "kem/bike/counters_portable.c", ""),
    "avx2": Backend(256, "kem/bike/counters_avx2.c", "-DUNIT_QUADS -DUNIT_BEGIN=ISA_BEGIN_AVX2"),
    "avx512": Backend(
        512, "kem/bike/counters_avx512.c", "-DUNIT_FOURS -DUNIT_BEGIN=ISA_BEGIN_AVX512"
    ),
    "neon": Backend(
        128,
        "kem/bike/counters_neon.c",
        "-DUNIT_QUADS -DUNIT_BEGIN=ISA_BEGIN_NEON",
        "aarch64-linux-gnu",
    ),
}


def files(backend):
    """Returns the files of a back end; some leave rings that they do not know to the portable."""
    return [*sorted({BACKENDS[b].file for b in (backend, "portable")}), "kem/gf2x/gf2x_rings.c"]


def representatives(r, word):
    """Returns lists of positions that stand for all of a ring.

    A position enters only as position / word, by which words move, and as position % word, by which
    bits move, in all words alike. So all places of words with one place of bits, and all places of
    bits with two places of words, are enough.
    """
    count = (r + word - 1) // word
    lists = [np.arange(count) * word + 37 % word]
    lists += [place * word + np.arange(word) for place in (count // 3, count - 2)]
    return [positions[positions < r] for positions in lists]


class Rotation:
    """count_unsatisfied of a back end with one position: those that stand for all of the ring, or
    `count` of them from `first` on."""

    def __init__(self, backend, r, first=0, count=None):
        self.backend, self.r, self.first, self.count = backend, r, first, count

    def __repr__(self):
        some = f"-{self.first}-{self.count}" if self.count else ""
        return f"{self.backend}-rotation-{self.r}{some}"

    def prove(self, module):
        """Raises NotProved unless the syndrome moves as it should."""
        some = [np.arange(self.first, self.first + self.count)] if self.count else None
        for positions in some or representatives(self.r, WORD):
            self._prove(module, positions)

    def _prove(self, module, positions):
        domain = Forms(positions.size)
        machine = Machine(module, domain)
        words = stride(self.r)
        memory = {name: machine.memory(name, 8 * words) for name in ("syndrome", "reached")}
        free = domain.free(self.r)
        memory["syndrome"].memory.bits[:] = 0
        memory["syndrome"].memory.bits[: self.r] = free
        support = machine.memory("support", 4)
        support.memory.bits[:] = domain.values(positions, 32)
        scratch = machine.memory("scratch", 8 * (SCRATCH_STRIDES * words + 64))
        ring = machine.address(f"ckem_gf2x_ring_{self.r}")
        ops = machine.address(f"ckem_bike_counters_{self.backend}")
        function = ops.memory.pointers[16].name
        low = memory["low"] = machine.memory("low", 8 * words)
        arguments = [ring, memory["reached"], 1, low, 2, memory["syndrome"], support, 1, scratch]
        machine.call(function, arguments)
        numbers = domain.numbers(free)[:, :, 0]
        for name, moved in (("reached", True), ("low", False)):
            bits = memory[name].memory.bits
            for j in range(64 * words):
                found = domain.numbers(bits[j : j + 1])[0]
                right = numbers[(j + positions) % self.r].T if moved and j < self.r else 0
                if (found != right).any():
                    raise NotProved(f"{self!r}: bit {j} of {name} can be wrong")
