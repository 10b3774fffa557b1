#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the known answers of HQC of 2023 in tests/vectors/hqc with two other libraries.

usage: make_hqc_2023_vectors.py FOLDER

Builds both programs of evaluation/peers/hqc2023 in FOLDER (needs cargo). Every value comes from
both, and must be the same; codekem takes no part. The records are those of the published
known-answer files, and all 100 must have the digest that liboqs publishes. The secrets of rejected
ciphertexts are those of docs/kems.md, computed here from the secret key in the record; what the two
libraries give in their place is stored beside it.
"""

import hashlib
import json
import pathlib
import sys

from tests import hqc_2023_peer
from tools import known_answers

ROOT = pathlib.Path(__file__).resolve().parent.parent


# Bits of the name, the current KEM with the same code, bytes of a message, and the digest of all
# records in liboqs 0.13, tests/KATs/kem/kats.json.
SETS = [
    (128, "HQC-1", 16, "2d566f0a27438a882b962396ececda27438cbb63f3e21a0d033c6b425f86a116"),
    (192, "HQC-3", 24, "1b0137144f718965ab467d77636f7ea6f7a3bc7f10fd10452be39ee740cbbc83"),
    (256, "HQC-5", 32, "c13dcd7fa9ec891ee3dd29378467bc160ca3fb2a786d1ce6b8912232a6fde81e"),
]
EXCERPT = 5
SEED_BYTES = 40
DOMAIN_REJECTION = 5
ORIGIN = (
    "bare_sha256 is the digest that liboqs 0.13 publishes (tests/KATs/kem/kats.json); the crates "
    "oqs-sys 0.11.0 and pqcrypto-hqc 0.2.2 make the same records"
)
NOTE_TAMPERED = (
    "As tampered.json. Secrets of accepted ciphertexts come from the crates oqs-sys 0.11.0 and "
    "pqcrypto-hqc 0.2.2. For a rejected one, ss is SHAKE256(sigma || ct || 05), 64 bytes, and "
    "peers_ss is what both crates compute: SHAKE256(sigma || u || v || 04), without the salt "
    "(CVE-2025-48946). They also return -1, of which oqs makes an error and pqcrypto-hqc a panic."
)
NOTE_STRESS = (
    "As stress.json, with s at byte 40 of pk, and pk at the end of sk. All values come from the "
    "crates oqs-sys 0.11.0 and pqcrypto-hqc 0.2.2, but for dec of a rejected ciphertext, which is "
    "as in tampered-2023.json."
)


class Both:
    """The two libraries, which must agree."""

    def __init__(self, peers):
        self._peers = peers

    def __getattr__(self, name):
        def call(*arguments):
            first, *others = [getattr(peer, name)(*arguments) for peer in self._peers]
            assert all(first == other for other in others), name
            return first

        return call


def rejected(ciphertext, secret_key, message_bytes):
    sigma = secret_key[SEED_BYTES : SEED_BYTES + message_bytes]
    data = sigma + ciphertext + bytes([DOMAIN_REJECTION])
    return hashlib.shake_256(data).digest(64)


def make_records(both, bits, message_bytes):
    """Yields the records of the published file as text, and as bytes."""
    master = known_answers.ShakeGenerator(bytes(range(48)), 1)
    for count in range(100):
        seed = master.random(48)
        generator = known_answers.ShakeGenerator(seed, 1)
        pk, sk = both.keypair(bits, generator.random(2 * SEED_BYTES + message_bytes))
        ct, ss = both.encaps(bits, pk, generator.random(message_bytes + 16))
        assert both.decaps(bits, ct, sk) == (True, ss)
        values = {"seed": seed, "pk": pk, "sk": sk, "ct": ct, "ss": ss}
        lines = [f"{name} = {value.hex().upper()}\n" for name, value in values.items()]
        yield f"count = {count}\n" + "".join(lines) + "\n", values


def tampered_cases(both, bits, like, message_bytes, kem):
    records = known_answers.read_records(kem)
    for case in known_answers.read_json("hqc", "tampered")["cases"]:
        if case["kem"] == like:
            ciphertext = known_answers.tampered_ciphertext(case, records)
            secret_key = records[case["sk_of"]]["sk"]
            accepted, ss = both.decaps(bits, ciphertext, secret_key)
            assert accepted == case["accepted"], case["what"]
            new = {name: case[name] for name in case if name not in ("ss", "accepted")}
            new |= {"kem": kem, "accepted": accepted}
            if accepted:
                new["ss"] = ss.hex()
            else:
                new["ss"] = rejected(ciphertext, secret_key, message_bytes).hex()
                new["peers_ss"] = ss.hex()
            yield new


def stress_case(both, bits, message_bytes, kem, damage):
    record = known_answers.read_records(kem)[0]
    flips = [8 * SEED_BYTES + i * damage["step"] for i in range(damage["flips"])]
    pk = known_answers.flip_bits(record["pk"], flips)
    sk = record["sk"][: -len(pk)] + pk
    generator = known_answers.ShakeGenerator(bytes(46) + damage["rng"].to_bytes(2, "big"))
    ct, enc = both.encaps(bits, pk, generator.random(message_bytes + 16))
    accepted, dec = both.decaps(bits, ct, sk)
    assert accepted == (dec == enc)
    if not accepted:
        dec = rejected(ct, sk, message_bytes)
    return {
        "kem": kem,
        **damage,
        "ct_sha256": hashlib.sha256(ct).hexdigest(),
        "enc": enc.hex(),
        "dec": dec.hex(),
    }


def stress_cases(both, bits, like, message_bytes, kem):
    """The noise of the current KEM's cases, and then more of it until three are rejected."""
    cases = [
        case for case in known_answers.read_json("hqc", "stress")["cases"] if case["kem"] == like
    ]
    rejections = 0
    for case in cases[::2]:
        damage = {name: case[name] for name in ("flips", "step", "rng")}
        made = stress_case(both, bits, message_bytes, kem, damage)
        rejections += made["enc"] != made["dec"]
        yield made
    while rejections < 3:
        damage["flips"] += 2
        made = stress_case(both, bits, message_bytes, kem, damage)
        rejections += made["enc"] != made["dec"]
        yield made


