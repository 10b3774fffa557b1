# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC or BIKE and an elliptic curve in one KEM, which is secure as long as either is.

    from codekem.hybrid import Hybrid

    hybrid = Hybrid("HQC-1", "X25519")
    private_key = hybrid.generate()                                                      # Bob
    shared_secret, ciphertext = hybrid.encapsulate(private_key.public_bytes_raw())       # Alice
    assert private_key.decapsulate(ciphertext) == shared_secret                          # Bob

It is the framework UG of draft-irtf-cfrg-hybrid-kems-12 with SHAKE256 and SHA3-256. The curves are
those of the package cryptography, which `pip install codekem[hybrid]` brings along; codekem itself
does not need it.
"""
# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import hashlib
import os
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from codekem import _native
from codekem._kem import Encapsulation
from codekem._types import Buffer

__all__ = ["Hybrid", "HybridPrivateKey"]

_SEED = _SECRET = _SCALAR = 32


class _Group(Protocol):
    """A nominal group of draft-irtf-cfrg-concrete-hybrid-kems-04, 3.1. ValueError: these bytes are
    no element of it."""

    name: str
    length_element: int
    length_seed: int

    def key(self, seed: bytes) -> Any:
        """Returns the scalar that a seed gives, as the package cryptography has it."""

    def element(self, key: Any) -> bytes:
        """Returns scalar times generator."""

    def secret(self, key: Any, element: bytes) -> bytes:
        """Returns scalar times element as a shared secret."""


class _X25519:
    name, length_element, length_seed = "X25519", 32, 32

    def key(self, seed: bytes) -> x25519.X25519PrivateKey:
        return x25519.X25519PrivateKey.from_private_bytes(seed)

    def element(self, key: x25519.X25519PrivateKey) -> bytes:
        return bytes(key.public_key().public_bytes_raw())

    def secret(self, key: x25519.X25519PrivateKey, element: bytes) -> bytes:
        peer = x25519.X25519PublicKey.from_public_bytes(element)
        try:
            return bytes(key.exchange(peer))
        except ValueError:
            # All zeros, as points of small order give, is an error there. The draft hashes it.
            return bytes(_SECRET)


class _P256:
    name, length_element, length_seed = "P256", 65, 128
    _order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

    def key(self, seed: bytes) -> ec.EllipticCurvePrivateKey:
        for start in range(0, self.length_seed, _SCALAR):
            candidate = int.from_bytes(seed[start : start + _SCALAR], "big")
            if 0 < candidate < self._order:
                return ec.derive_private_key(candidate, ec.SECP256R1())
        raise RuntimeError("no scalar can be drawn from this seed, which is not random")

    def element(self, key: ec.EllipticCurvePrivateKey) -> bytes:
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return bytes(point)

    def secret(self, key: ec.EllipticCurvePrivateKey, element: bytes) -> bytes:
        if element[0] != 4:
            raise ValueError("this is no uncompressed point")
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), element)
        return bytes(key.exchange(ec.ECDH(), peer))


_GROUPS: dict[str, _Group] = {group.name: group for group in (_X25519(), _P256())}


class Hybrid:
    """A KEM and a group as one KEM: Hybrid("HQC-1", "X25519"), or "P256".

    Public keys and ciphertexts are bytes: those of the KEM, and an element of the group behind
    them. Arguments may be any objects with a buffer. Wrong lengths, malformed keys and what is no
    element of the group raise ValueError, objects without a buffer TypeError. Objects can be shared
    by threads.
    """

    __slots__ = ("_group", "_kem")

    def __init__(self, kem: str, group: str = "X25519") -> None:
        """Raises ValueError if there is no such KEM (codekem.KEM_NAMES) or group."""
        if group not in _GROUPS:
            raise ValueError(f"there is no group {group!r}, only {' and '.join(_GROUPS)}")
        self._kem, self._group = _native.Kem(kem), _GROUPS[group]

    def __repr__(self) -> str:
        return f"codekem.hybrid.Hybrid({self._kem.name!r}, {self._group.name!r})"

    def __reduce__(self) -> tuple[type[Hybrid], tuple[str, str]]:
        return Hybrid, (self._kem.name, self._group.name)

    @property
    def name(self) -> str:
        """Such as "HQC-1-X25519"."""
        return f"{self._kem.name}-{self._group.name}"

    @property
    def label(self) -> str:
        """What is hashed, so that no other hybrid gives the same secret."""
        return f"codekem-{self.name}-UG-v0"

    @property
    def length_public_key(self) -> int:
        """In bytes, as all lengths."""
        return self._kem.length_public_key + self._group.length_element

    @property
    def length_ciphertext(self) -> int:
        return self._kem.length_ciphertext + self._group.length_element

    @property
    def length_shared_secret(self) -> int:
        return _SECRET

    @property
    def length_seed(self) -> int:
        """Of a private key."""
        return _SEED

    @property
    def length_encaps_seed(self) -> int:
        """Of what makes an encapsulation deterministic."""
        return self._kem.length_encaps_seed + self._group.length_seed

    def generate(self) -> HybridPrivateKey:
        """Makes a key pair with randomness from the operating system."""
        return self.from_seed_bytes(os.urandom(_SEED))

    def from_seed_bytes(self, seed: Buffer) -> HybridPrivateKey:
        """Makes the key pair of a seed of 32 bytes; it is all of a private key that need be
        stored."""
        return HybridPrivateKey._of(self, _owned(seed, _SEED, "a seed"))

    def encapsulate(self, public_key: Buffer, seed: Buffer | None = None) -> Encapsulation:
        """Returns a new shared secret of 32 bytes, and the ciphertext for the owner of the key.

        seed: length_encaps_seed bytes, for tests; never use one twice.
        """
        key = _owned(public_key, self.length_public_key, "a public key")
        split = self._kem.length_encaps_seed
        drawn = (
            os.urandom(self.length_encaps_seed)
            if seed is None
            else _owned(seed, self.length_encaps_seed, "a seed")
        )
        of_kem, element = key[: self._kem.length_public_key], key[self._kem.length_public_key :]
        own = self._group.key(drawn[split:])
        self._kem.check_public_key(of_kem)
        secret = self._group.secret(own, element)
        ss_of_kem, ct_of_kem = self._kem.encapsulate(of_kem, drawn[:split])
        ciphertext = ct_of_kem + self._group.element(own)
        return Encapsulation(self._combine(ss_of_kem, secret, ciphertext, key), ciphertext)

    def _combine(self, of_kem: bytes, of_group: bytes, ciphertext: bytes, key: bytes) -> bytes:
        """The universal combiner, 5.1.3."""
        parts = of_kem, of_group, ciphertext, key, self.label.encode()
        return hashlib.sha3_256(b"".join(parts)).digest()


class HybridPrivateKey:
    """A private key of a hybrid; Hybrid.generate and Hybrid.from_seed_bytes make it.

    The KEM's secret lies in memory that is wiped when the object goes, the group's in memory of the
    package cryptography, and the seed in bytes, which Python does not wipe. Keys do not change, and
    threads can share them. They cannot be pickled, and their repr shows nothing of them.
    """

    __slots__ = ("_hybrid", "_key", "_public", "_secret", "_seed")
    _hybrid: Hybrid
    _key: Any
    _public: bytes
    _secret: _native.SecretKey
    _seed: bytes

    def __new__(cls) -> HybridPrivateKey:
        raise TypeError("a private key is made by generate or from_seed_bytes of a Hybrid")

    @classmethod
    def _of(cls, hybrid: Hybrid, seed: bytes) -> HybridPrivateKey:
        key = object.__new__(cls)
        split = hybrid._kem.length_keypair_seed
        stream = hashlib.shake_256(seed).digest(split + hybrid._group.length_seed)
        key._hybrid, key._seed = hybrid, seed
        key._secret = _native.SecretKey.from_seed(hybrid._kem, stream[:split])
        key._key = hybrid._group.key(stream[split:])
        key._public = key._secret.public_bytes() + hybrid._group.element(key._key)
        return key

    def public_bytes_raw(self) -> bytes:
        """Returns the public key."""
        return self._public

    def private_bytes_raw(self) -> bytes:
        """Returns the seed, from which from_seed_bytes makes the key again."""
        return self._seed

    def decapsulate(self, ciphertext: Buffer) -> bytes:
        """Returns the shared secret in a ciphertext.

        One that was not made for this key gives another secret and no error. Raises ValueError for
        a wrong length, and if its end is no point of P-256.
        """
        hybrid = self._hybrid
        data = _owned(ciphertext, hybrid.length_ciphertext, "a ciphertext")
        split = hybrid._kem.length_ciphertext
        secret = hybrid._group.secret(self._key, data[split:])
        of_kem = self._secret.decapsulate(data[:split])
        return hybrid._combine(of_kem, secret, data, self._public)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("private keys are not pickled; private_bytes_raw returns the seed")


def _owned(data: Buffer, length: int, what: str) -> bytes:
    """Returns a copy, of which the length is right."""
    owned = bytes(memoryview(data))
    if len(owned) != length:
        raise ValueError(f"{what} has {length} bytes, not {len(owned)}")
    return owned
