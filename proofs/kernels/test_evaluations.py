# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of SOFIA's polynomials at many places are those of the specification."""

import itertools

import numpy as np
import pytest

from proofs.kernels import evaluations as tables
from proofs.kernels import evaluations_avx512 as tiles
from tools import mistakes

# Places of F and of G: the most, those of some vectors, and one.
COUNTS = [(448, 448), (300, 100), (65, 257), (1, 0)]
QUICK = [
    tables.Turn("portable", 2, 70),
    tables.TurnBack("portable", 2, 70),
    *[tables.Calls(b, *counts) for b in tables.BITS for counts in COUNTS],
    tables.HalfRow("avx2", tables.WIDTHS["avx2"][0], 16),
    tiles.Turn(70),
    *[tiles.Calls(*counts) for counts in COUNTS],
    tiles.AddRow(1, 8),
]
SLOWER = [tables.HalfRow("neon", tables.WIDTHS["neon"][0], 16), tiles.LoadRow(8)]
LONG = [
    tables.Turn("portable", 7, 448),
    tables.TurnBack("portable", 14, 448),
    *[tables.Monomials(b) for b in tables.BITS],
    *[tables.HalfRow(b, w, 16) for b, widths in tables.WIDTHS.items() for w in widths[1:]],
    *[tables.HalfRow(b, widths[0], 8) for b, widths in tables.WIDTHS.items()],
    tables.HalfRow("portable", tables.WIDTHS["portable"][0], 16),
    tiles.LoadRow(16),
    tiles.Turn(256),
    *[tiles.Monomials(1, polar) for polar in (0, 1)],
    *[tiles.AddRow(n, 16) for n in (1, 2, 3, 4)],
]


@pytest.mark.parametrize(
    "proof", [*QUICK, *(pytest.param(proof, marks=pytest.mark.long) for proof in SLOWER)], ids=repr
)
def test_an_evaluation_is_put_together_as_specified(holds, proof):
    """Places, sums of half a row or a row, and all calls."""
    holds(proof.files, proof, target=proof.target)


@pytest.mark.long
@pytest.mark.parametrize("proof", LONG, ids=repr)
def test_all_parts_are_those_of_the_specification(holds, proof):
    """Monomials of all rows, and every number of vectors that there is code for."""
    holds(proof.files, proof, target=proof.target)


def test_the_model_multiplies_in_the_field():
    """F_4 = F_2[w]/(w^2 + w + 1): all products, by the powers of w."""
    power = [(1, 0), (0, 1), (1, 1)]
    for i, j in itertools.product(range(3), repeat=2):
        right = power[(i + j) % 3]
        assert tuple(tables.product(np.array(power[i]), np.array(power[j]))) == right


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/evaluations"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each file, and in each step."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
