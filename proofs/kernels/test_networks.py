# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sorting and permutation networks of Classic McEliece, for all numbers, data and control bits."""

import pytest

from proofs.kernels.networks import (
    APPLY_FILES,
    SORT_FILES,
    VECTOR_FILES,
    Exchange,
    Merge,
    Network,
    Pair,
    Vectors,
)
from tools import mistakes

# Where the induction begins: the fewest numbers that a back end sorts by itself.
FIRST = [
    Merge("portable", 32, 4, halves=False),
    Merge("portable", 64, 4, halves=False),
    Merge("avx2", 32, 16, halves=False),
    Merge("avx2", 64, 8, halves=False),
]
SLOWER_FIRST = [Merge("avx512", 64, 16, halves=False)]
# Then twice as many each time; here the halves of AVX-512 for 32 numbers are those of Vectors.
NEXT = [
    Merge(backend, bits, count, halves=True)
    for backend, bits, first in [
        ("portable", 32, 8),
        ("portable", 64, 8),
        ("avx2", 32, 32),
        ("avx2", 64, 16),
        ("avx512", 32, 32),
        ("avx512", 64, 32),
    ]
    for count in (8, 16, 32, 64, 128, 256)
    if count >= first
]
QUICK_NEXT = [call for call in NEXT if call.count <= 32 and call.backend != "portable"]

NETWORKS = [Network(12)]
LONG_NETWORKS = [Network(12, backwards=True), Network(13), Network(13, backwards=True)]


@pytest.mark.parametrize(
    "unit",
    [Exchange(32), Exchange(64), pytest.param(Pair(), marks=pytest.mark.long)],
    ids=repr,
)
def test_an_exchange_puts_two_numbers_into_order(holds, unit):
    """As circuits."""
    holds(SORT_FILES["avx2"], unit)


@pytest.mark.parametrize(
    "call",
    [
        *[*FIRST, *QUICK_NEXT],
        *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER_FIRST),
    ],
    ids=repr,
)
def test_zeros_and_ones_are_sorted(holds, call):
    """The first counts of the induction."""
    holds(SORT_FILES[call.backend], call)


@pytest.mark.long
def test_vectors_of_zeros_and_ones_are_sorted(holds):
    """The halves of the first count of AVX-512 with 32 bits."""
    holds(VECTOR_FILES, Vectors())


@pytest.mark.long
@pytest.mark.parametrize("call", [call for call in NEXT if call not in QUICK_NEXT], ids=repr)
def test_more_zeros_and_ones_are_sorted(holds, call):
    """As far as there are not too many halves."""
    holds(SORT_FILES[call.backend], call)


@pytest.mark.parametrize(
    "network",
    [*NETWORKS, *(pytest.param(network, marks=pytest.mark.long) for network in LONG_NETWORKS)],
    ids=repr,
)
def test_a_network_swaps_as_its_control_bits_say(holds, network):
    """All layers at once, for the sizes of the schemes."""
    holds(APPLY_FILES, network)


def files(call):
    """Returns the files that a call needs."""
    if isinstance(call, Vectors):
        return VECTOR_FILES
    return (
        APPLY_FILES if isinstance(call, Network) else SORT_FILES[getattr(call, "backend", "avx2")]
    )


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/networks"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(files(call), call, mistake)
