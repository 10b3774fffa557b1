# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable Classic McEliece has no undefined behaviour: its mathematics.

Every function alone, or in parts where one analysis of all would take hours; the public operations
are test_mceliece_operations.py's. Argued, not proved: solving for 1547 rows sets all of its memory
before it reads it, by the loop that is proved for 768 rows; and what mceliece_matrix.c says of
pivots.
"""

import pytest

from tests import mceliece_proofs
from tests.mceliece_proofs import FEW_ROUNDS, PREFIX, SETS, check, kept_apart, unless
from tools import mistakes

# --- Functions alone ------------------------------------------------------------------------------

# Products of elements in local arrays: as all contents are unknown, each is the same as the first.
PRODUCTS = {
    "gf2m": ["ckem_gf2m_multiply", "product_portable", "reduce_portable", "square_of_portable"],
    "recurrence": [
        *["clear_product_portable", "add_scaled_portable", "add_product_portable"],
        *["reduce_product_portable", "inner_product_portable", "move_up_portable"],
    ],
}

TRANSFORM = [
    *["-eva-use-spec"],
    "product_portable,butterfly_DEGREE_portable,butterfly_transposed_DEGREE_portable",
]

# By kernel: folders and files of src/ beside gf2m, and options.
KERNELS = {
    "elements": ([], []),
    "pack": ([], []),
    "vectors": ([], []),
    "products": ([], []),
    "invert": ([], []),
    "evaluate": ([], TRANSFORM),
    "evaluate_in_place": ([], TRANSFORM),
    "power_sums": ([], [*TRANSFORM, *FEW_ROUNDS]),
    "half_power_sums": ([], [*TRANSFORM, *FEW_ROUNDS]),
    "power_rows": ([], []),
    "find_recurrence": (["recurrence"], FEW_ROUNDS),
    "network": (["benes"], []),
    "permutation": (["benes"], FEW_ROUNDS),
    "move_pivots": (["bitmatrix"], []),
    "fold_row": ([], []),
    "errors": ([], ["-eva-use-spec", "fold_row_portable"]),
}


def products(parts):
    return [name for part in parts for name in PRODUCTS.get(part, [])]


@pytest.mark.parametrize(
    "kernel, name",
    [unless((kernel, name), [("elements", "348864")]) for name in SETS for kernel in KERNELS],
)
def test_kernel_has_no_undefined_behaviour(prove, kernel, name):
    only, options = KERNELS[kernel]
    degree = str(SETS[name]["M"])
    prove(
        *(["mceliece_kernels.c"], f"analyse_{kernel}"),
        [option.replace("DEGREE", degree) for option in options],
        only=["gf2m", *only],
        without=["gf2m_portable.c"],
        reused=products(["gf2m", *only]),
        LEVEL=1,
        **SETS[name],
    )


# --- Functions in parts ---------------------------------------------------------------------------

EXCHANGES = ["-eva-use-spec", "exchange_u32,exchange_u64"]


@pytest.fixture
def analyse_sorting(analyse):
    """analyse_sorting(function, options, first, last, ...) as analyse."""

    def run(function, options, first=2, last=2, **more):
        return analyse(
            *(["mceliece_sorting.c"], function, options),
            only=["sort"],
            without=["sort_portable.c"],
            LEVEL=1,
            FIRST=first,
            LAST=last,
            **more,
        )

    return run


@pytest.mark.parametrize(
    "first, last",
    [unless(case, [(2, 128)]) for case in [(2, 128), (256, 1024), (2048, 4096), (8192, 8192)]],
)
def test_sorting_is_sound_over_exchanges(analyse_sorting, first, last):
    check(analyse_sorting("analyse_sort", EXCHANGES, first, last))


def test_exchanges_are_sound(analyse_sorting):
    check(analyse_sorting("analyse_exchange", ["-eva-min-loop-unroll", "0", *FEW_ROUNDS]))


@pytest.fixture
def analyse_control_bits(analyse):
    """analyse_control_bits(part, name, ...) as analyse."""

    def run(part, name, **more):
        harness = ["mceliece_benes.c", "mceliece_sort.c"]
        return analyse(
            *(harness, f"analyse_{part}", FEW_ROUNDS),
            only=["benes"],
            LEVEL=1,
            **SETS[name],
            **more,
        )

    return run


# The steps for 2^13 numbers are analysed for all fewer ones, too.
@pytest.mark.long
@pytest.mark.parametrize(
    "part, name", [("steps", "6960119"), *[("control_bits", name) for name in SETS]]
)
def test_finding_control_bits_is_sound(analyse_control_bits, part, name):
    check(analyse_control_bits(part, name))


@pytest.fixture
def analyse_powers(analyse):
    """analyse_powers(part, name, ...) as analyse."""

    def run(part, name, **more):
        over = ["-eva-use-spec", "multiply_in_ring_portable"] if part == "power_sequence" else []
        return analyse(
            *(["mceliece_recurrence.c"], f"analyse_{part}", over),
            only=["recurrence", "gf2m", "mceliece/params.c"],
            without=["recurrence_portable.c"],
            reused=products(["gf2m", "recurrence"]),
            PARAMS=f"ckem_mceliece_params_{name}",
            LEVEL=1,
            **SETS[name],
            **more,
        )

    return run


@pytest.mark.parametrize(
    "part, name",
    [
        unless((part, name), [("power_sequence", "348864")])
        for name in SETS
        for part in ["power_sequence", "multiply_in_ring"]
    ],
)
def test_power_sequence_is_sound(analyse_powers, part, name):
    check(analyse_powers(part, name))


# Rows. The field does not matter.
ROWS = {"348864": 768, "6960119": 1547, "8192128": 1664}

FIND_BLOCK = "ckem_bitmatrix_find_block"
FIND_PIVOTS = "ckem_bitmatrix_find_pivots"
INNER = ["-eva-use-spec", "add_rows,add_rows_to_two,add_pivot_row"]
SINGULAR = kept_apart(
    {FIND_BLOCK: 100, FIND_PIVOTS: 100, "factor_block": 1000, "move_pivots": 1000}
    | {"factor_portable": 100000, "analyse_factor": 100},
    *[FIND_BLOCK, FIND_PIVOTS, "factor_block", "move_pivots", "factor_portable"],
)
MATRIX = {
    "parts": (False, []),
    "steps": (False, ["-eva-split-return", "full", "-eva-slevel", "10"]),
    "update_word": (True, ["-eva-use-spec", "transpose_block,parities_of"]),
    "load": (True, ["-eva-split-return", "full", "-eva-slevel", "10"]),
    "factor": (True, [INNER[0], INNER[1] + ",update_word", *SINGULAR]),
    "solve": (True, INNER),
}


@pytest.fixture
def analyse_matrix(analyse):
    """analyse_matrix(part, rows, top) as analyse, of a part of MATRIX."""

    def run(part, rows, window="true", **more):
        over_contract, options = MATRIX[part]
        return analyse(
            *(["mceliece_matrix.c"], f"analyse_{part}", [*FEW_ROUNDS, *options]),
            only=["base"] if over_contract else ["bitmatrix"],
            without=["bitmatrix_portable.c"],
            LEVEL=1,
            ROWS=rows,
            WINDOW=window,
            **({"STEPS_BY_CONTRACT": 1} if over_contract else {}),
            **more,
        )

    return run


# The search for pivots of the largest set goes through the rows of all.
MATRIX_CASES = [
    *[(part, name, "true") for name in SETS for part in MATRIX if part != "steps"],
    *[("factor", name, "false") for name in SETS],
    ("steps", "8192128", "true"),
]


@pytest.mark.long
@pytest.mark.parametrize("part, name, window", MATRIX_CASES)
def test_matrix_is_sound_in_parts(analyse_matrix, part, name, window):
    check(analyse_matrix(part, ROWS[name], window))


# --- Drawing errors -------------------------------------------------------------------------------

TAKE = kept_apart({"take_positions": 10, "analyse_take_positions": 1000}, "take_positions")
DRAW = f"{PREFIX}_draw_error"
SAMPLING = {
    "take_positions": (["mceliece/params.c", "base"], [*TAKE, *FEW_ROUNDS], []),
    "draw_error": (
        ["mceliece/params.c", "base"],
        [
            *("-eva-use-spec", "take_positions"),
            *kept_apart({"take_positions": 10, DRAW: 1000, "analyse_draw_error": 10}, DRAW),
        ],
        [],
    ),
    "stream": (
        ["mceliece/mceliece.c", "keccak", "base"],
        [],
        [
            "take_bytes",
            "permute_portable",
            "round_of_words_portable",
            "chi_words",
            "rotate_word",
            "in_memory",
            "in_register",
        ],
    ),
}


@pytest.fixture
def analyse_sampling(analyse):
    """analyse_sampling(part, name, ...) as analyse."""

    def run(part, name, **more):
        only, options, reused = SAMPLING[part]
        return analyse(
            *(["mceliece_sampling.c"], f"analyse_{part}", options),
            only=only,
            reused=reused,
            PARAMS=f"ckem_mceliece_params_{name}",
            LEVEL=1,
            **SETS[name],
            **more,
        )

    return run


@pytest.mark.parametrize(
    "part, name",
    [unless((part, name), [("take_positions", "348864")]) for name in SETS for part in SAMPLING],
)
def test_drawing_errors_is_sound(analyse_sampling, part, name):
    check(analyse_sampling(part, name))


# --- Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/mceliece"))
def test_mistake_is_noticed(request, mistaken, mistake):
    mceliece_proofs.assert_noticed(request, mistaken(mistake), mistake, EXCHANGES=EXCHANGES)
