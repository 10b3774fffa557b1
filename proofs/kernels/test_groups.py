# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients with AVX2 and NEON: a few positions, all of their bits free."""

import pytest

from proofs.kernels.groups import FILES, TARGETS, Group
from tools import mistakes

# One group, and one more that has three places without a position; with AVX2 a third one, where the
# last rows are no whole square.
CALLS = [
    *[
        Group(backend, 12323, count, first)
        for backend in FILES
        for count, first in ((4, 0), (5, 12323))
    ],
    Group("avx2", 17669, 9, 0),
]


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_coefficients_are_those_of_the_positions(holds, call):
    """Every coefficient, as a circuit."""
    holds(FILES[call.backend], call, target=TARGETS[call.backend])


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/groups"))
def test_a_changed_table_is_found(fails, mistake):
    """A subset that lacks a position."""
    call = mistake.call(globals())
    fails(FILES[call.backend], call, mistake, target=TARGETS[call.backend])
