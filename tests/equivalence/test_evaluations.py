# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of SOFIA's polynomials at many places are those of the specification."""

import itertools

import numpy as np
import pytest

from equivalence import evaluations as tables
from equivalence import evaluations_avx512 as tiles

# Places of F and of G: the most, those of some vectors, and one.
COUNTS = [(448, 448), (300, 100), (65, 257), (1, 0)]
QUICK = [
    tables.Turn("portable", 2, 70),
    tables.TurnBack("portable", 2, 70),
    *[tables.Calls(b, *counts) for b in tables.BITS for counts in COUNTS],
    *[tables.HalfRow(b, tables.WIDTHS[b][0], 16) for b in ("avx2", "neon")],
    tiles.LoadRow(8),
    tiles.Turn(70),
    *[tiles.Calls(*counts) for counts in COUNTS],
    tiles.AddRow(1, 8),
]
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
TEMPLATE, COLUMNS, AVX512 = "mq4/mq4_tables.template.h", "mq4/mq4_columns.c", "mq4/mq4_avx512.c"
# A proof, and what is changed in a file so that it fails.
MISTAKES = [
    (tables.Turn("portable", 1, 64), COLUMNS, "0x00000000FFFFFFFF", "0x00000000FFFFFFFE"),
    (tables.TurnBack("portable", 1, 64), COLUMNS, "(1 + plane);", "(2 - plane);"),
    (tables.Monomials("portable"), TEMPLATE, "= ADD(m.both, m.lo);", "= ADD(m.both, m.hi);"),
    (tables.Monomials("portable"), "mq4/mq4.h", "- r % 16 + 8)", "- r % 16 + 9)"),
    (tables.Monomials("portable"), "mq4/mq4_portable.c", "((a) & (b))", "((a) | (b))"),
    (tables.Monomials("neon"), "mq4/mq4_neon.c", "vandq_u64(a, b)", "vorrq_u64(a, b)"),
    (tables.HalfRow("avx2", 2, 16), TEMPLATE, "(picks >> 4 * t & 15)", "(picks >> 4 * t & 11)"),
    (tables.HalfRow("neon", 4, 16), TEMPLATE, "coefficients + first / 8, to", "coefficients, to"),
    (tables.Calls("portable", 300, 100), TEMPLATE, "row <= MQ4_WHOLE", "row < MQ4_WHOLE"),
    (tables.Calls("avx2", 1, 0), "mq4/mq4_avx2.c", "do (2) do(3)", "do (1) do(3)"),
    (tiles.LoadRow(8), AVX512, "0x7060504030201000", "0x7060504030201001"),
    (tiles.Monomials(1, 0), AVX512, "MOVE_DOWN(8 - up)", "MOVE_DOWN(7 - up)"),
    (tiles.AddRow(1, 8), AVX512, "odd, 0), 0x96);", "odd, 0), 0x9E);"),
    (tiles.Turn(70), AVX512, "(hi, add(lo_lo, both));", "(hi, add(hi_hi, both));"),
    (tiles.Calls(300, 100), AVX512, "number >= 2 ||", "number >= 1 ||"),
]


@pytest.mark.parametrize("proof", QUICK, ids=repr)
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


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_a_changed_constant_is_found(fails, number):
    """In each file, and in each step."""
    proof, *changed = MISTAKES[number]
    fails(proof.files, proof, tuple(changed), target=proof.target)
