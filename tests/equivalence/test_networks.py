# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sorting and permutation networks of Classic McEliece, for all numbers, data and control bits."""

import pytest

from equivalence.networks import (
    APPLY_FILES,
    SORT_FILES,
    VECTOR_FILES,
    Exchange,
    Merge,
    Network,
    Pair,
    Vectors,
)
from equivalence.prove import NotProved
from equivalence.quick import first_of_each, kind_of

# Where the induction begins: the fewest numbers that a back end sorts by itself.
FIRST = [
    Merge("portable", 32, 4, halves=False),
    Merge("portable", 64, 4, halves=False),
    Merge("avx2", 32, 16, halves=False),
    Merge("avx2", 64, 8, halves=False),
    Merge("avx512", 64, 16, halves=False),
]
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
QUICK_NEXT = [call for call in NEXT if call.count <= 64 and call.backend != "portable"]

NETWORKS = [Network(12, backwards=True), Network(13)]
LONG_NETWORKS = [Network(12), Network(13, backwards=True)]

MISTAKES = {
    "exchange of 32 bits": (
        Exchange(32),
        SORT_FILES["portable"],
        ("sort/sort_network.template.h", "(~y & x) |", "(~x & y) |"),
    ),
    "exchange of 64 bits": (
        Exchange(64),
        SORT_FILES["portable"],
        ("sort/sort_network.template.h", "borrow >> last", "borrow >> (last - 1)"),
    ),
    "order of the portable": (
        Merge("portable", 32, 16, halves=True),
        SORT_FILES["portable"],
        ("sort/sort_network.template.h", "base + q - p, p", "base + q / 2, p"),
    ),
    "minimum of 64 bits": (
        Pair(),
        SORT_FILES["avx2"],
        ("sort/sort_avx2.c", "numbers[i] ^= UINT64_C(1) << 63", "numbers[i] ^= UINT64_C(1) << 62"),
    ),
    "lanes of AVX2": (
        Merge("avx2", 32, 16, halves=False),
        SORT_FILES["avx2"],
        ("sort/sort_avx2.c", "_mm256_setr_epi32(0, 1, 2, 3,", "_mm256_setr_epi32(0, 1, 3, 3,"),
    ),
    "lanes of AVX-512": (
        Vectors(),
        VECTOR_FILES,
        ("sort/sort_avx512.c", "? 0xCCCCU", "? 0xCCC4U"),
    ),
    "quarters of the template": (
        Merge("avx512", 32, 64, halves=True),
        SORT_FILES["avx512"],
        (
            "sort/sort_vectors.template.h",
            "vector_store(part[1] + i, vector_most(a2, b2));",
            "vector_store(part[1] + i, vector_most(a2, c2));",
        ),
    ),
    "layers": (
        Network(9),
        APPLY_FILES,
        ("benes/benes_words.c", "0x0F0F0F0F0F0F0F0F", "0x0F0F0F0F0F0F0F0E"),
    ),
}


@pytest.mark.parametrize("unit", [Exchange(32), Exchange(64), Pair()], ids=repr)
def test_an_exchange_puts_two_numbers_into_order(holds, unit):
    """As circuits."""
    holds(SORT_FILES["avx2"], unit)


@pytest.mark.parametrize("call", [*FIRST, *QUICK_NEXT], ids=repr)
def test_zeros_and_ones_are_sorted(holds, call):
    """The first counts of the induction."""
    holds(SORT_FILES[call.backend], call)


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


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][0])))
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each file."""
    call, files, changed = MISTAKES[name]
    module = sources.module(files, changed=changed)
    with pytest.raises(NotProved):
        call.prove(module)
