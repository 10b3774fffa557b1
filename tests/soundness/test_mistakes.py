# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of BIKE and HQC notice mistakes: one at least for each contract and specification."""

import pytest

# Mistakes in a copy of the sources: what is changed, the analysis that must notice, and what it
# must say. A kernel is named as in conftest.py; an operation is one of a KEM over contracts.
KERNEL_MISTAKES = {
    "product_not_cleared": (
        *("gf2x/portable/gf2x_toom_portable.c", "mul", "accessing uninitialized left-value"),
        *("    memset(out, 0, ring->stride * sizeof *out);\n", ""),
    ),
    "product_one_word_too_long": (
        *("gf2x/portable/gf2x_toom_portable.c", "mul", "precondition 'valid_s'"),
        "memset(out, 0, ring->stride * sizeof *out);",
        "memset(out, 0, (ring->stride + 1) * sizeof *out);",
    ),
    "shifts_too_far": (
        *("gf2x/portable/gf2x_toom_portable.c", "mul", "invalid RHS operand for shift"),
        "now << k | before >> (WORD_BITS - k)",
        "now << k | before >> (WORD_BITS + 1 - k)",
    ),
    "product_of_words_not_whole": (
        *("gf2x/portable/gf2x_words_portable.c", "words", "accessing uninitialized left-value"),
        *("  out[2 * n - 1] = 0;\n", ""),
    ),
    "memory_of_words_overlaps": (
        *("gf2x/portable/gf2x_toom_portable.c", "value", "precondition 'apart'"),
        "uint64_t *rest = memory + (POINTS + 1) * distance;",
        "uint64_t *rest = memory + POINTS * distance;",
    ),
    "memory_of_values_overlaps": (
        *("gf2x/portable/gf2x_toom_portable.c", "mul", "precondition 'apart'"),
        "uint64_t *rest = scratch + POINTS * distance;",
        "uint64_t *rest = scratch + (POINTS - 1) * distance;",
    ),
    "value_not_whole": (
        *("gf2x/portable/gf2x_toom_portable.c", "value", "precondition 'a'"),
        *("    value[8 * step] = a4;\n", ""),
    ),
    "rotation_not_whole": (
        *("bike/bike_ops_portable.c", "rotate", "postcondition 'set'"),
        "for (size_t i = 0; i < n; i++) {\n    out[i] = ct_shift_right_u64",
        "for (size_t i = 0; i + 1 < n; i++) {\n    out[i] = ct_shift_right_u64",
    ),
    "one_plane_too_many": (
        *("bike/bike_ops_portable.c", "add_group", "out of bounds"),
        *("for (size_t b = 3; b < PLANES; b++)", "for (size_t b = 3; b <= PLANES; b++)"),
    ),
    "comparison_without_end": (
        *("bike/bike_ops_portable.c", "compare", "postcondition 'set'"),
        *("  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);\n", ""),
    ),
    "planes_overlap_the_group": (
        *("bike/bike_ops_portable.c", "count_unsatisfied", "precondition 'apart'"),
        "uint64_t *planes = group + GROUP * stride;",
        "uint64_t *planes = group + (GROUP - 1) * stride;",
    ),
    "one_row_too_many": (
        *("sparse/sparse_portable.c", "place", "out of bounds"),
        "for (uint32_t row = 0; row < rows; row++, out += ROW_WORDS) {",
        "for (uint32_t row = 0; row <= rows; row++, out += ROW_WORDS) {",
    ),
    "one_position_not_prepared": (
        *("sparse/sparse_portable.c", "set_positions", "precondition 'row'"),
        "prepare_portable(&few, positions + i, now, first);",
        "prepare_portable(&few, positions + i, now - 1, first);",
    ),
    "compares_one_too_many": (
        *("sparse/sparse_portable.c", "pick_distinct", "out of bounds read"),
        *("positions + i + 1, count - i - 1);", "positions + i + 1, count - i);"),
    ),
    "one_row_not_transposed": (
        *("gf2x/gf2x_power.c", "transpose", "accessing uninitialized left-value"),
        *("memcpy(out, in, 64 * sizeof *out);", "memcpy(out, in, 63 * sizeof *out);"),
    ),
    "transposes_what_was_not_written": (
        *("gf2x/gf2x_power.c", "square_times", "precondition 'in'"),
        "in + 64 * (column * blocks + row));",
        "out + 64 * (row * blocks + column));",
    ),
}
HQC_KERNEL_MISTAKES = {
    "symbol_too_far": (
        *("hqc/reed_muller.c", "reed_muller", "out of bounds write"),
        *("symbols[i] = find_peak(w);", "symbols[i + 1] = find_peak(w);"),
    ),
    "message_too_long": (
        *("hqc/reed_solomon_steps.template.h", "reed_solomon", "out of bounds"),
        "for (size_t i = 0; i < code->message_bytes; i++) {",
        "for (size_t i = 0; i <= code->message_bytes; i++) {",
    ),
}

