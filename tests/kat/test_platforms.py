# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers through kat_check.c with other compilers and under the sanitizers. Other processors
are in tests/platforms."""

import platform
import subprocess

import pytest

from tests.checked_builds import options_of
from tests.kat_check import KEMS, run_kat_check
from tools import known_answers

# Other compilers, optimisations and sanitizers than the rest of the tests: preset and options. The
# last is MemorySanitizer's where it watches secrets (tests/constant_time).
OTHER_BUILDS = {
    "clang": ("clang", {}),
    "clang-16": ("clang-16", {}),
    "gcc-size": ("gcc", {"CMAKE_C_FLAGS_RELEASE": "-Os"}),
    "debug": ("debug", {}),
    "asan-ubsan": ("asan-ubsan", {}),
    "msan": ("msan", {}),
    "checked": options_of("msan", "clang-16", "-O2"),
}
SHORT_KEMS = {"BIKE-L1", "BIKE-L1-v4.2-sha3-bind", "BIKE-L3", "HQC-1", "HQC-128-2023", "HQC-5"}
QUICK = {"asan-ubsan"}
BUILDS = [
    pytest.param(other, marks=[] if other in QUICK else pytest.mark.long) for other in OTHER_BUILDS
]


# Of the other levels the code is the same.
@pytest.mark.parametrize(
    "kem", [pytest.param(kem, marks=[] if kem in SHORT_KEMS else pytest.mark.long) for kem in KEMS]
)
@pytest.mark.parametrize("other", BUILDS)
def test_known_answers_with_other_builds(other, kem, fast_backend_name, build):
    preset, options = OTHER_BUILDS[other]
    run_kat_check(build(preset, targets=["kat_check"], **options), kem, fast_backend_name)


@pytest.mark.parametrize("other", BUILDS)
def test_reference_known_answers_with_other_builds(other, build):
    preset, options = OTHER_BUILDS[other]
    for kem in ["BIKE-L1", "HQC-1"]:
        run_kat_check(
            build(preset, targets=["kat_check"], **options), kem, "reference", record_limit=1
        )


@pytest.mark.skipif(platform.machine() != "x86_64", reason="AVX2 is for x86-64")
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_known_answers_with_avx2_under_emulation(kem, build, need):
    """So that AVX2 runs even where the processor lacks it; qemu 7.2 has no AVX-512."""
    folder = build("gcc", targets=["kat_check"])
    run_kat_check(folder, kem, "avx2", [need("qemu-x86_64"), "-cpu", "max"], record_limit=2)


@pytest.mark.parametrize("bad", ["shared_secret", "ciphertext", "public_key"])
def test_kat_check_notices_a_wrong_answer(bad, build):
    lines = known_answers.text_of("BIKE-L1", 1).splitlines(keepends=True)
    index = next(i for i, line in enumerate(lines) if line.startswith(bad))
    lines[index] = lines[index][:-2] + ("0" if lines[index][-2] != "0" else "1") + "\n"
    program = build("gcc", targets=["kat_check"]) / "bin" / "kat_check"
    done = subprocess.run(
        [program, "portable"], input="".join(lines), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "wrong" in done.stderr
