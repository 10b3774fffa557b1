# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Distinct positions are drawn as specified."""

import pytest

from equivalence.picks import BACKENDS, FollowReplaced, Pick
from equivalence.quick import first_of_each, kind_of

PROOFS = [
    # six entries at the end of a block of 8, of 16, and of 32
    *[Pick(b, "neighbours", first) for b in BACKENDS for first in (0, 5, 13, 29)],
    *[Pick(b, "triples", count) for b in BACKENDS for count in (18, 40)],
    # all entries of a block of 16, then across the ends of blocks
    *[Pick(b, "chains", size) for b in BACKENDS for size in ((0, 15), (10, 12))],
    *[Pick(b, "random", count) for b in BACKENDS for count in (71, 264)],
]
QUICK = [
    *[Pick(b, "neighbours", 13) for b in BACKENDS],
    *[Pick(b, "triples", 18) for b in BACKENDS],
    *[Pick(b, "chains", (2, 10)) for b in BACKENDS],
    *[Pick(b, "random", 71) for b in BACKENDS],
    FollowReplaced(),
]
PORTABLE, AVX2, AVX512, NEON = (f"sparse/sparse_{b}.c" for b in BACKENDS)
# What is changed in follow_replaced: steps, comparison, bounds, what ends, what leads where.
FOLLOWING = [
    ("seen < BLOCK; seen", "seen < 8; seen"),
    ("seen < BLOCK; seen *= 2", "seen < BLOCK; seen *= 4"),
    ("offset, _mm512_set1_epi32(BLOCK))", "offset, _mm512_set1_epi32(BLOCK - 1))"),
]
LONG_FOLLOWING = [
    *[("seen < BLOCK; seen", f"seen < {steps}; seen") for steps in (2, 4)],
    ("unsigned seen = 1; seen < BLOCK; seen *= 2", "unsigned seen = 2; seen < BLOCK; seen *= 2"),
    ("cmplt_epu32_mask(offset, _mm512_set1_epi32(BLOCK))", "cmplt_epu32_mask(offset, block)"),
    ("cmplt_epu32_mask(offset,", "cmple_epu32_mask(offset,"),
    ("cmplt_epu32_mask(offset,", "cmplt_epi32_mask(offset,"),
    ("mask_mov_epi32(indices_from(0), within,", "mask_mov_epi32(indices_from(1), within,"),
    ("(block, _mm512_set1_epi32((int)index))", "(block, _mm512_set1_epi32((int)index + 1))"),
    ("_mm512_permutexvar_epi32(next, found)", "_mm512_permutexvar_epi32(next, next)"),
    ("    next = _mm512_permutexvar_epi32(next, next);\n", ""),
    ("found = _mm512_or_si512(found, _mm", "found = _mm512_xor_si512(found, _mm"),
    ("found = _mm512_or_si512(found, _mm", "found = _mm512_and_si512(found, _mm"),
]
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
    (Pick("avx512", "chains", (2, 10)), AVX512, "seen < BLOCK; seen", "seen < 8; seen"),
    *[(FollowReplaced(), AVX512, *change) for change in FOLLOWING],
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
def test_positions_are_drawn(holds, proof):
    """Few entries."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", PROOFS, ids=repr)
def test_more_positions_are_drawn(holds, proof):
    """Across the ends of more blocks, and as many as the schemes have."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.parametrize(
    "number", first_of_each(range(len(MISTAKES)), lambda number: kind_of(MISTAKES[number][0]))
)
def test_a_changed_constant_is_found(fails, number):
    """In each file, and in each step."""
    proof, *changed = MISTAKES[number]
    fails(proof.files, proof, tuple(changed), target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize(("old", "new"), LONG_FOLLOWING)
def test_every_change_of_following_is_found(fails, old, new):
    """How AVX-512 follows replaced entries."""
    proof = FollowReplaced()
    fails(proof.files, proof, (AVX512, old, new), target=proof.target)
