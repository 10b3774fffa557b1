# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shortest recurrence of a sequence is found as specified, whatever the sequence."""

import random

import numpy as np
import pytest

from equivalence.fields import one_product
from equivalence.prove import NotProved
from equivalence.quick import first_of_each, kind_of
from equivalence.recurrences import FILES, Carried, Choices, Elements, Massey, Search

# The first steps, of fields and a length of Classic McEliece; then all steps, all lengths.
QUICK = [
    Search(backend, degree, 64, 3)
    for backend, degree in [("portable", 12), ("avx2", 13), ("avx512", 12), ("neon", 13)]
]
LONG = [
    Search(backend, degree, length)
    for degree, length in [(12, 64), (13, 96), (13, 119), (13, 128)]
    for backend in FILES
]
MISTAKES = {
    "discrepancy of the template": (
        Search("portable", 12, 64, 3),
        "recurrence/recurrence_steps.template.h",
        "UINT64_C(0x6996)",
        "UINT64_C(0x6994)",
    ),
    "tables of AVX2": (
        Search("avx2", 12, 64, 3),
        "recurrence/recurrence_avx2.c",
        "_mm256_srli_si256(shifted[0], 8)",
        "_mm256_srli_si256(shifted[0], 7)",
    ),
    "places of AVX2": (
        Search("avx2", 13, 64, 3),
        "recurrence/recurrence_avx2.c",
        "_mm256_permute2x128_si256(first, second, 0x21), first, 1)",
        "_mm256_permute2x128_si256(first, second, 0x21), first, 2)",
    ),
    "matrices of AVX-512": (
        Search("avx512", 12, 64, 3),
        "recurrence/recurrence_avx512.c",
        "UINT64_C(0x0101010101010101)",
        "UINT64_C(0x0101010101010102)",
    ),
    "parts of AVX-512": (
        Search("avx512", 13, 64, 3),
        "recurrence/recurrence_avx512.c",
        "_mm512_permutexvar_epi64(_mm512_set1_epi64(2), wide)",
        "_mm512_permutexvar_epi64(_mm512_set1_epi64(1), wide)",
    ),
}
# What the first discrepancies do not show.
LONG_MISTAKES = {
    "divisor of the template": (
        Search("neon", 13, 64, 4),
        "recurrence/recurrence_steps.template.h",
        "&s->connection, s->divisor, v)",
        "&s->connection, s->constant, v)",
    ),
    "last places of AVX2": (
        Search("avx2", 12, 64),
        "recurrence/recurrence_avx2.c",
        "_mm256_alignr_epi8(second, _mm256_permute2x128_si256(first, second, 0x21), 15)",
        "_mm256_alignr_epi8(second, _mm256_permute2x128_si256(first, second, 0x20), 15)",
    ),
}


@pytest.mark.parametrize("search", QUICK, ids=repr)
def test_the_first_steps_are_those_of_the_specification(holds, search):
    """Discrepancies, and what decides whether the recurrence grows."""
    holds(search.files, search, target=search.target)


@pytest.mark.long
@pytest.mark.parametrize("search", LONG, ids=repr)
def test_all_steps_are_those_of_the_specification(holds, search):
    """And the connection in the end, for the lengths of the schemes."""
    holds(search.files, search, target=search.target)


@pytest.mark.parametrize("kind", [Massey, Carried])
def test_the_specification_finds_recurrences(kind):
    """The Python search, for known sequences of a recurrence of the greatest length."""
    degree, length = 12, 6
    choose = random.Random(length)
    factors = [choose.randrange(1, 1 << degree) for _ in range(length)]
    sequence = [choose.randrange(1 << degree) for _ in range(length)]
    while len(sequence) < 2 * length:
        terms = [one_product(f, s, degree) for f, s in zip(factors, sequence[::-1], strict=False)]
        sequence.append(int(np.bitwise_xor.reduce(terms)))
    domain = Choices()
    field = Elements(domain, degree)
    codes = [np.array([-(s >> i & 1) for i in range(degree)], dtype=object) for s in sequence]
    search = kind(field, codes, length)
    found = 0
    for n in range(2 * length):
        gap = search.discrepancy(n)
        grows = gap.any() and n >= 2 * found
        found = n + 1 - found if grows else found
        search.step(n, gap, -1 if grows else 0)
    values = [
        sum((c & 1) << i for i, c in enumerate(x)) for x in (search.constant, *search.connection)
    ]
    assert found == length
    assert values[0] != 0
    for n in range(length, 2 * length):
        terms = [one_product(c, sequence[n - i], degree) for i, c in enumerate(values)]
        assert np.bitwise_xor.reduce(terms) == 0


def shows(sources, search, *changed):
    """Demands that a mistake is found."""
    module = sources.module(search.files, search.target, changed)
    with pytest.raises(NotProved):
        search.prove(module)


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][0])))
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each file."""
    shows(sources, *MISTAKES[name])


@pytest.mark.long
@pytest.mark.parametrize("name", LONG_MISTAKES)
def test_a_changed_later_step_is_found(sources, name):
    """A mistake that many steps show."""
    shows(sources, *LONG_MISTAKES[name])
