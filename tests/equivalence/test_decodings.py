# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What Classic McEliece's decoder takes of the field is right, for every count that it asks for."""

import pytest

from equivalence.decodings import ERRORS, InScratch, Zeros
from equivalence.fields import FILES

# t errors: 2 t numbers of the syndrome, t of that of the found error, t + 1 coefficients.
CALLS = [
    InScratch(b, name, degree, count)
    for b in FILES
    for degree, errors in ERRORS.items()
    for t in errors
    for name, count in (("power_sums", t), ("power_sums", 2 * t), ("evaluate", t + 1))
]
QUICK = [
    *[Zeros(b, degree) for b in FILES for degree in ERRORS],
    *[InScratch(b, "power_sums", 12, 64) for b in ("avx2", "avx512")],
]
TRANSFORM, VECTORS = "gf2m/gf2m_transform.template.h", "gf2m/gf2m_vectors.template.h"
# A proof, and what is changed in a file so that it fails.
MISTAKES = [
    # with 64 numbers alone
    (
        InScratch("avx2", "power_sums", 12, 64),
        TRANSFORM,
        "for (unsigned l = levels; l-- > 0;)",
        "for (unsigned l = levels; l-- > (levels == 6);)",
    ),
    # in the scratch memory alone
    (
        InScratch("avx2", "evaluate", 12, 65),
        TRANSFORM,
        "scratch + GF2M_FIELD_WORDS(m);",
        "scratch;",
    ),
    (Zeros("avx2", 13), VECTORS, "or_xor(vector_load(a + at),", "or_xor(vector_load(a + at % 96),"),
    (Zeros("portable", 12), VECTORS, "none = vector_and(", "none = vector_xor("),
]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_step_of_decoding_is_that_of_the_specification(holds, call):
    """The fewest errors."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_every_step_of_decoding_is_that_of_the_specification(holds, call):
    """All parameter sets."""
    holds(call.files, call, target=call.target)


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_a_changed_constant_is_found(fails, number):
    """In each function."""
    call, *changed = MISTAKES[number]
    fails(call.files, call, tuple(changed), target=call.target)
