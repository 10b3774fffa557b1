# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supports are ordered in pairs, and the decoder counts with all of their positions."""

import pytest

from parameters.table import TABLE
from proofs.kernels.pairs import RINGS
from proofs.kernels.rotations import BACKENDS
from proofs.kernels.supports import Counted, FindPlaces, PairCount, PutInPlaces, Rank
from tools import mistakes

WEIGHTS = {one.r: one.d for one in TABLE.levels["bike"]}  # of a half of a key
COUNTED = Counted("avx512", 12323, 18)  # some more positions than the ring has classes
QUICK = [*map(PairCount, RINGS), PutInPlaces(34), FindPlaces(8)]
SLOWER = [Rank(34)]
LONG = [
    COUNTED,
    *[Counted(backend, 12323, WEIGHTS[12323]) for backend in BACKENDS],
    *[Counted(backend, r, 22) for backend in BACKENDS if backend != "avx512" for r in RINGS],
    *[Counted("avx512", r, WEIGHTS[r]) for r in TABLE.rings[0][1:]],
    *[Counted("avx512", 12323, weight) for weight in (3, 13, 14, 15)],
    Rank(137),
    PutInPlaces(137),
    FindPlaces(12),
]


@pytest.mark.parametrize(
    "proof", [*QUICK, *(pytest.param(proof, marks=pytest.mark.long) for proof in SLOWER)], ids=repr
)
def test_a_support_is_ordered_and_counted(holds, proof):
    """Pairs in every support; short supports as a whole."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", LONG, ids=repr)
def test_a_longer_support_is_ordered_and_counted(holds, proof):
    """As many positions as the schemes have; where nothing depends on pairs, fewer do in rings."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/supports"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each step, and where the number of pairs is used."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
