# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The signatures of the records, made once."""

import hashlib

import pytest

from tests import sofia_program


@pytest.fixture(scope="session")
def sofia_check(build):
    """The program sofia_check of the preset gcc."""
    return build("gcc") / "bin" / "sofia_check"


@pytest.fixture(scope="session")
def signature_of(sofia_check):
    """signature_of(record, variant) returns a signature whose digest is that of the record."""
    made = {}

    def find(number, variant):
        if (number, variant) not in made:
            made[number, variant] = make_signature(sofia_check, number, variant)
        return made[number, variant]

    return find


def make_signature(program, number, variant):
    record = sofia_program.records()[number]
    with sofia_program.Program([program], "portable") as sofia:
        if variant == "ref":
            signature = sofia.sign(record["sk"], record["msg"])
        else:
            seed = sofia_program.randomness_seed(record["sk"])
            randomness = sofia_program.counter_randomness(seed, record["msg"])
            signature = sofia.sign_with(record["sk"], randomness, record["msg"])
    digest = record["sig_sha256" if variant == "ref" else "ctr_sig_sha256"]
    assert hashlib.sha256(signature).digest() == digest
    return signature
