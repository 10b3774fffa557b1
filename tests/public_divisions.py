# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The divisions that the library may have, function by function, and why their operands are public.

A function stands here with each division that it has in its source, as it is written, those of
macros and of other constants than powers of two included: one more, or another operand, is a change
of this list. One without divisions of its own gets those of a function that is called in it, where
a compiler names its line.
"""

from tests.machine_code import divisions_of_build, sources_not_read
from tests.written_divisions import source_of

PARTS = "parts of a length, by how many a row or a transform has"
RING = "the ring and the exponent"
SPLIT = "lengths of products and numbers of parts, which follow from the ring"

# File of src/: function: its divisions, and what they divide.
LISTED = {
    "mceliece/goppa/benes/benes_find.c": {"add_bases": (["y / n"], "a loop counter, by a length")},
    "mceliece/goppa/benes/benes_vectors.template.h": {
        "prepare_layers": (["w / (2*d)"], "a loop counter, by the distance of a layer"),
    },
    "kem/bike/counters_m4.c": {
        "start_count_m4": (["((ring->r_bits+31)/32+blocks-1) / blocks"], "lengths"),
    },
    "kem/call.c": {
        "span_of": (["(SIZE_MAX-length) / (count-1)"], "lengths, for the count of a batch"),
    },
    "kem/codekem_batch.c": {
        "next_seeds": (
            ["(SEEDS_BYTES-way->request) / way->seed_length"],
            "how many seeds have room",
        ),
    },
    "mceliece/goppa/gf2m/gf2m_avx2.c": {
        "sum_groups_avx2": (["block / blocks"], "a loop counter, by a length")
    },
    "mceliece/goppa/gf2m/gf2m_transform.template.h": {
        "gather": (["32 / parts", "64 / parts", "64 / parts"], PARTS),
        "spread": (["64 / parts", "64 / parts", "64 / parts"], PARTS),
        "gf2m_power_sums": ([], "those of gather, with clang"),
    },
    "kem/gf2x/avx2/gf2x_power_avx2.c": {
        "ckem_gf2x_power_apply_avx2": (
            ["ring->r_bits / plan->d", "ring->r_bits / plan->e"],
            "the ring and the exponent, in an assertion",
        ),
        "gather_columns": (["(r+e-1) / e"], RING),
        "scatter_columns": (["(r+d-1) / d"], RING),
    },
    "kem/gf2x/avx512/gf2x_mul_avx512.c": {
        "add_product_of_thirds": (["(n+2) / 3"], SPLIT),
    },
    "kem/gf2x/avx512/gf2x_power_avx512.c": {
        "find_progression_avx512": (["step % modulus"], RING),
        "find_walk_avx512": (
            ["r % e", "(GROUP*r+group_step) / e", "r % e", "r / e", "r % e"],
            RING,
        ),
        "gather_columns_avx512": (["r / e"], RING),
        "scatter_columns_avx512": (["r / d"], RING),
    },
    "kem/gf2x/gf2x_power.c": {
        "gather_columns": (
            ["(ring->r_bits+plan->e-1) / plan->e", "(ring->r_bits-column+plan->e-1) / plan->e"],
            RING,
        ),
        "scatter_columns": (
            [
                "(ring->r_bits+plan->d-1) / plan->d",
                "(2*ring->r_bits-w-(rows-1)) % ring->r_bits",
                "(w+plan->d_inverse) % ring->r_bits",
            ],
            RING,
        ),
        "read_row": ([], "those of gather_columns, with clang"),
    },
    "kem/gf2x/m4/gf2x_power_m4.c": {
        "gather_m4": (["(r+e-1) / e", "(r-column+e-1) / e"], RING),
        "scatter_m4": (["(r+plan->d-1) / plan->d"], RING),
        "ckem_gf2x_power_apply_m4": (
            [
                "ring->r_bits / (plan->d<plan->e?plan->d:plan->e)",
                "(ring->r_bits+plan->e-1) / plan->e",
                "(ring->r_bits+plan->d-1) / plan->d",
            ],
            RING,
        ),
    },
    "kem/gf2x/portable/gf2x_toom_portable.c": {
        "cut_portable": (["((bits)+4) / 5"], "a length"),
    },
    "legacy/hqc_2023_symmetric.c": {
        "remainder_as_fraction": (["UINT32_MAX / length"], "the ring and a loop counter"),
    },
    "mceliece/encoder.c": {
        "ckem_mceliece_encoder_absorb": (["length / row_bytes", "length / row_bytes"], "lengths"),
    },
    "mceliece/mceliece_encode_m4.S": {
        "ckem_mceliece_fold_rows_m4": (
            ["udiv r6, r4, r5", "udiv r7, r4, r5"],
            "the length of a row",
        ),
    },
    "mceliece/pages.c": {
        "make_rows": (["row % m", "row % m"], "the number of a row, by the degree of the field"),
        "write_square": (["row % m", "row % m"], "the number of a row, by the degree of the field"),
    },
    "kem/sparse/windows_wasm.c": {
        "ckem_windows_add_wasm": (
            ["(reach+2) / 3", "(reach+3*CHAIN-1) / (3*CHAIN)", "65536 / stride"],
            "lengths of windows, which follow from the ring",
        ),
    },
}


def complaints(found, root):
    """Returns a line for each {(file, function)} of divisions that is not listed, and for each
    function that is and whose source has other divisions than the list."""
    lines = [
        f"{file}: {function} divides"
        for file, function in sorted(found)
        if function not in LISTED.get(file, {})
    ]
    macros = {}
    for path in sorted((root / "src").rglob("*.h")):
        macros.update(source_of(path).macros)
    for file, functions in LISTED.items():
        source = source_of(root / "src" / file)
        for function, (expected, _) in functions.items():
            written = source.divisions(function, macros)
            if written != expected:
                lines.append(f"{file}: {function} has {written}, and {expected} is listed")
    return lines


def check(folder, root, into, *sets, objdump="objdump", without=()):
    """Demands that a build divides as listed, and that all was read that it could have: all but
    the folders `without`. Returns the divisions."""
    left = {name for name in sources_not_read(folder, root, *sets) if not name.startswith(without)}
    assert left == set()
    found = divisions_of_build(folder, root, into, objdump)
    assert complaints(found, root) == []
    assert ("kem/codekem_batch.c", "next_seeds") in found  # so divisions are seen
    return found
