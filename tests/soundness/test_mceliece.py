# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable Classic McEliece has no undefined behaviour.

Every function of its mathematics alone, or in parts where one analysis of all would take hours; and
the public operations over contracts. docs/soundness.md has the argument.
"""

import pytest

# Of both fields the set with the fewest columns, and one whose rows are no whole words.
SETS = {
    "348864": {"M": 12, "N": 3488, "T": 64, "TAU": 128},
    "6960119": {"M": 13, "N": 6960, "T": 119, "TAU": 238},
}

PREFIX = "codekem_mceliece"


def kept_apart(slevels, *functions):
    """Returns options that keep what functions return apart, with 0 or not, where others call."""
    return [
        *("-eva-split-return-function", ",".join(f"{name}:0" for name in functions)),
        *("-eva-slevel-function", ",".join(f"{name}:{level}" for name, level in slevels.items())),
    ]


def check(analysis):
    assert not analysis.problems(), analysis.report()


def unless(case, short):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*case, marks=[] if case in short else pytest.mark.long)


# --- Functions alone ------------------------------------------------------------------------------

KERNELS = {
    "elements": ["gf2m"],
    "pack": ["gf2m"],
    "vectors": ["gf2m"],
    "invert": ["gf2m"],
    "evaluate": ["gf2m"],
    "evaluate_in_place": ["gf2m"],
    "power_sums": ["gf2m"],
    "half_power_sums": ["gf2m"],
    "power_rows": ["gf2m"],
    "find_recurrence": ["gf2m", "recurrence"],
    "network": ["benes", "gf2m"],
    "permutation": ["benes", "gf2m"],
    "move_pivots": ["bitmatrix", "gf2m"],
    "errors": ["mceliece/mceliece_ops_portable.c", "gf2m"],
}


@pytest.mark.parametrize(
    "kernel, name",
    [unless((kernel, name), [("elements", "348864")]) for name in SETS for kernel in KERNELS],
)
def test_kernel_has_no_undefined_behaviour(prove, kernel, name):
    prove(["mceliece_kernels.c"], f"analyse_{kernel}", only=KERNELS[kernel], LEVEL=1, **SETS[name])


# --- Functions in parts ---------------------------------------------------------------------------

FEW_ROUNDS = ["-eva-widening-delay", "3"]  # where loops are not run to their end

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
        return analyse(harness, f"analyse_{part}", only=["benes"], LEVEL=1, **SETS[name], **more)

    return run


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("part", ["steps", "control_bits"])
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
            PARAMS=f"mceliece_params_{name}",
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


# Rows: of the two sets, and of the largest one. The field does not matter.
ROWS = {"348864": 768, "6960119": 1547, "8192128": 1664}

FIND_BLOCK = "codekem_bitmatrix_find_block"
FIND_PIVOTS = "codekem_bitmatrix_find_pivots"
INNER = ["-eva-use-spec", "add_rows,add_rows_to_two,add_pivot_row"]
SINGULAR = kept_apart(
    {FIND_BLOCK: 100, FIND_PIVOTS: 100, "factor_block": 1000, "move_pivots": 1000}
    | {"factor_portable": 100000, "analyse_factor": 100},
    *[FIND_BLOCK, FIND_PIVOTS, "factor_block", "move_pivots", "factor_portable"],
)
MATRIX = {
    "parts": (False, [*FEW_ROUNDS, "-eva-min-loop-unroll", "64"]),
    "steps": (False, [*FEW_ROUNDS, "-eva-split-return", "full", "-eva-slevel", "10"]),
    "update_word": (True, [*FEW_ROUNDS, "-eva-use-spec", "transpose_block,parities_of"]),
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
            *(["mceliece_matrix.c"], f"analyse_{part}", options),
            only=["base"] if over_contract else ["bitmatrix"],
            without=["bitmatrix_portable.c"],
            LEVEL=1,
            ROWS=rows,
            WINDOW=window,
            **({"STEPS_BY_CONTRACT": 1} if over_contract else {}),
            **more,
        )

    return run


@pytest.mark.parametrize(
    "part, name, window",
    [
        pytest.param(part, name, window, marks=pytest.mark.long)
        for name in ROWS
        for part in MATRIX
        for window in (["true", "false"] if part == "factor" else ["true"])
    ],
)
def test_matrix_is_sound_in_parts(analyse_matrix, part, name, window):
    check(analyse_matrix(part, ROWS[name], window))


# --- Operations -----------------------------------------------------------------------------------

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
        ["take_bytes", "permute_portable", "round_into", "chi_row", "rotate_left"],
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
            PARAMS=f"mceliece_params_{name}",
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


# The library but for what mceliece_contracts.c and the harness replace.
OPERATION = {
    "only": [
        *["codekem.c", "base", "keccak", "gf2m", "bitmatrix/bitmatrix.c", "sort/sort.c"],
        *["benes/benes.c", "recurrence/recurrence.c", "mceliece"],
    ],
    "without": ["gf2m_portable.c", "sampling.c", "mceliece_ops_portable.c"],
    "reused": ["permute_portable", "round_into", "chi_row", "rotate_left"],
}

# Steps that are analysed alone and that the operations take by their specifications.
STEPS = ["order_columns", "fill_columns", "make_public_key"]
BY_SPECIFICATION = ["-eva-use-spec", ",".join(f"{PREFIX}_{name}" for name in STEPS)]

# Whether a call succeeded says what it set.
VERDICTS = [
    *[f"{PREFIX}_goppa_polynomial", f"{PREFIX}_derive_public_key", f"{PREFIX}_expand_short_key"],
    *["mceliece_run_derive", "codekem_kem_run", "codekem_kem_start", "derive_public_key"],
]
LEVELS = dict.fromkeys([*VERDICTS, "keypair", f"{PREFIX}_make_public_key"], 20) | {
    f"{PREFIX}_keypair": 100,
    f"{PREFIX}_check_secret_key": 100000,
}
# What lies between the refusal of a malformed input and the entry point; SET and PC are the set's
# name and that of the form that confirms.
REFUSING = {
    "encaps": [
        *[f"{PREFIX}_encoder_end", f"{PREFIX}_encaps", f"{PREFIX}_encaps_derand"],
        *["mceliece_run_encaps", "codekem_kem_run", "codekem_kem_start"],
        "mceliece_encaps_SETPC_on_stack",
    ],
    "decaps": [
        *[f"{PREFIX}_decaps_with", f"{PREFIX}_decaps", "mceliece_run_decaps"],
        *["codekem_kem_run", "codekem_kem_start", "mceliece_decaps_SET_on_stack"],
    ],
}
MADE = ["factor", f"{PREFIX}_factor", f"{PREFIX}_make_public_key"]
OPERATIONS = {
    "encaps": kept_apart(dict.fromkeys([*REFUSING["encaps"], "encaps"], 20), *REFUSING["encaps"]),
    "decaps": kept_apart(dict.fromkeys([*REFUSING["decaps"], "decaps"], 20), *REFUSING["decaps"]),
    "keypair": [*BY_SPECIFICATION, *kept_apart(LEVELS, *VERDICTS)],
    "checks": [*BY_SPECIFICATION, *kept_apart(LEVELS, *VERDICTS)],
    "order_columns": [],
    "fill_columns": [],
    "make_public_key": kept_apart(
        {"factor": 1000, f"{PREFIX}_factor": 10000, "analyse_make_public_key": 10}
        | {f"{PREFIX}_make_public_key": 100000},
        *MADE,
    ),
}
LARGE = {
    "prepared": kept_apart(
        dict.fromkeys(
            ["analyse_prepared", f"{PREFIX}_prepare_secret_key", f"{PREFIX}_decaps_prepared"], 20
        ),
        f"{PREFIX}_prepare_secret_key",
    ),
    "expand": [
        *BY_SPECIFICATION,
        *kept_apart(
            dict.fromkeys([*VERDICTS[:3], f"{PREFIX}_expand_secret_key"], 20), *VERDICTS[:3]
        ),
    ],
}
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
            [option.replace("SET", name).replace("PC", "pc" * confirms) for option in options],
            **OPERATION,
            PARAMS=f"mceliece_params_{name}",
            KEM_OBJECT=f"mceliece{name}{form}",
            LEVEL=1,
            SEMI=semi_systematic,
            CONFIRMS=confirms,
            **SETS[name],
            **more,
        )

    return run


# The steps do not depend on whether a ciphertext confirms, and two of them on no form at all.
CASES = [
    (operation, name, form)
    for name in SETS
    for operation in OPERATIONS
    for form in FORMS
    if not (operation in STEPS and "pc" in form) and not (operation in STEPS[:2] and form)
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

# Each in a copy of the sources, with the analysis that must notice and what it must say: one for
# each contract or specification that stands in place of code.
MISTAKES = {
    "exchanges_too_far": (
        *("sort/sort_network.template.h", "numbers + base + p, p, last);"),
        *("numbers + base + p, p + 1, last);", "precondition 'b'"),
        *("analyse_sorting", ["analyse_sort", EXCHANGES, 256, 256]),
    ),
    "starts_from_nothing": (
        *("recurrence/recurrence_steps.template.h", "power[RECURRENCE_MAX_LENGTH] = {1};"),
        *("power[RECURRENCE_MAX_LENGTH];", "accessing uninitialized left-value"),
        *("analyse_powers", ["power_sequence", "348864"]),
    ),
    "puts_halves_over_each_other": (
        *("benes/benes_find.c", "steps->split(unit, w->next, w->next + unit / 2,"),
        *("steps->split(unit, w->next, w->next + unit / 4,", "assertion 'apart'"),
        *("analyse_control_bits", ["control_bits", "348864"]),
    ),
    "updates_a_word_behind_the_row": (
        *("bitmatrix/bitmatrix_portable.c", "update_word(size, left, k, k + 1, scratch);"),
        *("update_word(size, left, k, k + 2, scratch);", "precondition 'block'"),
        *("analyse_matrix", ["factor", 245]),
    ),
    "promises_more_rows_than_there_are": (
        *("bitmatrix/bitmatrix_portable.c", "parts->reach[k] = (uint16_t)reach;"),
        *("parts->reach[k] = (uint16_t)(reach + 64);", "assertion 'reach'"),
        *("analyse_matrix", ["factor", 245]),
    ),
    "takes_too_few_positions": (
        *("mceliece/sampling.c", "return taken == params->t;", "return taken > 0;"),
        *("postcondition 'taken'", "analyse_sampling", ["take_positions", "348864"]),
    ),
    "takes_too_little_memory": (
        *("mceliece/mceliece.h", "(MCELIECE_KEY_WORDS(m, n, t) + MCELIECE_MATRIX_WORDS(m, t))"),
        *(
            "(MCELIECE_KEY_WORDS(m, n, t) + MCELIECE_MATRIX_WORDS(m, t) - 8)",
            "precondition 'arena'",
        ),
        *("analyse_operation", ["keypair", "348864"]),
    ),
    "asks_for_too_many_sums": (
        *("mceliece/decoder.c", "memory->syndrome, 2 * params->t, weights"),
        *("memory->syndrome, 3 * params->t, weights", "assertion 'count'"),
        *("analyse_operation", ["decaps", "348864"]),
    ),
}


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(name, marks=[] if name == "takes_too_few_positions" else pytest.mark.long)
        for name in MISTAKES
    ],
)
def test_mistake_is_noticed(request, mistaken, mistake):
    file, before, after, expected, analyse, arguments = MISTAKES[mistake]
    top = mistaken(file, before, after)
    analysis = request.getfixturevalue(analyse)(*arguments, top=top)
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()
