# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs' own foundations: bounds of degrees hold, and a wrong function is told apart."""

import random

import numpy as np
import pytest

from equivalence.degrees import UNKNOWN, Degrees
from equivalence.fingerprints import Fingerprints
from equivalence.recurrences import Choices
from equivalence.samples import Samples, samples_for
from equivalence.terms import Terms

FREE = 9  # bits that may be anything; all 2^9 values are tried
SIZE = 8  # bits of a value


def patterns():
    """Codes, in the domain of samples, of bits that run through all of their values."""
    codes = np.empty(FREE, dtype=object)
    codes[:] = [sum((v >> i & 1) << v for v in range(1 << FREE)) for i in range(FREE)]
    return codes


def true_degree(truth):
    """Returns the degree of a function given by its values, as the bits of an integer."""
    values = [truth >> v & 1 for v in range(1 << FREE)]
    for i in range(FREE):
        for v in range(1 << FREE):
            if v >> i & 1:
                values[v] ^= values[v ^ (1 << i)]
    return max((v.bit_count() for v in range(1 << FREE) if values[v]), default=0)


def programs(domain, free, seed):
    """Yields values that random operations make of the free bits, the same for every domain."""
    choose = random.Random(seed)
    one = domain.one
    values = []
    for _ in range(3):
        codes = np.array([choose.choice([0, one]) for _ in range(SIZE)], dtype=domain.dtype)
        for place in choose.sample(range(SIZE), 3):
            codes[place] = free[choose.randrange(FREE)]
        values.append(codes)
    operations = ["xor", "both", "either", "invert", "shift", "hole", "carryless", "equal"]
    operations += ["add", "multiply", "subtract", "less"]
    for _ in range(6):
        name = choose.choice(operations)
        a, b, place = choose.choice(values), choose.choice(values), choose.randrange(SIZE)
        if name == "shift":
            result = np.concatenate([np.zeros(place, dtype=domain.dtype), a[: SIZE - place]])
        elif name == "hole":
            result = a.copy()
            result[place:] = 0
        elif name == "invert":
            result = domain.invert(a)
        elif name == "carryless":
            result = domain.carryless(a, b)[:SIZE]
        elif name in ("equal", "less"):
            result = np.tile(getattr(domain, name)(a, b), SIZE)
        else:
            result = domain.settle(getattr(domain, name)(a, b))
        values.append(result.astype(domain.dtype))
        yield values[-1]


@pytest.mark.parametrize("part", range(4))
def test_bounds_of_degrees_hold(part):
    """Whatever is computed has at most the degree that the domain says."""
    tight = 0
    for seed in range(60 * part, 60 * part + 60):
        degrees = list(programs(Degrees(), np.full(FREE, 2, dtype=np.uint8), seed))
        truths = list(programs(Samples(1 << FREE), patterns(), seed))
        for codes, truth in zip(degrees, truths, strict=True):
            for code, value in zip(codes, truth, strict=True):
                value &= (1 << (1 << FREE)) - 1
                if code < 2:
                    assert value == (0 if code == 0 else (1 << (1 << FREE)) - 1)
                elif code < UNKNOWN:
                    assert true_degree(value) <= code - 1
                    tight += true_degree(value) == code - 1
    assert tight > 100  # it does say something


@pytest.mark.parametrize("kind", [Terms, Choices])
def test_equal_terms_are_equal(kind):
    """Bits of one code, or of a code and its complement, have such values for all free bits."""
    ones = (1 << (1 << FREE)) - 1
    again = 0
    for seed in range(60):
        domain = kind()
        free = domain.free(FREE)
        if kind is Choices:
            domain.choice(free[0])
        truths = list(programs(Samples(1 << FREE), patterns(), seed))
        seen = {0: 0}
        for codes, truth in zip(programs(domain, free, seed), truths, strict=True):
            for code, value in zip(codes, truth, strict=True):
                code, value = (~code, ~value) if code < 0 else (code, value)
                again += code in seen and code != 0
                assert seen.setdefault(code, value & ones) == value & ones
    assert again > 100  # there were equal ones


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_the_number_of_random_operands(degree):
    """A product of `degree` bits, the least frequent difference, is missed as seldom as claimed."""
    missed = (1 - 2.0**-degree) ** samples_for(degree)
    assert missed <= 2.0**-128
    assert (1 - 2.0**-degree) ** (samples_for(degree) - 1) > 2.0**-128


def test_fingerprints_know_equal_expressions():
    """The order of sums and products and constants does not matter; anything else does."""
    domain = Fingerprints()
    a, b, c = np.split(domain.free(3), 3)
    assert domain.both(~a, b) == domain.both(b, a) ^ b
    assert domain.both(~a, ~b) == ~(domain.both(a, b) ^ a ^ b)
    assert domain.either(a, b) == domain.both(a, b) ^ a ^ b
    assert domain.both(a ^ c, b) == domain.both(b, c ^ a)
    assert domain.both(a, b) != domain.both(a, c)
    assert domain.both(a, ~a) == 0
    assert domain.both(a, a) == a
