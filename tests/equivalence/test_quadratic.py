# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inner products of Classic McEliece and of SOFIA are what they should be, for all operands."""

import pytest

from equivalence.quadratic import (
    BACKENDS,
    ROW_BYTES,
    ROW_FILES,
    TARGETS,
    VALUE_FILES,
    Rows,
    Value,
)

CALLS = [
    *[Rows(backend, size) for backend in BACKENDS for size in ROW_BYTES],
    *[Value(backend) for backend in BACKENDS],
]
QUICK = [Rows(backend, 340) for backend in BACKENDS] + [Rows("avx2", 677), Rows("avx512", 677)]
MISTAKES = {
    "avx2": (Rows("avx2", 677), "mceliece/mceliece_ops_avx2.c", "(x, 16)", "(x, 17)"),
    "avx512": (
        Rows("avx512", 340),
        "mceliece/mceliece_ops_avx512.c",
        "other, 0x78);",
        "other, 0x7C);",
    ),
}


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


@pytest.mark.parametrize("name", MISTAKES)
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    call, path, old, new = MISTAKES[name]
    fails(files(call), call, (path, old, new))
