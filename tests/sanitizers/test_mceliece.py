# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece under the sanitizers: keys, ciphertexts of every kind, public keys with unused
bits set, the interface for large keys; each buffer exactly as long as it must be."""

import pytest

from tests import mceliece_checks
from tests.mceliece_program import Program

CLANG = {"CMAKE_C_COMPILER": "clang", "CODEKEM_BUILD_CLI": "OFF"}


@pytest.fixture(
    params=[
        pytest.param(("asan-ubsan", {}), id="gcc"),
        pytest.param(("asan-ubsan", CLANG), id="clang", marks=pytest.mark.long),
        pytest.param(("msan", {}), id="msan", marks=pytest.mark.long),
    ]
)
def mceliece(request, fast_backend_name, build):
    """A finding ends the program, and with it the test."""
    preset, options = request.param
    folder = build(preset, targets=("mceliece_check",), **options)
    with Program([folder / "bin" / "mceliece_check"], fast_backend_name) as running:
        yield running


def test_smallest_set(mceliece):
    mceliece_checks.check_record(mceliece, "mceliece348864f")
    mceliece_checks.check_ciphertexts(mceliece, "mceliece348864")
    mceliece_checks.check_large_keys(mceliece, "mceliece348864f")


def test_set_with_unused_bits(mceliece):
    mceliece_checks.check_ciphertexts(mceliece, "mceliece6960119f")
    mceliece_checks.check_encapsulation(mceliece, "mceliece6960119")
    mceliece_checks.check_confirmation(mceliece, "mceliece6960119pc")


@pytest.mark.long
@pytest.mark.parametrize("size", ["460896", "6688128", "6960119", "8192128"])
def test_larger_sets(size, mceliece):
    mceliece_checks.check_record(mceliece, f"mceliece{size}f")
    mceliece_checks.check_keys_of_seeds(mceliece, f"mceliece{size}", most=1)
    mceliece_checks.check_large_keys(mceliece, f"mceliece{size}f")
