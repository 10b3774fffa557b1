# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA takes the stack that its header states, and leaves no secret behind."""

import subprocess

import pytest

from tests.memory_findings import check_residue, findings_of

HEADER_BYTES = 16384  # of the stack, beside the workspace


@pytest.fixture(params=["gcc", pytest.param("clang", marks=pytest.mark.long)])
def measure(request, build, fast_backend_name):
    """measure(...) returns the findings and the depth that is wiped."""
    program = build(request.param, targets=["sofia_memory"]) / "bin" / "sofia_memory"

    def run(*options):
        done = subprocess.run(
            [program, fast_backend_name, *options], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return findings_of(done.stdout)

    return run


def test_stack_is_as_stated_and_nothing_is_left(measure):
    findings, wiped = measure()
    assert len(findings) == 6
    check_residue(findings, wiped)
    for finding in findings:
        stated = HEADER_BYTES + (finding["workspace"] if finding["place"] == "stack" else 0)
        assert finding["stack"] <= stated, finding
        assert finding["heap"] == 0, finding


def test_missing_wipe_is_found(measure):
    findings, _ = measure("--no-wipe")
    assert all(f["residue"] != "none" for f in findings if f["operation"] != "verify")
