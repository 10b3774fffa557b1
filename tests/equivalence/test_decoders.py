# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decoding the two codes of HQC is what the specification says, for every received word."""

import random

import numpy as np
import pytest

from equivalence import decoders
from equivalence.codes import SIZES, encoded
from equivalence.decoders import Decode, Degrees, ShortDegrees
from equivalence.peaks import COPIES, Counts, Key, Largest, Peak, Transform, Whole
from equivalence.prove import NotProved
from equivalence.quick import first_of_each
from equivalence.terms import Terms

TARGETS = {"neon": "aarch64-linux-gnu"}
X86 = ("avx2", "avx512")
PARTS = [
    *[Decode(backend, code) for backend in decoders.FILES for code in SIZES],
    Transform("portable"),
    *[Transform(backend, copies) for backend in X86 for copies in COPIES],
    *[Counts(backend, copies) for backend in ("portable", *X86) for copies in COPIES],
    *[part(backend) for backend in ("portable", *X86) for part in (Largest, Peak)],
    Key("portable"),
    *[Whole("neon", copies) for copies in COPIES],
]
STEPS = "hqc/reed_solomon_steps.template.h"
MISTAKES = {
    "locator": (Decode("portable", "46_16"), STEPS, "d->auxiliary[1] = 1;", "d->auxiliary[2] = 1;"),
    "length of the locator": (
        Decode("avx2", "56_24"),
        STEPS,
        "t + 1 - rho_plus_1 + previous_degree",
        "t - rho_plus_1 + previous_degree",
    ),
    "evaluator": (
        Decode("neon", "90_32"),
        STEPS,
        "memcpy(shifted + j + 1, d->syndromes",
        "memcpy(shifted + j + 2, d->syndromes",
    ),
    "positions": (Decode("avx2", "90_32"), STEPS, "(255 - i) % 255;", "(254 - i) % 255;"),
    "locator of AVX-512": (
        Decode("avx512", "46_16"),
        "hqc/hqc_ops_avx512.c",
        "_mm256_maskz_set1_epi8(2, 1)",
        "_mm256_maskz_set1_epi8(4, 1)",
    ),
    "sum of AVX-512": (
        Decode("avx512", "56_24"),
        "hqc/hqc_ops_avx512.c",
        "_mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0xB1))",
        "_mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0xB0))",
    ),
    "portable counts": (
        Counts("portable", 5),
        "hqc/reed_muller.c",
        "UINT32_C(0x00010001);\n        }",
        "UINT32_C(0x00010000);\n        }",
    ),
    "portable transform": (
        Transform("portable"),
        "hqc/reed_muller.c",
        "block += 2 * distance",
        "block += 4 * distance",
    ),
    "portable order": (
        Key("portable"),
        "hqc/reed_muller.c",
        "(BITS - 1 - t) << 1 | positive",
        "(BITS - t) << 1 | positive",
    ),
    "portable symbol": (
        Largest("portable"),
        "hqc/reed_muller.c",
        "| (best & 1) << 7);",
        "| (best & 1) << 6);",
    ),
    "shift of AVX2": (Transform("avx2", 3), "hqc/hqc_ops_avx2.c", "(64 * copies)", "(63 * copies)"),
    "signs of AVX2": (
        Transform("avx2", 5),
        "hqc/hqc_ops_avx2.c",
        "(long long)0xFFFFFFFF00010001",
        "(long long)0xFFFFFFFF0001FFFF",
    ),
    "order of AVX2": (
        Peak("avx2"),
        "hqc/hqc_ops_avx2.c",
        "_mm256_permute4x64_epi64(packed, 0xD8)",
        "_mm256_permute4x64_epi64(packed, 0xD4)",
    ),
    "half of AVX2": (
        Largest("avx2"),
        "hqc/hqc_ops_avx2.c",
        "_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)",
        "_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 0)",
    ),
    "bits of AVX2": (Counts("avx2", 3), "hqc/hqc_ops_avx2.c", "0x0800, 0x0400", "0x0800, 0x0800"),
    "levels of AVX-512": (
        Transform("avx512", 5),
        "hqc/hqc_ops_avx512.c",
        "(_MM_PERM_ENUM)0x4E), 0xF0F0F0F0)",
        "(_MM_PERM_ENUM)0x4E), 0xF0F0F0F1)",
    ),
    "bits of AVX-512": (Counts("avx512", 3), "hqc/hqc_ops_avx512.c", "(32 * (part", "(16 * (part"),
    "sign of AVX-512": (Peak("avx512"), "hqc/hqc_ops_avx512.c", "& 0x80;", "& 0x40;"),
    "quarters of AVX-512": (
        Largest("avx512"),
        "hqc/hqc_ops_avx512.c",
        "_mm512_extracti64x4_epi64(all, 1)",
        "_mm512_extracti64x4_epi64(all, 0)",
    ),
    "lanes of NEON": (Whole("neon", 3), "hqc/hqc_ops_neon.c", "{0, 8, 64, 72", "{0, 8, 72, 64"),
    "levels of NEON": (
        Whole("neon", 5),
        "hqc/hqc_ops_neon.c",
        "vsubl_high_s8(even, odd)",
        "vsubl_high_s8(odd, even)",
    ),
}


