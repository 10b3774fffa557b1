# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Distinct positions are drawn as specified."""

import pytest

from proofs.kernels.picks import BACKENDS, FollowReplaced, Pick, Repeats
from tools import mistakes

VECTORS = ("avx2", "avx512")  # which mark repeats
PROOFS = [
    # six entries at the end of a block of 8, of 16, and of 32
    *[Pick(b, "neighbours", first) for b in BACKENDS for first in (0, 5, 13, 29)],
    *[Pick(b, "triples", count) for b in BACKENDS for count in (18, 40)],
    # all entries of a block of 16, then across the ends of blocks
    *[Pick(b, "chains", size) for b in BACKENDS for size in ((0, 15), (10, 12))],
    *[Pick(b, "random", count) for b in BACKENDS for count in (71, 264)],
    # as many as HQC draws
    *[Repeats(b, begin, end) for b in VECTORS for begin, end in ((0, 66), (99, 100), (0, 131))],
]
QUICK = [
    Pick("portable", "neighbours", 13),
    *[Pick(b, "chains", (2, 10)) for b in BACKENDS],
    *[Repeats(b, 3, 20) for b in VECTORS],
]
SLOWER = [*[Pick(b, "neighbours", 13) for b in BACKENDS if b != "portable"], FollowReplaced()]


@pytest.mark.parametrize(
    "proof", [*QUICK, *(pytest.param(proof, marks=pytest.mark.long) for proof in SLOWER)], ids=repr
)
def test_positions_are_drawn(holds, proof):
    """Few entries."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", PROOFS, ids=repr)
def test_more_positions_are_drawn(holds, proof):
    """Across the ends of more blocks, and as many as the schemes have."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/picks"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each file, and in each step."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
