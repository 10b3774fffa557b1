# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the unit tests in C (test_*.c in this folder), built with each compiler and sanitizer."""

import pathlib
import subprocess

import pytest

from tests.checked_builds import THREAD_SANITIZER
from tests.fixtures import run_command, why_not
from tools import mistakes
from tools.source_folders import include_options

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
    """Of compilers and sanitizers `make test` takes one each, but for what takes longest there."""
    if preset == "asan-ubsan":
        slow = ("test_batch", "test_benes", "test_bitmatrix", "test_gf2x", "test_recurrence")
        return name in (*slow, "test_decoder", "test_gf2m", "test_ring_memory", "test_sort")
    return preset != "gcc"


CASES = [
    pytest.param(name, preset, marks=pytest.mark.long if is_long(name, preset) else [])
    for name in PROGRAMS
    for preset in ("gcc", "clang", "asan-ubsan", "debug", "msan")
]


@pytest.mark.parametrize("name, preset", CASES)
def test_unit(name, preset, build):
    run_program(build(preset, targets=[name]), name)


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_threads_without_races(compiler, build):
    run_program(build(compiler, targets=["test_threads"], **THREAD_SANITIZER), "test_threads")


@pytest.mark.parametrize("mistake", mistakes.cases("unit/objects"))
def test_mistake_in_an_object_is_found(mistake, build, need, root, tmp_path, library):
    backend = mistake.more.get("backend")
    if backend and not library.backends()[backend]:
        pytest.skip(f"back end {backend} not run: {why_not(backend)}")
    archive = build("gcc", targets=["codekem_static"]) / "libcodekem.a"
    source, program = root / "tests" / "unit" / f"{mistake.by}.c", tmp_path / mistake.by
    # The object comes first, so the linker leaves the one in the archive out.
    parts = [*include_options(), mistake.apply(tmp_path), source, archive, "-lcmocka"]
    run_command([str(part) for part in [need("gcc"), "-O1", "-std=c11", *parts, "-o", program]])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode > 0 and mistake.more["says"] in done.stderr + done.stdout
