# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A call on a stack that is too small ends at the guard page, and writes nothing behind it."""

import pytest

from tests import watched


def tried(folder, backend, subjects):
    """Returns {(subject, operation): (how it ended, bytes overwritten)}."""
    lines = [f"{subject} all" for subject in subjects]
    done = watched.run(folder / "bin" / "guard", backend, lines)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return {(kem, name): (how, int(count)) for kem, name, how, count in rows}


@pytest.mark.parametrize("preset", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_calls_stop_at_the_guard_page(preset, build, fast_backend_name, library):
    subjects = [*(kem.name for kem in library.kems()), "mceliece6688128", "SOFIA-4-128"]
    found = tried(build(preset, targets=["guard"]), fast_backend_name, subjects)
    assert {key: result for key, result in found.items() if result[1] > 0} == {}
    assert found["BIKE-L5", "decaps"][0] == found["BIKE-L5", "keypair"][0] == "stopped"
    assert found["SOFIA-4-128", "sign"][0] == "stopped"
    assert found["HQC-1", "decaps"][0] == found["BIKE-L1", "decaps"][0] == "ran"
    assert "failed" not in {how for how, _ in found.values()}


# --- A test of the test ---------------------------------------------------------------------------


@pytest.mark.long
def test_frame_that_jumps_over_the_guard_page_is_found(build):
    folder = build("gcc", targets=["guard"], CMAKE_C_FLAGS="-fno-stack-clash-protection",
                   CODEKEM_HAVE_STACK_CLASH_PROTECTION="OFF")  # fmt: skip
    found = tried(folder, "portable", ["BIKE-L5"])
    assert found["BIKE-L5", "decaps"][1] > 0
