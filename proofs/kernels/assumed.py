# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What proofs take for granted about functions that they replace (contracts), and the proofs of it.

A contract whose function has no line here cannot be used: conftest.py looks at every machine.
test_assumed.py demands that each proof is one that a test runs, that it is about this function as
it is there, and that no function is proved by way of itself.
"""

from proofs.kernels import machine_code, machine_products
from proofs.kernels.products import VALUE, WORDS, parts_of
from proofs.kernels.rings import RINGS

VECTORS = ("avx2", "neon")
HQC = ("portable", "gfni", "avx512", *VECTORS)
RECURRENCES = ("portable", "avx2", "avx512", "neon64")

# Function -> the file of the test without test_ and .py, and the proofs. Where a function is in
# several back ends under one name, there is a proof for each.
PROVED = {
    **{f"gf256_mul.codes_{b}": ("codes", f"{b}-gf256_mul") for b in HQC},
    "gf256_scale.codes_avx2": ("codes", "avx2-gf256_scale"),
    **{f"gf256_invert_{b}.codes_{b}": ("codes", f"{b}-gf256_invert") for b in HQC},
    **{f"gf256_keep_if_zero.codes_{b}": ("masks", f"{b}-gf256_keep_if_zero") for b in HQC},
    **{
        f"ct_mask_{name}_u{bits}.{unit}": ("masks", f"ct_mask_{name}_u{bits}-{unit}")
        for name, bits, units in [
            ("zero", 32, [f"codes_{b}" for b in HQC]),
            ("less", 32, ["reed_muller"]),
            ("zero", 64, ["bitmatrix", "bitmatrix_avx512"]),
            ("equal", 32, ["bitmatrix_portable"]),
            ("zero", 32, [f"recurrence_{b}" for b in RECURRENCES]),
            ("less", 32, [f"recurrence_{b}" for b in RECURRENCES]),
            ("zero", 64, [f"recurrence_{b}" for b in RECURRENCES]),
        ]
        for unit in units
    },
    "ct_select_u32.reed_muller": ("masks", "ct_select_u32-reed_muller"),
    "key_of.reed_muller": ("decoders", "portable-reed_muller-key"),
    "transform.reed_muller": ("decoders", "portable-reed_muller-transform"),
    "find_peak.reed_muller": ("decoders", "portable-reed_muller-largest"),
    "ckem_mq4_turn": ("evaluations", "portable-Turn-7-448"),
    "ckem_mq4_turn_back": ("evaluations", "portable-TurnBack-14-448"),
    **{
        f"make_monomials_{b}.apart": ("evaluations", f"{b}-Monomials")
        for b in ("portable", "avx2", "neon")
    },
    "add_half_row.apart": (
        "evaluations", "portable-HalfRow-8-16", "avx2-HalfRow-2-16", "neon-HalfRow-4-16",
    ),
    **{
        f"{name}_avx512.mq4_avx512": ("evaluations", *(f"avx512-{proof}" for proof in proofs))
        for name, proofs in [
            ("load_row", ["LoadRow-8", "LoadRow-16"]),
            ("make_monomials", ["Monomials-1-0", "Monomials-1-1"]),
            ("add_row", [f"AddRow-{n}-16" for n in (1, 2, 3, 4)]),
            ("turn", ["Turn-256"]),
            ("turn_back", ["Turn-256"]),
        ]
    },
    "ckem_bitmatrix_pivot_places": ("moves", "portable-PivotPlaces"),
    "take_pivot.bitmatrix": ("matrices", *(f"portable-TakePivot-128-{c}" for c in range(64))),
    "mul_low.gf2x_words_portable": ("rings", "portable-mul_low"),
    VALUE: ("rings", *(repr(parts_of(r)[0]) for r in RINGS)),
    WORDS: ("rings", *(repr(parts_of(r)[1]) for r in RINGS)),
    **{f"ckem_gf2x_mul{n}_m4": ("machine_code", f"m4-mul{n}") for n in (8, 16)},
    machine_products.WORDS: (
        "machine_code",
        *(f"m4-mul_words-{machine_products.inner_words(r)}" for r in RINGS),
    ),
    "ckem_gf2x_multiply_long_avx2": ("rings", *(f"avx2-multiply-{r}" for r in RINGS)),
    "multiply_long_vpclmul.gf2x_mul_vpclmul": ("rings", *(f"vpclmul-multiply-{r}" for r in RINGS)),
    "ckem_gf2x_product_avx512": ("rings", *(f"avx512-multiply-{r}" for r in RINGS)),
    "ckem_gf2x_multiply_neon": ("rings", *(f"neon-multiply-{r}" for r in RINGS)),
}  # fmt: skip
# Functions of which nothing is known but what a proof says that it takes them for.
ANY = {
    "any_sort_32": "stands for any sorting; test_networks.py proves sorting",
    "any_sort_64": "the same",
    **dict.fromkeys(machine_code.REPLACED, "the C library's, and wiping; written down in Python"),
}


def demand(names):
    """Raises LookupError unless every function has a proof, or may be anything."""
    for name in names:
        if name not in PROVED and name not in ANY:
            raise LookupError(f"{name} is replaced, but has no proof in assumed.py")
