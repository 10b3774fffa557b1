# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How much of the stack a function may keep, and what compilers took (-fstack-usage)."""

import re

LIMIT = 1024

# What a compiler may take for a function, and why that does not go into the workspace.
EXCEPTIONS = [
    (r"\w+_on_stack", None, "is the workspace, where the caller has none (kem.h, SOFIA)"),
    (r"wipe_below", 10752, "is what wipes"),
    (
        r"run_(drawing|many)",
        2560,
        "seeds that are drawn for a batch; it wipes them itself, and they count as stack",
    ),
    # The contract of `sparse` has no scratch memory, since positions come before any arena.
    (
        r"set_positions_(avx2|gfni|avx512|neon|rvv|portable)(\.\w+)*",
        5632,
        "what places groups of positions",
    ),
    (r"(ckem_sparse_)?pick_distinct_(avx2|avx512)", 2560, "a copy of the positions"),
    (r"order_support_\w+(\.\w+)*", 2816, "copies of a support"),
    (r"ckem_hqc_sample_rejection_from", 1280, "candidates, and public marks of repeats"),
    # Products of bits in registers: what does not fit, compilers keep on the stack. These call
    # nothing, or functions of this kind.
    (r"(butterfly(_transposed)?|twist|multiply_block)_1[23]_avx(2|512)", 3584, "vectors"),
    (r"multiply_[67]_(avx2|vpclmul|avx512)", 5120, "vectors"),
    (r"multiply_(5|1[5-9]|2[04])_vpclmul", 1664, "vectors, and halves of operands in vectors"),
    (r"multiply_([589]|1\d|2[04])_avx512", 3200, "the same"),
    (r"move_(rows|wide|exact|narrow)_avx512", 4480, "the tiles of a transpose"),
    (r"(un)?pack_lanes|ckem_keccak_permute_many_avx2", 1600, "vectors"),
    (r"gf2m_evaluate_\w+", 1920, "the same, inlined"),
    (r"add_products_(avx2|avx512|neon)(\.\w+)*", 2304, "tables for a chunk of a matrix"),
    (r"(ckem_)?bitmatrix_factor_avx512|ckem_mq4_turn_back", 1088, "vectors"),
    (r"find_recurrence_portable", 2816, "a product of vectors, unrolled"),
    (
        r"ckem_keccak_hash_many|ckem_bike_sha3_hash_many|ckem_sofia_expand",
        1856,
        "eight states of Keccak",
    ),
    (r"reed_solomon_decode_\w+", 4608, "a codeword with its syndromes"),
    (
        r"ckem_masked_reed_solomon_(de|en)code",
        2048,
        "public factors of a word's symbols, and what they make of one share",
    ),
    (r"ckem_bike_decaps_batch", 1216, "pointers, which are public"),
    (r"make_rows|make_in_pages", 2560, "weights of rows, below an entry point for small memory"),
]
# The same for other processors than x86-64 (tests/platforms/test_memory_elsewhere.py).
ELSEWHERE = [
    (
        r"(butterfly(_transposed)?|twist|multiply_block)_1[23]_portable",
        5632,
        "products of bits, 32-bit x86",
    ),
    (
        r"(count_unsatisfied|add_linear|factor|gf2m_power_rows|power_sequence)_\w+",
        2048,
        "what few registers do not hold",
    ),
    (r"decode_symbols_rvv", 4608, "the sums of a codeword, which vectors of any length make"),
]


def frames(folder):
    """Yields (function, bytes, kind) of the libraries that a build has made."""
    for path in (folder / "CMakeFiles").rglob("*.su"):
        for line in path.read_text().splitlines():
            where, size, kind = line.split("\t")
            yield where.rpartition(":")[2], int(size), kind


def exception_of(name):
    for pattern, limit, _ in EXCEPTIONS + ELSEWHERE:
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
