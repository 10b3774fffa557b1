# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels of the factorisation of bit matrices, for all operands."""

import numpy as np
import pytest

from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.matrices import (
    BACKENDS,
    AddProducts,
    MakeSelection,
    MoveBytes,
    PivotRow,
    Rows,
    Strips,
    Words,
)
from proofs.kernels.pivots import Eliminate, FindInReach, TakePivot
from tools import mistakes

MOVES = ["words_to_strips", "strips_to_words", "rows_to_strip", "strip_to_rows"]
QUICK = [
    *[AddProducts(backend, 4, 2, 64) for backend in BACKENDS],
    *[Strips(backend, function) for backend in BACKENDS for function in MOVES],
    *[MoveBytes(backend) for backend in BACKENDS if backend != "avx2"],
    *[Words("portable", function) for function in ("transpose_block", "parities_of")],
    Rows("portable", "add_rows", 8),
    Rows("portable", "add_rows_to_two", 8),
    PivotRow("portable", 8),
    TakePivot(128, 0),
]
SLOWER = [MoveBytes("avx2")]
# More products than tables are made at a time; strips as wide as a panel; all columns of a block.
LONG = [
    *[AddProducts(backend, 4, 18, 64) for backend in BACKENDS],
    *[AddProducts(backend, 8, 2, 576) for backend in BACKENDS],
    *[MakeSelection(backend) for backend in BACKENDS],
    *[Rows("portable", function, 3) for function in ("add_rows", "add_blocks_to_block")],
    *[
        Rows("portable", function, 8)
        for function in ("add_blocks_to_block", "multiply_words_block")
    ],
    PivotRow("portable", 3),
    *[TakePivot(128, c) for c in range(1, 64)],
    Eliminate(128, 64, False),
    Eliminate(64, 32, True),
    FindInReach(),
]


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
def test_a_kernel_is_that_of_the_specification(holds, call):
    """Products, moves between rows and strips, choices by numbers."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_a_longer_kernel_is_that_of_the_specification(holds, call):
    """Other sizes, and whole blocks."""
    holds(call.files, call, target=call.target)


def test_the_lowest_bit():
    """x & -x is the lowest bit of x."""
    domain = Circuits()
    x = domain.free(64)
    lowest = domain.both(x, domain.subtract(np.zeros(64, dtype=np.int64), x))
    none = np.ones(1, dtype=np.int64)
    for at in range(64):
        first = domain.both(none, x[at : at + 1])
        assert not domain.differ(lowest[at], first[0])
        none = domain.both(none, domain.invert(x[at : at + 1]))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/matrices"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each kind of kernel."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
