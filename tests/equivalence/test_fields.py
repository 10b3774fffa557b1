# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic of Classic McEliece: transforms over GF(2^12) and GF(2^13) are what they should be."""

import pytest

import mistakes
from equivalence.fields import FILES, SHARED, FieldCall

VECTORS = ["portable", "avx2", "avx512"]
QUICK = [
    *[FieldCall(b, name, 13, 1) for b in VECTORS for name in ("multiply", "square", "select")],
    *[FieldCall(b, "evaluate", 12, 65) for b in VECTORS],
    *[FieldCall(b, "power_sums", 12, 128) for b in ("avx2", "avx512")],
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
    FieldCall("portable", "power_sums", 12, 128),
    *[FieldCall(b, "power_rows", d, 8) for b in VECTORS for d in (12, 13)],
]


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


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/fields"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(files(call), call, mistake)
