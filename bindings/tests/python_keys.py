# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads and writes keys for key_exchange.py, whose head has the lines of standard input and output.
It runs in the environment of the installed package."""

import sys

import codekem
from codekem.serialization import (
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)


def classes():
    return {one._kem.name: one for one in codekem.PrivateKey.__subclasses__()}


def write(kem, seed, form):
    key = classes()[kem].from_seed_bytes(bytes.fromhex(seed))
    private = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, form=None if form == "default" else form
    )
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return f"{private.hex()} {public.hex()}"


def read(kind, _, text):
    data = bytes.fromhex(text)
    if kind == "public":
        public = load_pem_public_key(data)
        return f"ok {public._kem.name} {public.public_bytes_raw().hex()}"
    key = load_pem_private_key(data)
    seed = key._secret.seed_bytes()
    public = key.public_key().public_bytes_raw().hex()
    return (
        f"ok {key._kem.name} {public} {key.secret_key_bytes().hex()} {seed.hex() if seed else '-'}"
    )


for line in sys.stdin:
    step, *words = line.split()
    try:
        print(write(*words) if step == "write" else read(*words))
    except ValueError as error:
        print("error", error)
