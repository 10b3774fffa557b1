# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sequences of powers in the rings of Classic McEliece are those of the specification."""

import pytest

import mistakes
from equivalence.powers import Powers
from equivalence.recurrences import FILES

QUICK = [Powers("avx512", 12, 64)]
# The other back ends, and a length that fills no vector.
LONG = [Powers(b, 12, 64) for b in FILES if b != "avx512"] + [Powers(b, 13, 119) for b in FILES]


@pytest.mark.parametrize("powers", QUICK, ids=repr)
def test_first_powers_are_those_of_the_specification(holds, powers):
    """In GF(2^12)."""
    holds(powers.files, powers, target=powers.target)


@pytest.mark.long
@pytest.mark.parametrize("powers", LONG, ids=repr)
def test_more_powers_are_those_of_the_specification(holds, powers):
    """In both fields."""
    holds(powers.files, powers, target=powers.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/powers"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
