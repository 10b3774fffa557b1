# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control bits of permutations, step by step, and permutation networks on vectors."""

import pytest

from equivalence.controls import FILES, Find, LookUp, SortedLookUp, Step, VectorNetwork
from equivalence.prove import NotProved
from equivalence.quick import first_of_each

STEPS = ["conjugate", "lower", "flip_pairs", "split", "collect"]
VECTORS = ["avx2", "avx512"]
QUICK = [
    *[Step(backend, step, 64) for backend in FILES for step in STEPS],
    LookUp(64, 2),
    *[SortedLookUp(*shape) for shape in [(64, 1), (2048, 1), (64, 2), (1024, 2), (2048, 2)]],
    *[Find(m) for m in (1, 2, 3)],
    *[VectorNetwork(b, 9, backwards) for b in VECTORS for backwards in (False, True)],
]
LONG = [
    *[Step(backend, step, 256) for backend in FILES for step in STEPS],
    *[Step(backend, "flip_pairs", 8192) for backend in FILES],
    *[LookUp(*shape) for shape in [(64, 1), (128, 1), (128, 2)]],
    *[VectorNetwork(b, m, w) for b in VECTORS for m in (12, 13) for w in (False, True)],
]
FIND = "benes/benes_find.c"
MISTAKES = {
    "portable order": (
        Find(3),
        FIND,
        "a[y] = (uint16_t)ct_select_u32(ct_mask_less_u32(b[y], a[y])",
        "a[y] = (uint16_t)ct_select_u32(ct_mask_less_u32(a[y], b[y])",
    ),
    "pairs": (
        SortedLookUp(64, 1),
        FIND,
        "(uint32_t)inverse[x] << 16 |",
        "(uint32_t)inverse[x] << 15 |",
    ),
    "triples": (SortedLookUp(1024, 2), FIND, "triples[y] >> 10 & 1023", "triples[y] >> 10 & 511"),
    "places": (
        Find(3),
        FIND,
        "const size_t place = path + (k << depth);",
        "const size_t place = path + k;",
    ),
    "numbers of AVX2": (
        Step("avx2", "flip_pairs", 64),
        "benes/benes_avx2.c",
        "8, 9, 10, 11, 12,",
        "8, 9, 11, 10, 12,",
    ),
    "halves of AVX2": (
        Step("avx2", "split", 64),
        "benes/benes_avx2.c",
        "_mm256_srli_epi32(z, 17)",
        "_mm256_srli_epi32(z, 16)",
    ),
    "bits of AVX2": (
        Step("avx2", "collect", 64),
        "benes/benes_avx2.c",
        "load_any(a + y), 31)",
        "load_any(a + y), 30)",
    ),
    "pairs of AVX2": (
        VectorNetwork("avx2", 9),
        "benes/benes_avx2.c",
        "_mm256_permute4x64_epi64(x, 0xB1)",
        "_mm256_permute4x64_epi64(x, 0xB4)",
    ),
    "masks of the template": (
        VectorNetwork("avx512", 9),
        "benes/benes_vectors.template.h",
        "0x0F0F0F0F0F0F0F0F",
        "0x0F0F0F0F0F0F0F0E",
    ),
    "pairs of AVX-512": (
        Step("avx512", "conjugate", 64),
        "benes/benes_avx512.c",
        "(a + y), 16);\n    _mm512_storeu_si512(to + y, _mm512_xor_si512(x, _mm512_set1_epi16(1)",
        "(a + y), 16);\n    _mm512_storeu_si512(to + y, _mm512_xor_si512(x, _mm512_set1_epi16(3)",
    ),
    "bytes of AVX-512": (
        LookUp(64, 2),
        "benes/benes_avx512.c",
        "_mm512_loadu_si512(planes + 192)",
        "_mm512_loadu_si512(planes + 128)",
    ),
    "bits of NEON": (
        Step("neon", "collect", 64),
        "benes/benes_neon64.c",
        "UINT64_C(3) << 32 | 2",
        "UINT64_C(3) << 32 | 1",
    ),
    "numbers of NEON": (
        Step("neon", "flip_pairs", 64),
        "benes/benes_neon64.c",
        "0x0007000600050004",
        "0x0007000600040005",
    ),
}


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_a_step_is_that_of_the_specification(holds, call):
    """Steps on vectors, looking up, all of it for few things, networks."""
    holds(call.files, call, target=call.target)


@pytest.mark.long
@pytest.mark.parametrize("call", LONG, ids=repr)
def test_a_longer_step_is_that_of_the_specification(holds, call):
    """The sizes of the schemes, and tables of more than one register."""
    holds(call.files, call, target=call.target)


def shows(sources, call, *changed):
    """Demands that a mistake is found."""
    module = sources.module(call.files, call.target, changed)
    with pytest.raises(NotProved):
        call.prove(module)


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: type(MISTAKES[name][0])))
def test_a_changed_constant_is_found(sources, name):
    """A mistake in each file."""
    shows(sources, *MISTAKES[name])
