#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads the known answers in tests/vectors, and prints them as text for tests/kat/kat_check.c.

usage: known_answers.py KEM...     (needs the package `cryptography`; see tests/requirements.txt)

The text has one "name value" pair in each line, values in hexadecimal. The pairs of a case are
followed by the line "run"; what a case does not name stays as it was in the case before:

    kem BIKE-L1             starts afresh: no values
    keypair_seed HEX        with it, the key pair is made and compared
    encaps_seed HEX         with it, the encapsulation is made and compared
    public_key, secret_key, ciphertext, shared_secret HEX
                            the expected values; decapsulation is always run
"""

import json
import pathlib
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "vectors"


class NistGenerator:
    """The generator of NIST's known-answer files: AES-256 CTR_DRBG [SP 800-90A, 10.2.1] without
    derivation function and reseeding."""

    def __init__(self, entropy):
        self._key, self._counter = bytes(32), 0
        self._update(entropy)

    def _blocks(self, length):
        first = (self._counter + 1) % (1 << 128)
        count = (length + 15) // 16
        self._counter = (self._counter + count) % (1 << 128)
        stream = Cipher(algorithms.AES(self._key), modes.CTR(first.to_bytes(16, "big"))).encryptor()
        return stream.update(bytes(16 * count))[:length]

    def _update(self, data):
        state = bytes(a ^ b for a, b in zip(self._blocks(48), data, strict=True))
        self._key, self._counter = state[:32], int.from_bytes(state[32:], "big")

    def random(self, length):
        out = self._blocks(length)
        self._update(bytes(48))
        return out


def read_records(kem):
    """Returns the records of <kem>.rsp: dictionaries of bytes, and the number `count`."""
    records = []
    for line in (VECTORS / "bike" / f"{kem}.rsp").read_text(encoding="ascii").splitlines():
        name, separator, value = line.partition(" = ")
        if name == "count":
            records.append({"count": int(value)})
        elif separator:
            records[-1][name] = bytes.fromhex(value)
    return records


def read_json(name):
    """Returns the contents of a JSON file: digests, rejection or decoder."""
    return json.loads((VECTORS / "bike" / f"{name}.json").read_text(encoding="ascii"))


def flip_bits(data, bits):
    """Returns data with bits toggled: bit b is bit b % 8 of byte b // 8."""
    out = bytearray(data)
    for bit in bits:
        out[bit // 8] ^= 1 << (bit % 8)
    return bytes(out)


def altered_inputs(case, records):
    """Returns ciphertext and secret key of a case of rejection.json."""
    record = records[case["record"]]
    if "ciphertext" in case:
        ciphertext = bytes.fromhex(case["ciphertext"])
    else:
        ciphertext = flip_bits(record["ct"], case["flip_ct_bits"])
    return ciphertext, flip_bits(record["sk"], case.get("flip_sk_bits", []))


def record_seeds(record):
    """Returns what keypair and encaps ask of the generator in a record: 64 bytes each."""
    generator = NistGenerator(record["seed"])
    return generator.random(64), generator.random(64)


def text_of(kem, record_limit=None):
    """Returns the text described above."""
    records = read_records(kem)
    lines = []

    def add(**values):
        lines.extend(f"{name} {value.hex()}" for name, value in values.items())
        lines.append("run")

    for record in records[:record_limit]:
        keypair_seed, encaps_request = record_seeds(record)
        lines.append(f"kem {kem}")
        add(keypair_seed=keypair_seed, encaps_seed=encaps_request[:32], public_key=record["pk"],
            secret_key=record["sk"], ciphertext=record["ct"], shared_secret=record["ss"])
    if record_limit is None:
        lines.append(f"kem {kem}")
        for case in read_json("rejection")["cases"]:
            if case["kem"] == kem:
                ciphertext, secret_key = altered_inputs(case, records)
                add(secret_key=secret_key, ciphertext=ciphertext,
                    shared_secret=bytes.fromhex(case["ss"]))
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for kem in sys.argv[1:]:
        sys.stdout.write(text_of(kem))


if __name__ == "__main__":
    main()
