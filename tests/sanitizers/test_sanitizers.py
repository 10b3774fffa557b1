# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C tests under clang's sanitizers, and proof that each sanitizer watches the library.

With gcc's AddressSanitizer and UndefinedBehaviorSanitizer, and with MemorySanitizer, the tests in
tests/unit and tests/kat run, too (presets asan-ubsan and msan). `make test` has gcc's; the others
need builds of their own and are for `make test-long`. MemorySanitizer is in `make test` all the
same, where it watches secrets (tests/constant_time).
"""

import pathlib
import subprocess

import pytest

from tools import known_answers

UNIT_TESTS = sorted(
    path.stem for path in (pathlib.Path(__file__).parent.parent / "unit").glob("test_*.c")
)


CLANG = {"CMAKE_C_COMPILER": "clang", "CODEKEM_BUILD_CLI": "OFF"}


@pytest.fixture(scope="module")
def clang_build(build):
    return build("asan-ubsan", targets=("codekem_tests",), **CLANG)


@pytest.mark.long
@pytest.mark.parametrize("name", UNIT_TESTS)
def test_unit_tests_with_clang(name, clang_build):
    done = subprocess.run(
        [clang_build / "bin" / name],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "[  PASSED  ]" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "BIKE-L5", "HQC-1", "HQC-5"])
def test_known_answers_with_clang(kem, fast_backend_name, clang_build):
    done = subprocess.run(
        [clang_build / "bin" / "kat_check", fast_backend_name],
        input=known_answers.text_of(kem, 2),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]


@pytest.mark.parametrize(
    "preset, options, mistake, report",
    [
        ("asan-ubsan", {}, "short-buffer", "heap-buffer-overflow"),
        ("asan-ubsan", {}, "overflow", "signed integer overflow"),
        pytest.param(
            *("asan-ubsan", CLANG, "short-buffer", "heap-buffer-overflow"), marks=pytest.mark.long
        ),
        pytest.param(
            *("asan-ubsan", CLANG, "overflow", "signed integer overflow"), marks=pytest.mark.long
        ),
        pytest.param(
            *("msan", {}, "uninitialised", "use-of-uninitialized-value"), marks=pytest.mark.long
        ),
    ],
)
def test_sanitizer_watches_the_library(preset, options, mistake, report, build):
    folder = build(preset, targets=("sanitizer_probe",), **options)
    done = subprocess.run(
        [folder / "bin" / "sanitizer_probe", mistake], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert report in done.stderr
    if mistake != "overflow":  # found in the library, not in the probe
        first_frame = next(line for line in done.stderr.splitlines() if "#0 " in line)
        assert "/src/" in first_frame
