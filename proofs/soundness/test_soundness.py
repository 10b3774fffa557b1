# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs with Frama-C that portable BIKE has no undefined behaviour; see docs/soundness.md."""

import pytest

LEVELS = [1, 3, 5]
KERNELS = [
    *("words", "value", "products"),
    *("rotate", "add_group", "compare", "count_unsatisfied"),
    *("place", "set_positions", "pick_distinct"),
    *("transpose", "square_times"),
]
VERSIONS = ["5.1", "4.2-sha3", "4.2-sha3-bind"]

# What version 4.2 draws with, taken by specifications that are proved below.
SAMPLERS = [
    *("-eva-use-spec", "ckem_bike_sample_rejection,ckem_bike_sample_fixed_draws"),
]

# What `make test` takes; the rest is for `make test-long`.
SHORT_KERNELS = [("words", 1)]

# All else is for 64-bit words, little-endian (gcc_x86_64): 32 bits, and 32 bits big-endian.
OTHER_MACHINES = ["gcc_x86_32", "ppc_32"]

# In entry_points.c states are kept apart for each value returned: a status says what was set.
ENTRY_POINTS = [
    *("null_keypair", "null_encaps", "null_decaps", "null_check", "null_others", "options"),
    *("set_by_keypair", "set_by_encaps", "set_by_decaps"),
    *("system_random", "lookup"),
]
ENTRY_POINT_OPTIONS = ["-eva-slevel", "10000", "-eva-split-return", "full"]
SYSTEM = ["-eva-use-spec", "ckem_random_from_system"]


def case(short, *values):
    """Returns a case that runs in `make test` if it is in short, else in `make test-long`."""
    return pytest.param(*values, marks=[] if values in short else pytest.mark.long)


def kem_object(version, level):
    """Returns the name of a KEM's object in src/kems.def."""
    suffix = "" if version == "5.1" else "_v" + version.replace(".", "_").replace("-", "_")
    return f"ckem_bike_l{level}{suffix}"


def check(analysis):
    assert not analysis.problems(), analysis.report()


@pytest.mark.parametrize(
    "kernel, level", [case(SHORT_KERNELS, kernel, level) for level in LEVELS for kernel in KERNELS]
)
def test_kernel_keeps_its_contract(analyse_kernel, kernel, level):
    check(analyse_kernel(kernel, level))


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("version", VERSIONS)
def test_operations_are_sound_over_contracts(analyse_operations, version, level):
    check(analyse_operations(kem_object(version, level), level, SAMPLERS))


# Two operations, so that one is the first and one is not.
@pytest.mark.long
@pytest.mark.parametrize("one_key", [0, 1])
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("level", LEVELS)
def test_batches_are_sound_over_contracts(analyse_operations, version, level, one_key):
    more = {"harness": "batch.c", "COUNT": 2, "ONE_KEY": one_key}
    check(analyse_operations(kem_object(version, level), level, SAMPLERS, **more))


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("sampler", ["rejection", "fixed_draws"])
def test_sampler_keeps_its_specification(analyse_sampler, level, sampler):
    check(analyse_sampler("bike_sampling.c", sampler, LEVEL=level))


@pytest.mark.long
@pytest.mark.parametrize("part", ["take", "squeeze"])
def test_squeezing_keeps_its_specification(analyse_squeezing, part):
    """From every position of a block, for every length that the samplers ask for."""
    check(analyse_squeezing(part))


@pytest.mark.long
def test_operation_is_sound_in_one_piece(analyse_operations):
    main, reused = "analyse_encaps", ["shifted", "divided"]
    check(analyse_operations("ckem_bike_l1", 1, main=main, reused=reused, USED="portable"))


@pytest.mark.long
@pytest.mark.parametrize("machine", OTHER_MACHINES)
def test_operations_are_sound_on_other_machines(analyse_operations, machine):
    check(analyse_operations("ckem_bike_l1", 1, ["-machdep", machine]))


@pytest.mark.long
@pytest.mark.parametrize("machine", OTHER_MACHINES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernel_is_sound_on_other_machines(analyse_kernel, machine, kernel):
    check(analyse_kernel(kernel, 1, ["-machdep", machine]))


@pytest.mark.long
@pytest.mark.parametrize("function", ENTRY_POINTS)
def test_entry_points_take_any_argument(prove, function):
    options = ENTRY_POINT_OPTIONS + (SYSTEM if function != "system_random" else [])
    prove(["entry_points.c", "contracts.c"], f"analyse_{function}", options, LEVEL=1)
