# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Altered ciphertexts and keys, every step of BIKE's decoder, and noisy ciphertexts of HQC."""

import hashlib

import pytest

from tests.decoder_cases import (
    LEVELS,
    cases_of,
    check_steps,
    ciphertext_of,
    noisy_hqc_cases,
    padded_hqc_case,
    supports_of,
)
from tools import known_answers

HQC = ["HQC-1", "HQC-3", "HQC-5", "HQC-128-2023", "HQC-192-2023", "HQC-256-2023"]
KEMS = [
    kem for kem, published in known_answers.published_digests().items() if "excerpt" in published
]


@pytest.mark.parametrize("kem", [kem for kem in KEMS if list(known_answers.rejections(kem))])
def test_altered_inputs_give_the_published_secrets(kem, backend_name, internals):
    cases = list(known_answers.rejections(kem))
    assert len(cases) >= 9
    assert {accepted for *_, accepted in cases} == {True, False}
    with internals.backend(backend_name):
        for what, ciphertext, secret_key, shared, _ in cases:
            assert internals.decaps(internals.kem(kem), ciphertext, secret_key) == shared, what


@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_takes_the_published_steps(kem, backend_name, internals):
    records = known_answers.read_records(kem)
    level, r_bits, weight = LEVELS[kem]
    ring = internals.ring(r_bits)
    cases = cases_of(kem)
    if backend_name == "reference":
        cases = cases[::5]  # it is slow
    with internals.backend(backend_name):
        for case in cases:
            record = records[case["record"]]
            ciphertext = ciphertext_of(case, ring, record)
            supports = supports_of(record["sk"], weight)
            c0 = internals.decode(ring, ciphertext[: ring.bytes])
            e, steps = internals.decode_error(level, c0, supports)
            check_steps(case, steps, b"".join(half.to_bytes(ring.bytes, "little") for half in e))
            shared = internals.decaps(internals.kem(kem), ciphertext, record["sk"])
            assert shared.hex() == case["ss"], case["what"]


@pytest.mark.parametrize("kem", HQC)
def test_hqc_corrects_as_many_symbols_as_published(kem, backend_name, internals):
    with internals.backend(backend_name):
        for ciphertext, secret_key, secret in noisy_hqc_cases(kem, internals):
            assert internals.decaps(internals.kem(kem), ciphertext, secret_key) == secret


@pytest.mark.parametrize("kem", HQC)
def test_hqc_takes_padded_keys_as_published(kem, backend_name, internals):
    public_key, seed, digest, secret = padded_hqc_case(kem, internals)
    with internals.backend(backend_name):
        ciphertext, shared = internals.encaps(internals.kem(kem), public_key, seed)
    assert (hashlib.sha256(ciphertext).hexdigest(), shared) == (digest, secret)
