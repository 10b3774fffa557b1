# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA: no branch and no address depends on the secret key or what signing draws from it."""

import subprocess

import pytest

from tests.checked_builds import build_checked

REPORTED = 99


def watched(checker, program, need, backend):
    command = [program, backend]
    if checker == "valgrind":
        command = [need("valgrind"), "-q", f"--error-exitcode={REPORTED}", *command]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={"MSAN_OPTIONS": f"exit_code={REPORTED}"},
    )


# The builds are those of the KEMs' checks.
CASES = [
    ("valgrind", "gcc", "-O2", "portable"),
    ("valgrind", "gcc", "-O2", "avx2"),
    pytest.param("valgrind", "clang", "-Os", "avx2", marks=pytest.mark.long),
    pytest.param("valgrind", "gcc", "-O3", "avx2", marks=pytest.mark.long),
    pytest.param("valgrind", "clang", "-O3", "portable", marks=pytest.mark.long),
    pytest.param("valgrind", "clang", "-O2", "avx2", marks=pytest.mark.long),
    pytest.param("msan", "clang-16", "-O2", "portable", marks=pytest.mark.long),
    ("msan", "clang-16", "-O2", "avx512"),
]


@pytest.mark.slow
@pytest.mark.parametrize("checker, compiler, optimisation, backend", CASES)
def test_checker_finds_nothing(checker, compiler, optimisation, backend, build, need, checked):
    folder = build_checked(build, checker, compiler, optimisation)
    done = watched(checker, folder / "bin" / "ct_sofia", need, backend)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr[-5000:]
    assert done.stdout.splitlines() == ["keypair done", "sign done", "verify done"]
    tool = "valgrind" if checker == "valgrind" else "MemorySanitizer"
    checked(tool, backend, compiler, optimisation, {"SOFIA": ["keypair", "sign", "verify"]})


@pytest.mark.parametrize("checker, compiler", [("valgrind", "gcc"), ("msan", "clang-16")])
def test_checker_reports_a_planted_leak(checker, compiler, build, need):
    folder = build_checked(build, checker, compiler, "-O2")
    done = watched(checker, folder / "bin" / "ct_sofia_leak", need, "portable")
    assert done.returncode == REPORTED
    assert "sofia_leak.c" in done.stderr or "add_scaled" in done.stderr
