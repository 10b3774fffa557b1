# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers through kat_check.c: on other processors under qemu, with other compilers, and
under the sanitizers."""

import subprocess

import pytest

import known_answers

# Not those that need OpenSSL, and of v4.2 the smallest.
KEMS = ["BIKE-L1", "BIKE-L3", "BIKE-L5", "BIKE-L1-v4.2-sha3", "BIKE-L1-v4.2-sha3-bind",
        "HQC-1", "HQC-3", "HQC-5"]

EMULATORS = {"arm": ("qemu-arm", "/usr/arm-linux-gnueabihf"),
             "i686": ("qemu-i386", "/usr/i686-linux-gnu"),
             "s390x": ("qemu-s390x", "/usr/s390x-linux-gnu")}


def run_kat_check(folder, kem, backend, prefix=(), record_limit=None):
    text = known_answers.text_of(kem, record_limit)
    done = subprocess.run([*prefix, str(folder / "bin" / "kat_check"), backend], input=text,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{text.count('run')} cases agree ({backend})\n"


@pytest.mark.parametrize("kem", KEMS)
@pytest.mark.parametrize("preset", ["clang", "debug", "asan-ubsan", "msan"])
def test_known_answers_with_other_builds(preset, kem, backend_name, build):
    few = 1 if backend_name == "reference" else None
    run_kat_check(build(preset, targets=["kat_check"]), kem, backend_name, record_limit=few)


@pytest.mark.parametrize("kem", KEMS)
@pytest.mark.parametrize("preset", EMULATORS)
def test_known_answers_under_emulation(preset, kem, build, need):
    emulator, libraries = EMULATORS[preset]
    folder = build(preset, targets=["kat_check"])
    run_kat_check(folder, kem, "portable", [need(emulator), "-L", libraries])


@pytest.mark.parametrize("preset", EMULATORS)
def test_reference_known_answers_under_emulation(preset, build, need):
    emulator, libraries = EMULATORS[preset]
    run_kat_check(build(preset, targets=["kat_check"]), "BIKE-L1", "reference",
                  [need(emulator), "-L", libraries], record_limit=1)


@pytest.mark.parametrize("bad", ["shared_secret", "ciphertext", "public_key"])
def test_kat_check_notices_a_wrong_answer(bad, build):
    lines = known_answers.text_of("BIKE-L1", 1).splitlines(keepends=True)
    index = next(i for i, line in enumerate(lines) if line.startswith(bad))
    lines[index] = lines[index][:-2] + ("0" if lines[index][-2] != "0" else "1") + "\n"
    done = subprocess.run([build("gcc", targets=["kat_check"]) / "bin" / "kat_check", "portable"], input="".join(lines),
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "wrong" in done.stderr
