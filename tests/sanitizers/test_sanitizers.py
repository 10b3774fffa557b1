# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C tests under clang's sanitizers, and proof that each sanitizer watches the library.

With gcc's AddressSanitizer and UndefinedBehaviorSanitizer, and with MemorySanitizer, the tests in
tests/unit and tests/kat run, too (presets asan-ubsan and msan).
"""

import pathlib
import subprocess

import pytest

import known_answers

UNIT_TESTS = sorted(path.stem for path in
                    (pathlib.Path(__file__).parent.parent / "unit").glob("test_*.c"))


@pytest.fixture(scope="module")
def clang_build(build):
    return build("asan-ubsan", targets=("codekem_tests",), CMAKE_C_COMPILER="clang",
                 CODEKEM_BUILD_CLI="OFF")


@pytest.mark.parametrize("name", UNIT_TESTS)
def test_unit_tests_with_clang(name, clang_build):
    done = subprocess.run([clang_build / "bin" / name], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "[  PASSED  ]" in done.stdout


@pytest.mark.parametrize("kem", ["BIKE-L1", "BIKE-L5", "HQC-1", "HQC-5"])
def test_known_answers_with_clang(kem, backend_name, clang_build):
    if backend_name == "reference":
        pytest.skip("the reference runs with gcc's sanitizers")
    done = subprocess.run([clang_build / "bin" / "kat_check", backend_name],
                          input=known_answers.text_of(kem, 2), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr[-5000:]


@pytest.mark.parametrize("preset, compiler, mistake, report", [
    ("asan-ubsan", "gcc", "short-buffer", "heap-buffer-overflow"),
    ("asan-ubsan", "gcc", "overflow", "signed integer overflow"),
    ("asan-ubsan", "clang", "short-buffer", "heap-buffer-overflow"),
    ("asan-ubsan", "clang", "overflow", "signed integer overflow"),
    ("msan", "clang", "uninitialised", "use-of-uninitialized-value"),
])
def test_sanitizer_watches_the_library(preset, compiler, mistake, report, build):
    folder = build(preset, targets=("sanitizer_probe",), CMAKE_C_COMPILER=compiler,
                   CODEKEM_BUILD_CLI="OFF")
    done = subprocess.run([folder / "bin" / "sanitizer_probe", mistake], capture_output=True,
                          text=True, check=False)
    assert done.returncode != 0
    assert report in done.stderr
    if mistake != "overflow":  # found in the library, not in the probe
        assert "check_public_key" in done.stderr
