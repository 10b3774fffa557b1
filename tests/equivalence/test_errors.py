# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of Classic McEliece have distinct positions, and ones there."""

import pytest

from equivalence.errors import BACKENDS, COUNTS, SPREADS, EveryCount, FindRepeat, Place

QUICK = [
    FindRepeat("portable", 64),
    *[FindRepeat(b, n) for b in BACKENDS if b != "portable" for n in (64, 119)],
    *[Place(b, 8) for b in BACKENDS],
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
PORTABLE, AVX2, AVX512, NEON = (f"mceliece/mceliece_ops_{b}.c" for b in BACKENDS)
# A proof, and what is changed in a file so that it fails.
MISTAKES = [
    (FindRepeat("portable", 24), PORTABLE, "2 * distance <= count", "2 * distance < count"),
    (FindRepeat("portable", 24), PORTABLE, ") - 1) >> 31", ") - 2) >> 31"),
    (FindRepeat("avx2", 24), AVX2, "2 * distance <= count", "2 * distance < count"),
    (FindRepeat("avx2", 24), AVX2, "i < count; i += 16)", "i < count; i += 32)"),
    (FindRepeat("avx2", 24), AVX2, "positions[i] : 0xFFFF", "positions[i] : 0x0000"),
    (FindRepeat("avx2", 24), AVX2, "own[i] = i < count", "own[i] = i <= count"),
    (FindRepeat("avx512", 24), AVX512, "(count - i)) - 1)", "(count - i)) - 2)"),
    (FindRepeat("avx512", 24), AVX512, "2 * distance <= count", "2 * distance < count"),
    (FindRepeat("neon", 24), NEON, "size_t distance = 1;", "size_t distance = 2;"),
    (FindRepeat("neon", 24), NEON, "2 * distance <= count", "2 * distance < count"),
    (FindRepeat("neon", 24), NEON, "vorrq_u16(repeats", "vandq_u16(repeats"),
    (Place("portable", 3), PORTABLE, "positions[k] >> 6", "positions[k] >> 6 | 1"),
    (Place("portable", 3), PORTABLE, "error[i] |= bit", "error[i] ^= bit"),
    (Place("avx2", 3), AVX2, "k < count; k++", "k + 1 < count; k++"),
    (Place("avx2", 3), AVX2, "setr_epi64x(0, 1, 2, 3)", "setr_epi64x(0, 1, 3, 3)"),
    (Place("avx512", 3), AVX512, "positions[k]", "positions[k] & 0xFFF"),
    (Place("avx512", 3), AVX512, "set1_epi64(63)", "set1_epi64(127)"),
    (Place("neon", 3), NEON, "vcreate_u64(i + 2 * v + 1)", "vcreate_u64(i + 2 * v)"),
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
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


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_a_changed_constant_is_found(fails, number):
    """In each file, and in each step."""
    proof, *changed = MISTAKES[number]
    fails(proof.files, proof, tuple(changed), target=proof.target)
