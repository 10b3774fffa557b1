# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak: all 24 rounds of every back end are those of FIPS 202, for all states."""

import pytest

from proofs.kernels.permutations import FILES, OPERATIONS, SHARED, Absorption, Permutation
from tools import mistakes

TARGETS = {
    "neon": "aarch64-linux-gnu",
    "neon_sha3": "aarch64-linux-gnu -march=armv8.2-a+crypto+sha3",
}
CALLS = [Permutation(backend, name) for backend in FILES for name in OPERATIONS]
# One of each back end, and all of one.
QUICK = [call for call in CALLS if call.backend == "portable" or call.operation == "permute"]
# Two blocks and a part of one; every rate that there is.
ABSORPTIONS = [Absorption("avx512", rate, 2 * rate + 9) for rate in (136, 72, 104, 168)]


def files(backend):
    """Returns the files of a back end."""
    return [*FILES[backend], *SHARED]


def target(backend):
    """Returns the processor of a back end."""
    return TARGETS.get(backend, "x86_64-linux-gnu")


@pytest.mark.parametrize(
    "call",
    [call if call in QUICK else pytest.param(call, marks=pytest.mark.long) for call in CALLS],
    ids=repr,
)
def test_a_permutation_is_that_of_the_standard(holds, call):
    """Every bit is the same sum of products as in the standard."""
    holds(files(call.backend), call, target=target(call.backend))


@pytest.mark.parametrize(
    "call", [pytest.param(call, marks=pytest.mark.long) for call in ABSORPTIONS], ids=repr
)
def test_blocks_are_absorbed_as_the_standard_says(holds, call):
    """With a permutation after each, and no byte of what does not fill one."""
    holds(files(call.backend), call, target=target(call.backend))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/permutations"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file, and in the table that all back ends share."""
    call = mistake.call(globals())
    fails(files(call.backend), call, mistake, target=target(call.backend))
