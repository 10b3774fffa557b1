# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supports are sorted between marks, and the decoder counts with all of their positions."""

import pytest

from parameters.table import TABLE
from proofs.kernels.rotations import BACKENDS, STEPPING
from proofs.kernels.supports import Counted, Place, Rank
from tools import mistakes

WEIGHTS = {one.r: one.d for one in TABLE.levels["bike"]}  # of a half of a key
QUICK = [Rank("avx2", 20), Place("avx2", 12)]
LONG = [
    *[Rank(backend, 34) for backend in STEPPING],
    *[Place(backend, 34) for backend in STEPPING],
    *[Counted(backend, 12323, WEIGHTS[12323]) for backend in BACKENDS],
    *[Counted(backend, r, 22) for backend in BACKENDS for r in WEIGHTS],
    *[Counted("avx512", r, weight) for r, weight in WEIGHTS.items() if r != 12323],
    *[Counted("avx512", 12323, weight) for weight in (2, 3, 14, 15)],
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
def test_a_support_is_sorted(holds, proof):
    """Ranks and places of short lists."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", LONG, ids=repr)
def test_a_longer_support_is_ordered_and_counted(holds, proof):
    """Longer lists, and all of it for as many positions as the schemes have, or fewer."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/supports"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each step, and where marks are set."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
