# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA on other processors: records, an altered signature, values of the polar form."""

import hashlib

import pytest

from tests import sofia_program
from tests.sofia_program import BAD_SIGNATURE, OK, Program

# Big-endian, and with the back end of its own.
QUICK = [("s390x", "portable"), ("aarch64", "neon")]
OTHERS = [
    ("armv7", "portable"),
    ("i686", "portable"),
    ("aarch64", "portable"),
    ("s390x", "reference"),
]
CASES = [*QUICK, *[pytest.param(case, marks=pytest.mark.long) for case in OTHERS]]


@pytest.fixture(params=CASES, ids="-".join)
def sofia(request, target):
    name, backend = request.param
    one = target(name)
    program = one.build(["sofia_check"]) / "bin" / "sofia_check"
    with Program([*one.emulator, program], backend) as running:
        yield running


def test_known_answers(sofia):
    for record in [sofia_program.records()[number] for number in (0, 3, 25)]:
        assert sofia.public_key(record["sk"]) == record["pk"]
        signature = sofia.sign(record["sk"], record["msg"])
        assert hashlib.sha256(signature).digest() == record["sig_sha256"]
        assert sofia.verify(record["pk"], record["msg"], signature) == OK
        for place in (0, 100, 62000, sofia_program.SIGNATURE - 1):
            altered = bytearray(signature)
            altered[place] ^= 0x80
            assert sofia.verify(record["pk"], record["msg"], bytes(altered)) == BAD_SIGNATURE
    sofia_program.check_values(sofia)


@pytest.mark.long
def test_components_and_forced_randomness(sofia):
    sofia_program.check_components(sofia)
    sofia_program.check_forced_randomness(sofia)


@pytest.mark.long
def test_every_record_and_altered_item(sofia):
    signatures = {}

    def signature_of(number, variant):
        record = sofia_program.records()[number]
        if (number, variant) not in signatures:
            seed = sofia_program.randomness_seed(record["sk"])
            randomness = sofia_program.counter_randomness(seed, record["msg"])
            signatures[number, variant] = (
                sofia.sign(record["sk"], record["msg"])
                if variant == "ref"
                else sofia.sign_with(record["sk"], randomness, record["msg"])
            )
        return signatures[number, variant]

    for number, record in enumerate(sofia_program.records()):
        for variant, field in [("ref", "sig_sha256"), ("ctr", "ctr_sig_sha256")]:
            assert hashlib.sha256(signature_of(number, variant)).digest() == record[field]
    items = sofia_program.read_json("tampered.json")["items"]
    sofia_program.check_tampered(sofia, items, signature_of)
