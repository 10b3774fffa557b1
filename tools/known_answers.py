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

import hashlib
import json
import pathlib
import sys
import typing

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from parameters.table import TABLE

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


class ShakeGenerator:
    """The generator of HQC's known-answer files: one stream SHAKE256(entropy || domain) [HQC]. The
    domain is 0, and 1 in 2023."""

    def __init__(self, entropy, domain=0):
        self._input, self._position = entropy + bytes([domain]), 0

    def random(self, length):
        start, self._position = self._position, self._position + length
        return hashlib.shake_256(self._input).digest(self._position)[start:]


def folder_of(kem):
    """Returns the folder of a KEM's files: bike for BIKE-L1."""
    return VECTORS / kem.split("-")[0].lower()


def read_records(kem):
    """Returns the records of <kem>.rsp: dictionaries of bytes, and the number `count`."""
    records: list[dict[str, typing.Any]] = []
    for line in (folder_of(kem) / f"{kem}.rsp").read_text(encoding="ascii").splitlines():
        name, separator, value = line.partition(" = ")
        if name == "count":
            records.append({"count": int(value)})
        elif separator:
            records[-1][name] = bytes.fromhex(value)
    return records


def read_json(scheme, name):
    """Returns the contents of a JSON file: digests, rejection or decoder of bike, for example."""
    return json.loads((VECTORS / scheme / f"{name}.json").read_text(encoding="ascii"))


def published_digests():
    """Returns what digests.json says of each KEM, but for schemes that have other files."""
    schemes = sorted(path.parent.name for path in VECTORS.glob("*/digests.json"))
    found = [read_json(scheme, "digests").get("kems", {}) for scheme in schemes]
    return {kem: digests for kems in found for kem, digests in kems.items()}


def flip_bits(data, bits):
    """Returns data with bits toggled: bit b is bit b % 8 of byte b // 8."""
    out = bytearray(data)
    for bit in bits:
        out[bit // 8] ^= 1 << (bit % 8)
    return bytes(out)


def bike_rejections(kem, records):
    for case in read_json("bike", "rejection")["cases"]:
        if case["kem"] == kem:
            record = records[case["record"]]
            if "ciphertext" in case:
                ciphertext = bytes.fromhex(case["ciphertext"])
            else:
                ciphertext = flip_bits(record["ct"], case["flip_ct_bits"])
            yield (
                case["what"],
                ciphertext,
                flip_bits(record["sk"], case.get("flip_sk_bits", [])),
                bytes.fromhex(case["ss"]),
                case["outcome"] == "accepted",
            )


def is_hqc_2023(kem):
    return kem.endswith("-2023")


def hqc_cases(kem, name):
    """Returns the contents of tampered.json or stress.json, or those of 2023."""
    return read_json("hqc", f"{name}-2023" if is_hqc_2023(kem) else name)


def tampered_ciphertext(case, records):
    ciphertext = bytearray(records[case["ct_of"]]["ct"])
    if "fill" in case:
        ciphertext[:] = bytes([case["fill"]]) * len(ciphertext)
    for offset, length, value in case.get("xor", []):
        for i in range(offset, offset + length):
            ciphertext[i] ^= value
    return bytes(ciphertext)


def hqc_rejections(kem, records):
    for case in hqc_cases(kem, "tampered")["cases"]:
        if case["kem"] == kem:
            yield (
                case["what"],
                tampered_ciphertext(case, records),
                records[case["sk_of"]]["sk"],
                bytes.fromhex(case["ss"]),
                case["accepted"],
            )


def rejections(kem):
    """Yields altered inputs of decapsulation: what was altered, ciphertext, secret key, the secret
    that must come out, and whether that is the honest one."""
    kinds = {"bike": bike_rejections, "hqc": hqc_rejections}
    kind = kinds.get(TABLE.find(kem).scheme)
    return kind(kem, read_records(kem)) if kind else ()


def record_seeds(kem, record):
    """Returns the seeds of keypair and encaps in a record."""
    sizes = TABLE.find(kem).sizes
    if is_hqc_2023(kem):
        generator = ShakeGenerator(record["seed"], 1)
        return generator.random(sizes["keypair_seed"]), generator.random(sizes["encaps_seed"])
    if TABLE.find(kem).scheme == "hqc":
        generator = ShakeGenerator(record["seed"])
        return generator.random(sizes["keypair_seed"]), generator.random(sizes["encaps_seed"])
    nist = NistGenerator(record["seed"])
    return nist.random(64), nist.random(64)[:32]  # it asks for 64 and uses 32


def text_of(kem, record_limit=None):
    """Returns the text described above: the records, and the altered inputs unless limited."""
    lines = []

    def add(**values):
        lines.extend(f"{name} {value.hex()}" for name, value in values.items())
        lines.append("run")

    for record in read_records(kem)[:record_limit]:
        keypair_seed, encaps_seed = record_seeds(kem, record)
        lines.append(f"kem {kem}")
        add(
            keypair_seed=keypair_seed,
            encaps_seed=encaps_seed,
            public_key=record["pk"],
            secret_key=record["sk"],
            ciphertext=record["ct"],
            shared_secret=record["ss"],
        )
    if record_limit is None:
        lines.append(f"kem {kem}")
        for _, ciphertext, secret_key, shared, _ in rejections(kem):
            add(secret_key=secret_key, ciphertext=ciphertext, shared_secret=shared)
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for kem in sys.argv[1:]:
        sys.stdout.write(text_of(kem))


if __name__ == "__main__":
    main()
