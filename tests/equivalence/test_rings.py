# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ring arithmetic: every operation of every back end is the map of the specification."""

import pytest

from equivalence.products import MULTIPLY, LowProduct, Multiply, parts_of
from equivalence.quick import first_of_each, kind_of
from equivalence.rings import FILES, PLANS, RINGS, SHARED, TARGETS, RingCall

LOW = LowProduct()


def quick():
    """What `make test` proves: some operations of BIKE-L1 and HQC-1."""
    yield from (LOW, *parts_of(12323))
    yield from (Multiply(backend, 12323) for backend in MULTIPLY)
    yield RingCall("avx512", "mul_lean", 17669)
    yield from (RingCall(b, "mul", 12323) for b in MULTIPLY)
    yield from (RingCall(b, "square_times", 12323, k) for b in FILES for k in (1, 64))


def everything():
    """All operations in all rings, the powers of inversion included, and results in place."""
    for r in RINGS:
        yield from (*parts_of(r), *(Multiply(backend, r) for backend in MULTIPLY))
        yield Multiply("avx512", r, lean=True)
    for backend in FILES:
        for r in RINGS:
            yield from (RingCall(backend, name, r) for name in ("mul", "mul_add"))
            yield from (RingCall(backend, "mul", r, in_place=name) for name in "ab")
            yield from (RingCall(backend, "square_times", r, k) for k in (1, 2))
            yield from (RingCall(backend, "square_times", r, k) for k in PLANS.get(r, []))
            yield RingCall(backend, "square_times", r, 3, in_place="a")
    yield from (RingCall("avx512", "mul_lean", r) for r in RINGS)  # elsewhere the same as mul


def files(call):
    """Returns the files that a call needs."""
    return [*FILES[call.backend], *SHARED]


def target(call):
    """Returns the processor that a call is for."""
    return TARGETS[call.backend]


def left():
    """Returns everything but the quick ones, each once."""
    done = {repr(call) for call in quick()}
    return list({repr(call): call for call in everything() if repr(call) not in done}.values())


@pytest.mark.parametrize("call", [*quick()], ids=repr)
def test_an_operation_is_the_map_of_the_specification(holds, call):
    """Products are bilinear, 2^k-th powers linear."""
    holds(files(call), call, target=target(call))


@pytest.mark.long
@pytest.mark.parametrize("call", left(), ids=repr)
def test_every_operation_is_the_map_of_the_specification(holds, call):
    """The same for all."""
    holds(files(call), call, target=target(call))


# How each file is broken, and a call that shows it.
MISTAKES = {
    "avx2/gf2x_avx2.c": (
        "_mm256_permute4x64_epi64(load_vector(from), 0xD8)",
        "_mm256_permute4x64_epi64(load_vector(from), 0xDC)",
        RingCall("avx2", "square_times", 12323, 1),
    ),
    "avx2/gf2x_mul_avx2.c": (
        "_mm_alignr_epi8(middle, last_middle, 8)",
        "_mm_alignr_epi8(middle, last_middle, 7)",
        Multiply("avx2", 12323),
    ),
    "avx2/gf2x_power_avx2.c": (
        "_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)",
        "_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 7, 3)",
        RingCall("avx2", "square_times", 12323, 64),
    ),
    "gf2x_terms.template.h": (
        "const vector t28 = xor2(t12, t27);",
        "const vector t28 = xor2(t12, t26);",
        Multiply("avx2", 12323),
    ),
    "gf2x_karatsuba.template.h": (
        "const size_t rest = 2 * high - low;",
        "const size_t rest = 2 * high - low - 1;",
        Multiply("avx2", 12323),
    ),
    "gf2x_rings.c": (
        "{64, 103, 66, 4666, 3, 1}",
        "{64, 103, 66, 4667, 3, 1}",
        RingCall("avx512", "square_times", 12323, 64),
    ),
    "gf2x_power.c": (
        "mask ^= mask << (size / 2);",
        "mask ^= mask << (size / 2 + 1);",
        RingCall("portable", "square_times", 12323, 64),
    ),
    "portable/gf2x_portable.c": (
        "product[n + i] << (64 - shift)",
        "product[n + i] << (63 - shift)",
        RingCall("portable", "square_times", 12323, 1),
    ),
    "portable/gf2x_toom_portable.c": (
        "shifted(now->c8, before->c8, 11)",
        "shifted(now->c8, before->c8, 12)",
        RingCall("portable", "mul", 12323),
    ),
    "portable/gf2x_words_portable.c": (
        "const uint64_t hole2 = hole0 << 2;",
        "const uint64_t hole2 = hole0 << 3;",
        LOW,
    ),
    "avx512/gf2x_avx512.c": (
        "0x0010002000400080, 0x0001000200040008",
        "0x0010002000400080, 0x0001000200080004",
        RingCall("avx512", "square_times", 12323, 1),
    ),
    "avx512/gf2x_power_avx512.c": (
        "UINT64_C(0x8040201008040201)",
        "UINT64_C(0x8040201008040211)",
        RingCall("avx512", "square_times", 12323, 64),
    ),
    "avx512/gf2x_mul_avx512.c": (
        "xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x01), ",
        "xor2(_mm512_clmulepi64_epi128(x, odd->b, 0x10), ",
        Multiply("avx512", 12323),
    ),
    "avx512/gf2x_units_avx512.c": (
        "{3, {1, 2, 3}},",
        "{3, {1, 2, 4}},",
        Multiply("avx512", 17669, lean=True),
    ),
    "avx512/gf2x_lean_avx512.c": (
        "gf2x_multiply_chunk_avx512(memory.r, r_a, r_b, units, rest);",
        "gf2x_multiply_chunk_avx512(memory.r, r_a, r_a, units, rest);",
        Multiply("avx512", 17669, lean=True),
    ),
    "neon/gf2x_neon.c": (
        "UINT64_C(0x3333333333333333)",
        "UINT64_C(0x3333333333333331)",
        RingCall("neon", "square_times", 12323, 64),
    ),
    "neon/gf2x_mul_neon64.c": (
        "gf2x_multiply_forms(HIGH, n, high, forms_a, forms_b);",
        "gf2x_multiply_forms(LOW, n, high, forms_a, forms_b);",
        Multiply("neon", 12323),
    ),
}


@pytest.mark.parametrize("name", first_of_each(MISTAKES, lambda name: kind_of(MISTAKES[name][2])))
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    old, new, call = MISTAKES[name]
    fails(files(call), call, (f"gf2x/{name}", old, new), target=target(call))
