# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Positions to coefficients, for all positions."""

import pytest

from equivalence.positions import FILES, SetPositions
from equivalence.prove import NotProved

QUICK = [SetPositions(backend, 12323, 3, 0) for backend in FILES]
LONG = [SetPositions(b, 12323, n, first) for b in FILES for n, first in ((71, 0), (9, 12323))]
MISTAKES = {
    "avx512": ("_mm512_set1_epi64(63)));", "_mm512_set1_epi64(31)));"),
    "portable": ("position % 64", "position % 32"),
}


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_all_positions(holds, call):
    """Short lists."""
    holds(FILES[call.backend], call)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_all_positions_of_the_scheme(holds, call):
    """As many as a key of BIKE-L1 has; and in the second half of an error."""
    holds(FILES[call.backend], call)


@pytest.mark.parametrize("backend", MISTAKES)
def test_a_changed_constant_is_found(sources, backend):
    """A mistake in each file."""
    changed = (f"sparse/sparse_{backend}.c", *MISTAKES[backend])
    module = sources.module(FILES[backend], changed=changed)
    with pytest.raises(NotProved):
        SetPositions(backend, 12323, 1, 0).prove(module)
