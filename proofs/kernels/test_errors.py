# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of Classic McEliece have distinct positions, and ones there."""

import pytest

from proofs.kernels.errors import BACKENDS, COUNTS, SPREADS, EveryCount, FindRepeat, Place
from tools import mistakes

QUICK = [
    FindRepeat("portable", 64),
    *[FindRepeat(b, 64) for b in BACKENDS if b != "portable"],
    *[Place(b, 8) for b in ("portable", "avx2")],
]
SLOWER = [
    *[FindRepeat(b, 119) for b in BACKENDS if b != "portable"],
    *[Place(b, 8) for b in BACKENDS if b not in ("portable", "avx2")],
]
LONG = [
    *[FindRepeat(b, n) for b in BACKENDS for n in COUNTS],
    EveryCount("portable", 1, 32),
    EveryCount("avx512", 1, 64),
    # Vectors of these end behind the room that fewer positions have.
    EveryCount("avx2", 22, 64),
    EveryCount("neon", 11, 64),
    *[Place(b, n) for b in BACKENDS for n in COUNTS],
]


@pytest.mark.parametrize(
    "proof", [*QUICK, *(pytest.param(proof, marks=pytest.mark.long) for proof in SLOWER)], ids=repr
)
def test_errors_are_what_they_should_be(holds, proof):
    """All numbers; few positions."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", LONG, ids=repr)
def test_errors_of_the_schemes_are_what_they_should_be(holds, proof):
    """As many positions as the parameter sets have."""
    holds(proof.files, proof, target=proof.target)


def test_ways_to_spread_have_nothing_in_common():
    """The argument for place needs this."""
    assert not set.intersection(*map(set, SPREADS))
    assert not set(SPREADS[0][:6]) & set(SPREADS[1][:6])


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/errors"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each file, and in each step."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
