# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Distinct positions are drawn as specified, and supports are ordered in pairs."""

import pytest

from equivalence.picks import BACKENDS, FindPlaces, Pick, PutInPlaces, Rank
from equivalence.quick import first_of_each, kind_of

PROOFS = [
    # six entries at the end of a block of 8, of 16, and of 32
    *[Pick(b, "neighbours", first) for b in BACKENDS for first in (0, 5, 13, 29)],
    *[Pick(b, "triples", count) for b in BACKENDS for count in (18, 40)],
    *[Pick(b, "random", count) for b in BACKENDS for count in (71, 264)],
    Rank(34),
    Rank(137),
    PutInPlaces(34),
    PutInPlaces(137),
    FindPlaces(12),
]
QUICK = [
    *[Pick(b, "neighbours", 13) for b in BACKENDS],
    *[Pick(b, "triples", 18) for b in BACKENDS],
    *[Pick(b, "random", 71) for b in BACKENDS],
    Rank(34),
    PutInPlaces(34),
    FindPlaces(8),
]
BIKE = "bike/bike_ops_avx512.c"
PORTABLE, AVX2, AVX512, NEON = (f"sparse/sparse_{b}.c" for b in BACKENDS)
# A proof, and what is changed in a file so that it fails.
MISTAKES = [
    (Pick("portable", "neighbours", 5), PORTABLE, "& ~difference;", "& difference;"),
    (Pick("avx2", "neighbours", 5), AVX2, "int k = LANES - 1; k > 0", "int k = LANES - 2; k > 0"),
    (Pick("avx2", "triples", 18), AVX2, "si256(found[2], found[3])", "si256(found[2], found[2])"),
    (Pick("avx2", "random", 71), AVX2, "(even, odd, 0xAA)", "(even, odd, 0xA8)"),
    (Pick("avx512", "neighbours", 13), AVX512, "seen < BLOCK; seen", "seen < 2; seen"),
    (Pick("avx512", "triples", 18), AVX512, "COMPARE(0, 15)", "COMPARE(0, 14)"),
    (Pick("avx512", "random", 71), AVX512, "0xAAAA, odd", "0xAAA8, odd"),
    (Pick("neon", "neighbours", 5), NEON, "= index + (uint32_t)(p", "= 1 + (uint32_t)(p"),
    (Pick("neon", "triples", 18), NEON, "vget_lane_u32(halves, 1);", "vget_lane_u32(halves, 0);"),
    (Rank(34), BIKE, "_mm512_cmpgt_epu16_mask(v,", "_mm512_cmpge_epu16_mask(v,"),
    (PutInPlaces(34), BIKE, "set_epi16(31, 30, 29,", "set_epi16(31, 30, 28,"),
    (FindPlaces(8), BIKE, "ct_mask_less_u32(front, 2 * pairs)", "ct_mask_less_u32(front, pairs)"),
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
def test_positions_are_drawn_and_put_in_order(holds, proof):
    """Few entries."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", PROOFS, ids=repr)
def test_more_positions_are_drawn_and_put_in_order(holds, proof):
    """Across the ends of more blocks, and as many as the schemes have."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize(
    "number", first_of_each(range(len(MISTAKES)), lambda number: kind_of(MISTAKES[number][0]))
)
def test_a_changed_constant_is_found(fails, number):
    """In each file, and in each step."""
    proof, *changed = MISTAKES[number]
    fails(proof.files, proof, tuple(changed), target=proof.target)
