# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers and unit tests on other processors, with all of their back ends."""

import os
import pathlib

import pytest

from count_instructions import TARGETS
from kat_check import KEMS, run_kat_check

UNIT = pathlib.Path(__file__).parent.parent / "unit"
LEVEL_1 = ("BIKE-L1", "HQC-1")
SHORT_UNIT_TESTS = ("test_keccak", "test_sampling", "test_hqc")  # seconds under the emulator


def case(short, *values):
    return pytest.param(*values, marks=[] if short else pytest.mark.long, id="-".join(values))


@pytest.mark.parametrize("name, backend, kem", [
    case(kem in LEVEL_1, name, backend, kem)
    for name, (_, _, backends, _) in TARGETS.items() for backend in backends for kem in KEMS])
def test_known_answers(name, backend, kem, target):
    one = target(name)
    run_kat_check(one.build(["kat_check"]), kem, backend, one.emulator)


@pytest.mark.parametrize("name", TARGETS)
def test_known_answers_of_the_reference(name, target):
    one = target(name)
    run_kat_check(one.build(["kat_check"]), "BIKE-L1", "reference", one.emulator, record_limit=1)


@pytest.mark.parametrize("name, program", [
    case(name == "aarch64" and path.stem in SHORT_UNIT_TESTS, name, path.stem)
    for name in TARGETS for path in sorted(UNIT.glob("test_*.c"))])
def test_unit(name, program, target):
    """Every back end against the reference."""
    one = target(name)
    done = one.run(one.build(["codekem_tests"]) / "bin" / program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[  PASSED  ]" in done.stdout
    if program != "test_threads" and not one.native:
        for backend in TARGETS[name][2]:
            assert f"with {backend}\n" in done.stdout


def choose(one, processor, environment, backend="-"):
    """Runs on a processor of the emulator; returns the status and what was printed."""
    program = one.build(["run_operation"]) / "bin" / "run_operation"
    one.emulator = [processor if word == "max" else word for word in one.emulator]
    done = one.run(program, backend, "HQC-1", "nothing", "1", env=os.environ | environment)
    return done.returncode, (done.stdout + done.stderr).strip()


@pytest.mark.parametrize("processor, environment, chosen", [
    ("max", {}, "neon-sha3"), ("cortex-a53", {}, "neon"), ("max", {"CODEKEM_CPU": "neon"}, "neon"),
    ("max", {"CODEKEM_CPU": "portable"}, "portable")])
def test_back_end_follows_processor_and_environment(processor, environment, chosen, target):
    one = target("aarch64")
    if one.native:
        pytest.skip("choice of back ends not tested: a real processor cannot be exchanged")
    assert choose(one, processor, environment) == (0, chosen)


def test_back_end_that_the_processor_lacks_is_refused(target):
    one = target("aarch64")
    if one.native:
        pytest.skip("choice of back ends not tested: a real processor cannot be exchanged")
    status, text = choose(one, "cortex-a53", {}, "neon-sha3")
    assert status == 2 and "cannot run the back end neon-sha3" in text
    status, text = choose(one, "cortex-a53", {"CODEKEM_CPU": "neon-sha3"})
    assert status == 2 and "cannot run the back end of CODEKEM_CPU" in text
