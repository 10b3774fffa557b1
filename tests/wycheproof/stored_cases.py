# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cases of BIKE and of Classic McEliece, from the vectors that tests/vectors has: models of the
specifications and the reference code agree on them. Public keys of Classic McEliece are too long to
be in a case: there is decapsulation alone."""

import types

from tests import decoder_cases
from tests.mceliece_library import NAMES, vectors
from tools import known_answers

BIKE = ["BIKE-L1", "BIKE-L3", "BIKE-L5"]
KEMS = [*BIKE, *NAMES]


def wrong_lengths(part, data):
    """Yields (comment, data) of lengths that a part must not have."""
    right = len(data)
    for length in (0, 1, right // 2, right - 1, right + 1, 2 * right):
        yield f"{part}: {length} bytes instead of {right}", (data + data)[:length]


def cases_of(kem):
    """Returns {kind: cases}, as hqc_cases.py has them."""
    if kem not in BIKE:
        return {"decaps": _mceliece_decaps(kem)}
    return {
        "keygen_seed": _bike_keygen(kem),
        "encaps": _bike_encaps(kem),
        "decaps": _bike_decaps(kem),
    }


def _bike_keygen(kem):
    for record in known_answers.read_records(kem):
        seed, _ = known_answers.record_seeds(kem, record)
        yield "Basic", "", {"seed": seed, "ek": record["pk"], "dk": record["sk"]}, "valid"


def _bike_encaps(kem):
    for record in known_answers.read_records(kem):
        _, seed = known_answers.record_seeds(kem, record)
        values = {"ek": record["pk"], "m": seed, "c": record["ct"], "K": record["ss"]}
        yield "Basic", "", values, "valid"
    for comment, key in wrong_lengths("public key", record["pk"]):
        yield "WrongLength", comment, {"ek": key, "m": seed, "c": b"", "K": b""}, "invalid"


def _bike_decaps(kem):
    records = known_answers.read_records(kem)
    for comment, ciphertext, key, secret, _ in known_answers.rejections(kem):
        honest = [record["sk"] for record in records]
        flag, result = ("Altered", "valid") if key in honest else ("AlteredKey", "acceptable")
        yield flag, comment, {"dk": key, "c": ciphertext, "K": secret}, result
    _, r_bits, _ = decoder_cases.LEVELS[kem]
    ring = types.SimpleNamespace(r_bits=r_bits, bytes=(r_bits + 7) // 8)
    for case in decoder_cases.cases_of(kem):
        record = records[case["record"]]
        ciphertext = decoder_cases.ciphertext_of(case, ring, record)
        values = {"dk": record["sk"], "c": ciphertext, "K": bytes.fromhex(case["ss"])}
        yield "Decoder", case["what"], values, "valid"
    yield from _wrong_decaps(records[0]["sk"], records[0]["ct"])


def _wrong_decaps(secret_key, ciphertext):
    for comment, key in wrong_lengths("secret key", secret_key):
        yield "WrongLength", comment, {"dk": key, "c": ciphertext, "K": b""}, "invalid"
    for comment, text in wrong_lengths("ciphertext", ciphertext):
        yield "WrongLength", comment, {"dk": secret_key, "c": text, "K": b""}, "invalid"


def _mceliece_decaps(kem):
    stored = vectors("decaps")
    confirms = "pc" in kem
    secret_key = ciphertext = b""
    for item in vectors("pc" if confirms else "decaps")["items"]:
        if item["set"] != kem:
            continue
        secret_key = bytes.fromhex(stored["sk"][item.get("sk", kem.replace("pc", ""))])
        ciphertext = bytes.fromhex(item["ct"])
        refused = item["status"] != 0
        secret = b"" if refused else bytes.fromhex(item["ss"])
        flag = "UnusedBits" if refused else "Decoder"
        values = {"dk": secret_key, "c": ciphertext, "K": secret}
        yield flag, item["what"], values, "invalid" if refused else "valid"
    yield from _wrong_decaps(secret_key, ciphertext)
