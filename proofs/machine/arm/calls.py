# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is proved of machine code of AArch64: for each entry of a table of operations of NEON the
calls for x86-64, with their models."""

from parameters.table import TABLE
from proofs.kernels.codes import SIZES, Encode
from proofs.kernels.groups import Group
from proofs.kernels.peaks import COPIES
from proofs.kernels.permutations import OPERATIONS, Permutation
from proofs.kernels.picks import Pick
from proofs.kernels.rings import PLANS
from proofs.machine.calls import BATCH, FEW_WORDS, FIRST, LARGER, SMALL, Entry
from proofs.machine.counters import Counted, Ordered, Supports
from proofs.machine.decoders import OfBits, WholeDecode
from proofs.machine.peaks import WholeInPieces
from proofs.machine.products import Product
from proofs.machine.weights import WholeWeight

BACKENDS = ("neon", "neon_sha3")
# Of 128 bits: so many have a product of their own.
BLOCKS = (*range(4, 21), 24)


class OfProducts(OfBits):
    """A field in which an element is a scalar like any other."""

    def scale(self, scalar, x):
        """The product."""
        return self.times(scalar, x)


class Decode(WholeDecode):
    """reed_solomon_decode of NEON, which multiplies bytes as polynomials."""

    def field_in(self, domain):
        """See WholeDecode."""
        return OfProducts(domain)


def rings():
    """Yields the proofs of all operations of rings."""
    for blocks in BLOCKS:
        yield Entry("gf2x_ops.mul", "neon", Product("neon", "mul", 128 * blocks - 61))
    for r in (SMALL, FIRST, *TABLE.rings[1][:1]):
        for name in ("mul", "mul_add"):
            yield Entry(f"gf2x_ops.{name}", "neon", Product("neon", name, r))
        yield Entry("gf2x_ops.weight", "neon", WholeWeight("neon", r))
        for k in (1, *PLANS.get(r, [2])):
            call = Product("neon", "square_times", r, k)
            yield Entry("gf2x_ops.square_times", "neon", call)


def counters():
    """Yields those of BIKE's counters."""
    level, *_, largest = TABLE.levels["bike"]
    for r, weight in (
        (SMALL, 9),
        (level.r, 1),
        (level.r, level.d),
        (level.r, largest.d),
        (SMALL, largest.d),
        (largest.r, 9),
    ):
        call = Counted("neon", r, weight, 0)
        yield Entry("bike_counters.count_unsatisfied", "neon", call)
    some = (Counted("neon", SMALL, 9, 0, results=1), Supports("neon", level.r, 9))
    for more in some:
        yield Entry("bike_counters.count_unsatisfied", "neon", more)
    for r, weight in ((level.r, 3), (SMALL, 1), (level.r, level.d), (SMALL, largest.d)):
        order = Ordered("neon", r, weight)
        yield Entry("bike_counters.order_support", "neon", order, weight == 1)


def codes():
    """Yields those of HQC's codes."""
    for copies in COPIES:
        yield Entry("hqc_codes.reed_muller_decode", "neon", WholeInPieces("neon", copies))
    for code in SIZES:
        yield Entry("hqc_codes.reed_solomon_encode", "neon", Encode("neon", code))
        yield Entry("hqc_codes.reed_solomon_decode", "neon", Decode("neon", code))


def positions():
    """Yields those of lists of positions."""
    for kind, size in (("chains", (2, 10)), ("neighbours", 13), ("random", 71)):
        call = Pick("neon", kind, size)
        yield Entry("sparse_ops.pick_distinct", "neon", call, kind == "chains")
    batches = (FEW_WORDS, BATCH + 1, 0)
    for r, count, first in ((FIRST, 4, 0), (FIRST, 5, FIRST), (LARGER, 13, 0), batches):
        yield Entry("sparse_ops.set_positions", "neon", Group("neon", r, count, first))


def entries():
    """Returns all proofs."""
    found = [
        Entry(f"keccak_ops.{name}", backend, Permutation(backend, name), quick=name == "permute")
        for backend in BACKENDS
        for name in OPERATIONS
    ]
    return [
        *found,
        *rings(),
        *counters(),
        *codes(),
        *positions(),
    ]
