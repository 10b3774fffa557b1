# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ring arithmetic: every operation of every back end is the map of the specification."""

import pytest

from equivalence.rings import FILES, SHARED, Call

# How each file is broken, and a call that uses it.
MISTAKES = {
    "avx2/gf2x_avx2.c": (
        "_mm256_permute4x64_epi64(load_vector(from), 0xD8)",
        "_mm256_permute4x64_epi64(load_vector(from), 0xDC)",
        Call("avx2", "square_times", 12323, 1),
    ),
    "avx2/gf2x_mul_avx2.c": (
        "_mm_alignr_epi8(middle, last_middle, 8)",
        "_mm_alignr_epi8(middle, last_middle, 7)",
        Call("avx2", "mul", 12323),
    ),
    "avx2/gf2x_power_avx2.c": (
        "_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)",
        "_mm256_setr_epi32(0, 4, 1, 5, 2, 6, 7, 3)",
        Call("avx2", "square_times", 12323, 64),
    ),
    "gf2x_terms.template.h": (
        "const vector t28 = xor2(t12, t27);",
        "const vector t28 = xor2(t12, t26);",
        Call("avx2", "mul", 12323),
    ),
    "gf2x_rings.c": (
        "{64, 103, 66, 4666, 3, 1}",
        "{64, 103, 66, 4667, 3, 1}",
        Call("avx512", "square_times", 12323, 64),
    ),
    "avx512/gf2x_avx512.c": (
        "0x0010002000400080, 0x0001000200040008",
        "0x0010002000400080, 0x0001000200080004",
        Call("avx512", "square_times", 12323, 1),
    ),
}


def files(backend):
    """Returns the files that a back end's calls need."""
    return [*FILES[backend], *SHARED]


QUICK = [
    *[Call(backend, "mul", 12323) for backend in ("avx2", "avx512")],
    Call("avx512", "mul_lean", 17669),
    *[Call(b, "square_times", 12323, k) for b in ("avx2", "avx512") for k in (1, 64)],
]


@pytest.mark.parametrize("call", QUICK, ids=repr)
def test_an_operation_is_the_map_of_the_specification(holds, call):
    """Some operations of the smallest ring and of HQC-1."""
    holds(files(call.backend), call)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_changed_constant_is_found(fails, name):
    """A mistake in each file."""
    old, new, call = MISTAKES[name]
    fails(files(call.backend), call, (f"gf2x/{name}", old, new))
