# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs of BIKE and HQC notice mistakes: one at least for each contract and specification."""

import pytest

from tools import mistakes

# Operations of a KEM over contracts, and samplers over the specification of keccak_squeeze, by
# their names in proofs/mistakes.toml; a kernel is named as in conftest.py.
OPERATIONS = {
    "BIKE": ("ckem_bike_l1", [], {}),
    "OLD_BIKE": (
        "ckem_bike_l1_v4_2_sha3",
        ["-eva-use-spec", "ckem_bike_sample_rejection,ckem_bike_sample_fixed_draws"],
        {},
    ),
    "HQC": (
        "ckem_hqc_1",
        ["-eva-use-spec", "ckem_hqc_sample_rejection,ckem_hqc_sample_rejection_from"],
        {"HQC": 1},
    ),
}
SAMPLERS = {
    "REJECTION": ("bike_sampling.c", "rejection", {}),
    "FIXED": ("bike_sampling.c", "fixed_draws", {}),
    "SAMPLER": ("sampling.c", "sampler", {"HQC": 1, "TAG": "false"}),
}
FIRST = ["-eva-stop-at-nth-alarm", "1"]


def check(analysis, mistake):
    assert any(mistake.more["says"] in alarm for alarm in analysis.alarms), analysis.report()


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/kernels"))
def test_mistake_in_a_kernel_is_noticed(analyse_kernel, mistaken, mistake):
    check(analyse_kernel(mistake.by, 1, FIRST, mistaken(mistake)), mistake)


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/kernels of HQC"))
def test_mistake_in_a_kernel_of_hqc_is_noticed(analyse_kernel, mistaken, mistake):
    check(analyse_kernel(mistake.by, 1, FIRST, mistaken(mistake), HQC=1), mistake)


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/operations"))
def test_mistake_in_an_operation_is_noticed(analyse_operations, mistaken, mistake):
    name, operation = mistake.by.split()
    kem, options, macros = OPERATIONS[name]
    top, main = mistaken(mistake), f"analyse_{operation}"
    check(analyse_operations(kem, 1, [*options, *FIRST], top, main=main, **macros), mistake)


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/samplers"))
def test_mistake_in_a_sampler_is_noticed(analyse_sampler, mistaken, mistake):
    harness, name, macros = SAMPLERS[mistake.by]
    top = mistaken(mistake)
    check(analyse_sampler(harness, name, FIRST, top, LEVEL=1, **macros), mistake)


@pytest.mark.parametrize("mistake", mistakes.cases("soundness/squeezing"))
def test_mistake_in_squeezing_is_noticed(analyse_squeezing, mistaken, mistake):
    check(analyse_squeezing(mistake.by, FIRST, mistaken(mistake)), mistake)
