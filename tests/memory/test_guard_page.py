# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A call on a stack that is too small ends at the guard page, and writes nothing behind it."""

import subprocess

import pytest


def tried(program, backend):
    """Returns {(KEM, operation): (how it ended, bytes overwritten)}."""
    done = subprocess.run([program, backend], capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return {(kem, name): (how, int(count)) for kem, name, how, count in rows}


@pytest.mark.parametrize("preset", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_calls_stop_at_the_guard_page(preset, build, fast_backend_name):
    found = tried(build(preset, targets=["guard_page"]) / "bin" / "guard_page", fast_backend_name)
    assert {key: result for key, result in found.items() if result[1] > 0} == {}
    assert found["BIKE-L5", "decaps"][0] == found["BIKE-L5", "keypair"][0] == "stopped"
    assert found["HQC-1", "decaps"][0] == found["BIKE-L1", "decaps"][0] == "ran"
    assert "failed" not in {how for how, _ in found.values()}


# --- A test of the test ---------------------------------------------------------------------------


@pytest.mark.long
def test_frame_that_jumps_over_the_guard_page_is_found(build):
    folder = build("gcc", targets=["guard_page"], CMAKE_C_FLAGS="-fno-stack-clash-protection",
                   CODEKEM_HAVE_STACK_CLASH_PROTECTION="OFF")  # fmt: skip
    found = tried(folder / "bin" / "guard_page", "portable")
    assert found["BIKE-L5", "decaps"][1] > 0
