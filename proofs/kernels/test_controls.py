# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control bits of permutations, step by step, and permutation networks on vectors."""

import pytest

from proofs.kernels.controls import FILES, Find, LookUp, SortedLookUp, Step, VectorNetwork
from tools import mistakes

STEPS = ["conjugate", "lower", "flip_pairs", "split", "collect"]
VECTORS = ["avx2", "avx512"]
QUICK = [
    *[Step(backend, step, 64) for backend in FILES for step in STEPS],
    *[SortedLookUp(*shape) for shape in [(64, 1), (2048, 1), (64, 2), (1024, 2), (2048, 2)]],
    *[Find(m) for m in (1, 2, 3)],
    *[VectorNetwork(b, 9, backwards) for b in VECTORS for backwards in (False, True)],
]
SLOWER = [LookUp(64, 2)]
LONG = [
    *[Step(backend, step, 256) for backend in FILES for step in STEPS],
    *[Step(backend, "flip_pairs", 8192) for backend in FILES],
    *[LookUp(*shape) for shape in [(64, 1), (128, 1), (128, 2)]],
    *[VectorNetwork(b, m, w) for b in VECTORS for m in (12, 13) for w in (False, True)],
]


@pytest.mark.parametrize(
    "call", [*QUICK, *(pytest.param(call, marks=pytest.mark.long) for call in SLOWER)], ids=repr
)
def test_a_step_is_that_of_the_specification(holds, call):
    """Steps on vectors, looking up, all of it for few things, networks."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_a_longer_step_is_that_of_the_specification(holds, call):
    """The sizes of the schemes, and tables of more than one register."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/controls"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
