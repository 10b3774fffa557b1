# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inverses in GF(2^12) and GF(2^13)."""

import pytest

from proofs.kernels.fields import FILES
from proofs.kernels.inversions import ElementInverse, FieldInverses
from tools import mistakes

SAMPLES = 64  # random elements that show a mistake
QUICK = [FieldInverses("avx2", 12, 1)]
SLOWER = [FieldInverses("neon", 12, 1)]
QUICK += [
    ElementInverse(backend, degree) for backend in ("portable", "neon") for degree in (12, 13)
]
LONG = [FieldInverses(backend, 12, 1) for backend in ("portable", "avx512")]
LONG += [FieldInverses(backend, 13, 1) for backend in FILES]
LONG += [
    FieldInverses(backend, degree, count, same)
    for backend in FILES
    for degree, count, same in [(12, 8, ("out", "a")), (13, 3, ()), (13, 3, ("out", "a"))]
]


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
def test_inverses_of_all_elements(holds, call):
    """One block, all elements in all lanes."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_inverses_of_all_elements_of_the_larger_field(holds, call):
    """And several blocks, which share one inversion."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/inversions"))
def test_a_changed_chain_is_found(fails, mistake):
    """A square too few, and a product of others."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
