# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supports are ordered in pairs, and the decoder counts with all of their positions."""

import pytest

from equivalence.pairs import RINGS
from equivalence.rotations import BACKENDS
from equivalence.supports import Counted, FindPlaces, PairCount, PutInPlaces, Rank

WEIGHTS = {12323: 71, 24659: 103, 40973: 137}  # of a half of a key
COUNTED = Counted("avx512", 12323, 18)  # some more positions than the ring has classes
QUICK = [*map(PairCount, RINGS), Rank(34), PutInPlaces(34), FindPlaces(8), COUNTED]
LONG = [
    *[Counted(backend, 12323, WEIGHTS[12323]) for backend in BACKENDS],
    *[Counted(backend, r, 22) for backend in BACKENDS if backend != "avx512" for r in RINGS],
    *[Counted("avx512", r, WEIGHTS[r]) for r in (24659, 40973)],
    *[Counted("avx512", 12323, weight) for weight in (3, 13, 14, 15)],
    Rank(137),
    PutInPlaces(137),
    FindPlaces(12),
]
FILE = "bike/bike_ops_avx512.c"
COUNT = "(weight - classes + 1) / 2 : 0"
CLASSES = "classes = (n + 1) / 2;"
# A proof, and what is changed in the file of AVX-512 so that it fails.
MISTAKES = [
    (PairCount(12323), COUNT, "(weight - classes) / 2 : 0"),
    (PairCount(24659), COUNT, "(weight - classes + 2) / 2 : 0"),
    (PairCount(40973), CLASSES, "classes = n / 2;"),
    (Rank(34), "_mm512_cmpgt_epu16_mask(v,", "_mm512_cmpge_epu16_mask(v,"),
    (PutInPlaces(34), "set_epi16(31, 30, 29,", "set_epi16(31, 30, 28,"),
    (FindPlaces(8), "ct_mask_less_u32(front, 2 * pairs)", "ct_mask_less_u32(front, pairs)"),
    (COUNTED, "paired = 2 * pair_count(n, weight);", "paired = 2 * pair_count(n, weight) + 2;"),
]
LONG_MISTAKES = [
    *[
        (PairCount(12323), COUNT, new)
        for new in (
            "(weight - classes + 1) / 2 + 1 : 0",
            "(weight - classes + 1) / 2 - 1 : 0",
            "(weight - classes + 1) / 2 : 1",
            "(weight - classes + 1) / 4 : 0",
            "(weight + classes + 1) / 2 : 0",
        )
    ],
    (PairCount(24659), CLASSES, "classes = (n + 1) / 2 + 1;"),
    (PairCount(40973), CLASSES, "classes = (n + 3) / 2;"),
    (PairCount(12323), "return weight > classes ?", "return weight + 1 < classes ?"),
    (COUNTED, "(uint32_t)pair_count(ring->stride", "(uint32_t)pair_count(2 * ring->stride"),
    (COUNTED, "moved[k] = moved[k - 1];", "moved[k] = moved[0];"),
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
def test_a_support_is_ordered_and_counted(holds, proof):
    """Pairs in every support; short supports as a whole."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", LONG, ids=repr)
def test_a_longer_support_is_ordered_and_counted(holds, proof):
    """As many positions as the schemes have; where nothing depends on pairs, fewer do in rings."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize(("proof", "old", "new"), MISTAKES, ids=repr)
def test_a_changed_constant_is_found(fails, proof, old, new):
    """In each step, and where the number of pairs is used."""
    fails(proof.files, proof, (FILE, old, new), target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize(("proof", "old", "new"), LONG_MISTAKES, ids=repr)
def test_every_changed_constant_is_found(fails, proof, old, new):
    """In every term of the number of pairs."""
    fails(proof.files, proof, (FILE, old, new), target=proof.target)
