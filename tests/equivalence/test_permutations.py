# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak: all 24 rounds of every back end are those of FIPS 202, for all states."""

import pytest

from equivalence.permutations import FILES, OPERATIONS, SHARED, Permutation
from equivalence.prove import NotProved
from equivalence.quick import first_of_each

TARGETS = {
    "neon": "aarch64-linux-gnu",
    "neon_sha3": "aarch64-linux-gnu -march=armv8.2-a+crypto+sha3",
}
CALLS = [Permutation(backend, name) for backend in FILES for name in OPERATIONS]
# How each file is broken, and a call that shows it.
MISTAKES = {
    "keccak_portable.c": ("portable", "permute", "rotate_left(a[6] ^ d1, 44)"),
    "keccak_avx2.c": ("avx2", "permute", "rotate_lane(a[6] ^ d1, 44)"),
    "keccak_lanes_avx2.template.h": ("avx2", "permute_many", "move(a[6], d1, 44)"),
    "keccak_lanes_neon.template.h": ("neon", "permute_many", "MOVE(a[6], d[1], 44)"),
    "keccak_lanes_avx512.template.h": ("avx512", "permute_many", "MOVED(a[6], 1, 44)"),
}


def files(backend):
    """Returns the files of a back end."""
    return [*FILES[backend], *SHARED]


def target(backend):
    """Returns the processor of a back end."""
    return TARGETS.get(backend, "x86_64-linux-gnu")


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_a_permutation_is_that_of_the_standard(holds, call):
    """Every bit is the same sum of products as in the standard."""
    holds(files(call.backend), call, target=target(call.backend))


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: MISTAKES[name][1]))
def test_a_changed_rotation_is_found(sources, name):
    """A mistake in each file."""
    backend, operation, text = MISTAKES[name]
    changed = (f"keccak/{name}", text, text.replace("44", "43"))
    module = sources.module(files(backend), target=target(backend), changed=changed)
    with pytest.raises(NotProved):
        Permutation(backend, operation).prove(module)


def test_a_changed_constant_is_found(sources):
    """A mistake in the table that all back ends share."""
    changed = ("keccak/keccak_constants.c", "0x8000000080008008", "0x8000000080008009")
    module = sources.module(files("portable"), changed=changed)
    with pytest.raises(NotProved):
        Permutation("portable", "permute").prove(module)
