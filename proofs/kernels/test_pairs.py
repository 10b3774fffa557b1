# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pairs of positions in AVX-512's counters rotate as two positions do."""

import pytest

from proofs.kernels.pairs import RINGS, Pair
from tools import mistakes


@pytest.mark.long
@pytest.mark.parametrize("r", RINGS)
def test_a_pair_moves_as_its_positions_say(holds, r):
    """All positions, by some that stand for all."""
    pair = Pair(r)
    holds(pair.files, pair, target=pair.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/pairs"))
def test_a_changed_constant_is_found(fails, mistake):
    """In what a pair shares, and in what it does not."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