BIKE = ("bike_l1", [], {})
OLD_BIKE = (
    "bike_l1_v4_2_sha3",
    ["-eva-use-spec", "codekem_bike_sample_rejection,codekem_bike_sample_fixed_draws"],
    {},
)
HQC = (
    "hqc_1",
    ["-eva-use-spec", "codekem_hqc_sample_rejection,codekem_hqc_sample_rejection_from"],
    {"HQC": 1},
)
OPERATION_MISTAKES = {
    "reads_one_word_too_many": (
        *("gf2x/gf2x.c", BIKE, "encaps", "out of bounds read"),
        "for (size_t i = 0; i < last / 8; i++) {",
        "for (size_t i = 0; i <= last / 8; i++) {",
    ),
    "takes_too_little_memory": (
        *("bike/bike.h", BIKE, "encaps", "function __FC_assert: precondition"),
        "(3 * GF2X_STRIDE(r_bits) + BIKE_ERROR_BYTES_WORDS(r_bits) +",
        "(2 * GF2X_STRIDE(r_bits) + BIKE_ERROR_BYTES_WORDS(r_bits) +",
    ),
    "lays_out_the_key_too_long": (
        *("bike/bike_steps.c", BIKE, "decaps", "out of bounds read"),
        "layout.sigma = layout.public_key + element_bytes;",
        "layout.sigma = layout.public_key + element_bytes + 1;",
    ),
    "passes_overlapping_memory": (
        *("bike/decoder.c", BIKE, "decaps", "assertion 'apart'"),
        "d.scratch = arena_take(&arena, BIKE_SCRATCH_WORDS(ring->r_bits));",
        "d.scratch = d.reached;",
    ),
    "raises_to_another_power": (
        *("gf2x/gf2x.c", BIKE, "keypair", "assertion 'k'"),
        "n & ((UINT32_C(1) << i) - 1), rest);",
        "n & ((UINT32_C(1) << i) - 2), rest);",
    ),
    "picks_from_fewer_words": (
        *("bike/sampling.c", BIKE, "encaps", "assertion 'count'"),
        "ops->pick_distinct(positions, positions, count, length);",
        "ops->pick_distinct(positions, positions, count - 1, length);",
    ),
    "squares_in_place": (
        *("bike/bike.c", BIKE, "encaps", "assertion 'distinct'"),
        "backend->gf2x->mul(ring, c0, c0, e[1], scratch);",
        "backend->gf2x->mul(ring, c0, c0, c0, scratch);",
    ),
    "sets_positions_from_elsewhere": (
        *("bike/bike.c", BIKE, "encaps", "assertion 'count'"),
        "set_positions(params->ring, e[1], positions, params->error_weight, r_bits);",
        "set_positions(params->ring, e[1], positions, params->error_weight, r_bits + 1);",
    ),
    "adds_to_a_factor": (
        *("bike/decoder.c", BIKE, "decaps", "assertion 'out_apart'"),
        "mul_add(ring, d->syndrome, d->e[0], d->key->h[0], d->e[1], d->key->h[1],",
        "mul_add(ring, d->syndrome, d->syndrome, d->key->h[0], d->e[1], d->key->h[1],",
    ),
    "permutes_what_was_not_written": (
        *("keccak/keccak.c", BIKE, "encaps", "assertion 'state'"),
        "for (size_t i = 0; i < KECCAK_LANES; i++) {\n    sponge->state[i] = 0;",
        "for (size_t i = 0; i + 1 < KECCAK_LANES; i++) {\n    sponge->state[i] = 0;",
    ),
    "draws_a_key_like_an_error": (
        *("bike/bike_steps.c", OLD_BIKE, "keypair", "precondition 'list'"),
        "bike_sample_rejection(symmetric, prf, support[b], params->key_weight,",
        "bike_sample_rejection(symmetric, prf, support[b], params->error_weight,",
    ),
    "draws_too_often": (
        *("bike/bike.c", OLD_BIKE, "encaps", "precondition 'draws'"),
        "2 * r_bits, params->uniform_error_draws)",
        "2 * r_bits, params->uniform_error_draws + 1)",
    ),
    "puts_the_salt_too_far": (
        *("hqc/hqc.c", HQC, "encaps", "precondition 'valid_dest'"),
        "hqc_code_bytes(params), salt, HQC_SALT_BYTES);",
        "hqc_code_bytes(params) + 1, salt, HQC_SALT_BYTES);",
    ),
    "takes_too_little_memory_in_hqc": (
        *("hqc/hqc.h", HQC, "encaps", "function __FC_assert: precondition"),
        *("#define HQC_SMALL_WORDS 256", "#define HQC_SMALL_WORDS 255"),
    ),
    "decodes_one_copy_more": (
        *("hqc/pke.c", HQC, "decaps", "assertion 'count'"),
        "reed_muller_decode(pke->codeword, received, code->length, pke->params->copies);",
        "reed_muller_decode(pke->codeword, received, code->length, pke->params->copies + 1);",
    ),
    "multiplies_by_the_result": (
        *("hqc/pke.c", HQC, "encaps", "assertion 'out_b'"),
        "pke->backend->gf2x->mul_lean(ring, out, a, factor, pke->scratch);",
        "pke->backend->gf2x->mul_lean(ring, out, a, out, pke->scratch);",
    ),
    "encodes_what_was_not_written": (
        *("hqc/pke.c", HQC, "encaps", "assertion 'message'"),
        "reed_solomon_encode(code, pke->codeword, message);",
        "reed_solomon_encode(code, pke->codeword, pke->codeword);",
    ),
    "decodes_in_place": (
        *("hqc/pke.c", HQC, "decaps", "assertion 'apart'"),
        "ops->reed_solomon_decode(code, message, pke->codeword);",
        "ops->reed_solomon_decode(code, pke->codeword, pke->codeword);",
    ),
}

