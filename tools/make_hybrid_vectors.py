#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes tests/vectors/hybrid.json: hybrids by the model in Python (tests/hybrid_model.py) over the
KEMs of libcodekem, which have known answers of their own.

usage: make_hybrid_vectors.py LIBCODEKEM.SO [FILE]

A vector has a KEM, a group, the seed of a key pair and that of an encapsulation; public key and
ciphertext by their SHA-256; and the shared secret. Under "altered" stand decapsulations of the
ciphertext, and under "keys" encapsulations with the same seed to the public key, after bytes from
`at` on (counted from the end, where negative) were replaced, or one was changed by `xor`. Where a
secret is null, the bytes are no element of the group, and the call fails.
"""

import hashlib
import json
import pathlib
import sys

from tests.hybrid_model import GROUPS, P256, X25519, Hybrid, Refused
from tests.library import Library

STORED = pathlib.Path(__file__).resolve().parent.parent / "tests" / "vectors" / "hybrid.json"
KEMS = ("HQC-1", "HQC-3", "HQC-5", "BIKE-L1", "BIKE-L3", "BIKE-L5")
# More of the smallest, so that there are twenty; candidates for a scalar of P-256 that are refused.
OVER, ORDER = b"\xff" * 32, P256.order.to_bytes(32)
CASES = [
    *[(kem, group, b"") for kem in KEMS for group in GROUPS],
    *[("HQC-1", "X25519", b"") for _ in range(3)],
    *[("HQC-1", "P256", b""), ("BIKE-L1", "X25519", b"")],
    *[("HQC-1", "P256", OVER), ("HQC-1", "P256", ORDER + bytes(32)), ("BIKE-L1", "P256", OVER * 3)],
]
# Points of small order of Curve25519, and its twist: 0, 1, one of order 8, p - 1, and 0 as p.
P = X25519.prime
ORDER_8 = "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"
SMALL = [n.to_bytes(32, "little").hex() for n in (0, 1, P - 1, P)] + [ORDER_8]


class LibraryKem:
    """A KEM of libcodekem as hybrid_model wants it."""

    def __init__(self, library, name):
        self.name, self._library, self._kem = name, library, library.kem(name)
        self.keypair_seed_length = self._kem.length_keypair_seed
        self.encaps_seed_length = self._kem.length_encaps_seed

    def keypair(self, seed):
        return self._library.keypair(self._kem, seed)

    def encaps(self, public_key, seed):
        return self._library.encaps(self._kem, public_key, seed)

    def decaps(self, secret_key, ciphertext):
        return self._library.decaps(self._kem, ciphertext, secret_key)


def change(data, how):
    """Returns data as an entry of "altered" or "keys" says."""
    data = bytearray(data)
    at = how["at"] % len(data)
    if "xor" in how:
        data[at] ^= how["xor"]
    else:
        new = bytes.fromhex(how["bytes"])
        data[at : at + len(new)] = new
    return bytes(data)


def changes_of(group):
    """Returns changes of the last part, which is an element of the group."""
    if group.name == "X25519":
        return [{"at": -32, "xor": 4}, {"at": -1, "xor": 0x80}] + [
            {"at": -32, "bytes": point} for point in SMALL
        ]
    mixed = [{"at": -65, "bytes": first} for first in ("06", "07")]  # x, and y with its lowest bit
    return [{"at": -1, "xor": 1}, {"at": -65, "bytes": "00" * 65}, *mixed]


def outcome(run, *arguments):
    try:
        return run(*arguments).hex()
    except Refused:
        return None


def vector(library, number, kem, group_name, first_candidates):
    group = GROUPS[group_name]
    hybrid = Hybrid(LibraryKem(library, kem), group)
    stream = hashlib.shake_256(f"codekem hybrid {number}".encode())
    drawn = stream.digest(32 + hybrid.encaps_seed_length)
    seed, start = drawn[:32], 32 + hybrid.kem.encaps_seed_length
    behind = start + len(first_candidates)
    encaps_seed = drawn[32:start] + first_candidates + drawn[behind:]
    public_key = hybrid.public_key(seed)
    ciphertext, secret = hybrid.encaps(public_key, encaps_seed)
    assert hybrid.decaps(seed, ciphertext) == secret
    changes = [{"at": 5, "xor": 0x10}, *changes_of(group)]
    return {
        "kem": kem,
        "group": group_name,
        "label": hybrid.label,
        "seed": seed.hex(),
        "encaps_seed": encaps_seed.hex(),
        "public_key_sha256": hashlib.sha256(public_key).hexdigest(),
        "ciphertext_sha256": hashlib.sha256(ciphertext).hexdigest(),
        "shared_secret": secret.hex(),
        "altered": [
            {**how, "shared_secret": outcome(hybrid.decaps, seed, change(ciphertext, how))}
            for how in changes
        ],
        "keys": [
            {
                **how,
                "shared_secret": outcome(
                    lambda key: hybrid.encaps(key, encaps_seed)[1], change(public_key, how)
                ),
            }
            for how in changes[2:]
        ],
    }


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    library = Library(sys.argv[1])
    vectors = [
        vector(library, i, kem, group, candidates)
        for i, (kem, group, candidates) in enumerate(CASES)
    ]
    path = pathlib.Path(sys.argv[2]) if sys.argv[2:] else STORED
    text = json.dumps({"draft": "draft-irtf-cfrg-hybrid-kems-12", "vectors": vectors}, indent=1)
    path.write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
