# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shortest recurrence of a sequence is found as specified, whatever the sequence."""

import random

import numpy as np
import pytest

from proofs.kernels.fields import one_product
from proofs.kernels.recurrences import FILES, Carried, Choices, Elements, Massey, Search
from tools import mistakes

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


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/recurrences"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
