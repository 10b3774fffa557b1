# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA takes the stack that its header states, and leaves no secret behind."""

import re
import subprocess

import pytest


@pytest.fixture(params=["gcc", "clang"])
def measure(request, build, backend_name):
    """measure(...) returns {(operation, place): (bytes of stack, pieces of secrets)}."""
    program = build(request.param, targets=["sofia_memory"]) / "bin" / "sofia_memory"

    def run(*options):
        done = subprocess.run(
            [program, backend_name, *options], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        rows = [line.split() for line in done.stdout.splitlines()]
        assert len(rows) == 6
        return {(name, place): (int(size), int(found)) for name, place, size, found in rows}

    return run


def constants(root):
    text = (root / "include" / "codekem_sofia.h").read_text()
    names = re.findall(r"#define CODEKEM_SOFIA_(\w+)_WORKSPACE (\d+)", text)
    return {name.lower(): int(value) for name, value in names}


def test_stack_is_as_stated_and_nothing_is_left(measure, root):
    workspaces = constants(root)
    for (operation, place), (size, found) in measure().items():
        assert size <= 16384 + (workspaces[operation] if place == "stack" else 0)
        assert found == 0 or operation == "verify", (operation, place)


def test_all_that_functions_use_is_wiped(measure, root):
    """Without wiping the stack, the depth below the entry point shows."""
    text = (root / "src" / "base" / "profile.h").read_text()
    wiped = int(re.search(r"#else\n#define PROFILE_TRACE_BYTES (\d+)", text).group(1))
    for (_, place), (size, _) in measure("--no-wipe").items():
        if place == "workspace":
            assert size < wiped
