# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sequences of powers in the rings of Classic McEliece are those of the specification."""

import pytest

from equivalence.powers import Powers
from equivalence.prove import NotProved
from equivalence.recurrences import FILES

# All back ends, and a length that fills no vector.
CALLS = [Powers(b, *shape) for b in FILES for shape in ((12, 64), (13, 119))]
MISTAKES = {
    "reduction of the template": (
        Powers("neon", 12, 64),
        "recurrence/recurrence_steps.template.h",
        "const size_t place = spare + ring->low[j];",
        "const size_t place = spare + ring->low[j] + 1;",
    ),
    "sums of AVX2": (
        Powers("avx2", 12, 64),
        "recurrence/recurrence_avx2.c",
        "for (size_t v = 2 * vectors; v-- > 1;) {",
        "for (size_t v = 2 * vectors; v-- > 2;) {",
    ),
    "bytes of AVX-512": (
        Powers("avx512", 12, 64),
        "recurrence/recurrence_avx512.c",
        "sequence[n] = (uint16_t)(low[0] | high[0] << 8);",
        "sequence[n] = (uint16_t)(low[0] | high[0] << 7);",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("powers", CALLS, ids=repr)
def test_first_powers_are_those_of_the_specification(holds, powers):
    """In GF(2^12) and GF(2^13)."""
    holds(powers.files, powers, target=powers.target)


@pytest.mark.long
@pytest.mark.parametrize("name", MISTAKES)
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each file."""
    powers, *changed = MISTAKES[name]
    module = sources.module(powers.files, powers.target, tuple(changed))
    with pytest.raises(NotProved):
        powers.prove(module)
