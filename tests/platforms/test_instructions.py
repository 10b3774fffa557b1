# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the emulated processors execute: how many instructions, and whether the same for all secrets."""

import re

import pytest

from count_instructions import KEMS, TARGETS

LEVEL_1 = ("BIKE-L1", "HQC-1")
LEAK = "run_operation_leak"
# Divisions, whose time depends on their operands on Arm processors.
DIVISION = re.compile(r"\t[us]div\b")


def short_or_long(kem):
    return pytest.param(kem, marks=[] if kem in LEVEL_1 else pytest.mark.long)


@pytest.mark.parametrize("backend", ["neon", "neon-sha3"])
@pytest.mark.parametrize("kem", [short_or_long(kem) for kem in KEMS])
def test_neon_decapsulates_in_a_third_of_the_instructions(kem, backend, watch):
    (portable, _, _), = watch("aarch64", "portable", kem, "decaps")
    (neon, _, _), = watch("aarch64", backend, kem, "decaps")
    print(f"{kem} {backend}: {neon} of {portable}, {neon / portable:.3f}")
    assert 3 * neon <= portable


def test_counts_repeat_to_the_instruction(watch, monkeypatch):
    first = watch("aarch64", "neon", "HQC-1", "encaps")
    monkeypatch.setenv("CODEKEM_UNUSED", "x" * 1001)  # moves the stack
    assert first == watch("aarch64", "neon", "HQC-1", "encaps")
    (counted, _, _), = first
    (traced, _, stack), = watch("aarch64", "neon", "HQC-1", "encaps", trace=True)
    assert traced == counted
    assert 10_000 < stack < 200_000


def options_of(kem, operation):
    # HQC's key generation shows how many draws were rejected, so its key stays the same.
    return ["--fixed-key"] if kem.startswith("HQC") and operation == "decaps" else []


PATHS = [pytest.param(name, backend, kem, operation,
                      marks=[] if name == "aarch64" and kem in LEVEL_1 else pytest.mark.long,
                      id=f"{name}-{backend}-{kem}-{operation}")
         for name, (_, _, backends, _) in TARGETS.items() for backend in backends
         for kem in KEMS for operation in ["keypair", "encaps", "decaps"]
         if not (kem.startswith("HQC") and operation == "keypair")]


@pytest.mark.parametrize("name, backend, kem, operation", PATHS)
def test_every_secret_takes_the_same_path(name, backend, kem, operation, watch):
    """The same addresses of instructions and of memory, in the same order."""
    rows = watch(name, backend, kem, operation, *options_of(kem, operation), cases=3, trace=True)
    assert len(set(rows)) == 1, rows


@pytest.mark.parametrize("leak", [1, 2])
def test_deliberate_leak_changes_the_path(leak, watch):
    rows = watch("aarch64", "neon", "BIKE-L1", "decaps", cases=8, trace=True,
                 program=f"{LEAK}{leak}")
    assert len(set(rows)) > 1
