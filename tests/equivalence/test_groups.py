# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients with AVX2 and NEON: four and five positions, all of their bits free."""

import pytest

from equivalence.groups import FILES, TARGETS, Group
from equivalence.prove import NotProved

# One group, and one more that has three places without a position.
CALLS = [
    Group(backend, 12323, count, first)
    for backend in FILES
    for count, first in ((4, 0), (5, 12323))
]
MISTAKES = {
    "avx2": (
        "table[subsets + s] = _mm256_or_si256(group->table[s],",
        "table[subsets + s] = _mm256_or_si256(group->table[0],",
    ),
    "neon": ("(uint64_t)in_row - 64", "(uint64_t)in_row - 63"),
}


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_coefficients_are_those_of_the_positions(holds, call):
    """Every coefficient, as a circuit."""
    holds(FILES[call.backend], call, target=TARGETS[call.backend])


@pytest.mark.long
@pytest.mark.parametrize("backend", MISTAKES)
def test_a_changed_table_is_found(sources, backend):
    """A subset that lacks a position."""
    changed = (f"sparse/sparse_{backend}.c", *MISTAKES[backend])
    module = sources.module(FILES[backend], TARGETS[backend], changed)
    with pytest.raises(NotProved):
        Group(backend, 12323, 4, 0).prove(module)