def padded_case(both, bits, message_bytes, kem, rng):
    pk = bytearray(known_answers.read_records(kem)[0]["pk"])
    pk[-1] |= 0x80
    generator = known_answers.ShakeGenerator(bytes(46) + rng.to_bytes(2, "big"))
    ct, enc = both.encaps(bits, bytes(pk), generator.random(message_bytes + 16))
    return {
        "kem": kem,
        "rng": rng,
        "ct_sha256": hashlib.sha256(ct).hexdigest(),
        "enc": enc.hex(),
    }


def write_json(name, note, **lists):
    """Writes a file with one line for each case."""
    parts = [f' "note": {json.dumps(note)}']
    for key, cases in lists.items():
        rows = ",\n".join(f"  {json.dumps(case)}" for case in cases)
        parts.append(f' "{key}": [\n{rows}\n ]')
    path = known_answers.VECTORS / "hqc" / f"{name}.json"
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="ascii")


def write_records(both, bits, message_bytes, published, digests):
    """Writes the first records of a set, and the digests of all of them into a dictionary."""
    kem = f"HQC-{bits}-2023"
    records = [text for text, _ in make_records(both, bits, message_bytes)]
    header = f"# HQC-{bits}\n\n"
    whole = header + "".join(records)
    bare = hashlib.sha256("".join(records)[:-1].encode()).hexdigest()
    assert bare == published, f"{kem}: the records are not those that liboqs publishes"
    path = known_answers.VECTORS / "hqc" / f"{kem}.rsp"
    path.write_text(header + "".join(records[:EXCERPT]), encoding="ascii")
    digests[kem] = {
        "origin": ORIGIN,
        "records": len(records),
        "bytes": len(whole),
        "sha256": hashlib.sha256(whole.encode()).hexdigest(),
        "bare_sha256": bare,
        "excerpt": path.name,
        "excerpt_records": EXCERPT,
    }


def make(both):
    digests = known_answers.read_json("hqc", "digests")
    tampered, stress, padded = [], [], []
    for bits, like, message_bytes, published in SETS:
        kem = f"HQC-{bits}-2023"
        write_records(both, bits, message_bytes, published, digests["kems"])
        tampered += tampered_cases(both, bits, like, message_bytes, kem)
        stress += stress_cases(both, bits, like, message_bytes, kem)
        padded.append(padded_case(both, bits, message_bytes, kem, bits))
    write_json("tampered-2023", NOTE_TAMPERED, cases=tampered)
    write_json("stress-2023", NOTE_STRESS, cases=stress, padded=padded)
    path = known_answers.VECTORS / "hqc" / "digests.json"
    path.write_text(json.dumps(digests, indent=1) + "\n", encoding="ascii")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    programs = []
    for library in hqc_2023_peer.LIBRARIES:
        program, printed = hqc_2023_peer.build(ROOT, pathlib.Path(sys.argv[1]).resolve(), library)
        if program is None:
            sys.exit(printed)
        programs.append(program)
    with hqc_2023_peer.Peer(programs[0]) as first, hqc_2023_peer.Peer(programs[1]) as second:
        make(Both([first, second]))


if __name__ == "__main__":
    main()
