# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients, for all positions."""

import pytest

from proofs.kernels.positions import FILES, SetPositions
from tools import mistakes

QUICK = [SetPositions(backend, 12323, 3, 0) for backend in FILES]
LONG = [SetPositions(b, 12323, n, first) for b in FILES for n, first in ((71, 0), (9, 12323))]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_all_positions(holds, call):
    """Short lists."""
    holds(FILES[call.backend], call)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_all_positions_of_the_scheme(holds, call):
    """As many as a key of BIKE-L1 has; and in the second half of an error."""
    holds(FILES[call.backend], call)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/positions"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(FILES[call.backend], call, mistake)
