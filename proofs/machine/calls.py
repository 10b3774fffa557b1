# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is proved of machine code: for each entry of a table of operations the calls of
proofs/kernels, with their models. Here products run whole, with no contract between."""

import dataclasses
import typing

from parameters.table import TABLE
from proofs.kernels.codes import SIZES, Encode
from proofs.kernels.groups import Group
from proofs.kernels.peaks import COPIES, Whole
from proofs.kernels.permutations import OPERATIONS, Absorption, Permutation
from proofs.kernels.picks import Pick, Repeats
from proofs.kernels.positions import SetPositions
from proofs.kernels.rings import PLANS, RINGS
from proofs.kernels.weights import Weight
from proofs.machine.counters import Counted, Ordered, Supports, family
from proofs.machine.decoders import PortableDecode, PortableEncode, WholeDecode
from proofs.machine.doubles import WholeWords
from proofs.machine.marks import WholeSetPositions
from proofs.machine.peaks import PortableWhole
from proofs.machine.products import Product
from proofs.machine.shared import Shared
from proofs.machine.weights import PortableWeight, WholeWeight

BACKENDS = ("portable", "avx2", "vpclmul", "gfni", "avx512")
VECTORS = BACKENDS[1:]
FIRST = RINGS[0]
# Rings that no algorithm has, but whose numbers of vectors take other ways through loops.
SMALL, LARGER, FEW_WORDS, ELEVEN_WORDS = 2523, 5083, 763, 701
# Of positions with AVX2: ten rows, more than CHUNK_ROWS, and how many are placed at a time.
ONE_SQUARE, TWO_CHUNKS, BATCH = 1243, 29501, 40
SEVEN_WORDS = 10007  # are multiplied by portable code, which halves them until there is one
SMALL_PRODUCTS = {
    "avx2": (1243, 1731, 2371, 2499),
    "vpclmul": (3523, 3803),
    "avx512": (3523, 5571, 6595, 7107, 7619, 8131),
}


# Entries that are functions of another back end or member.
SHARED = [
    *[
        Shared(f"gf2x_ops.{n}", "vpclmul", f"gf2x_ops.{n}", "avx2")
        for n in ("square_times", "weight")
    ],
    Shared("sparse_ops.pick_distinct", "gfni", "sparse_ops.pick_distinct", "avx2"),
    Shared("sparse_ops.mark_repeats", "gfni", "sparse_ops.mark_repeats", "avx2"),
    *[
        Shared("hqc_codes.reed_muller_decode", backend, "hqc_codes.reed_muller_decode", "avx2")
        for backend in ("gfni", "avx512")
    ],
]


@dataclasses.dataclass
class Entry:
    """A proof, the entry of a table that it is about, and whether `make test` runs it."""

    entry: str  # struct.member
    backend: str
    call: typing.Any
    quick: bool = False

    def __str__(self):
        return f"{self.entry}-{self.call!r}"


def keccak():
    """Yields the proofs of all permutations."""
    for backend in ("portable", "avx2", "avx512"):
        for name in OPERATIONS:
            quick = name == "permute" and backend != "avx512"
            yield Entry(f"keccak_ops.{name}", backend, Permutation(backend, name), quick)
    for rate, length in ((136, 2 * 136 + 1), (168, 2 * 168 + 1), (136, 135)):
        yield Entry("keccak_ops.absorb", "avx512", Absorption("avx512", rate, length))


def rings():
    """Yields those of all operations of all rings, but of the portable products."""
    for backend in ("avx2", "vpclmul", "avx512"):
        for r in RINGS:
            for name in ("mul", "mul_add"):
                yield Entry(f"gf2x_ops.{name}", backend, Product(backend, name, r))
        for r in SMALL_PRODUCTS.get(backend, ()):
            yield Entry("gf2x_ops.mul", backend, Product(backend, "mul", r))
        for place in "ab":
            call = Product(backend, "mul", FIRST, in_place=place)
            yield Entry("gf2x_ops.mul", backend, call)


def powers():
    """Yields those of all powers that inversion takes."""
    for backend in ("portable", "avx2", "avx512"):
        for r in RINGS:
            for k in (1, *PLANS.get(r, [2])):
                quick = (backend, r, k) == ("avx2", FIRST, 1)
                call = Product(backend, "square_times", r, k)
                yield Entry("gf2x_ops.square_times", backend, call, quick)
    larger = TABLE.rings[1][0]
    for name, r in (("mul", FIRST), ("mul_add", FIRST), ("mul", SEVEN_WORDS), ("mul", larger)):
        yield Entry(f"gf2x_ops.{name}", "portable", WholeWords("portable", name, r))
    for r in (SMALL, *RINGS):
        yield Entry("gf2x_ops.weight", "portable", PortableWeight("portable", r))
    for backend in ("avx2", "avx512"):
        for r in RINGS:
            weight = WholeWeight if backend == "avx2" else Weight
            quick = (backend, r) == ("avx2", FIRST)
            yield Entry("gf2x_ops.weight", backend, weight(backend, r), quick)


def positions():
    """Yields those of lists of positions."""
    for backend in ("portable", "avx2", "avx512"):
        lists = [("chains", (2, 10)), ("neighbours", 13), ("triples", 40), ("random", 71)]
        for kind, size in lists:
            pick = Pick(backend, kind, size)
            yield Entry("sparse_ops.pick_distinct", backend, pick, kind == "chains")
    for backend in ("avx2", "avx512"):
        for begin, end in ((3, 20), (99, 100), (0, 131)):
            yield Entry("sparse_ops.mark_repeats", backend, Repeats(backend, begin, end))
    for backend in ("portable", "gfni", "avx512"):
        short = [(SMALL, count, 0) for count in range(1, 9)]
        for r, count, first in ((FIRST, 3, 0), (FIRST, 9, FIRST), *short):
            some = WholeSetPositions if backend == "gfni" else SetPositions
            call = some(backend, r, count, first)
            yield Entry("sparse_ops.set_positions", backend, call)
    more = [(FEW_WORDS, count, 0) for count in (9, 17, 25, BATCH + 1)]
    more += [(ONE_SQUARE, BATCH + 1, 0), (TWO_CHUNKS, 1, 0)]
    for r, count, first in ((FIRST, 4, 0), (FIRST, 5, FIRST), (LARGER, 13, 0), *more):
        yield Entry("sparse_ops.set_positions", "avx2", Group("avx2", r, count, first))


def counters():
    """Yields those of BIKE's counters: all supports of a family, and shorter ones."""
    entry = "bike_counters.count_unsatisfied"
    smallest, *larger = TABLE.levels["bike"]
    for backend in ("portable", "avx2", "avx512"):
        for weight in (1, 2, 9, smallest.d):
            yield Entry(entry, backend, Counted(backend, smallest.r, weight, 0))
        for results in (1, 2):
            yield Entry(entry, backend, Counted(backend, SMALL, 9, 0, results))
        yield Entry(entry, backend, Supports(backend, smallest.r, 9))
    yield Entry(entry, "portable", Counted("portable", ELEVEN_WORDS, 9, 0))
    for backend in ("avx2", "avx512"):
        for number in range(1, len(list(family(smallest.r, smallest.d)))):
            call = Counted(backend, smallest.r, smallest.d, number)
            yield Entry(entry, backend, call)
        for level in larger:
            yield Entry(entry, backend, Counted(backend, level.r, level.d, 0))
        more = [(smallest.r, larger[-1].d), (larger[-1].r, 9), (SMALL, larger[-1].d)]
        more += [(FEW_WORDS, 14)] if backend == "avx2" else []
        for r, weight in more:
            yield Entry(entry, backend, Counted(backend, r, weight, 0))
        yield Entry(entry, backend, Supports(backend, smallest.r, larger[-1].d))
        quick = Ordered(backend, smallest.r, 3)
        yield Entry("bike_counters.order_support", backend, quick, backend == "avx2")
        for r, weight in (
            (smallest.r, smallest.d),
            (larger[0].r, larger[0].d),
            (larger[0].r, 12),
            (larger[1].r, 15),
            (SMALL, 1),
            (SMALL, larger[-1].d),
        ):
            yield Entry("bike_counters.order_support", backend, Ordered(backend, r, weight))


def codes():
    """Yields those of HQC's codes."""
    for copies in COPIES:
        for whole in (PortableWhole("portable", copies), Whole("avx2", copies)):
            quick = (whole.backend, copies) == ("avx2", COPIES[0])
            yield Entry("hqc_codes.reed_muller_decode", whole.backend, whole, quick)
    for code in SIZES:
        for name, kind in (("encode", PortableEncode), ("decode", PortableDecode)):
            quick, entry = (name, code) == ("encode", "46_16"), f"hqc_codes.reed_solomon_{name}"
            yield Entry(entry, "portable", kind("portable", code), quick)
    for backend in ("avx2", "gfni", "avx512"):
        for code in SIZES:
            quick = (backend, code) == ("gfni", "46_16")
            yield Entry("hqc_codes.reed_solomon_encode", backend, Encode(backend, code), quick)
            call = WholeDecode(backend, code)
            yield Entry("hqc_codes.reed_solomon_decode", backend, call, quick)


def entries():
    """Returns all proofs."""
    shared = [Entry(call.entry, call.backend, call, quick=True) for call in SHARED]
    return [*shared, *keccak(), *rings(), *powers(), *positions(), *counters(), *codes()]
