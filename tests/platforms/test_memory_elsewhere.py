# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What calls leave on the stack, in their workspaces and in vector registers of other processors;
on 64-bit Arm, that PSTATE.DIT is on during each, and off again after it."""

import pytest

from count_instructions import TARGETS
from memory_findings import check_residue, findings_of

QUICK = [("aarch64", "neon", "HQC-1"), ("armv7", "neon", "HQC-1"), ("riscv64", "rvv", "HQC-1")]
QUICK.append(("aarch64", "neon", "mceliece348864f"))
KEMS = ["BIKE-L1", "HQC-1", "HQC-128-2023", "mceliece348864", "mceliece348864f"]
CASES = [
    (name, backend, kem)
    for name, (_, _, backends, _) in TARGETS.items()
    for backend in backends
    for kem in KEMS
]


@pytest.mark.parametrize(
    "name, backend, kem",
    [
        pytest.param(*case, marks=[] if case in QUICK else pytest.mark.long, id="-".join(case))
        for case in CASES
    ],
)
def test_nothing_is_left_behind(name, backend, kem, target):
    one = target(name)
    program = one.build(["memory_check"]) / "bin" / "memory_check"
    done = one.run(program, backend, "--kem", kem)
    assert done.returncode == 0, done.stderr
    findings, wiped = findings_of(done.stdout)
    assert len(findings) >= 11
    check_residue(findings, wiped)


@pytest.mark.parametrize("kem", ["HQC-1", "mceliece348864f"])
def test_time_of_instructions_is_asked_for(kem, target):
    """PSTATE.DIT; the emulator has it and does not say so."""
    one = target("aarch64")
    program = one.build(["memory_check"]) / "bin" / "memory_check"
    done = one.run(program, "portable", "--kem", kem, "--dit")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, backend, kem", QUICK[:3])
def test_registers_that_are_not_wiped_are_found(name, backend, kem, target):
    one = target(name)
    program = one.build(["memory_check"]) / "bin" / "memory_check"
    done = one.run(program, backend, "--kem", kem, "--keep-registers")
    assert "residue=registers" in done.stdout
