# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece on other processors: published records, ciphertexts of every kind, the interface
for large keys. The emulators are slow: each processor has a few sets in `make test`, and all of
them in `make test-long`."""

import pytest

from parameters.table import TABLE
from tests import mceliece_checks
from tests.mceliece_library import NAMES, SETS
from tests.mceliece_program import Program

# With a back end of its own; devices/tests has 32 bits.
QUICK = [("aarch64", "neon")]
CASES = [
    ("armv7", "portable"),
    ("armv7", "neon"),
    ("s390x", "portable"),
    ("i686", "portable"),
    ("riscv64", "portable"),
    ("aarch64", "portable"),
    ("aarch64", "neon"),
]
CONFIRMED = [name for name in NAMES if TABLE.find(name).confirms]


@pytest.fixture(
    params=[
        pytest.param(case, id="-".join(case), marks=[] if case in QUICK else pytest.mark.long)
        for case in CASES
    ]
)
def mceliece(request, target):
    name, backend = request.param
    one = target(name)
    program = one.build(["mceliece_check"]) / "bin" / "mceliece_check"
    with Program([*one.emulator, program], backend) as running:
        yield running


def test_smallest_set(mceliece):
    mceliece_checks.check_record(mceliece, "mceliece348864f")
    mceliece_checks.check_ciphertexts(mceliece, "mceliece348864")


def test_set_with_unused_bits(mceliece):
    """Without its keys, which take long; errors of 13 bits, and what is refused."""
    mceliece_checks.check_ciphertexts(mceliece, "mceliece6960119f")
    mceliece_checks.check_encapsulation(mceliece, "mceliece6960119")
    mceliece_checks.check_confirmation(mceliece, "mceliece6960119pc")


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_every_set(name, mceliece):
    mceliece_checks.check_record(mceliece, name)
    mceliece_checks.check_ciphertexts(mceliece, name)
    mceliece_checks.check_large_keys(mceliece, name)
    mceliece_checks.check_keys_of_seeds(mceliece, name, most=1)


@pytest.mark.long
@pytest.mark.parametrize("name", SETS[::2])
def test_encapsulation_of_every_size(name, mceliece):
    mceliece_checks.check_encapsulation(mceliece, name)


@pytest.mark.long
@pytest.mark.parametrize("name", CONFIRMED)
def test_plaintext_confirmation(name, mceliece):
    mceliece_checks.check_confirmation(mceliece, name)


# --- Instructions ---------------------------------------------------------------------------------
SMALL = "mceliece348864f"


# So many times fewer instructions than portable code takes, at least.
GAINS = {"keypair": 1.5, "encaps": 2, "decaps": 1.2}


@pytest.mark.parametrize(
    "operation", [pytest.param("keypair", marks=pytest.mark.long), "encaps", "decaps"]
)
@pytest.mark.parametrize(
    "kem", [SMALL, *[pytest.param(name, marks=pytest.mark.long) for name in SETS[3::2]]]
)
def test_neon_takes_a_fraction_of_the_instructions(kem, operation, watch):
    ((portable, _, _),) = watch("aarch64", "portable", kem, operation)
    ((vectors, _, _),) = watch("aarch64", "neon", kem, operation)
    print(f"{kem} {operation}: {vectors} of {portable}, {vectors / portable:.3f}")
    assert GAINS[operation] * vectors <= portable
