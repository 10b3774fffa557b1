# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the decoder's counters move a syndrome (src/kem/bike), for every position and every syndrome.

In portable code, with one position and the threshold 1, count_unsatisfied returns the syndrome,
moved by the position. Each case of the domain of forms is a position, so what comes out for one of
them is known as a sum of bits of the syndrome: it must be the right one of them.

The template moves a syndrome from entry to entry of a sorted list. Here are four such steps, of
which one may be any step: what is added then, and where the syndrome ends. A moved syndrome is a
syndrome, too, so this holds for all further steps.
"""

import dataclasses

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.forms import Forms
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.products import stride

UNIT = "../proofs/kernels/units/bike_counters.c"
WORD = 64  # bits of what moves as a whole
SCRATCH_STRIDES = 22  # of BIKE_COUNT_SCRATCH_WORDS
ENTRIES = 272  # BIKE_ENTRIES


@dataclasses.dataclass
class Backend:
    """How a back end is compiled, and the bits of a vector."""

    bits: int
    file: str
    options: str
    processor: str = "x86_64-linux-gnu"
    gap: int = 0  # words that every step can move
    ahead: int = 0  # vectors that steps read behind an element
    syndromes: int = 0  # in memory


BACKENDS = {
    "portable": Backend(64, "kem/bike/counters_portable.c", ""),
    "avx2": Backend(
        256,
        "kem/bike/counters_avx2.c",
        "-DUNIT_QUADS -DUNIT_BEGIN=ISA_BEGIN_AVX2",
        gap=12,
        ahead=3,
        syndromes=4,
    ),
    "avx512": Backend(
        512,
        "kem/bike/counters_avx512.c",
        "-DUNIT_QUADS -DUNIT_BEGIN=ISA_BEGIN_AVX512",
        gap=8,
        ahead=5,
        syndromes=1,
    ),
    "neon": Backend(
        128,
        "kem/bike/counters_neon.c",
        "-DUNIT_QUADS -DUNIT_BEGIN=ISA_BEGIN_NEON",
        "aarch64-linux-gnu",
        gap=14,
        ahead=7,
        syndromes=4,
    ),
}
STEPPING = [name for name, backend in BACKENDS.items() if backend.gap]


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


class Steps:
    """Four steps, of which one adds the syndrome, by any number of words and of bits, and the
    others are to marks."""

    def __init__(self, backend, r, adding):
        self.backend, self.r, self.adding = backend, r, adding
        one = BACKENDS[backend]
        self.files = [UNIT, "kem/bike/counters_portable.c", "kem/gf2x/gf2x_rings.c"]
        self.target = f'{one.processor} {one.options} -DUNIT_PLANES=8 -DUNIT="{one.file}"'

    def __repr__(self):
        return f"{self.backend}-steps-{self.r}-{self.adding}"

    def cases(self):
        """Yields arrays: words of the step that adds, and bits."""
        gap = BACKENDS[self.backend].gap
        yield np.arange(gap + 1), np.full(gap + 1, 37)
        for words in (gap // 3, gap):
            yield np.full(WORD, words), np.arange(WORD)

    def prove(self, module):
        """Raises NotProved unless the right syndrome is added, and moves on to the right place."""
        for words, bits in self.cases():
            self._prove(module, words, bits)

    def _prove(self, module, words, bits):
        one, domain = BACKENDS[self.backend], Forms(words.size)
        machine = Machine(module, domain)
        count = -(-self.r // one.bits)  # vectors of an element
        size, window = count * one.bits, (count + one.ahead) * one.bits
        free = domain.free(self.r)
        planes = machine.memory("planes", 3 * size // 8)
        planes.memory.bits[:] = 0
        scratch = machine.memory("scratch", one.syndromes * window // 8)
        at, codes, moved = np.full(words.size, 9), [], None
        for k in range(4):
            adds = k == self.adding
            at = at + (words if adds else (k * 5 + 1) % (one.gap + 1))
            codes.append(domain.values(128 * at + (2 * bits if adds else 1), 32))
            moved = 64 * (at - 9) + bits if adds else moved
        arguments = [
            machine.address(f"ckem_gf2x_ring_{self.r}"),
            planes,
            scratch,
            place(machine, "syndrome", free, 8 * stride(self.r)),
            place(machine, "entries", np.concatenate(codes)),
            9,
        ]
        machine.call("unit_steps", arguments)
        numbers = domain.numbers(free)[:, :, 0]
        added, last = planes.memory.bits, scratch.memory.bits[-window:]
        for what, found, places, length in (
            ("what is added", added, moved, self.r),
            ("the syndrome", last, 64 * (at - 9), window),
        ):
            for j in range(length):
                right = numbers[(j + places) % self.r].T
                if (domain.numbers(found[j : j + 1])[0] != right).any():
                    raise NotProved(f"{self!r}: bit {j} of {what} can be wrong")
        if any(domain.numbers(added[j : j + 1]).any() for j in range(size, 3 * size)):
            raise NotProved(f"{self!r}: one syndrome is counted twice")
