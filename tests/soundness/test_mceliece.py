# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C about the mathematics of Classic McEliece; see docs/soundness.md.

Each function of the portable back end alone, in the memory that its header grants.
"""

import pytest

FOLDERS = ["gf2m", "bitmatrix", "sort", "benes", "recurrence", "mceliece"]

# Of both fields the set with the fewest columns, and one whose rows are no whole words.
SETS = {
    "348864": {"M": 12, "N": 3488, "T": 64},
    "6960119": {"M": 13, "N": 6960, "T": 119},
}
KERNELS = [
    *["elements", "pack", "vectors", "invert", "evaluate", "power_sums", "power_rows"],
    *["find_recurrence", "power_sequence", "sort", "network", "permutation", "control_bits"],
    *["load", "move_pivots", "errors"],
]
SHORT = [("elements", "348864")]


@pytest.mark.parametrize(
    "kernel, name",
    [
        pytest.param(kernel, name, marks=[] if (kernel, name) in SHORT else pytest.mark.long)
        for name in SETS
        for kernel in KERNELS
    ],
)
def test_kernel_has_no_undefined_behaviour(prove, kernel, name):
    over_contract = kernel == "control_bits"  # of sorting
    prove(
        ["mceliece_kernels.c", "contracts.c", *(["mceliece_sort.c"] if over_contract else [])],
        f"analyse_{kernel}",
        folders=[f"src/{folder}" for folder in FOLDERS],
        without=["sort_portable.c"] if over_contract else [],
        LEVEL=1,
        SEMI=1,
        PARAMS=f"mceliece_params_{name}",
        **SETS[name],
    )
