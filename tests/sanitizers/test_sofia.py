# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA under the sanitizers: keys, signatures, verification, altered signatures, components."""

import hashlib

import pytest

from tests import sofia_program
from tests.sofia_program import BAD_SIGNATURE, OK, Program

CLANG = {"CMAKE_C_COMPILER": "clang", "CODEKEM_BUILD_CLI": "OFF"}


@pytest.mark.parametrize(
    "preset, options",
    [
        pytest.param("asan-ubsan", {}, id="gcc"),
        pytest.param("asan-ubsan", CLANG, id="clang", marks=pytest.mark.long),
        pytest.param("msan", {}, id="msan", marks=pytest.mark.long),
    ],
)
def test_known_answers(preset, options, fast_backend_name, build):
    """A finding ends the program, and with it the test."""
    folder = build(preset, targets=("sofia_check",), **options)
    with Program([folder / "bin" / "sofia_check"], fast_backend_name) as sofia:
        for record in [sofia_program.records()[number] for number in (0, 3, 25)]:
            assert sofia.public_key(record["sk"]) == record["pk"]
            signature = sofia.sign(record["sk"], record["msg"], part=100)
            assert hashlib.sha256(signature).digest() == record["sig_sha256"]
            assert sofia.verify(record["pk"], record["msg"], signature, part=100) == OK
            altered = bytes([signature[0] ^ 1]) + signature[1:]
            assert sofia.verify(record["pk"], record["msg"], altered) == BAD_SIGNATURE
            assert sofia.verify(record["pk"], record["msg"], signature[:-1]) == BAD_SIGNATURE
        sofia_program.check_components(sofia)
