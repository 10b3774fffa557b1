# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The weight of a ring element is the sum of its bits."""

import pytest

from equivalence.prove import NotProved
from equivalence.rings import RINGS
from equivalence.weights import Weight

MISTAKES = {
    "avx2": ("gf2x/avx2/gf2x_avx2.c", "_mm_popcnt_u64(a[i])", "_mm_popcnt_u64(a[i / 2])"),
    "avx512": ("gf2x/avx512/gf2x_avx512.c", "epi64(_mm512_load_si512(a + i)))", "epi64(count))"),
}


@pytest.mark.parametrize("backend", MISTAKES)
def test_the_weight_is_that_of_all_words(holds, backend):
    """The smallest ring."""
    weight = Weight(backend, 12323)
    holds(weight.files, weight, target=weight.target)


@pytest.mark.long
@pytest.mark.parametrize("r", RINGS)
@pytest.mark.parametrize("backend", MISTAKES)
def test_every_weight_is_that_of_all_words(holds, backend, r):
    """All rings."""
    weight = Weight(backend, r)
    holds(weight.files, weight, target=weight.target)


@pytest.mark.parametrize("backend", MISTAKES)
def test_a_changed_constant_is_found(sources, backend):
    """A word that is counted twice, or none."""
    weight = Weight(backend, 12323)
    module = sources.module(weight.files, weight.target, MISTAKES[backend])
    with pytest.raises(NotProved):
        weight.prove(module)
