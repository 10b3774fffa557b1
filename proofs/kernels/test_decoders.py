# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decoding the two codes of HQC is what the specification says, for every received word."""

import random

import numpy as np
import pytest

from proofs.kernels import decoders
from proofs.kernels.codes import SIZES, encoded
from proofs.kernels.decoders import Decode
from proofs.kernels.engine.terms import Terms
from proofs.kernels.peaks import COPIES, Counts, Key, Largest, Peak, Transform, Whole
from tools import mistakes

TARGETS = {"neon": "aarch64-linux-gnu"}
CODE, *OTHER_CODES = SIZES
PARTS = [
    *[Decode(backend, CODE) for backend in decoders.FILES],
    Transform("portable"),
    *[Counts("portable", copies) for copies in COPIES],
    Largest("portable"),
    Key("portable"),
    *[Whole("avx2", copies) for copies in COPIES],
    Whole("neon", COPIES[-1]),
]
LONG = [
    *[Decode(backend, code) for backend in decoders.FILES for code in OTHER_CODES],
    Peak("portable"),
    *[Whole("neon", copies) for copies in COPIES[:-1]],
]


@pytest.mark.parametrize(
    "call", [*PARTS, *(pytest.param(call, marks=pytest.mark.long) for call in LONG)], ids=repr
)
def test_decoding_is_that_of_the_specification(holds, call):
    """Whole decoders, or parts that follow on each other."""
    holds(call.files, call, target=TARGETS.get(call.backend, "x86_64-linux-gnu"))


def codes_of(values):
    """Returns codes of known bytes."""
    return [np.array([-(v >> i & 1) for i in range(8)], dtype=object) for v in values]


@pytest.mark.parametrize("code", SIZES)
def test_the_specification_corrects_errors(code):
    """The Python decoder, for known words with delta wrong bytes."""
    length, size = SIZES[code]
    choose = random.Random(length)
    message = choose.randbytes(size)
    word = bytearray(
        encoded(int.from_bytes(message, "little"), length, size).to_bytes(length, "little")
    )
    for place in choose.sample(range(length), (length - size) // 2):
        word[place] ^= choose.randrange(1, 256)
    found = decoders.decoded(decoders.Field(Terms()), codes_of(word), length, size)
    assert (
        bytes(sum((c & 1) << i for i, c in enumerate(byte)) for byte in found.reshape(-1, 8))
        == message
    )


def test_keys_of_vectors_order_as_heights_do():
    """Half the absolute value, for entries that are all even or all odd, and fits into a byte."""
    highest = 64 * max(COPIES)
    for parity in (0, 1):
        heights = range(parity, highest + 1, 2)
        assert [height >> 1 for height in heights] == sorted({height >> 1 for height in heights})
    assert highest >> 1 < 256


@pytest.mark.parametrize("mistake", mistakes.cases("equivalence/decoders"))
def test_a_changed_constant_is_found(fails, mistake):
    """A mistake in each part of each back end."""
    call = mistake.call(globals())
    fails(call.files, call, mistake, target=TARGETS.get(call.backend, "x86_64-linux-gnu"))
