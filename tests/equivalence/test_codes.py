# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The codes of HQC: encoders, syndromes, and arithmetic in GF(256), for all operands."""

import pytest

from equivalence.codes import (
    FILES,
    SIZES,
    Encode,
    FieldInverse,
    FieldProduct,
    ReedMullerEncode,
    Syndromes,
    generator,
)
from equivalence.quick import first_of_each, kind_of

TARGETS = {"neon": "aarch64-linux-gnu"}
TEMPLATE = "hqc/reed_solomon_steps.template.h"
MISTAKES = {
    "generator": (
        Encode("avx2", "46_16"),
        ("hqc/params.c", "{89,  69,  153, 116,", "{89,  69,  153, 117,"),
    ),
    "field of AVX2": (
        FieldProduct("avx2"),
        ("hqc/hqc_ops_avx2.c", "_mm256_set1_epi8(0x1D)", "_mm256_set1_epi8(0x1B)"),
    ),
    "field of AES": (
        Encode("avx512", "90_32"),
        ("hqc/gf256_tables.h", "#define GF256_TO_AES UINT64_C(0x", "#define GF256_TO_AES 1 ^ (0x"),
    ),
    "portable field": (
        FieldProduct("portable"),
        ("hqc/gf256.h", "#define GF256_FOLD UINT64_C(0x1D)", "#define GF256_FOLD UINT64_C(0x1B)"),
    ),
    "field of NEON": (
        FieldProduct("neon"),
        ("hqc/hqc_ops_neon.c", "0x1D", "0x1B"),
    ),
    "syndromes": (
        Syndromes("avx2", "46_16"),
        (TEMPLATE, "(a >> 7) * 0x1D)", "(a >> 7) * 0x1C)"),
    ),
    "Reed-Muller": (
        ReedMullerEncode(3),
        ("hqc/reed_muller.c", "UINT64_C(0xF0F0F0F0F0F0F0F0)", "UINT64_C(0xF0F0F0F0F0F0F0F1)"),
    ),
}


def files(call):
    """Returns the files of the back end of a call."""
    return FILES[getattr(call, "backend", "portable")]


def target(call):
    """Returns the processor of the back end of a call."""
    return TARGETS.get(getattr(call, "backend", "portable"), "x86_64-linux-gnu")


CALLS = [
    *[Encode(backend, code) for backend in FILES for code in SIZES],
    *[Syndromes(backend, code) for backend in ("portable", "avx2", "neon") for code in SIZES],
    *[kind(b) for kind in (FieldProduct, FieldInverse) for b in ("portable", "avx2", "neon")],
    *[ReedMullerEncode(copies) for copies in (3, 5)],
]


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_a_map_is_that_of_the_specification(holds, call):
    """Encoders and syndromes are linear, products bilinear; of inverses there are few."""
    holds(files(call), call, target=target(call))


def test_the_generator_of_the_specification():
    """The first coefficients of the generator polynomial of HQC-1, as printed in [HQC, 7]."""
    assert generator(30)[:5] == [89, 69, 153, 116, 176]


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][0])))
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each table and each kind of arithmetic."""
    call, changed = MISTAKES[name]
    fails(files(call), call, changed, target=target(call))
