# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Answers the lines of tests/wycheproof/run.py, which has them, with the installed package."""

import sys

import codekem

CLASSES = {one._kem.name: one for one in codekem.PrivateKey.__subclasses__()}


def answer(step, name, *texts):
    kind = CLASSES[name]
    first, *rest = (bytes.fromhex(text.strip("-")) for text in texts)
    if step == "keygen":
        key = kind.from_seed_bytes(first)
        return [key.public_key().public_bytes_raw(), key.secret_key_bytes()]
    if step == "encaps":
        return kind._kem.encapsulate(first, rest[0])
    return [kind.from_secret_key_bytes(first).decapsulate(rest[0])]


for line in sys.stdin:
    try:
        parts = sorted(answer(*line.split()), key=len, reverse=not line.startswith("keygen"))
        print(" ".join(part.hex() for part in parts), flush=True)
    except ValueError as error:
        print(f"refused {error}", flush=True)
