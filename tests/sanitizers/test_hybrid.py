# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids under sanitizers: every vector, and X25519 on special and random points."""

import pytest

from tests import hybrid_program
from tests.hybrid.test_x25519 import check_x25519
from tests.hybrid_program import Program, check_vector


@pytest.mark.long
@pytest.mark.parametrize("preset", ["asan-ubsan", "msan"])
def test_vectors(preset, build):
    """MemorySanitizer does not follow all of AVX-512, and has no libcrypto."""
    program = build(preset, targets=["hybrid_check"]) / "bin" / "hybrid_check"
    with Program([program], "portable") as running:
        check_x25519(running)
        for vector in hybrid_program.vectors():
            if preset == "asan-ubsan" or vector["group"] == "X25519":
                check_vector(running, vector)
