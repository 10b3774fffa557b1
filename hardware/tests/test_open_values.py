# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What hardware leaves open, simulation must not settle: first values, words read while written.

Verilator knows two states only, so registers and memories begin with random values and a word that
is read while it is written comes wrong (simulated.build.OPEN_VALUES). These tests show that this
finds designs that use such a value, and that no result of the core comes from one.
"""

import subprocess

import pytest

from hardware.tests import simulated, test_core, test_hqc_core
from hardware.tests.bench_runner import BenchFailure
from hardware.tests.model_state import differences
from hardware.tests.planted import number_of, planted_core
from tools import known_answers, mistakes

FAST = test_core.FAST
SERVER = {**FAST, "BUILD": 2}
BENCH = "open_values", "bench_open_values", {}


def test_exchange_works(bench):
    bench(*BENCH, mistake=0)


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/open_values"))
def test_use_of_an_open_value_is_found(bench, mistake):
    with pytest.raises(BenchFailure, match="AssertionError"):
        bench(*BENCH, mistake=number_of(mistake))


@pytest.mark.long
@pytest.mark.parametrize("mistake", mistakes.cases("hardware/open_values"))
def test_simulation_of_settled_values_does_not_find_it(bench, mistake):
    bench(*BENCH, mistake=number_of(mistake), open_values=False)


def check_first_values(core, parameters, seeds):
    """Whatever the first values, reset leaves the same state, and the results are right."""
    record = known_answers.read_records(f"BIKE-L{parameters['LEVEL']}")[0]
    first = core(**parameters).state()
    for seed in seeds:
        one = core(**parameters, initial=seed)
        assert differences(one.folder, one.state(), first) == [], seed
        test_core.check_record(
            one, parameters, f"BIKE-L{parameters['LEVEL']}", record, parameters.get("BUILD", 0)
        )


def test_core_works_whatever_the_first_values(core):
    check_first_values(core, FAST, seeds=(2,))


def test_hqc_core_works_whatever_the_first_values(core):
    record = known_answers.read_records("HQC-1")[0]
    first = core(scheme="hqc", **FAST).state()
    one = test_hqc_core.Checked(lambda **some: core(initial=2, **some), FAST)
    assert differences(one.core.folder, one.core.state(), first) == []
    one.check_record(record)


@pytest.mark.parametrize("seed", ["0", "2147483648", "-1", "1x", ""])
def test_other_seeds_are_refused(program, seed):
    done = subprocess.run(
        [program(**FAST), f"initial={seed}"], input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"packets: initial={seed}: SEED is 1 to 2147483647\n"


@pytest.mark.long
@pytest.mark.parametrize(
    "parameters",
    [
        {"LEVEL": 1, "PRESET": 0},
        {"LEVEL": 3, "PRESET": 1},
        FAST,
        {"LEVEL": 5, "PRESET": 2},
        {"LEVEL": 1, "PRESET": 3},
        SERVER,
    ],
    ids=str,
)
def test_other_cores_work_whatever_the_first_values(core, parameters):
    check_first_values(core, parameters, seeds=range(2, 12))


@pytest.mark.long
def test_register_of_the_core_without_reset_is_found(build, tmp_path):
    (mistake,) = mistakes.of("hardware/first_values").values()
    files = planted_core(tmp_path, mistake)
    folder = build.folder("hardware-without-reset")
    program = simulated.build.build_core(folder, SERVER, rtl=files)
    states = []
    for seed in (1, 2):
        one = simulated.Core(program, simulated.Packets(1), 128, f"initial={seed}")
        states.append(one.state())
        one.close()
    assert differences(folder, *states) == ["bike_core.u_shell.gen_units.u_units.u_send.which_q"]
