# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No function keeps much on the stack: a call wipes so much of it and no more (base/profile.h).

Our own builds note the frame of every function (-fstack-usage). What is above the limit belongs
into the workspace; the exceptions have limits of their own.
"""

import re

import pytest

LIMIT = 1024

# What a compiler may take for a function, and why that does not go into the workspace.
EXCEPTIONS = [
    (r"\w+_on_stack", None, "is the workspace, where the caller has none (kem.h, SOFIA)"),
    (r"codekem_secure_wipe_stack", 10752, "is what wipes"),
    (
        r"(codekem_kem_)?(keypair|encaps)_batch(_random)?(_workspace)?",
        2560,
        "seeds that are drawn for a batch; it wipes them itself, and they count as stack",
    ),
    # The contract of `sparse` has no scratch memory, since positions come before any arena.
    (r"set_positions_(avx2|avx512|portable)", 5632, "what places groups of positions"),
    (r"pick_distinct_(avx2|avx512)", 2560, "a copy of the positions"),
    (r"order_support_avx512(\.\w+)*", 2816, "copies of a support"),
    # Products of bits in registers: what does not fit, compilers keep on the stack. These call
    # nothing, or functions of this kind.
    (r"(butterfly(_transposed)?|twist|multiply_block)_1[23]_avx(2|512)", 3584, "vectors"),
    (r"multiply_unit_avx512|multiply_7_avx2", 5120, "vectors"),
    (r"move_(rows|wide|exact|narrow)_avx512", 4480, "the tiles of a transpose"),
    (r"(un)?pack_lanes|codekem_keccak_permute_many_avx2", 1600, "vectors"),
    (r"gf2m_evaluate_\w+", 1920, "the same, inlined"),
    (r"add_products_avx(2|512)(\.\w+)*", 2304, "tables for a chunk of a matrix"),
    (r"(codekem_)?bitmatrix_factor_avx512|codekem_mq4_turn_back", 1088, "vectors"),
    (r"find_recurrence_portable", 1344, "a product of vectors, unrolled"),
    (r"codekem_keccak_hash_many|hash_many|codekem_sofia_expand", 1856, "eight states of Keccak"),
    (r"reed_solomon_decode_\w+", 1536, "a codeword with its syndromes"),
    (r"codekem_bike_decaps_batch", 1216, "pointers, which are public"),
    (r"make_rows|make_in_pages", 1728, "weights of rows, below an entry point for small memory"),
]


def frames(folder):
    """Yields (function, bytes, kind) of the libraries that a build has made."""
    for path in (folder / "CMakeFiles").rglob("*.su"):
        for line in path.read_text().splitlines():
            where, size, kind = line.split("\t")
            yield where.rpartition(":")[2], int(size), kind


def exception_of(name):
    for pattern, limit, _ in EXCEPTIONS:
        if re.fullmatch(pattern, name):
            return limit
    return LIMIT


def too_large(found):
    """Returns those above their limits, and those whose size nobody knows."""
    return {
        (name, size, kind)
        for name, size, kind in found
        if kind == "dynamic" or (exception_of(name) is not None and size > exception_of(name))
    }


LIBRARIES = ["codekem_static", "codekem_legacy", "codekem_sofia", "codekem_mceliece"]


@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_frames_are_small(preset, build):
    found = list(frames(build(preset, targets=LIBRARIES)))
    assert len(found) > 500
    assert {size for name, size, _ in found if name == "codekem_secure_wipe_stack"} != set()
    assert too_large(found) == set()


def test_exceptions_are_needed(build):
    """By a compiler of those above."""
    found = [*frames(build("gcc", targets=LIBRARIES)), *frames(build("clang", targets=LIBRARIES))]
    large = {name for name, size, _ in found if size > LIMIT}
    unused = [p for p, _, _ in EXCEPTIONS if not any(re.fullmatch(p, name) for name in large)]
    assert unused == []


# --- A test of the test ---------------------------------------------------------------------------


def test_large_frame_is_found():
    assert too_large([("kernel", LIMIT + 1, "static")]) != set()
    assert too_large([("kernel", LIMIT, "static")]) == set()
    assert too_large([("kernel", 16, "dynamic")]) != set()
    assert too_large([("set_positions_avx2", 6000, "static")]) != set()
