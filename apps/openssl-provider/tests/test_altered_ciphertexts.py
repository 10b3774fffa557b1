# SPDX-License-Identifier: Apache-2.0 OR MIT
"""EVP_PKEY_decapsulate takes every ciphertext of the right length, and gives the secrets that the
reference code gave for altered ones."""

import pytest

from tests.tls_programs import ALGORITHMS, run
from tools import known_answers


@pytest.fixture
def decapsulate(programs, configuration):
    """decapsulate(kem, [(secret key, ciphertext), ...]) returns [(result, secret), ...]."""

    def call(kem, cases):
        text = "".join(f"{secret.hex()} {ciphertext.hex()}\n" for secret, ciphertext in cases)
        done = run(
            [programs / "bin" / "decapsulate", kem],
            configuration=configuration,
            stdin=text.encode(),
        )
        lines = [line.partition(" ")[::2] for line in done.stdout.splitlines()]
        assert len(lines) == len(cases), done.stdout
        return [(int(result), bytes.fromhex(secret)) for result, secret in lines]

    return call


@pytest.mark.parametrize("kem", ALGORITHMS)
def test_altered_ciphertexts_give_the_published_secrets(kem, decapsulate):
    cases = list(known_answers.rejections(kem))
    assert any("padding" in what for what, *_ in cases)
    found = decapsulate(kem, [(secret, ciphertext) for _, ciphertext, secret, _, _ in cases])
    for (what, _, _, shared, _), have in zip(cases, found, strict=True):
        assert have == (1, shared), what


@pytest.mark.parametrize("kem", ALGORITHMS)
def test_every_bit_decides_as_in_the_library(kem, decapsulate, library):
    """Single bits all over the ciphertext, so of a parity that no encryption has; none; all."""
    record = known_answers.read_records(kem)[0]
    length = len(record["ct"])
    bits = [8 * at + at % 8 for at in range(0, length, length // 20)]
    ciphertexts = [known_answers.flip_bits(record["ct"], [bit]) for bit in bits]
    ciphertexts += [bytes(length), b"\xff" * length, record["ct"]]
    found = decapsulate(kem, [(record["sk"], ciphertext) for ciphertext in ciphertexts])
    for ciphertext, have in zip(ciphertexts, found, strict=True):
        assert have == (1, library.decaps(library.kem(kem), ciphertext, record["sk"]))
    assert len(set(found)) == len(found)


def test_wrong_length_is_an_error(decapsulate):
    record = known_answers.read_records("HQC-1")[0]
    cases = [(record["sk"], record["ct"][:-1]), (record["sk"], record["ct"] + b"\0")]
    assert all(result <= 0 for result, _ in decapsulate("HQC-1", cases))
