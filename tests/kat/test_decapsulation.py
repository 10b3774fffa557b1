# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Altered ciphertexts and keys, every step of BIKE's decoder, and noisy ciphertexts of HQC."""

import hashlib
import struct

import pytest

import known_answers

KEMS = [kem for kem, published in known_answers.published_digests().items()
        if "excerpt" in published]
DECODER = known_answers.read_json("bike", "decoder")["cases"]
STEP_NAMES = ["iteration 1", "masked black", "masked gray", "iteration 2", "iteration 3",
              "iteration 4", "iteration 5"]


@pytest.mark.parametrize("kem", [kem for kem in KEMS if list(known_answers.rejections(kem))])
def test_altered_inputs_give_the_published_secrets(kem, backend_name, internals):
    cases = list(known_answers.rejections(kem))
    assert len(cases) >= 9
    assert {accepted for *_, accepted in cases} == {True, False}
    with internals.backend(backend_name):
        for what, ciphertext, secret_key, shared, _ in cases:
            assert internals.decaps(internals.kem(kem), ciphertext, secret_key) == shared, what


def rotate(ring, a, k):
    return (a << k | a >> (ring.r_bits - k)) & ((1 << ring.r_bits) - 1)


def ciphertext_of(case, ring, record):
    """Returns the ciphertext of a case of decoder.json."""
    if "flip_ct_bits" in case:
        return known_answers.flip_bits(record["ct"], case["flip_ct_bits"])
    h = int.from_bytes(record["pk"], "little")
    c0 = 0
    for position in case["error_positions"]:
        c0 ^= 1 << position if position < ring.r_bits else rotate(ring, h, position - ring.r_bits)
    return c0.to_bytes(ring.bytes, "little") + bytes(32)


def supports_of(secret_key, weight):
    positions = struct.unpack(f"<{2 * weight}I", secret_key[:8 * weight])
    return positions[:weight], positions[weight:]


def computed_part(step):
    """Drops the gray positions that have no use: those of later iterations [BIKE, S7.4]."""
    first = step["step"] == "iteration 1"
    return {name: value for name, value in step.items() if first or not name.startswith("gray")}


LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_takes_the_published_steps(kem, backend_name, internals):
    records = known_answers.read_records(kem)
    level, r_bits, weight = LEVELS[kem]
    ring = internals.ring(r_bits)
    cases = [case for case in DECODER if case["kem"] == kem]
    assert len(cases) >= 42
    if backend_name == "reference":
        cases = cases[::5]  # it is slow
    with internals.backend(backend_name):
        for case in cases:
            record = records[case["record"]]
            ciphertext = ciphertext_of(case, ring, record)
            supports = supports_of(record["sk"], weight)
            c0 = internals.decode(ring, ciphertext[:ring.bytes])
            e, steps = internals.decode_error(level, c0, supports)
            named = [{"step": name, **step} for name, step in zip(STEP_NAMES, steps, strict=True)]
            assert named == [computed_part(step) for step in case["steps"]], case["what"]
            encoded = b"".join(half.to_bytes(ring.bytes, "little") for half in e)
            assert hashlib.sha256(encoded).hexdigest() == case["e_sha256"], case["what"]
            shared = internals.decaps(internals.kem(kem), ciphertext, record["sk"])
            assert shared.hex() == case["ss"], case["what"]


@pytest.mark.parametrize("kem", ["HQC-1", "HQC-3", "HQC-5"])
def test_hqc_corrects_as_many_symbols_as_published(kem, backend_name, internals):
    """stress.json: a damaged public key makes noise, from none to more than can be corrected."""
    cases = [case for case in known_answers.read_json("hqc", "stress")["cases"]
             if case["kem"] == kem]
    assert {case["enc"] == case["dec"] for case in cases} == {True, False}
    record = known_answers.read_records(kem)[0]
    described = internals.kem(kem)
    with internals.backend(backend_name):
        for case in cases:
            flips = [256 + i * case["step"] for i in range(case["flips"])]
            public_key = known_answers.flip_bits(record["pk"], flips)
            secret_key = public_key + record["sk"][len(public_key):]
            generator = known_answers.ShakeGenerator(bytes(46) + case["rng"].to_bytes(2, "big"))
            ciphertext, shared = internals.encaps(
                described, public_key, generator.random(described.length_encaps_seed))
            assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
            assert shared.hex() == case["enc"]
            assert internals.decaps(described, ciphertext, secret_key).hex() == case["dec"]
