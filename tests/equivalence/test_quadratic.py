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
from equivalence.quick import first_of_each, kind_of

CALLS = [
    *[Rows(backend, size) for backend in BACKENDS for size in ROW_BYTES],
    *[Value(backend) for backend in BACKENDS],
]
QUICK = [Rows(backend, 340) for backend in BACKENDS] + [Rows("avx2", 677), Rows("avx512", 677)]
# How each file is broken, and a call that shows it.
MISTAKES = {
    "mceliece/mceliece_ops_portable.c": (Rows("portable", 340), "x ^= x >> 16;", "x ^= x >> 17;"),
    "mceliece/mceliece_ops_avx2.c": (Rows("avx2", 677), "(x, 16)", "(x, 17)"),
    "mceliece/mceliece_ops_avx512.c": (Rows("avx512", 340), "other, 0x78);", "other, 0x7C);"),
    "mceliece/mceliece_ops_neon.c": (Rows("neon", 340), "vcntq_u8(sum)) & 1", "vcntq_u8(sum)) & 2"),
    "mq4/mq4_value.template.h": (Value("avx2"), "x ^= x >> 16;", "x ^= x >> 17;"),
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


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][0])))
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    call, old, new = MISTAKES[name]
    fails(files(call), call, (name, old, new), target=target(call))
