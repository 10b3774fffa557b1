# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classes for the keys of each KEM, in the shape of pyca/cryptography's."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from codekem import _native
from codekem._kem import Encapsulation
from codekem._types import Buffer, Self


class PublicKey:
    """A public key of one KEM; the subclasses are what programs use.

    Keys are equal if their bytes are. They do not change, and threads can share them.
    """

    __slots__ = ("_data",)
    _kem: ClassVar[_native.Kem]
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
            f"{cls.__name__} is made by generate, from_seed_bytes or from_private_bytes"
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
    def from_private_bytes(cls, data: Buffer) -> Self:
        """Reads what private_bytes_raw returned. Raises ValueError for a wrong length or key."""
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
        """Returns the key as its specification encodes it; Python does not wipe these bytes."""
        return self._secret.secret_bytes()

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
        raise TypeError("private keys are not pickled; private_bytes_raw returns their bytes")


# One pair of classes for each KEM.


# kems: made by parameters/generate.py
class HQC1PublicKey(PublicKey):
    """A public key of HQC-1."""

    __slots__ = ()
    _kem = _native.Kem("HQC-1")


class HQC1PrivateKey(PrivateKey[HQC1PublicKey]):
    """A private key of HQC-1."""

    __slots__ = ()
    _kem = HQC1PublicKey._kem
    _public = HQC1PublicKey


class HQC3PublicKey(PublicKey):
    """A public key of HQC-3."""

    __slots__ = ()
    _kem = _native.Kem("HQC-3")


class HQC3PrivateKey(PrivateKey[HQC3PublicKey]):
    """A private key of HQC-3."""

    __slots__ = ()
    _kem = HQC3PublicKey._kem
    _public = HQC3PublicKey


class HQC5PublicKey(PublicKey):
    """A public key of HQC-5."""

    __slots__ = ()
    _kem = _native.Kem("HQC-5")


class HQC5PrivateKey(PrivateKey[HQC5PublicKey]):
    """A private key of HQC-5."""

    __slots__ = ()
    _kem = HQC5PublicKey._kem
    _public = HQC5PublicKey


class BIKEL1PublicKey(PublicKey):
    """A public key of BIKE-L1."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L1")


class BIKEL1PrivateKey(PrivateKey[BIKEL1PublicKey]):
    """A private key of BIKE-L1; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL1PublicKey._kem
    _public = BIKEL1PublicKey


class BIKEL3PublicKey(PublicKey):
    """A public key of BIKE-L3."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L3")


class BIKEL3PrivateKey(PrivateKey[BIKEL3PublicKey]):
    """A private key of BIKE-L3; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL3PublicKey._kem
    _public = BIKEL3PublicKey


class BIKEL5PublicKey(PublicKey):
    """A public key of BIKE-L5."""

    __slots__ = ()
    _kem = _native.Kem("BIKE-L5")


class BIKEL5PrivateKey(PrivateKey[BIKEL5PublicKey]):
    """A private key of BIKE-L5; for one exchange only."""

    __slots__ = ()
    _kem = BIKEL5PublicKey._kem
    _public = BIKEL5PublicKey


# kems: end
