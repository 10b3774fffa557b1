# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What calls leave on the stack, in their workspaces and in vector registers of other processors;
on 64-bit Arm, that PSTATE.DIT is on during each, and off again after it."""

import pytest

from tests.frame_limits import frames, too_large
from tests.memory_findings import check_residue, measure
from tools.count_instructions import TARGETS

BACKENDS = [
    (name, backend) for name, (_, _, backends, _) in TARGETS.items() for backend in backends
]
WITH_VECTORS = [("aarch64", "neon"), ("armv7", "neon"), ("riscv64", "rvv")]
QUICK = ("aarch64", "neon")


LEVEL_1 = ["BIKE-L1", "HQC-1", "HQC-128-2023"]
LEVEL_1 += [f"BIKE-L1-v4.2-sha3{bind}" for bind in ("", "-bind")] + ["HQC-1-v5.0.0"]


def watched(target, name, backend, subjects, *options, operations="all"):
    one = target(name)
    folder = one.build(["memory"])
    return measure(folder, backend, subjects, *options, operations=operations, before=one.emulator)


@pytest.mark.parametrize(
    "name, backend",
    [
        pytest.param(*one, marks=[] if one == QUICK else pytest.mark.long, id="-".join(one))
        for one in BACKENDS
    ],
)
def test_nothing_is_left_behind(name, backend, target):
    """Of the KEMs of level 1."""
    findings, wiped = watched(target, name, backend, LEVEL_1)
    assert len(findings) == len(LEVEL_1) * 11
    check_residue(findings, wiped)


@pytest.mark.long
@pytest.mark.parametrize("name, backend", BACKENDS)
def test_mceliece_leaves_nothing_behind(name, backend, target):
    findings, wiped = watched(target, name, backend, ["mceliece348864f"])
    assert {"expand", "prepare", "rows-make"} <= {finding["operation"] for finding in findings}
    check_residue(findings, wiped)


@pytest.mark.long
@pytest.mark.parametrize("name, backend", BACKENDS)
def test_batches_leave_nothing_behind(name, backend, target):
    findings, wiped = watched(target, name, backend, LEVEL_1, operations="batches")
    assert len(findings) == len(LEVEL_1) * 9
    check_residue(findings, wiped)


@pytest.mark.parametrize("kem", ["HQC-1", pytest.param("mceliece348864f", marks=pytest.mark.long)])
def test_time_of_instructions_is_asked_for(kem, target):
    """PSTATE.DIT; the emulator has it and does not say so."""
    watched(target, "aarch64", "portable", [kem], "dit there")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == QUICK[0] else pytest.mark.long) for name in TARGETS],
)
def test_frames_are_small(name, target):
    """As tests/memory/test_frames.py for x86-64."""
    found = list(frames(target(name).build(["memory"])))
    assert len(found) > 300
    assert too_large(found) == set()


@pytest.mark.parametrize(
    "name, backend",
    [pytest.param(*one, marks=[] if one == QUICK else pytest.mark.long) for one in WITH_VECTORS],
)
def test_registers_that_are_not_wiped_are_found(name, backend, target):
    findings, _ = watched(target, name, backend, ["HQC-1"], "wipe stack")
    assert "registers" in {finding["residue"] for finding in findings}
