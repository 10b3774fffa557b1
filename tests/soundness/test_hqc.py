# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable HQC has no undefined behaviour; see docs/soundness.md."""

import pytest

LEVELS = [1, 3, 5]
OPERATIONS = ["keypair", "encaps", "decaps", "checks"]

# The KEMs of a level by version: the object (src/kems.def), and macros.
KEMS = {
    "2025": ({1: "hqc_1", 3: "hqc_3", 5: "hqc_5"}, {}),
    "v5.0.0": ({1: "hqc_1_v5_0_0", 3: "hqc_3_v5_0_0", 5: "hqc_5_v5_0_0"}, {}),
    "2023": ({1: "hqc_128_2023", 3: "hqc_192_2023", 5: "hqc_256_2023"}, {"HQC_2023": 1}),
}
# Taken by their specifications, which test_sampler_keeps_its_specification proves. HQC of 2023
# draws a fixed number of words instead.
SAMPLERS = ["codekem_hqc_sample_rejection", "codekem_hqc_sample_rejection_from"]

SAMPLER_OPTIONS = ["-eva-use-spec", "codekem_keccak_squeeze", "-eva-widening-delay", "3"]

# What `make test` takes; the rest is for `make test-long`.
SHORT_SAMPLERS = [(1, "false")]
SHORT_OPERATIONS = [("2025", 1, "encaps")]


def case(short, *values):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*values, marks=[] if values in short else pytest.mark.long)


@pytest.fixture
def prove_hqc(prove):
    """prove_hqc(harness, main, options, version, level, ...) as prove, with what HQC takes."""

    def run(harness, main, options, version, level, **more):
        objects, macros = KEMS[version]
        prove(
            [*harness, "contracts.c"],
            main,
            options,
            folders=["src/legacy"] if version == "2023" else [],
            HQC=1,
            LEVEL=level,
            KEM_OBJECT=objects[level],
            **macros,
            **more,
        )

    return run


def by_specification(version):
    return [] if version == "2023" else ["-eva-use-spec", ",".join(SAMPLERS)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "version, level, operation",
    [
        case(SHORT_OPERATIONS, version, level, operation)
        for version in KEMS
        for level in LEVELS
        for operation in OPERATIONS
    ],
)
def test_operation_is_sound_over_contracts(prove_hqc, version, level, operation):
    prove_hqc(
        ["operation.c"],
        f"analyse_{operation}",
        by_specification(version),
        version,
        level,
        BACKEND="contracts",
    )


# Two operations, so that one is the first and one is not. HQC of 2023 has no batches of its own.
@pytest.mark.long
@pytest.mark.parametrize("one_key", [0, 1])
@pytest.mark.parametrize("operation", ["keypair", "encaps", "decaps"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("version", ["2025", "v5.0.0"])
def test_batch_is_sound_over_contracts(prove_hqc, version, level, operation, one_key):
    if one_key and operation == "keypair":
        pytest.skip("no key goes into a batch of key pairs")
    prove_hqc(
        ["batch.c"],
        f"analyse_{operation}_batch",
        by_specification(version),
        version,
        level,
        BACKEND="contracts",
        COUNT=2,
        ONE_KEY=one_key,
    )


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kernel", ["mul_lean", "mul_lean_in_place", "set_positions"])
def test_kernel_keeps_its_contract(prove, kernel, level):
    prove(["kernels.c"], f"analyse_{kernel}", HQC=1, LEVEL=level)


@pytest.mark.slow
@pytest.mark.parametrize(
    "level, tag",
    [case(SHORT_SAMPLERS, level, tag) for level in LEVELS for tag in ["false", "true"]],
)
def test_sampler_keeps_its_specification(prove, level, tag):
    """With any number of rounds: one state for each number of positions that are held."""
    prove(
        ["sampling.c", "contracts.c"],
        "analyse_sampler",
        SAMPLER_OPTIONS,
        HQC=1,
        LEVEL=level,
        TAG=tag,
        FIRST=1,
        LAST=1,
    )


WEIGHTS = {1: 66, 3: 100, 5: 131}
AT_ONCE = 22  # numbers of candidates, so that an analysis takes a few minutes


@pytest.mark.long
@pytest.mark.parametrize(
    "level, first, last",
    [
        (level, first, min(first + AT_ONCE - 1, weight))
        for level, weight in WEIGHTS.items()
        for first in range(1, weight + 1, AT_ONCE)
    ],
)
def test_squeezing_keeps_its_specification(prove, level, first, last):
    """From every position of a block, for every length that the sampler asks for."""
    prove(
        ["sampling.c", "contracts.c"],
        "analyse_squeeze",
        reused=["take_bytes", "permute_portable"],
        HQC=1,
        LEVEL=level,
        TAG="false",
        FIRST=first,
        LAST=last,
    )


# Mistakes in a copy of the sources, each with the analysis that must notice and what it must say.
OPERATION = (["operation.c", "contracts.c"], ["-eva-use-spec", ",".join(SAMPLERS)])
SAMPLER = (["sampling.c", "contracts.c"], SAMPLER_OPTIONS)
MISTAKES = {
    "writes_one_position_too_many": (
        *("hqc/sampling.c", "for (uint32_t i = 0; i < count && held < params->key_weight; i++) {"),
        *("for (uint32_t i = 0; i < count; i++) {", *SAMPLER),
        *("analyse_sampler", "out of bounds write"),
    ),
    "reads_candidates_that_were_not_drawn": (
        *("hqc/sampling.c", "memcpy(batch, first, 3 * (size_t)params->key_weight);"),
        *("memcpy(batch, first, 3 * (size_t)params->key_weight - 1);", *SAMPLER),
        *("analyse_sampler", "accessing uninitialized left-value"),
    ),
    "puts_the_salt_too_far": (
        *("hqc/hqc.c", "hqc_code_bytes(params), salt, HQC_SALT_BYTES);"),
        *("hqc_code_bytes(params) + 1, salt, HQC_SALT_BYTES);", *OPERATION),
        *("analyse_encaps", "precondition 'valid_dest'"),
    ),
    "takes_too_little_memory": (
        *("hqc/hqc.h", "#define HQC_SMALL_WORDS 256", "#define HQC_SMALL_WORDS 255", *OPERATION),
        *("analyse_encaps", "function __FC_assert: precondition"),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_noticed(analyse, mistaken, mistake):
    file, before, after, harness, options, main, expected = MISTAKES[mistake]
    analysis = analyse(
        harness,
        main,
        [*options, "-eva-stop-at-nth-alarm", "1"],
        mistaken(file, before, after),
        HQC=1,
        LEVEL=1,
        KEM_OBJECT="hqc_1",
        BACKEND="contracts",
        TAG="false",
        FIRST=1,
        LAST=1,
    )
    assert any(expected in alarm for alarm in analysis.alarms), analysis.report()
