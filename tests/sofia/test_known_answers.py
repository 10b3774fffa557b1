# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SOFIA gives the authors' keys and signatures, and refuses what was altered."""

import hashlib

import pytest

from tests import sofia_program
from tests.sofia_program import BAD_SIGNATURE, OK, Program


@pytest.fixture
def sofia(sofia_check, backend_name):
    with Program([sofia_check], backend_name) as program:
        yield program


def test_components(sofia):
    """F, its values and those of the polar form, and the sampler, on their own."""
    sofia_program.check_components(sofia)


@pytest.mark.parametrize("counts", [(0, 1), (1, 0), (63, 65), (64, 256), (257, 129), (448, 448)])
def test_every_number_of_places(counts, sofia_check, fast_backend_name):
    """Back ends work on blocks of places; here they are full, or not."""
    draw = hashlib.shake_128(repr(counts).encode()).digest(32 * (counts[0] + 2 * counts[1]))
    vectors = [draw[i : i + 32] for i in range(0, len(draw), 32)]
    x, y, z = vectors[: counts[0]], vectors[counts[0] :][: counts[1]], vectors[sum(counts) :]
    results = []
    for name in ("reference", fast_backend_name):
        with Program([sofia_check], name) as program:
            results.append(program.evaluate(bytes(32), x, list(zip(y, z, strict=True))))
    assert results[0] == results[1]
    assert results[0][0] == results[0][1]


def share(backend_name, items):
    """The reference is slow: it takes a part of the items here, and all in `make test-long`."""
    return items[::8] if backend_name == "reference" else items


def test_records(sofia, backend_name):
    check_records(sofia, share(backend_name, sofia_program.records()))


def check_records(sofia, records):
    for record in records:
        secret_key, message = record["coins"], record["msg"]
        assert record["sk"] == secret_key
        assert sofia.public_key(secret_key) == record["pk"]
        signature = sofia.sign(secret_key, message)
        assert signature[:64] == record["sig_head"]
        assert signature[-32:] == record["sig_tail"]
        assert hashlib.sha256(signature).digest() == record["sig_sha256"]
        assert sofia.verify(record["pk"], message, signature) == OK


def test_signatures_of_the_vector_code(sofia):
    """The authors' other signer draws its randomness with AES; its signatures verify here."""
    for record in sofia_program.records()[::5]:
        seed = sofia_program.randomness_seed(record["sk"])
        randomness = sofia_program.counter_randomness(seed, record["msg"])
        signature = sofia.sign_with(record["sk"], randomness, record["msg"])
        assert hashlib.sha256(signature).digest() == record["ctr_sig_sha256"]
        assert sofia.verify(record["pk"], record["msg"], signature) == OK


def test_forced_randomness(sofia):
    sofia_program.check_forced_randomness(sofia)


def test_tampered(sofia, backend_name, signature_of):
    items = sofia_program.read_json("tampered.json")["items"]
    assert len(items) == 189
    sofia_program.check_tampered(sofia, share(backend_name, items), signature_of)


@pytest.mark.long
def test_all_on_the_reference(sofia_check, signature_of):
    with Program([sofia_check], "reference") as sofia:
        check_records(sofia, sofia_program.records())
        items = sofia_program.read_json("tampered.json")["items"]
        sofia_program.check_tampered(sofia, items, signature_of)


@pytest.mark.parametrize("part", [1, 55, 168, 1000, 5000])
def test_message_in_parts(part, sofia_check, fast_backend_name):
    with Program([sofia_check], fast_backend_name) as sofia:
        for record in sofia_program.records()[-2:]:
            signature = sofia.sign(record["sk"], record["msg"], part)
            assert hashlib.sha256(signature).digest() == record["sig_sha256"]
            assert sofia.verify(record["pk"], record["msg"], signature, part) == OK
            altered = bytes([record["msg"][0] ^ 1]) + record["msg"][1:]
            assert sofia.verify(record["pk"], altered, signature, part) == BAD_SIGNATURE


@pytest.mark.long
@pytest.mark.parametrize("variant", ["sig", "ctr_sig"])
def test_digests_of_100_records(variant, sofia):
    """Of records 1000 to 1099, with messages of 33 to 3300 bytes."""
    keys, signatures = hashlib.sha256(), hashlib.sha256()
    for number in range(1000, 1100):
        length = 33 * (number - 999)
        text = b"codekem SOFIA-4-128 record" + number.to_bytes(4, "little")
        stream = hashlib.shake_256(text).digest(32 + length)
        secret_key, message = stream[:32], stream[32:]
        public_key = sofia.public_key(secret_key)
        if variant == "sig":
            signature = sofia.sign(secret_key, message)
        else:
            seed = sofia_program.randomness_seed(secret_key)
            randomness = sofia_program.counter_randomness(seed, message)
            signature = sofia.sign_with(secret_key, randomness, message)
        assert sofia.verify(public_key, message, signature) == OK
        keys.update(public_key)
        signatures.update(signature)
    expected = sofia_program.read_json("digests.json")["all100"]
    assert keys.hexdigest() == expected["pk"]
    assert signatures.hexdigest() == expected[variant]