@pytest.mark.parametrize("call", PARTS, ids=repr)
def test_decoding_is_that_of_the_specification(holds, call):
    """Whole decoders, or parts that follow on each other."""
    holds(call.files, call, target=TARGETS.get(call.backend, "x86_64-linux-gnu"))


def codes_of(values):
    """Returns codes of known bytes."""
    return [np.array([-(v >> i & 1) for i in range(8)], dtype=object) for v in values]


@pytest.mark.parametrize("code", SIZES)
@pytest.mark.parametrize("degrees", [Degrees, ShortDegrees])
def test_the_specification_corrects_errors(code, degrees):
    """The Python decoder, for known words with delta wrong bytes."""
    length, size = SIZES[code]
    choose = random.Random(length)
    message = choose.randbytes(size)
    word = bytearray(
        encoded(int.from_bytes(message, "little"), length, size).to_bytes(length, "little")
    )
    for place in choose.sample(range(length), (length - size) // 2):
        word[place] ^= choose.randrange(1, 256)
    domain = Terms()
    field = decoders.Field(domain)
    found = decoders.decoded(field, degrees(domain), codes_of(word), length, size)
    assert (
        bytes(sum((c & 1) << i for i, c in enumerate(byte)) for byte in found.reshape(-1, 8))
        == message
    )


def test_degrees_in_bytes_decide_as_those_in_words():
    """AVX-512 keeps L_rho - (rho + 1) in a byte with a sign. All histories of delta = 29."""
    states = {(0, 0, 0)}  # L, L_rho, rho + 1
    for t in range(58):
        following = set()
        for degree, previous, rho in states:
            candidate = t + 1 - rho + previous
            lead = previous - rho  # in a byte, as are all numbers here
            assert 0 <= candidate < 128 and -128 <= lead < 128 and candidate == t + 1 + lead
            following.add((degree, previous, rho))
            if degree < candidate:
                following.add((candidate, degree, t + 1))
        states = following
    assert len(states) > 100


def test_keys_of_neon_order_as_heights_do():
    """Half the absolute value, for entries that are all even or all odd, and fits into a byte."""
    highest = 64 * max(COPIES)
    for parity in (0, 1):
        heights = range(parity, highest + 1, 2)
        assert [height >> 1 for height in heights] == sorted({height >> 1 for height in heights})
    assert highest >> 1 < 256


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: type(MISTAKES[name][0])))
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each part of each back end."""
    call, *changed = MISTAKES[name]
    target = TARGETS.get(call.backend, "x86_64-linux-gnu")
    module = sources.module(call.files, target, tuple(changed))
    with pytest.raises(NotProved):
        call.prove(module)
