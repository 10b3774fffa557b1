# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic of Classic McEliece: transforms over GF(2^12) and GF(2^13) are what they should be."""

import pytest

from equivalence.decodings import Zeros
from equivalence.fields import FILES, Element, FieldCall
from equivalence.quick import first_of_each, kind_of

VECTORS = list(FILES)
LONGEST = [(12, 65), (13, 129)]  # degrees, and coefficients of the longest Goppa polynomials
QUICK = [
    *[FieldCall(b, "multiply", 13, 2, ("out", same)) for b in VECTORS for same in "ab"],
    *[FieldCall(b, name, 13, 2, ("out", "a")) for b in VECTORS for name in ("square", "select")],
    *[FieldCall(b, "evaluate", 12, 65) for b in ("avx2", "avx512", "neon")],
    *[FieldCall(b, "power_sums", 12, 128) for b in ("avx2", "neon")],
    FieldCall("neon", "power_rows", 13, 3),
    *[
        Element(b, name, d)
        for b in ("portable", "neon")
        for name in ("multiply", "point")
        for d in (12, 13)
    ],
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
    *[FieldCall(b, "evaluate", d, n, ("out", "scratch")) for b in VECTORS for d, n in LONGEST],
    *[FieldCall(b, "power_sums", 13, n) for b in VECTORS for n in (192, 240, 256)],
    *[
        FieldCall(b, "power_sums", d, 2 * n - 2, ("weights", "scratch"))
        for b in VECTORS
        for d, n in LONGEST
    ],
    # lengths of no scheme, which take other ways through the transform
    *[FieldCall("neon", "evaluate", d, n) for d, n in [(12, 3), (12, 34), (12, 256), (13, 256)]],
    *[FieldCall("neon", "power_sums", d, n) for d, n in [(12, 2), (12, 20), (12, 256)]],
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


NEON, VECTOR, TRANSFORM, TAYLOR = (
    f"gf2m/gf2m_{name}"
    for name in (
        "neon64.c",
        "vectors.template.h",
        "transform.template.h",
        "taylor.template.h",
    )
)
EVALUATE, SUMS = FieldCall("neon", "evaluate", 12, 65), FieldCall("neon", "power_sums", 12, 128)
# More for NEON: (file, old text, new text, a call that shows it).
NEON_MISTAKES = {
    "sums of products": (
        NEON,
        "veorq_u64((sum), vandq_u64((a), (b)))",
        "vorrq_u64((sum), vandq_u64((a), (b)))",
        FieldCall("neon", "multiply", 12, 1),
    ),
    "sums": (
        NEON,
        "vector_xor(a, b) veorq_u64",
        "vector_xor(a, b) vorrq_u64",
        FieldCall("neon", "square", 12, 1),
    ),
    "lane of a load": (
        NEON,
        "vld1q_u64(p)",
        "vld1q_dup_u64(p)",
        FieldCall("neon", "square", 13, 1),
    ),
    "lane of a store": (
        NEON,
        "vst1q_u64((p), (x))",
        "vst1_u64((p), vget_low_u64(x))",
        FieldCall("neon", "square", 13, 1),
    ),
    "products": (
        NEON,
        "vector_and(a, b) vandq_u64((a), (b))",
        "vector_and(a, b) vbicq_u64((a), (b))",
        FieldCall("neon", "select", 13, 1),
    ),
    "lane of a constant": (
        NEON,
        "vdupq_n_u64(w)",
        "vcombine_u64(vcreate_u64(w), vcreate_u64(0))",
        Zeros("neon", 12),
    ),
    "mask of a block": (
        VECTOR,
        "mask = vector_load(bits + GF2M_PLANE_WORDS * i + VECTOR_WORDS * k)",
        "mask = vector_load(bits + VECTOR_WORDS * k)",
        FieldCall("neon", "select", 13, 2, ("out", "a")),
    ),
    "places of zeros": (
        VECTOR,
        "bits + GF2M_PLANE_WORDS * i + VECTOR_WORDS * k, none",
        "bits + GF2M_PLANE_WORDS * i + k, none",
        Zeros("neon", 13),
    ),
    "distance of rows": (
        VECTOR,
        "rows + (i * m + b) * stride",
        "rows + (i * m + b) * GF2M_PLANE_WORDS",
        FieldCall("neon", "power_rows", 13, 3),
    ),
    "bits of a point": (
        "gf2m/gf2m.c",
        "(reversed >> 8 & 0x00FF)",
        "(reversed >> 8 & 0x007F)",
        Element("neon", "point", 13),
    ),
    "reduction of an element": (
        "gf2m/gf2m.c",
        "i >= m; i--) {",
        "i > m; i--) {",
        Element("neon", "multiply", 12),
    ),
    "last row": (
        VECTOR,
        "if (i + 1 < count) {",
        "if (i + 2 < count) {",
        FieldCall("neon", "power_rows", 13, 3),
    ),
    "operands of a split": (NEON, "vtrn2q_u64(x, y)", "vtrn2q_u64(y, x)", EVALUATE),
    "words of a split": (NEON, "vtrn1q_u64(x, y)", "vtrn2q_u64(x, y)", SUMS),
    "to the right": (NEON, "-(int64_t)(count)", "(int64_t)(count)", SUMS),
    "to the left": (NEON, "s64((int64_t)(count))", "s64((int64_t)(count) - 1)", SUMS),
    "first bit of a spread": (NEON, "vcreate_u64(1)", "vcreate_u64(2)", EVALUATE),
    "second bit of a spread": (NEON, "(1U << log_step)", "log_step", EVALUATE),
    "lanes of a spread": (
        TRANSFORM,
        "lane = word << (8 - levels);",
        "lane = word << (7 - levels);",
        EVALUATE,
    ),
    "words of a pair": (
        TRANSFORM,
        "VECTOR_WORDS * (i % BLOCK_VECTORS)",
        "VECTOR_WORDS * (i / BLOCK_VECTORS)",
        EVALUATE,
    ),
    "regrouping by words": (
        TRANSFORM,
        "#if VECTOR_WORDS > 1\n    REGROUP_CASES(6);",
        "#if VECTOR_WORDS > 2\n    REGROUP_CASES(6);",
        SUMS,
    ),
    "wide levels": (
        TRANSFORM,
        "(64U * VECTOR_WORDS) >> (m - 1 - wide) <= 1",
        "(64U * VECTOR_WORDS) >> (m - 1 - wide) < 1",
        EVALUATE,
    ),
    "high points": (TRANSFORM, "for (unsigned j = 9;", "for (unsigned j = 10;", EVALUATE),
    "constants of high points": (
        TRANSFORM,
        "add ^= (in_half >> j & 1) != 0",
        "add ^= j < 2 && (in_half >> j & 1) != 0",
        FieldCall("neon", "evaluate", 13, 97),
    ),
    "parts of a word": (
        TRANSFORM,
        "sum >> (part * (64 / parts)) & 1",
        "sum >> (part * (32 / parts)) & 1",
        FieldCall("neon", "power_sums", 13, 256),
    ),
    "order of coefficients": (TRANSFORM, "(k >> 2 & 0x33)", "(k >> 2 & 0x32)", SUMS),
    "words of weights": (
        TRANSFORM,
        "weights != scratch && i < words",
        "weights != scratch && i + 1 < words",
        SUMS,
    ),
    "lanes of the transpose": (TAYLOR, "<< (1U << a) & both", "<< (1U << a) & only_a", SUMS),
    "words of the twist": (TAYLOR, "twist[b] + VECTOR_WORDS * i", "twist[b] + i", EVALUATE),
}


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_map_is_that_of_the_specification(holds, call):
    """Linear or bilinear maps of bits."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_every_map_is_that_of_the_specification(holds, call):
    """The sizes of the schemes."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][2])))
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    old, new, call = MISTAKES[name]
    fails(call.files, call, (f"gf2m/{name}", old, new), target=call.target)


QUICK_MISTAKES = [
    "sums of products",
    "lane of a load",
    "products",
    "places of zeros",
    "distance of rows",
    "bits of a point",
]


def shows(fails, name):
    """Demands that a mistake of NEON is found."""
    *changed, call = NEON_MISTAKES[name]
    fails(call.files, call, tuple(changed), target=call.target)


@pytest.mark.parametrize("name", QUICK_MISTAKES)
def test_a_change_of_neon_is_found(fails, name):
    """One of each operation."""
    shows(fails, name)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(NEON_MISTAKES.keys() - set(QUICK_MISTAKES)))
def test_every_change_of_neon_is_found(fails, name):
    """Operands, lanes, distances and ends; most take a whole transform."""
    shows(fails, name)
