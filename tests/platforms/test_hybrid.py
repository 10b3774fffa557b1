# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids with X25519 on other processors: the field in limbs for 32 bits, and big-endian."""

import pytest

from tests import hybrid_program
from tests.hybrid.test_x25519 import check_against_model, check_examples
from tests.hybrid_program import Program, check_vector

OTHERS = ["i686", "aarch64", "riscv64", "s390x"]


@pytest.mark.parametrize(
    "name", ["armv7", *[pytest.param(name, marks=pytest.mark.long) for name in OTHERS]]
)
def test_vectors(name, target):
    one = target(name)
    program = one.build(["hybrid_check"]) / "bin" / "hybrid_check"
    with Program([*one.emulator, program], "portable") as running:
        check_examples(running, 10)
        check_against_model(running, 20)
        for vector in hybrid_program.vectors()[:3:2]:  # HQC-1 and HQC-3
            assert vector["group"] == "X25519"
            check_vector(running, vector)
