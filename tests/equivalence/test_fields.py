# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic of Classic McEliece: transforms over GF(2^12) and GF(2^13) are what they should be."""

import pytest

from equivalence.fields import FILES, SHARED, FieldCall
from equivalence.quick import first_of_each, kind_of

VECTORS = ["portable", "avx2", "avx512"]
QUICK = [
    *[FieldCall(b, name, 13, 1) for b in VECTORS for name in ("multiply", "square", "select")],
    *[FieldCall(b, "evaluate", 12, 65) for b in ("avx2", "avx512")],
    FieldCall("avx2", "power_sums", 12, 128),
]
# Coefficients of Goppa polynomials, and power sums: as many as the schemes take.
LONG = [
    *[
        FieldCall(b, name, d, 2)
        for b in VECTORS
        for d in (12, 13)
        for name in ("multiply", "square")
    ],
    *[FieldCall(b, "select", 12, 2) for b in VECTORS],
    *[FieldCall(b, name, d, 700) for b in VECTORS for d in (12, 13) for name in ("pack", "unpack")],
    *[FieldCall(b, "evaluate", 13, n) for b in VECTORS for n in (97, 120, 129)],
    *[FieldCall(b, "power_sums", 13, n) for b in VECTORS for n in (192, 240, 256)],
    FieldCall("portable", "evaluate", 12, 65),
    *[FieldCall(b, "power_sums", 12, 128) for b in ("portable", "avx512")],
    *[FieldCall(b, "power_rows", d, 8) for b in VECTORS for d in (12, 13)],
]
# How each file is broken, and a call that shows it.
MISTAKES = {
    "gf2m_avx2.c": (
        "_mm256_permute2x128_si256(x, y, 0x31)",
        "_mm256_permute2x128_si256(x, y, 0x21)",
        FieldCall("avx2", "evaluate", 12, 65),
    ),
    "gf2m_avx512.c": (
        "_mm512_shuffle_i64x2(x, y, 0xEE)",
        "_mm512_shuffle_i64x2(x, y, 0xEC)",
        FieldCall("avx512", "evaluate", 12, 65),
    ),
    "gf2m_taylor_256.template.h": (
        "0xF0F0F0F0F0F0F0F0U",
        "0xF0F0F0F0F0F0F0F1U",
        FieldCall("avx2", "evaluate", 12, 65),
    ),
    "gf2m_pack.c": (
        "0x3333333333333333,",
        "0x3333333333333331,",
        FieldCall("avx2", "pack", 12, 512),
    ),
    "gf2m_lanes_256.template.h": (
        "{0x00FF, 0x0F0F, 0x3333, 0x5555}",
        "{0x00FF, 0x0F0F, 0x3331, 0x5555}",
        FieldCall("avx2", "evaluate", 12, 65),
    ),
    "gf2m_taylor.template.h": (
        "UINT64_C(0xF0F0F0F0F0F0F0F0)",
        "UINT64_C(0xF0F0F0F0F0F0F0F1)",
        FieldCall("avx512", "evaluate", 12, 65),
    ),
    "gf2m_transform.template.h": (
        "values + word / 8 * step + word % 8",
        "values + word / 8 * step",
        FieldCall("avx2", "evaluate", 12, 65),
    ),
    "gf2m_vectors.template.h": (
        "product[i - 9] = vector_xor(product[i - 9], product[i]);",
        "product[i - 9] = vector_xor(product[i - 8], product[i]);",
        FieldCall("avx2", "multiply", 13, 1),
    ),
}


def files(call):
    """Returns the files of the back end of a call."""
    return [*FILES[call.backend], *SHARED]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_map_is_that_of_the_specification(holds, call):
    """Linear or bilinear maps of bits."""
    holds(files(call), call)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_every_map_is_that_of_the_specification(holds, call):
    """The sizes of the schemes."""
    holds(files(call), call)


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][2])))
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    old, new, call = MISTAKES[name]
    fails(files(call), call, (f"gf2m/{name}", old, new))
