# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inner products of Classic McEliece and of SOFIA are what they should be, for all operands."""

import pytest

from proofs.kernels.quadratic import (
    BACKENDS,
    ROW_BYTES,
    ROW_FILES,
    TARGETS,
    VALUE_FILES,
    Rows,
    Value,
)
from tools import mistakes

CALLS = [
    *[Rows(backend, size) for backend in BACKENDS for size in ROW_BYTES],
    *[Value(backend) for backend in BACKENDS],
]
QUICK = [Rows(backend, 340) for backend in BACKENDS] + [Rows("avx2", 677), Rows("avx512", 677)]


def files(call):
    """Returns the files of the back end of a call."""
    return (ROW_FILES if isinstance(call, Rows) else VALUE_FILES)[call.backend]


def target(call):
    """Returns the processor of a back end."""
    return TARGETS.get(call.backend, "x86_64-linux-gnu")


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_product_is_that_of_the_specification(holds, call):
    """The smallest parameter set, and the one whose rows have no whole words."""
    holds(files(call), call, target=target(call))


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_every_product_is_that_of_the_specification(holds, call):
    """All."""
    holds(files(call), call, target=target(call))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/quadratic"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(files(call), call, mistake, target=target(call))
