# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pairs of positions in AVX-512's counters rotate as two positions do."""

import pytest

from equivalence.pairs import RINGS, Pair
from equivalence.prove import NotProved

FILE = "bike/bike_ops_avx512.c"
MISTAKES = {
    "lowest bit": ("slot.odd = lanes_if(position / VECTOR_BITS & 1);", "& 1);", "& 2);"),
    "last words": (
        "slot->ahead = ahead;\n  slot->word = word;",
        "slot->ahead = ahead;",
        "slot->ahead = word;",
    ),
    "levels": ("chain.bit[3] = lanes_if(a >> 4 & 1);", "a >> 4", "a >> 3"),
}


@pytest.mark.long
@pytest.mark.parametrize("r", RINGS)
def test_a_pair_moves_as_its_positions_say(holds, r):
    """All positions, by some that stand for all."""
    pair = Pair(r)
    holds(pair.files, pair, target=pair.target)


@pytest.mark.long
@pytest.mark.parametrize("name", MISTAKES)
def test_a_changed_constant_is_found(sources, name):
    """In what a pair shares, and in what it does not."""
    text, old, new = MISTAKES[name]
    pair = Pair(24659 if name == "levels" else 12323)
    module = sources.module(pair.files, pair.target, (FILE, text, text.replace(old, new)))
    with pytest.raises(NotProved):
        pair.prove(module)