# Samplers, over the specification of keccak_squeeze: harness, function and macros.
REJECTION = ("bike_sampling.c", "rejection", {})
FIXED = ("bike_sampling.c", "fixed_draws", {})
SAMPLER = ("sampling.c", "sampler", {"HQC": 1, "TAG": "false"})
SAMPLER_MISTAKES = {
    "holds_one_position_too_many": (
        *("bike/sampling.c", REJECTION, "out of bounds write"),
        *("while (held < count) {", "while (held <= count) {"),
    ),
    "last_position_not_set": (
        *("bike/sampling.c", FIXED, "accessing uninitialized left-value"),
        "for (size_t i = 0; i < count; i++) {\n    positions[i] = SPARSE_NO_POSITION;",
        "for (size_t i = 0; i + 1 < count; i++) {\n    positions[i] = SPARSE_NO_POSITION;",
    ),
    "asks_for_two_words": (
        *("bike/symmetric.c", REJECTION, "precondition 'length'"),
        "keccak_squeeze(&prf->sponge, bytes, 4 * count);",
        "keccak_squeeze(&prf->sponge, bytes, 8 * count);",
    ),
    "writes_one_position_too_many": (
        *("hqc/sampling.c", SAMPLER, "out of bounds write"),
        "for (uint32_t i = 0; i < count && held < params->key_weight; i++) {",
        "for (uint32_t i = 0; i < count; i++) {",
    ),
    "reads_candidates_that_were_not_drawn": (
        *("hqc/sampling.c", SAMPLER, "accessing uninitialized left-value"),
        "memcpy(batch, first, 3 * (size_t)params->key_weight);",
        "memcpy(batch, first, 3 * (size_t)params->key_weight - 1);",
    ),
}

