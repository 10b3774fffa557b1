# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What Classic McEliece's decoder takes of the field is right, for every count that it asks for."""

import pytest

from proofs.kernels.decodings import ERRORS, InScratch, Zeros
from proofs.kernels.fields import FILES
from tools import mistakes

# t errors: 2 t numbers of the syndrome, t of that of the found error, t + 1 coefficients.
CALLS = [
    InScratch(b, name, degree, count)
    for b in FILES
    for degree, errors in ERRORS.items()
    for t in errors
    for name, count in (("power_sums", t), ("power_sums", 2 * t), ("evaluate", t + 1))
]
QUICK = [
    *[Zeros(b, 12) for b in FILES],
    Zeros("portable", 13),
    InScratch("avx2", "power_sums", 12, 64),
]
SLOWER = [Zeros(b, 13) for b in FILES if b != "portable"]


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
def test_a_step_of_decoding_is_that_of_the_specification(holds, call):
    """The fewest errors."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_every_step_of_decoding_is_that_of_the_specification(holds, call):
    """All parameter sets."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/decodings"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each function."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
