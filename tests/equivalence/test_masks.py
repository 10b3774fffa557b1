# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masks and choices are what other proofs take them for, in each file where they do."""

import pytest

from equivalence import decoders, matrices, peaks, recurrences
from equivalence.masks import KeepIfZero, Mask

HQC = ("portable", "avx2", "neon")
ZERO, LESS, EQUAL, SELECT = "ct_mask_zero", "ct_mask_less", "ct_mask_equal", "ct_select"


def stem(files):
    """Returns how names of functions in the first of some files end."""
    return files[0].rpartition("/")[2].removesuffix(".c")


# A proof, the files it is about, and the back end.
MASKS = [
    *[(Mask(name, 32, f"hqc_ops_{b}"), decoders.FILES[b], b) for b in HQC for name in (ZERO, LESS)],
    *[
        (Mask(name, 32, "reed_muller"), peaks.FILES["portable"], "portable")
        for name in (LESS, SELECT)
    ],
    *[(Mask(ZERO, 64, f"hqc_ops_{b}"), decoders.FILES[b], b) for b in ("avx2", "avx512")],
    *[(KeepIfZero(b), decoders.FILES[b], b) for b in HQC],
    *[
        (Mask(name, bits, stem(files)), files, b)
        for b, files in recurrences.FILES.items()
        for name, bits in ((ZERO, 32), (LESS, 32), (ZERO, 64))
    ],
    (Mask(EQUAL, 32, "bitmatrix_portable"), matrices.FILES["portable"], "portable"),
    (Mask(ZERO, 64, "bitmatrix"), matrices.SHARED, "portable"),
    (Mask(ZERO, 64, "bitmatrix_avx512"), matrices.FILES["avx512"], "avx512"),
]
MISTAKES = [
    (
        KeepIfZero("neon"),
        "hqc/hqc_ops_neon.c",
        "vandq_u8(a, vceqzq_u8(b))",
        "vandq_u8(a, vceqzq_u8(a))",
    ),
    (
        KeepIfZero("portable"),
        "hqc/gf256.h",
        "const uint64_t low = ~(GF256_ONES << 7);",
        "const uint64_t low = ~(GF256_ONES << 6);",
    ),
    (Mask(ZERO, 32, "hqc_ops_neon"), "base/ct.h", "- x)) >> 31)", "- x)) >> 30)"),
    (Mask(ZERO, 64, "bitmatrix"), "base/ct.h", "- x)) >> 63)", "- x)) >> 62)"),
    (Mask(LESS, 32, "recurrence_portable"), "base/ct.h", "(uint64_t)b) >> 63)", "b) >> 31)"),
    (Mask(EQUAL, 32, "bitmatrix_portable"), "base/ct.h", "_u32(a ^ b)", "_u32(a & b)"),
]


def target(backend):
    """Returns the processor of a back end."""
    return "aarch64-linux-gnu" if backend == "neon" else "x86_64-linux-gnu"


@pytest.mark.parametrize(("unit", "files", "backend"), MASKS, ids=lambda value: str(value)[:40])
def test_a_mask_is_what_it_is_taken_for(holds, unit, files, backend):
    """As circuits."""
    holds(files, unit, target=target(backend))


@pytest.mark.parametrize(
    ("unit", "name", "old", "new"), MISTAKES, ids=lambda value: str(value)[:40]
)
def test_a_changed_constant_is_found(fails, unit, name, old, new):
    """In each kind of mask."""
    files, backend = next(row[1:] for row in MASKS if repr(row[0]) == repr(unit))
    fails(files, unit, (name, old, new), target=target(backend))
