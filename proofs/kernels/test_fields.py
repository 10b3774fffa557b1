# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arithmetic of Classic McEliece: transforms over GF(2^12) and GF(2^13) are what they should be."""

import pytest

from proofs.kernels.fields import FILES, Element, FieldCall
from tools import mistakes

VECTORS = list(FILES)
LONGEST = [(12, 65), (13, 129)]  # degrees, and coefficients of the longest Goppa polynomials
QUICK = [
    *[FieldCall(b, "multiply", 13, 2, ("out", same)) for b in VECTORS for same in "ab"],
    *[FieldCall(b, name, 13, 2, ("out", "a")) for b in VECTORS for name in ("square", "select")],
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
    *[FieldCall(b, "evaluate", 12, 65) for b in VECTORS],
    *[FieldCall(b, "power_sums", 12, 128) for b in VECTORS],
    *[FieldCall(b, "power_rows", d, 8) for b in VECTORS for d in (12, 13)],
]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_map_is_that_of_the_specification(holds, call):
    """Linear or bilinear maps of bits."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_every_map_is_that_of_the_specification(holds, call):
    """The sizes of the schemes."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/fields"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each file."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=call.target)
