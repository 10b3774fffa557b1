# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pivots that may move are found, counted and moved as the specification says."""

import numpy as np
import pytest

from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.moves import PIVOTS, FindPivots, MoveBit, MovePivot, PivotPlaces
from tools import mistakes

SOME = (0, 3, PIVOTS - 1)  # of the steps, which are alike but for their number
QUICK = [
    *[move(which) for move in (MoveBit, MovePivot) for which in SOME if which != 3],
    PivotPlaces(),
    FindPivots(),
]
SLOWER = [move(3) for move in (MoveBit, MovePivot)]
LONG = [move(n) for move in (MoveBit, MovePivot) for n in range(PIVOTS) if n not in SOME]


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
def test_a_step_is_that_of_the_specification(holds, call):
    """Any word, any places, any matrix that has all pivots."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_every_step_is_that_of_the_specification(holds, call):
    """The other steps of moving."""
    holds(call.files, call, target=call.target)


def test_ones_below_the_lowest_bit():
    """(x & -x) - 1 has a one in each place below the lowest one of x, and x & (x - 1) has all
    others."""
    domain = Circuits()
    x, one = domain.free(64), np.array([1] + 63 * [0], dtype=np.int64)
    lowest = domain.both(x, domain.subtract(np.zeros(64, dtype=np.int64), x))
    below, rest = domain.subtract(lowest, one), domain.both(x, domain.subtract(x, one))
    none = np.ones(1, dtype=np.int64)
    for at in range(64):
        before, none = none, domain.both(none, domain.invert(x[at : at + 1]))
        assert not domain.differ(below[at], none[0])
        other = domain.both(x[at : at + 1], domain.invert(before))
        assert not domain.differ(rest[at], other[0])


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/moves"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each function."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
