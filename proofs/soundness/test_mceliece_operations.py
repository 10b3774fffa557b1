# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable Classic McEliece has no undefined behaviour: its operations.

Over the contracts that test_mceliece.py proves. Of the interfaces for large keys steps are proved,
and whole keys in some lengths of pages and pieces; that the loops above the steps move on by what a
step took, which is never more than is left, is read in the source.
"""

import pytest

from tests import mceliece_proofs
from tests.mceliece_proofs import FEW_ROUNDS, PREFIX, SETS, check, kept_apart, unless
from tools import mistakes

# The library but for what mceliece_contracts.c and the harness replace.
OPERATION = {
    "only": [
        *[
            "call.c",
            "codekem.c",
            "base",
            "keccak",
            "gf2m",
            "mceliece/goppa/bitmatrix/bitmatrix.c",
            "mceliece/goppa/sort/sort.c",
        ],
        *["mceliece/goppa/benes/benes.c", "mceliece/goppa/recurrence/recurrence.c", "mceliece"],
    ],
    "without": ["gf2m_portable.c", "sampling.c", "mceliece_ops_portable.c"],
    "reused": [
        "permute_portable",
        "round_of_words_portable",
        "chi_words",
        "rotate_word",
        "in_memory",
        "in_register",
    ],
}

# Steps that are analysed alone and that the operations take by their specifications.
STEPS = ["order_columns", "fill_columns", "make_public_key"]
BY_SPECIFICATION = ["-eva-use-spec", ",".join(f"{PREFIX}_{name}" for name in STEPS)]

# What lies between an operation and the entry points, from below.
CALLING = ["ckem_kem_run", "ckem_kem_start", "run_one"]
APART = ["-eva-use-spec", "ckem_kem_overlaps"]

# Whether a call succeeded says what it set.
VERDICTS = [
    *[f"{PREFIX}_goppa_polynomial", f"{PREFIX}_derive_public_key", f"{PREFIX}_expand_short_key"],
    *["mceliece_run_derive", *CALLING],
]
LEVELS = dict.fromkeys([*VERDICTS, "ckem_kem_call", f"{PREFIX}_make_public_key"], 20) | {
    f"{PREFIX}_keypair": 100,
    f"{PREFIX}_check_secret_key": 100000,
}
# What lies between the refusal of a malformed input and the entry point; SET and PC are the set's
# name and that of the form that confirms.
REFUSING = {
    "encaps": [
        *[f"{PREFIX}_encoder_end", f"{PREFIX}_encaps", f"{PREFIX}_encaps_derand"],
        *[*CALLING, "mceliece_encaps_SETPC_on_stack"],
    ],
    "decaps": [
        *[f"{PREFIX}_decaps_with", f"{PREFIX}_decaps"],
        *[*CALLING, "mceliece_decaps_SET_on_stack"],
    ],
}
MADE = ["factor", f"{PREFIX}_factor", f"{PREFIX}_make_public_key"]
OPERATIONS = {
    operation: kept_apart(dict.fromkeys([*refusing, "ckem_kem_call"], 20), *refusing)
    for operation, refusing in REFUSING.items()
} | {
    "keypair": [*BY_SPECIFICATION, *kept_apart(LEVELS, *VERDICTS)],
    "checks": [*BY_SPECIFICATION, *kept_apart(LEVELS, *VERDICTS)],
    "order_columns": [],
    "fill_columns": [],
    "make_public_key": [
        *FEW_ROUNDS,
        *kept_apart(
            {"factor": 1000, f"{PREFIX}_factor": 10000, "analyse_make_public_key": 10}
            | {f"{PREFIX}_make_public_key": 100000},
            *MADE,
        ),
    ],
}
PREPARED = [f"{PREFIX}_{name}" for name in ["prepare_secret_key", "decaps_with", "decaps_prepared"]]
LARGE = {
    "prepared": kept_apart(dict.fromkeys(["analyse_prepared", *PREPARED], 20), *PREPARED),
    "expand": [
        *BY_SPECIFICATION,
        *kept_apart(
            dict.fromkeys([*VERDICTS[:3], f"{PREFIX}_expand_secret_key"], 20), *VERDICTS[:3]
        ),
    ],
}
# Public keys in pages, by rows and in pieces: which harness, and options.
PAGES = ["invert_matrix", "transpose_square", "undo_swaps", "make_rows"]
BY_ROWS = [f"{PREFIX}_rows_begin", f"{PREFIX}_rows_make"]
PARTS = {
    "invert_matrix": ("pages", FEW_ROUNDS),
    "undo_swaps": ("pages", FEW_ROUNDS),
    "make_rows": ("pages", FEW_ROUNDS),
    "put": ("pages", kept_apart({"put": 1000, "put_pages": 1000}, "put")),
    "keypair_in_pages": (
        "pages",
        [
            *("-eva-use-spec", ",".join([f"{PREFIX}_order_columns", *PAGES]), *FEW_ROUNDS),
            *kept_apart(
                {"put": 1000, "write_public_key": 1000, "invert_matrix": 10, "invert_square": 20}
                | {"make_in_pages": 5, f"{PREFIX}_keypair_in_pages": 20},
                *("put", "make_in_pages"),
            ),
        ],
    ),
    "rows": (
        "rows",
        [
            *(*BY_SPECIFICATION, *FEW_ROUNDS),
            *kept_apart(
                {"factor": 1000, f"{PREFIX}_factor": 10000, f"{PREFIX}_rows_prepare": 100000}
                | dict.fromkeys(["analyse_rows", *BY_ROWS], 20),
                *["factor", f"{PREFIX}_factor", f"{PREFIX}_rows_prepare", *BY_ROWS],
            ),
        ],
    ),
    "fold_part": ("pieces", []),
    "absorb": ("pieces", ["-eva-use-spec", "fold_part"]),
    "pieces": (
        "pieces",
        [
            *("-eva-use-spec", "fold_part"),
            *kept_apart(
                {f"{PREFIX}_draw_error": 10, f"{PREFIX}_encaps_begin": 20}, f"{PREFIX}_draw_error"
            ),
        ],
    ),
}
# Files of the library that a harness includes.
OWN = {"pages": ["pages.c"], "rows": [], "pieces": ["encoder.c"]}
FORMS = {"": ("false", 0), "f": ("true", 0), "pc": ("false", 1), "pcf": ("true", 1)}
SHORT_OPERATIONS = [("decaps", "348864", "")]


@pytest.fixture
def analyse_operation(analyse):
    """analyse_operation(operation, name, form) as analyse, of an operation of a parameter set."""

    def run(operation, name, form="", **more):
        semi_systematic, confirms = FORMS[form]
        options = {**OPERATIONS, **LARGE}[operation]
        harness = ["mceliece_operation.c", "mceliece_contracts.c", "mceliece_sort.c"]
        return analyse(
            [*harness, *(["mceliece_large_keys.c"] if operation in LARGE else [])],
            f"analyse_{operation}",
            [
                *APART,
                *(option.replace("SET", name).replace("PC", "pc" * confirms) for option in options),
            ],
            **OPERATION,
            PARAMS=f"ckem_mceliece_params_{name}",
            KEM_OBJECT=f"ckem_mceliece{name}{form}",
            LEVEL=1,
            SEMI=semi_systematic,
            CONFIRMS=confirms,
            **SETS[name],
            **more,
        )

    return run


@pytest.fixture
def analyse_part(analyse):
    """analyse_part(part, name, ...) as analyse, of a part of PARTS."""

    def run(part, name, **more):
        file, options = PARTS[part]
        harness = ["mceliece_operation.c", "mceliece_contracts.c", "mceliece_sort.c"]
        return analyse(
            *([*harness, f"mceliece_{file}.c"], f"analyse_{part}", options),
            **{**OPERATION, "without": [*OPERATION["without"], *OWN[file]]},
            PARAMS=f"ckem_mceliece_params_{name}",
            KEM_OBJECT=f"ckem_mceliece{name}",
            LEVEL=1,
            SEMI="false",
            CONFIRMS=0,
            **SETS[name],
            **more,
        )

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    "part, name",
    [
        *[(part, "348864") for part in PARTS],
        *[(part, "6960119") for part in ["rows", "fold_part", "absorb"]],
    ],
)
def test_public_keys_in_parts_are_sound(analyse_part, part, name):
    check(analyse_part(part, name))


# The forms of which an operation knows: only encapsulation and decapsulation read whether a
# ciphertext confirms, only what makes and checks keys whether columns of pivots may move.
FORMS_OF = {
    "encaps": ["", "pc"],
    "decaps": ["", "pc"],
    "keypair": ["", "f"],
    "checks": ["", "pcf"],
    "order_columns": [""],
    "fill_columns": [""],
    "make_public_key": ["", "f"],
}
# Long, and but for the sizes what is analysed of mceliece348864f.
LEFT_OUT = [("make_public_key", "6960119", "f")]
CASES = [
    (operation, name, form)
    for name in SETS
    for operation, forms in FORMS_OF.items()
    for form in forms
    if (operation, name, form) not in LEFT_OUT
]


@pytest.mark.parametrize(
    "operation, name, form", [unless(case, SHORT_OPERATIONS) for case in CASES]
)
def test_operation_is_sound_over_contracts(analyse_operation, operation, name, form):
    check(analyse_operation(operation, name, form))


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("operation", LARGE)
def test_interface_for_large_keys_is_sound(analyse_operation, operation, name):
    check(analyse_operation(operation, name))


# --- Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/mceliece_operations"))
def test_mistake_is_noticed(request, mistaken, mistake):
    mceliece_proofs.assert_noticed(request, mistaken(mistake), mistake)
