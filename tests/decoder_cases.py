# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The published steps of BIKE's decoder, and noisy ciphertexts of HQC."""

import hashlib
import struct

from tools import known_answers

DECODER = known_answers.read_json("bike", "decoder")["cases"]
STEP_NAMES = [
    "iteration 1",
    "masked black",
    "masked gray",
    "iteration 2",
    "iteration 3",
    "iteration 4",
    "iteration 5",
]
LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


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
    positions = struct.unpack(f"<{2 * weight}I", secret_key[: 8 * weight])
    return positions[:weight], positions[weight:]


def computed_part(step):
    """Drops the gray positions that have no use: those of later iterations [BIKE, S7.4]."""
    first = step["step"] == "iteration 1"
    return {name: value for name, value in step.items() if first or not name.startswith("gray")}


def cases_of(kem):
    """Returns the cases of decoder.json for a KEM."""
    cases = [case for case in DECODER if case["kem"] == kem]
    assert len(cases) >= 42
    return cases


def check_steps(case, steps, encoded_error):
    """Compares the steps of a decoding and its error, both halves encoded, with the published."""
    named = [{"step": name, **step} for name, step in zip(STEP_NAMES, steps, strict=True)]
    assert named == [computed_part(step) for step in case["steps"]], case["what"]
    assert hashlib.sha256(encoded_error).hexdigest() == case["e_sha256"], case["what"]


def noisy_hqc_cases(kem, internals):
    """Yields the cases of stress.json: a damaged public key makes noise, from none to more than can
    be corrected. Each is the secret of encapsulation, ciphertext, secret key, expected secret. The
    back end in use encapsulates; that the ciphertext is the published one is checked."""
    cases = [case for case in known_answers.hqc_cases(kem, "stress")["cases"] if case["kem"] == kem]
    assert {case["enc"] == case["dec"] for case in cases} == {True, False}
    record = known_answers.read_records(kem)[0]
    described = internals.kem(kem)
    for case in cases:
        old = known_answers.is_hqc_2023(kem)  # longer seeds, and pk at the end of sk
        flips = [(320 if old else 256) + i * case["step"] for i in range(case["flips"])]
        public_key = known_answers.flip_bits(record["pk"], flips)
        secret_key = record["sk"].replace(record["pk"], public_key)
        assert secret_key.endswith(public_key) if old else secret_key.startswith(public_key)
        generator = known_answers.ShakeGenerator(bytes(46) + case["rng"].to_bytes(2, "big"))
        ciphertext, shared = internals.encaps(
            described, public_key, generator.random(described.length_encaps_seed)
        )
        assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
        assert shared.hex() == case["enc"]
        yield ciphertext, secret_key, bytes.fromhex(case["dec"])


def padded_hqc_case(kem, internals):
    """Returns the padded case of stress.json, a public key with an unused bit that is set: the key,
    the seed of encapsulation, SHA-256 of the ciphertext, and the secret."""
    (case,) = [
        case for case in known_answers.hqc_cases(kem, "stress")["padded"] if case["kem"] == kem
    ]
    public_key = bytearray(known_answers.read_records(kem)[0]["pk"])
    public_key[-1] |= 0x80
    generator = known_answers.ShakeGenerator(bytes(46) + case["rng"].to_bytes(2, "big"))
    seed = generator.random(internals.kem(kem).length_encaps_seed)
    return bytes(public_key), seed, case["ct_sha256"], bytes.fromhex(case["enc"])
