# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable HQC has no undefined behaviour; see docs/soundness.md."""

import pytest

from parameters.table import TABLE

LEVELS = [1, 3, 5]
KERNELS = [
    *("words", "value", "products"),
    *("place", "set_positions", "pick_distinct"),
    *("reed_muller", "reed_solomon"),
]


# The KEMs of a level by version: the object (src/kem/kems.def), and macros and folders.
def objects(sampling):
    kems = [kem for kem in TABLE.kems if kem.revision.get("sampling") == sampling]
    return {kem.level: kem.c_name for kem in kems}


KEMS = {
    "2025": (objects("161cd4f"), {}),
    "v5.0.0": (objects("v5.0.0"), {}),
    "2023": (objects("2023"), {"HQC_2023": 1, "folders": ["src/legacy"]}),
}
# Taken by their specifications, which test_sampler_keeps_its_specification proves. HQC of 2023
# draws a fixed number of words instead.
SAMPLERS = ["ckem_hqc_sample_rejection", "ckem_hqc_sample_rejection_from"]

# What `make test` takes; the rest is for `make test-long`.
SHORT_KERNELS = [("pick_distinct", 1)]


def case(short, *values):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*values, marks=[] if values in short else pytest.mark.long)


def check(analysis):
    assert not analysis.problems(), analysis.report()


@pytest.fixture
def analyse_hqc(analyse_operations):
    """analyse_hqc(version, level, **more) as analyse_operations, with what HQC takes."""

    def run(version, level, **more):
        objects, own = KEMS[version]
        options = [] if version == "2023" else ["-eva-use-spec", ",".join(SAMPLERS)]
        return analyse_operations(objects[level], level, options, HQC=1, **own, **more)

    return run


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("version", KEMS)
def test_operations_are_sound_over_contracts(analyse_hqc, version, level):
    check(analyse_hqc(version, level))


# Two operations, so that one is the first and one is not. HQC of 2023 has no batches of its own.
@pytest.mark.long
@pytest.mark.parametrize("one_key", [0, 1])
@pytest.mark.parametrize("version", ["2025", "v5.0.0"])
@pytest.mark.parametrize("level", LEVELS)
def test_batches_are_sound_over_contracts(analyse_hqc, version, level, one_key):
    check(analyse_hqc(version, level, harness="batch.c", COUNT=2, ONE_KEY=one_key))


@pytest.mark.parametrize(
    "kernel, level", [case(SHORT_KERNELS, kernel, level) for kernel in KERNELS for level in LEVELS]
)
def test_kernel_keeps_its_contract(analyse_kernel, kernel, level):
    check(analyse_kernel(kernel, level, HQC=1))


@pytest.mark.long
@pytest.mark.parametrize("tag", ["false", "true"])
@pytest.mark.parametrize("level", LEVELS)
def test_sampler_keeps_its_specification(analyse_sampler, level, tag):
    """With any number of rounds, and of positions that each of them accepts."""
    check(analyse_sampler("sampling.c", "sampler", HQC=1, LEVEL=level, TAG=tag))
