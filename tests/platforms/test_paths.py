# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the emulated processors execute is the same for all secrets: the same addresses of
instructions and of memory, in the same order. Rows of tests/harness, between its marks."""

import pytest

from tests.platforms import test_mceliece as mceliece
from tests.platforms.test_targets import BACKENDS, LEVEL_1, case
from tools import mistakes
from tools.count_instructions import KEMS, OPERATIONS, TARGETS

SMALL, SOFIA = "mceliece348864f", "SOFIA-4-128"
HQC_2023 = ["HQC-128-2023", "HQC-192-2023", "HQC-256-2023"]
NAMES = {SOFIA: "SOFIA"}  # in the record


def shows_rejected_draws(kem):
    """Whether key generation shows how many draws were rejected: HQC's, but not that of 2023."""
    return kem.startswith("HQC") and kem not in HQC_2023


# Of SOFIA the rounds are all that signing does with secrets before its hash is known. The system is
# the same in all runs of them: it is public and addresses tables.
PATHS = [
    *[
        (*one, kem, operation)
        for one in BACKENDS
        for kem in [*KEMS, *HQC_2023]
        for operation in OPERATIONS
        if not (shows_rejected_draws(kem) and operation == "keypair")
    ],
    *[(*one, SMALL, operation) for one in mceliece.CASES for operation in OPERATIONS],
    *[(*one, SOFIA, operation) for one in BACKENDS for operation in ("keypair", "rounds")],
]


def is_quick(name, backend, subject, operation):
    quick = subject in (*LEVEL_1, SOFIA) or (subject == SMALL and operation != "keypair")
    return (name, backend) == ("aarch64", "neon") and quick


@pytest.mark.parametrize(
    "name, backend, subject, operation", [case(is_quick(*path), *path) for path in PATHS]
)
def test_every_secret_takes_the_same_path(name, backend, subject, operation, watch, checked):
    # So that the key stays the same.
    words = ["fixed-key"] if shows_rejected_draws(subject) and operation == "decaps" else []
    rows = watch(name, backend, subject, operation, *words, cases=3, trace=True)
    assert len(set(rows)) == 1, rows
    noted = {NAMES.get(subject, subject): [operation]}
    checked("emulated traces", backend, f"{TARGETS[name][1]}-gcc", "-O3", noted, name)


@pytest.mark.parametrize(
    "subject, operation, leak, cases",
    [
        *[("BIKE-L1", "decaps", leak, 8) for leak in mistakes.of("constant_time/leak")],
        *[(SOFIA, "rounds", leak, 2) for leak in mistakes.of("constant_time/sofia")],
        (SMALL, "decaps", "verdict", 2),
        *[
            pytest.param(SMALL, "decaps", leak, 2, marks=pytest.mark.long)
            for leak in ("locator", "swaps")
        ],
    ],
)
def test_planted_leak_changes_the_path(subject, operation, leak, cases, watch):
    rows = watch("aarch64", "neon", subject, operation, cases=cases, trace=True, leak=leak)
    assert len(set(rows)) > 1
