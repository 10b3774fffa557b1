# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inverses in GF(2^12) and GF(2^13), and the field of AES in HQC with AVX-512."""

import pytest

from equivalence.codes import SIZES
from equivalence.fields import FILES
from equivalence.inversions import (
    UNIT_FILES,
    AesInverse,
    AesSyndromes,
    ElementInverse,
    FieldInverses,
)
from equivalence.prove import NotProved, compare, prove_exhaustively

TEMPLATE = "gf2m/gf2m_vectors.template.h"
SAMPLES = 64  # random elements that show a mistake
QUICK = [FieldInverses(backend, 12, 1) for backend in FILES]
QUICK += [
    ElementInverse(backend, degree) for backend in ("portable", "neon") for degree in (12, 13)
]
LONG = [FieldInverses(backend, 13, 1) for backend in FILES]
LONG += [
    FieldInverses(backend, degree, count, same)
    for backend in FILES
    for degree, count, same in [(12, 8, ("out", "a")), (13, 3, ()), (13, 3, ("out", "a"))]
]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_inverses_of_all_elements(holds, call):
    """One block, all elements in all lanes."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_inverses_of_all_elements_of_the_larger_field(holds, call):
    """And several blocks, which share one inversion."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("size", [32, 64])
def test_inverses_through_the_field_of_aes(sources, size):
    """All 256 elements."""
    prove_exhaustively(sources.module(UNIT_FILES), AesInverse(size), 8)


@pytest.mark.parametrize("code", SIZES)
def test_syndromes_through_the_field_of_aes(holds, code):
    """A linear map."""
    holds(UNIT_FILES, AesSyndromes(code))


# Old and new text of the template, and a call that shows it.
MISTAKES = {
    "chain of AVX2": (
        "for (unsigned i = 1; i < 5; i++) {",
        "for (unsigned i = 2; i < 5; i++) {",
        FieldInverses("avx2", 12, 1),
    ),
    "chain of NEON": (
        "TEMPLATE_NAME(multiply_block)(m, power, other, a); /* k = 11 */",
        "TEMPLATE_NAME(multiply_block)(m, power, other, other);",
        FieldInverses("neon", 12, 1),
    ),
}
LONG_MISTAKES = {
    "blocks": ("i > 0; i--) {", "i > 1; i--) {", FieldInverses("neon", 12, 3)),
    "order": (
        """    TEMPLATE_NAME(multiply_block)(m, inverse, inverse, a + step * i);
    for (size_t k = 0; k < step; k++) {
      out[step * i + k] = own[k];
    }
""",
        """    for (size_t k = 0; k < step; k++) {
      out[step * i + k] = own[k];
    }
    TEMPLATE_NAME(multiply_block)(m, inverse, inverse, a + step * i);
""",
        FieldInverses("neon", 12, 3, ("out", "a")),
    ),
    "scratch memory": (
        "*inverse = scratch + GF2M_FIELD_WORDS(m);",
        "*inverse = scratch + GF2M_FIELD_WORDS(m - 1);",
        FieldInverses("neon", 12, 8, ("out", "a")),
    ),
    "chain of the larger field": (
        "for (unsigned i = 1; i < 6; i++) {",
        "for (unsigned i = 1; i < 7; i++) {",
        FieldInverses("neon", 13, 1),
    ),
}


def shows(sources, old, new, call):
    """Demands that a mistake is found."""
    with pytest.raises(NotProved):
        compare(sources.module(call.files, call.target, (TEMPLATE, old, new)), call, SAMPLES)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_changed_chain_is_found(sources, name):
    """A square too few, and a product of others."""
    shows(sources, *MISTAKES[name])


@pytest.mark.long
@pytest.mark.parametrize("name", LONG_MISTAKES)
def test_a_changed_inversion_is_found(sources, name):
    """Several blocks, also in place, and the larger field."""
    shows(sources, *LONG_MISTAKES[name])


def test_a_wrong_matrix_is_found(sources):
    """The way back from the field of AES."""
    changed = ("hqc/gf256_tables.h", "GF256_FROM_AES UINT64_C(0x", "GF256_FROM_AES 1 ^ UINT64_C(0x")
    with pytest.raises(NotProved):
        prove_exhaustively(sources.module(UNIT_FILES, changed=changed), AesInverse(64), 8)


def test_a_wrong_point_is_found(fails):
    """Where the syndromes evaluate."""
    changed = ("hqc/hqc_ops_avx512.c", "_mm512_set1_epi8((char)received[j - 2])", "points")
    fails(UNIT_FILES, AesSyndromes("46_16"), changed)
