# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classes for the keys of each KEM, in the shape of pyca/cryptography's."""

from __future__ import annotations

import enum
import hmac
from typing import Any, ClassVar, Generic, Literal, TypeVar

from codekem import _der, _native
from codekem._kem import Encapsulation
from codekem._types import Buffer, Self


def name_of(member: enum.Enum, kind: str) -> str:
    """Returns the name of a member of an enumeration, ours or pyca/cryptography's."""
    if not isinstance(member, enum.Enum):
        raise TypeError(f"{kind} must be one of codekem.serialization, or of cryptography's")
    return member.name


def encoded(encoding: enum.Enum, label: str, der: bytes) -> bytes:
    how = name_of(encoding, "encoding")
    if how == "PEM":
        return _der.write_pem(label, der)
    if how == "DER":
        return der
    raise ValueError(f"keys are written as PEM or DER, not as {how}, but in the format Raw")


def require_raw(encoding: enum.Enum) -> None:
    if name_of(encoding, "encoding") != "Raw":
        raise ValueError("the format Raw goes with the encoding Raw alone")


class PublicKey:
    """A public key of one KEM; the subclasses are what programs use.

    Keys are equal if their bytes are. They do not change, and threads can share them.
    """

    __slots__ = ("_data",)
    _kem: ClassVar[_native.Kem]
    _oids: ClassVar[tuple[bytes, ...]]  # in DER: the one that is written, and others to be read
    _data: bytes

    def __new__(cls) -> Self:
        raise TypeError(f"{cls.__name__} is made by from_public_bytes, or public_key of the other")

    @classmethod
    def _of(cls, data: bytes) -> Self:
        key = object.__new__(cls)
        key._data = data
        return key

    @classmethod
    def from_public_bytes(cls, data: Buffer) -> Self:
        """Reads a public key. Raises ValueError for a wrong length or a malformed key."""
        owned = bytes(memoryview(data))
        cls._kem.check_public_key(owned)
        return cls._of(owned)

    def encapsulate(self) -> Encapsulation:
        """Returns a new shared secret, and the ciphertext for the owner of the private key.

        The result is the tuple (shared_secret, ciphertext).
        """
        return Encapsulation._make(self._kem.encapsulate(self._data))

    def public_bytes_raw(self) -> bytes:
        """Returns the key as its specification encodes it."""
        return self._data

    def public_bytes(
        self,
        encoding: enum.Enum,
        format: enum.Enum,  # noqa: A002 (as pyca/cryptography calls it)
    ) -> bytes:
        """Returns the key as a file has it; the arguments are of codekem.serialization.

        Raises ValueError for what the formats do not have.
        """
        structure = name_of(format, "format")
        if structure == "Raw":
            require_raw(encoding)
            return self._data
        if structure != "SubjectPublicKeyInfo":
            raise ValueError(f"public keys have no format {structure}")
        return encoded(encoding, "PUBLIC KEY", _der.write_public(self._oids[0], self._data))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicKey) or type(self) is not type(other):
            return NotImplemented
        return self._data == other._data

    def __hash__(self) -> int:
        return hash((type(self), self._data))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return type(self).from_public_bytes, (self._data,)


Public = TypeVar("Public", bound=PublicKey)


class PrivateKey(Generic[Public]):
    """A private key of one KEM; the subclasses are what programs use.

    The secret lies in memory that is wiped when the object goes. Keys do not change, and threads
    can share them. They are equal if all their bytes are, which takes the same time for all keys.
    They cannot be pickled, and their repr shows nothing of them.
    """

    __slots__ = ("_secret",)
    _kem: ClassVar[_native.Kem]
    _public: ClassVar[type[PublicKey]]
    _secret: _native.SecretKey

    def __new__(cls) -> Self:
        raise TypeError(
            f"{cls.__name__} is made by generate, from_seed_bytes or from_secret_key_bytes"
        )

    @classmethod
    def _of(cls, secret: _native.SecretKey) -> Self:
        key = object.__new__(cls)
        key._secret = secret
        return key

    @classmethod
    def generate(cls) -> Self:
        """Makes a key pair with randomness from the operating system."""
        return cls._of(_native.SecretKey.generate(cls._kem))

    @classmethod
    def from_seed_bytes(cls, data: Buffer) -> Self:
        """Makes the key pair of a seed (HQC: 32 random bytes; BIKE: 64).

        Raises ValueError for another length.
        """
        return cls._of(_native.SecretKey.from_seed(cls._kem, data))

    @classmethod
    def from_secret_key_bytes(cls, data: Buffer) -> Self:
        """Reads a key as its specification encodes it. Raises ValueError for a wrong length or key.

        HQC's have their seed in them. BIKE's have not, and private_bytes_raw then has nothing.
        """
        return cls._of(_native.SecretKey.from_bytes(cls._kem, data))

    def public_key(self) -> Public:
        """Returns the public key of this pair."""
        return self._public._of(self._secret.public_bytes())  # type: ignore[return-value]

    def decapsulate(self, ciphertext: Buffer) -> bytes:
        """Returns the shared secret in a ciphertext. Raises ValueError for a wrong length.

        A ciphertext that was not made for this key gives another, pseudorandom secret and no error.
        """
        return self._secret.decapsulate(ciphertext)

    def private_bytes_raw(self) -> bytes:
        """Returns the seed, from which from_seed_bytes makes the key again.

        Python does not wipe these bytes. Raises ValueError if the seed is not known.
        """
        seed = self._secret.seed_bytes()
        if seed is None:
            raise ValueError("the seed of this key is not known: it was made from its secret key")
        return seed

    def secret_key_bytes(self) -> bytes:
        """Returns the key as its specification encodes it; Python does not wipe these bytes."""
        return self._secret.secret_bytes()

    def private_bytes(
        self,
        encoding: enum.Enum,
        format: enum.Enum,  # noqa: A002 (as pyca/cryptography calls it)
        encryption_algorithm: object = None,
        *,
        form: Literal["seed", "both", "expanded"] | None = None,
    ) -> bytes:
        """Returns the key as a file has it; the arguments are of codekem.serialization.

        form: what the file has: the seed, seed and secret key, or the secret key; by default the
        seed if it is known. Raises ValueError for what the formats do not have, and for a seed that
        is not known. Python does not wipe these bytes.
        """
        if encryption_algorithm is not None and type(encryption_algorithm).__name__ != (
            "NoEncryption"
        ):
            raise ValueError("keys are not encrypted here; openssl pkey does that")
        structure = name_of(format, "format")
        if structure == "Raw":
            require_raw(encoding)
            return self.private_bytes_raw()
        if structure != "PKCS8":
            raise ValueError(f"private keys have no format {structure}")
        if form not in (None, "seed", "both", "expanded"):
            raise ValueError('form must be "seed", "both" or "expanded"')
        seed = None if form == "expanded" else self._secret.seed_bytes()
        if form in ("seed", "both"):
            seed = self.private_bytes_raw()
        just_seed = form == "seed" or (form is None and seed is not None)
        secret_key = None if just_seed else self.secret_key_bytes()
        der = _der.write_private(self._public._oids[0], seed, secret_key)
        return encoded(encoding, "PRIVATE KEY", der)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivateKey) or type(self) is not type(other):
            return NotImplemented
        return self._secret.equals(other._secret)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("private keys are not pickled; private_bytes returns their bytes")


