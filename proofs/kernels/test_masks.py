# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Masks and choices are what other proofs take them for, in each file where they do."""

import pytest

from proofs.kernels import decoders, matrices, peaks, recurrences
from proofs.kernels.masks import KeepIfZero, Mask
from tools import mistakes

HQC = ("portable", "avx2", "gfni", "avx512", "neon")
ZERO, LESS, EQUAL, SELECT = "ct_mask_zero", "ct_mask_less", "ct_mask_equal", "ct_select"


def stem(files):
    """Returns how names of functions in the first of some files end."""
    return files[0].rpartition("/")[2].removesuffix(".c")


# A proof, the files it is about, and the back end.
MASKS = [
    *[(Mask(ZERO, 32, f"codes_{b}"), decoders.FILES[b], b) for b in HQC],
    *[
        (Mask(name, 32, "reed_muller"), peaks.FILES["portable"], "portable")
        for name in (LESS, SELECT)
    ],
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


def target(backend):
    """Returns the processor of a back end."""
    return "aarch64-linux-gnu" if backend == "neon" else "x86_64-linux-gnu"


@pytest.mark.parametrize(("unit", "files", "backend"), MASKS, ids=lambda value: str(value)[:40])
def test_a_mask_is_what_it_is_taken_for(holds, unit, files, backend):
    """As circuits."""
    holds(files, unit, target=target(backend))


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/masks"))
def test_a_changed_constant_is_found(fails, mistake):
    """In each kind of mask."""
    unit = mistake.call(globals())
    files, backend = next(row[1:] for row in MASKS if repr(row[0]) == repr(unit))
    fails(files, unit, mistake, target=target(backend))
