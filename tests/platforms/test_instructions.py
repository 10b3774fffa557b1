# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the emulated processors execute: how many instructions, and the same for all secrets."""

import json

import pytest

from tests import rooms
from tests.platforms.test_targets import case
from tools import mistakes
from tools.count_instructions import KEMS, TARGETS

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


HQC_2023 = ["HQC-128-2023", "HQC-192-2023", "HQC-256-2023"]


def shows_rejected_draws(kem):
    """Whether key generation shows how many draws were rejected: HQC's, but not that of 2023."""
    return kem.startswith("HQC") and kem not in HQC_2023


def options_of(kem, operation):
    # So that the key stays the same.
    return ["fixed-key"] if shows_rejected_draws(kem) and operation == "decaps" else []


PATHS = [
    case(
        (name, backend) == ("aarch64", "neon") and kem in LEVEL_1,
        name,
        backend,
        kem,
        operation,
    )
    for name, (_, _, backends, _) in TARGETS.items()
    for backend in backends
    for kem in [*KEMS, *HQC_2023]
    for operation in ["keypair", "encaps", "decaps"]
    if not (shows_rejected_draws(kem) and operation == "keypair")
]


@pytest.mark.parametrize("name, backend, kem, operation", PATHS)
def test_every_secret_takes_the_same_path(name, backend, kem, operation, watch, checked):
    """The same addresses of instructions and of memory, in the same order."""
    rows = watch(name, backend, kem, operation, *options_of(kem, operation), cases=3, trace=True)
    assert len(set(rows)) == 1, rows
    checked("emulated traces", backend, f"{TARGETS[name][1]}-gcc", "-O3", {kem: [operation]}, name)


@pytest.mark.parametrize("leak", mistakes.of("constant_time/leak"))
def test_deliberate_leak_changes_the_path(leak, watch):
    rows = watch("aarch64", "neon", "BIKE-L1", "decaps", cases=8, trace=True, leak=leak)
    assert len(set(rows)) > 1