# One pair of classes for each KEM.


# kems: made by parameters/generate.py
class HQC1PublicKey(PublicKey):
    """A public key of HQC-1."""

    __slots__ = ()
    _kem = _native.Kem("HQC-1")
    _oids = (
        bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0201"),
        bytes.fromhex("608648016503040404"),
    )


class HQC1PrivateKey(PrivateKey[HQC1PublicKey]):
    """A private key of HQC-1."""

    __slots__ = ()
    _kem = HQC1PublicKey._kem
    _public = HQC1PublicKey


class HQC3PublicKey(PublicKey):
    """A public key of HQC-3."""

    __slots__ = ()
    _kem = _native.Kem("HQC-3")
    _oids = (
        bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0203"),
        bytes.fromhex("608648016503040405"),
    )


class HQC3PrivateKey(PrivateKey[HQC3PublicKey]):
    """A private key of HQC-3."""

    __slots__ = ()
    _kem = HQC3PublicKey._kem
    _public = HQC3PublicKey


class HQC5PublicKey(PublicKey):
    """A public key of HQC-5."""

    __slots__ = ()
    _kem = _native.Kem("HQC-5")
    _oids = (
        bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0205"),
        bytes.fromhex("608648016503040406"),
    )


class HQC5PrivateKey(PrivateKey[HQC5PublicKey]):
    """A private key of HQC-5."""

    __slots__ = ()
    _kem = HQC5PublicKey._kem
    _public = HQC5PublicKey


class BIKEL1PublicKey(PublicKey):
    """A public key of BIKE-L1."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L1")
    _oids = (bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0101"),)


class BIKEL1PrivateKey(PrivateKey[BIKEL1PublicKey]):
    """A private key of BIKE-L1; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL1PublicKey._kem
    _public = BIKEL1PublicKey


class BIKEL3PublicKey(PublicKey):
    """A public key of BIKE-L3."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L3")
    _oids = (bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0103"),)


class BIKEL3PrivateKey(PrivateKey[BIKEL3PublicKey]):
    """A private key of BIKE-L3; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL3PublicKey._kem
    _public = BIKEL3PublicKey


class BIKEL5PublicKey(PublicKey):
    """A public key of BIKE-L5."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L5")
    _oids = (bytes.fromhex("6983cabb84f9ef99e294c3b887b288f1908aba2f0105"),)


class BIKEL5PrivateKey(PrivateKey[BIKEL5PublicKey]):
    """A private key of BIKE-L5; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL5PublicKey._kem
    _public = BIKEL5PublicKey


# kems: end


# --- Keys by their object identifiers -------------------------------------------------------------

CLASSES: dict[bytes, type[PrivateKey[Any]]] = {
    oid: private for private in PrivateKey.__subclasses__() for oid in private._public._oids
}


def class_of(oid: bytes) -> type[PrivateKey[Any]]:
    if oid not in CLASSES:
        raise ValueError(
            "this is a key of another algorithm, with the object identifier "
            f"{_der.oid_text(oid)[:100]}"
        )
    return CLASSES[oid]


def public_key_of(oid: bytes, data: bytes) -> PublicKey:
    return class_of(oid)._public.from_public_bytes(data)


def private_key_of(parts: _der.PrivateParts) -> PrivateKey[Any]:
    made = class_of(parts.oid)
    if parts.seed is not None:
        key = made.from_seed_bytes(parts.seed)
        secret_key = key.secret_key_bytes()
        if parts.secret_key is not None and not hmac.compare_digest(secret_key, parts.secret_key):
            raise ValueError("seed and secret key do not belong together")
    else:
        key = made.from_secret_key_bytes(parts.secret_key or b"")
    if parts.public_key not in (None, key.public_key().public_bytes_raw()):
        raise ValueError("public and secret key do not belong together")
    return key
