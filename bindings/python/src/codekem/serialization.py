# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in files, in the words of pyca/cryptography:

    from codekem import HQC1PrivateKey
    from codekem.serialization import Encoding, PrivateFormat, load_pem_private_key

    pem = HQC1PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8)
    private_key = load_pem_private_key(pem)

The members of cryptography's own enumerations serve as well. Nothing is encrypted here: `openssl
pkey`, with codekem's provider, encrypts and decrypts what these functions write and read.
"""

from __future__ import annotations

import enum
from typing import Any

from codekem import _der, _keys
from codekem._types import Buffer

__all__ = [
    "Encoding",
    "NoEncryption",
    "PrivateFormat",
    "PublicFormat",
    "load_der_private_key",
    "load_der_public_key",
    "load_pem_private_key",
    "load_pem_public_key",
]


class Encoding(enum.Enum):
    """How a structure is written; Raw goes with the format Raw alone."""

    PEM = "PEM"
    DER = "DER"
    Raw = "Raw"


class PrivateFormat(enum.Enum):
    """PKCS8 is PrivateKeyInfo [RFC5958]; Raw is the seed."""

    PKCS8 = "PKCS8"
    Raw = "Raw"


class PublicFormat(enum.Enum):
    """SubjectPublicKeyInfo [RFC5280, 4.1]; Raw is the key as its specification encodes it."""

    SubjectPublicKeyInfo = "X.509 subjectPublicKeyInfo"
    Raw = "Raw"


class NoEncryption:
    """The only choice for encryption_algorithm."""


def load_der_private_key(data: Buffer, password: None = None) -> _keys.PrivateKey[Any]:
    """Reads a private key of any KEM from a PrivateKeyInfo of version 0 or 1: from its seed, its
    secret key, or both, which must belong together.

    Raises ValueError for what is no such key, or another algorithm's; TypeError for a password.
    """
    require_no_password(password)
    return _keys.private_key_of(_der.read_private(bytes(memoryview(data))))


def load_pem_private_key(data: Buffer, password: None = None) -> _keys.PrivateKey[Any]:
    """As load_der_private_key, from PEM with the label PRIVATE KEY; text may stand around it."""
    require_no_password(password)
    der = _der.read_pem("PRIVATE KEY", bytes(memoryview(data)))
    return _keys.private_key_of(_der.read_private(der))


def load_der_public_key(data: Buffer) -> _keys.PublicKey:
    """Reads a public key of any KEM from a SubjectPublicKeyInfo. Raises ValueError for what is no
    such key, or another algorithm's."""
    return _keys.public_key_of(*_der.read_public(bytes(memoryview(data))))


def load_pem_public_key(data: Buffer) -> _keys.PublicKey:
    """As load_der_public_key, from PEM with the label PUBLIC KEY; text may stand around it."""
    return _keys.public_key_of(
        *_der.read_public(_der.read_pem("PUBLIC KEY", bytes(memoryview(data))))
    )


def require_no_password(password: object) -> None:
    if password is not None:
        raise TypeError("keys are not encrypted here, so there is no password for them")
