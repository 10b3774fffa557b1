# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The weight of a ring element is the sum of its bits."""

import pytest

from proofs.kernels.rings import RINGS
from proofs.kernels.weights import Weight
from tools import mistakes

BACKENDS = ["avx2", "avx512"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_weight_is_that_of_all_words(holds, backend):
    """The smallest ring."""
    weight = Weight(backend, 12323)
    holds(weight.files, weight, target=weight.target)


@pytest.mark.long
@pytest.mark.parametrize("r", RINGS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_weight_is_that_of_all_words(holds, backend, r):
    """All rings."""
    weight = Weight(backend, r)
    holds(weight.files, weight, target=weight.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/weights"))
def test_a_changed_constant_is_found(fails, mistake):
    """A word that is counted twice, or none."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
