# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many instructions the emulated processors execute."""

import json

import pytest

from tests import rooms
from tools.count_instructions import KEMS

LEVEL_1 = ("BIKE-L1", "HQC-1")


def short_or_long(kem):
    return pytest.param(kem, marks=[] if kem in LEVEL_1 else pytest.mark.long)


# So many times fewer instructions than portable code takes, at least.
GAINS = {
    ("aarch64", "neon"): 3,
    ("aarch64", "neon-sha3"): 3,
    ("armv7", "neon"): 3.9,
    ("riscv64", "rvv"): 3,
}


@pytest.mark.parametrize("name, backend", GAINS)
@pytest.mark.parametrize("kem", [short_or_long(kem) for kem in KEMS])
def test_vectors_decapsulate_in_a_fraction_of_the_instructions(kem, name, backend, watch):
    ((portable, _, _),) = watch(name, "portable", kem, "decaps")
    ((vectors, _, _),) = watch(name, backend, kem, "decaps")
    print(f"{kem} {backend}: {vectors} of {portable}, {vectors / portable:.3f}")
    assert GAINS[name, backend] * vectors <= portable


def test_counts_repeat_to_the_instruction(watch, monkeypatch):
    first = watch("aarch64", "neon", "HQC-1", "encaps")
    monkeypatch.setenv("CODEKEM_UNUSED", "x" * 1001)  # moves the stack
    assert first == watch("aarch64", "neon", "HQC-1", "encaps")
    ((counted, _, _),) = first
    ((traced, _, stack),) = watch("aarch64", "neon", "HQC-1", "encaps", trace=True)
    assert traced == counted
    assert 10_000 < stack < 200_000


def test_counts_in_the_results_are_current(watch, root):
    """To a percent: another minor version of the compiler may give others."""
    rooms.need_room("devices")
    rows = json.loads((root / "devices/results/linux.json").read_text())
    for kem in LEVEL_1:
        for backend in ["portable", "neon"]:
            (stated,) = [
                row["instructions"]
                for row in rows
                if row["target"] == "aarch64"
                and row["kem"] == kem
                and row["backend"] == backend
                and row["operation"] == "decaps"
            ]
            ((counted, _, _),) = watch("aarch64", backend, kem, "decaps")
            assert abs(counted - stated) < stated / 100
