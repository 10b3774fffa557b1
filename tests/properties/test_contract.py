# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every public function against what its header promises of failures: contract_check.c calls it
with each pointer missing, other schemes, short workspaces, sources of randomness that fail or are
stuck, and without a back end. The sanitizers watch its memory."""

import functools
import os
import re
import subprocess

import pytest

HEADERS = ["codekem.h", "codekem_legacy.h", "codekem_mceliece.h", "codekem_sofia.h"]
SCHEMES = ["BIKE-L1", "HQC-1", "HQC-128-2023", "BIKE-L1-v4.2-sha3-bind", "mceliece348864", "SOFIA"]
BUILDS = ["gcc", "asan-ubsan", "msan"]


@functools.cache
def check(folder, *schemes, **environment):
    """Runs the program, once for the same arguments, and returns the functions that were called."""
    done = subprocess.run(
        [folder / "bin" / "contract_check", *schemes],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout.split()


def is_long(scheme, preset):
    """One sanitizer is enough for `make test`, and not for what takes longest."""
    return preset == "msan" or (preset == "asan-ubsan" and scheme == "mceliece348864")


@pytest.mark.parametrize(
    "scheme, preset",
    [
        pytest.param(
            *(scheme, preset),
            marks=pytest.mark.long if is_long(scheme, preset) else [],
        )
        for scheme in SCHEMES
        for preset in BUILDS
    ],
)
def test_failures_are_as_promised(scheme, preset, build):
    # MemorySanitizer does not follow all of AVX-512.
    cpu = {"CODEKEM_CPU": "portable"} if preset == "msan" else {}
    assert check(build(preset, targets=["contract_check"]), scheme, **cpu)


@pytest.mark.parametrize("preset", [*BUILDS[:2], pytest.param(BUILDS[2], marks=pytest.mark.long)])
def test_without_a_back_end(preset, build):
    assert check(build(preset, targets=["contract_check"]), *SCHEMES, CODEKEM_CPU="nothing")


def test_every_public_function_is_called(build, root):
    """Those without a status are called by name in contract_steps.c."""
    folder = build("gcc", targets=["contract_check"])
    called = {*check(folder, "mceliece348864"), *check(folder, "SOFIA")}
    called |= set(
        re.findall(r"codekem_\w+", (root / "tests/properties/contract_steps.c").read_text())
    )
    for header in HEADERS:
        text = (root / "include" / header).read_text()
        declared = set(re.findall(r"^CODEKEM_API [^;]*?(codekem_\w+)\(", text, re.MULTILINE))
        assert declared and declared <= called, declared - called
