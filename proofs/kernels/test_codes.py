# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The codes of HQC: encoders, syndromes, and arithmetic in GF(256), for all operands."""

import pytest

from proofs.kernels.codes import (
    FILES,
    SIZES,
    Encode,
    FieldInverse,
    FieldProduct,
    FieldScale,
    ReedMullerEncode,
    Syndromes,
    generator,
)
from tools import mistakes

TARGETS = {"neon": "aarch64-linux-gnu"}


def files(call):
    """Returns the files of the back end of a call."""
    return FILES[getattr(call, "backend", "portable")]


def target(call):
    """Returns the processor of the back end of a call."""
    return TARGETS.get(getattr(call, "backend", "portable"), "x86_64-linux-gnu")


CODE, *OTHER_CODES = SIZES
CALLS = [
    *[Encode(backend, CODE) for backend in FILES],
    *[Syndromes(backend, CODE) for backend in ("portable", "avx2", "neon")],
    *[kind(backend) for kind in (FieldProduct, FieldInverse) for backend in FILES],
    FieldScale(),
    *[ReedMullerEncode(copies) for copies in (3, 5)],
]


LONG = [
    *[Encode(backend, code) for backend in FILES for code in OTHER_CODES],
    *[Syndromes(backend, code) for backend in ("portable", "avx2", "neon") for code in OTHER_CODES],
]


@pytest.mark.parametrize(
    "call", [*CALLS, *(pytest.param(call, marks=pytest.mark.long) for call in LONG)], ids=repr
)
def test_a_map_is_that_of_the_specification(holds, call):
    """Encoders and syndromes are linear, products bilinear; of inverses there are few."""
    holds(files(call), call, target=target(call))


def test_the_generator_of_the_specification():
    """The first coefficients of the generator polynomial of HQC-1, as printed in [HQC, 7]."""
    assert generator(30)[:5] == [89, 69, 153, 116, 176]


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/codes"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each table and each kind of arithmetic."""
    call = mistake.call(globals())
    fails(files(call), call, mistake, target=target(call))
