# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sequences of powers in the rings of Classic McEliece are those of the specification."""

import pytest

from proofs.kernels.powers import Powers
from proofs.kernels.recurrences import FILES
from tools import mistakes

# All back ends, and a length that fills no vector.
CALLS = [Powers(b, *shape) for b in FILES for shape in ((12, 64), (13, 119))]


@pytest.mark.long
@pytest.mark.parametrize("powers", CALLS, ids=repr)
def test_first_powers_are_those_of_the_specification(holds, powers):
    """In GF(2^12) and GF(2^13)."""
    holds(powers.files, powers, target=powers.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/powers"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