SQUEEZING_MISTAKES = {
    "takes_one_byte_too_many": (
        *("keccak/keccak.c", "take", "out of bounds"),
        "for (; i < taken; i++) {",
        "for (; i <= taken; i++) {",
    ),
    "reads_one_lane_too_many": (
        *("keccak/keccak_portable.c", "take", "out of bounds"),
        "for (unsigned i = 0; i < KECCAK_LANES; i++) {\n    a[i] = state[i];",
        "for (unsigned i = 0; i <= KECCAK_LANES; i++) {\n    a[i] = state[i];",
    ),
    "asks_for_one_byte_too_many": (
        *("keccak/keccak.c", "squeeze", "precondition 'out'"),
        "const size_t taken = take_bytes(sponge, out, length);",
        "const size_t taken = take_bytes(sponge, out, length + 1);",
    ),
    "goes_on_behind_the_block": (
        *("keccak/keccak.c", "squeeze", "precondition 'rate'"),
        "    if (sponge->position == sponge->rate_bytes) {\n"
        "      sponge->ops->permute(sponge->state);\n"
        "      sponge->position = 0;\n    }\n    const size_t taken = take_bytes(sponge,",
        "    const size_t taken = take_bytes(sponge,",
    ),
}

# What `make test` takes.
SHORT = {
    *("product_not_cleared", "planes_overlap_the_group", "takes_too_little_memory"),
    *("passes_overlapping_memory", "takes_one_byte_too_many"),
}
FIRST = ["-eva-stop-at-nth-alarm", "1"]


def cases(mistakes):
    """Returns the names of mistakes; those that are not in SHORT run in `make test-long` alone."""
    return [
        pytest.param(name, marks=[] if name in SHORT else pytest.mark.long) for name in mistakes
    ]


def check(analysis, expected):
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()


@pytest.mark.parametrize("mistake", cases(KERNEL_MISTAKES))
def test_mistake_in_a_kernel_is_noticed(analyse_kernel, mistaken, mistake):
    file, kernel, expected, before, after = KERNEL_MISTAKES[mistake]
    check(analyse_kernel(kernel, 1, FIRST, mistaken(file, before, after)), expected)


@pytest.mark.parametrize("mistake", cases(HQC_KERNEL_MISTAKES))
def test_mistake_in_a_kernel_of_hqc_is_noticed(analyse_kernel, mistaken, mistake):
    file, kernel, expected, before, after = HQC_KERNEL_MISTAKES[mistake]
    check(analyse_kernel(kernel, 1, FIRST, mistaken(file, before, after), HQC=1), expected)


@pytest.mark.parametrize("mistake", cases(OPERATION_MISTAKES))
def test_mistake_in_an_operation_is_noticed(analyse_operations, mistaken, mistake):
    file, (kem, options, macros), operation, expected, before, after = OPERATION_MISTAKES[mistake]
    top = mistaken(file, before, after)
    main = f"analyse_{operation}"
    check(analyse_operations(kem, 1, [*options, *FIRST], top, main=main, **macros), expected)


@pytest.mark.parametrize("mistake", cases(SAMPLER_MISTAKES))
def test_mistake_in_a_sampler_is_noticed(analyse_sampler, mistaken, mistake):
    file, (harness, name, macros), expected, before, after = SAMPLER_MISTAKES[mistake]
    top = mistaken(file, before, after)
    check(analyse_sampler(harness, name, FIRST, top, LEVEL=1, **macros), expected)


@pytest.mark.parametrize("mistake", cases(SQUEEZING_MISTAKES))
def test_mistake_in_squeezing_is_noticed(analyse_squeezing, mistaken, mistake):
    file, part, expected, before, after = SQUEEZING_MISTAKES[mistake]
    check(analyse_squeezing(part, FIRST, mistaken(file, before, after)), expected)
