# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels of the factorisation of bit matrices, for all operands."""

import numpy as np
import pytest

from equivalence.circuits import Circuits
from equivalence.matrices import (
    BACKENDS,
    AddProducts,
    MakeSelection,
    MoveBytes,
    PivotRow,
    Rows,
    Strips,
    Words,
)
from equivalence.pivots import Eliminate, FindInReach, TakePivot
from equivalence.prove import NotProved
from equivalence.quick import first_of_each, kind_of

MOVES = ["words_to_strips", "strips_to_words", "rows_to_strip", "strip_to_rows"]
QUICK = [
    *[AddProducts(backend, 4, 2, 64) for backend in BACKENDS],
    *[Strips(backend, function) for backend in BACKENDS for function in MOVES],
    *[MoveBytes(backend) for backend in BACKENDS],
    *[Words("portable", function) for function in ("transpose_block", "parities_of")],
    Rows("portable", "add_rows", 8),
    Rows("portable", "add_rows_to_two", 8),
    PivotRow("portable", 8),
    TakePivot(128, 0),
]
# More products than tables are made at a time; strips as wide as a panel; all columns of a block.
LONG = [
    *[AddProducts(backend, 4, 18, 64) for backend in BACKENDS],
    *[AddProducts(backend, 8, 2, 576) for backend in BACKENDS],
    *[MakeSelection(backend) for backend in BACKENDS],
    *[Rows("portable", function, 3) for function in ("add_rows", "add_blocks_to_block")],
    *[
        Rows("portable", function, 8)
        for function in ("add_blocks_to_block", "multiply_words_block")
    ],
    PivotRow("portable", 3),
    *[TakePivot(128, c) for c in range(1, 64)],
    Eliminate(128, 64, False),
    Eliminate(64, 32, True),
    FindInReach(),
]
MISTAKES = {
    "tables of AVX2": (
        AddProducts("avx2", 4, 2, 64),
        "bitmatrix/bitmatrix_avx2.c",
        "(int)0xFFFF0000",
        "(int)0xFFFF0100",
    ),
    "nibbles of AVX2": (
        AddProducts("avx2", 4, 2, 64),
        "bitmatrix/bitmatrix_avx2.c",
        "_mm256_srli_epi16(y, 4)",
        "_mm256_srli_epi16(y, 3)",
    ),
    "bytes of AVX2": (
        Strips("avx2", "rows_to_strip"),
        "bitmatrix/bitmatrix_avx2.c",
        "(0, 2, 4, 6, 8, 10,",
        "(0, 2, 4, 8, 6, 10,",
    ),
    "numbers of AVX2": (
        MoveBytes("avx2"),
        "bitmatrix/bitmatrix_avx2.c",
        "_mm256_set1_epi8(0x70)",
        "_mm256_set1_epi8(0x60)",
    ),
    "sums of AVX-512": (
        AddProducts("avx512", 4, 2, 64),
        "bitmatrix/bitmatrix_avx512.c",
        "second, 0), 0x96)",
        "second, 0), 0x97)",
    ),
    "operands of AVX-512": (
        AddProducts("avx512", 4, 2, 64),
        "bitmatrix/bitmatrix_avx512.c",
        "UNITS_DOWN 0x0102040810204080",
        "UNITS_DOWN 0x0102040810208040",
    ),
    "order of AVX-512": (
        Strips("avx512", "strip_to_rows"),
        "bitmatrix/bitmatrix_avx512.c",
        "0x3D352D251D150D05",
        "0x3D352D251D150D04",
    ),
    "halves of AVX-512": (
        Strips("avx512", "rows_to_strip"),
        "bitmatrix/bitmatrix_avx512.c",
        "u[i + 2], u[i + 6], 0xDD)",
        "u[i + 2], u[i + 6], 0xD9)",
    ),
    "tables of NEON": (
        AddProducts("neon", 4, 2, 64),
        "bitmatrix/bitmatrix_neon64.c",
        "UINT64_C(0xFFFFFFFF00000000)",
        "UINT64_C(0xFFFFFFFE00000000)",
    ),
    "words": (
        Words("portable", "transpose_block"),
        "bitmatrix/bitmatrix_portable.c",
        "0x0F0F0F0F0F0F0F0F",
        "0x0F0F0F0F0F0F0F0E",
    ),
    "blocks of the template": (
        Strips("neon", "words_to_strips"),
        "bitmatrix/bitmatrix_strips.template.h",
        "0x0000CCCC0000CCCC",
        "0x0000CCCC0000CCC8",
    ),
    "rows": (
        Rows("portable", "add_rows_to_two", 8),
        "bitmatrix/bitmatrix_portable.c",
        "ct_mask_bit_u64(a2 >> s)",
        "ct_mask_bit_u64(a2 >> (s ^ 1))",
    ),
    "place": (
        TakePivot(128, 0),
        "bitmatrix/bitmatrix.c",
        "place |= (uint32_t)i & (uint32_t)take;",
        "place |= (uint32_t)(i + 1) & (uint32_t)take;",
    ),
}
LONG_MISTAKES = {
    "selection": (
        MakeSelection("avx2"),
        "bitmatrix/bitmatrix_strips.template.h",
        "ct_shift_left_u64(here & 1, place[c] % 64)",
        "ct_shift_left_u64(here & 1, place[c] % 32)",
    ),
    "elimination": (Eliminate(64, 32, True), "bitmatrix/bitmatrix.c", "& ~bit & add;", "& add;"),
    "reach of AVX-512": (
        FindInReach(),
        "bitmatrix/bitmatrix_avx512.c",
        "_mm512_shuffle_i64x2(sum[0], sum[0], 0xB1)",
        "_mm512_shuffle_i64x2(sum[0], sum[0], 0xB0)",
    ),
}


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_kernel_is_that_of_the_specification(holds, call):
    """Products, moves between rows and strips, choices by numbers."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_a_longer_kernel_is_that_of_the_specification(holds, call):
    """Other sizes, and whole blocks."""
    holds(call.files, call, target=call.target)


def test_the_lowest_bit():
    """x & -x is the lowest bit of x."""
    domain = Circuits()
    x = domain.free(64)
    lowest = domain.both(x, domain.subtract(np.zeros(64, dtype=np.int64), x))
    none = np.ones(1, dtype=np.int64)
    for at in range(64):
        first = domain.both(none, x[at : at + 1])
        assert not domain.differ(lowest[at], first[0])
        none = domain.both(none, domain.invert(x[at : at + 1]))


def shows(sources, call, *changed):
    """Demands that a mistake is found."""
    module = sources.module(call.files, call.target, changed)
    with pytest.raises(NotProved):
        call.prove(module)


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][0])))
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each kind of kernel."""
    shows(sources, *MISTAKES[name])


@pytest.mark.long
@pytest.mark.parametrize("name", LONG_MISTAKES)
def test_a_changed_longer_kernel_is_found(sources, name):
    """The same for those that take longer."""
    shows(sources, *LONG_MISTAKES[name])
