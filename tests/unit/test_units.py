# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the unit tests in C (test_*.c in this folder), built with each compiler and sanitizer."""

import pathlib
import subprocess

import pytest

PROGRAMS = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("test_*.c"))


def run_program(folder, name):
    done = subprocess.run(
        [folder / "bin" / name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(done.stdout)
    assert done.returncode == 0
    assert "[  PASSED  ]" in done.stdout


def is_long(name, preset):
    """Of the builds with assertions `make test` takes one, but for what takes a minute there."""
    if preset == "asan-ubsan":
        return name in ("test_batch", "test_benes", "test_bitmatrix", "test_gf2x")
    return preset in ("debug", "msan")


CASES = [
    pytest.param(name, preset, marks=pytest.mark.long if is_long(name, preset) else [])
    for name in PROGRAMS
    for preset in ("gcc", "clang", "asan-ubsan", "debug", "msan")
]


@pytest.mark.parametrize("name, preset", CASES)
def test_unit(name, preset, build):
    run_program(build(preset, targets=["codekem_tests"]), name)


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_threads_without_races(compiler, build):
    run_program(
        build(compiler, targets=["test_threads"], CODEKEM_SANITIZE="thread"), "test_threads"
    )
