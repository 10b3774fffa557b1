# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable BIKE has no undefined behaviour; see docs/soundness.md."""

import pytest

LEVELS = [1, 3, 5]
KERNELS = ["mul", "mul_in_place", "mul_add", "set_positions", "count_unsatisfied"]
OPERATIONS = ["keypair", "encaps", "decaps", "checks"]
VERSIONS = ["5.1", "4.2-sha3", "4.2-sha3-bind"]

# What `make test` takes; the rest is for `make test-long`.
SHORT_KERNELS = [("mul", 1)]
SHORT_OPERATIONS = [("5.1", 1, "encaps"), ("5.1", 1, "decaps"), ("5.1", 1, "checks")]

# Operations analysed in one piece, without contracts. Beyond these an analysis takes hours.
IN_ONE_PIECE = [(1, "keypair"), (1, "encaps"), (1, "decaps"), (3, "encaps"), (5, "encaps")]

# All else is for 64-bit words, little-endian (gcc_x86_64): 32 bits, and 32 bits big-endian.
OTHER_MACHINES = ["gcc_x86_32", "ppc_32"]

# In entry_points.c states are kept apart for each value returned: a status says what was set.
SHORT_ENTRY_POINTS = [("system_random",), ("lookup",)]
ENTRY_POINTS = ["null_arguments", "outputs_set", "system_random", "lookup"]
ENTRY_POINT_OPTIONS = ["-eva-slevel", "10000", "-eva-split-return", "full"]

# Mistakes in a copy of the sources, each with the analysis that must notice and what it must say.
MISTAKES = {
    "reads_one_word_too_many": (
        "gf2x/gf2x.c",
        "for (size_t i = 0; i < last / 8; i++) {",
        "for (size_t i = 0; i <= last / 8; i++) {",
        "operation.c",
        "analyse_encaps",
        "out of bounds read",
    ),
    "writes_one_word_too_many": (
        "gf2x/portable/gf2x_toom_portable.c",
        "memset(out, 0, ring->stride * sizeof *out);",
        "memset(out, 0, (ring->stride + 1) * sizeof *out);",
        "kernels.c",
        "analyse_mul",
        "precondition 'valid_s'",
    ),
    "reads_before_writing": (
        "gf2x/portable/gf2x_toom_portable.c",
        "    memset(out, 0, ring->stride * sizeof *out);\n",
        "",
        "kernels.c",
        "analyse_mul",
        "accessing uninitialized left-value",
    ),
    "shifts_too_far": (
        "gf2x/portable/gf2x_toom_portable.c",
        "now << k | before >> (WORD_BITS - k)",
        "now << k | before >> (WORD_BITS + 1 - k)",
        "kernels.c",
        "analyse_mul",
        "invalid RHS operand for shift",
    ),
    "takes_too_little_memory": (
        "bike/bike.h",
        "(3 * GF2X_STRIDE(r_bits) + BIKE_ERROR_BYTES_WORDS(r_bits) +",
        "(2 * GF2X_STRIDE(r_bits) + BIKE_ERROR_BYTES_WORDS(r_bits) +",
        "operation.c",
        "analyse_encaps",
        "function __FC_assert: precondition",
    ),
    "lays_out_the_key_too_long": (
        "bike/bike_steps.c",
        "layout.sigma = layout.public_key + element_bytes;",
        "layout.sigma = layout.public_key + element_bytes + 1;",
        "operation.c",
        "analyse_decaps",
        "out of bounds read",
    ),
    "passes_overlapping_memory": (
        "bike/decoder.c",
        "d.scratch = arena_take(&arena, BIKE_SCRATCH_WORDS(ring->r_bits));",
        "d.scratch = d.reached;",
        "operation.c",
        "analyse_decaps",
        "assertion 'apart'",
    ),
}
SHORT_MISTAKES = [
    ("reads_one_word_too_many",),
    ("reads_before_writing",),
    ("takes_too_little_memory",),
    ("passes_overlapping_memory",),
]


def case(short, *values):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*values, marks=[] if values in short else pytest.mark.long)


def kem_object(version, level):
    """Returns the name of a KEM's object in src/kems.def."""
    suffix = "" if version == "5.1" else "_v" + version.replace(".", "_").replace("-", "_")
    return f"bike_l{level}{suffix}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel, level", [case(SHORT_KERNELS, kernel, level) for level in LEVELS for kernel in KERNELS]
)
def test_kernel_keeps_its_contract(prove, kernel, level):
    prove(["kernels.c"], f"analyse_{kernel}", LEVEL=level)


@pytest.mark.slow
@pytest.mark.parametrize(
    "version, level, operation",
    [
        case(SHORT_OPERATIONS, version, level, operation)
        for version in VERSIONS
        for level in LEVELS
        for operation in OPERATIONS
    ],
)
def test_operation_is_sound_over_contracts(prove, version, level, operation):
    prove(
        ["operation.c", "contracts.c"],
        f"analyse_{operation}",
        LEVEL=level,
        KEM_OBJECT=kem_object(version, level),
        BACKEND="contracts",
    )


@pytest.mark.long
@pytest.mark.parametrize("level, operation", IN_ONE_PIECE)
def test_operation_is_sound_in_one_piece(prove, level, operation):
    prove(
        ["operation.c", "contracts.c"],
        f"analyse_{operation}",
        LEVEL=level,
        KEM_OBJECT=kem_object("5.1", level),
        BACKEND="portable",
    )


@pytest.mark.long
@pytest.mark.parametrize("machine", OTHER_MACHINES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operation_is_sound_on_other_machines(prove, machine, operation):
    prove(
        ["operation.c", "contracts.c"],
        f"analyse_{operation}",
        ["-machdep", machine],
        LEVEL=1,
        KEM_OBJECT="bike_l1",
        BACKEND="contracts",
    )


@pytest.mark.long
@pytest.mark.parametrize("machine", OTHER_MACHINES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernel_is_sound_on_other_machines(prove, machine, kernel):
    prove(["kernels.c"], f"analyse_{kernel}", ["-machdep", machine], LEVEL=1)


@pytest.mark.slow
@pytest.mark.parametrize("function", [case(SHORT_ENTRY_POINTS, name) for name in ENTRY_POINTS])
def test_entry_points_take_any_argument(prove, function):
    prove(["entry_points.c", "contracts.c"], f"analyse_{function}", ENTRY_POINT_OPTIONS, LEVEL=1)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [case(SHORT_MISTAKES, name) for name in MISTAKES])
def test_mistake_is_noticed(analyse, mistaken, mistake):
    file, before, after, harness, main, expected = MISTAKES[mistake]
    harnesses = [harness] + (["contracts.c"] if harness == "operation.c" else [])
    analysis = analyse(
        harnesses,
        main,
        ["-eva-stop-at-nth-alarm", "1"],
        mistaken(file, before, after),
        LEVEL=1,
        KEM_OBJECT="bike_l1",
        BACKEND="contracts",
    )
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()
