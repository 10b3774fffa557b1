# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A KEM by its name, on bytes."""

from __future__ import annotations

from typing import NamedTuple

from codekem import _native
from codekem._types import Buffer

KEM_NAMES: tuple[str, ...] = tuple(_native.kem_names())
"""The names of all KEMs; those with a version in the name are earlier ones of their schemes."""


class KeyPair(NamedTuple):
    """What KEM.generate_keypair returns: (public_key, secret_key)."""

    public_key: bytes
    secret_key: bytes


class Encapsulation(NamedTuple):
    """What encapsulate returns: (shared_secret, ciphertext), the secret first."""

    shared_secret: bytes
    ciphertext: bytes


class KEM:
    """One KEM of the library, on bytes: KEM("HQC-1").

    Arguments may be any objects with a buffer; results are bytes. Wrong lengths raise ValueError,
    objects without a buffer TypeError. Secret keys that are bytes stay in memory until Python
    frees them, and are not wiped: the key classes do better.

    Objects can be shared by threads.
    """

    __slots__ = ("_native",)

    def __init__(self, name: str) -> None:
        """Raises ValueError if there is no KEM of this name (KEM_NAMES has all)."""
        self._native = _native.Kem(name)

    def __repr__(self) -> str:
        return f"codekem.KEM({self.name!r})"

    def __reduce__(self) -> tuple[type[KEM], tuple[str]]:
        return type(self), (self.name,)

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, KEM) else NotImplemented

    def __hash__(self) -> int:
        return hash((KEM, self.name))

    @property
    def name(self) -> str:
        """Such as "BIKE-L1"."""
        return self._native.name

    @property
    def version(self) -> str:
        """The revision of the specification, such as "5.1"."""
        return self._native.version

    @property
    def family(self) -> str:
        """The scheme without level and version: "BIKE" or "HQC"."""
        return self._native.family

    @property
    def security(self) -> str:
        """The notion that the specification claims: "IND-CPA" or "IND-CCA2"."""
        return self._native.security

    @property
    def is_ind_cca(self) -> bool:
        """Whether one key pair may serve for many exchanges."""
        return self._native.is_ind_cca

    @property
    def nist_level(self) -> int:
        """The claimed category: 1, 3 or 5."""
        return self._native.nist_level

    @property
    def superseded(self) -> bool:
        """Whether this is an earlier version of its scheme."""
        return self._native.superseded

    @property
    def length_public_key(self) -> int:
        """In bytes, as all lengths."""
        return self._native.length_public_key

    @property
    def length_secret_key(self) -> int:
        return self._native.length_secret_key

    @property
    def length_ciphertext(self) -> int:
        return self._native.length_ciphertext

    @property
    def length_shared_secret(self) -> int:
        return self._native.length_shared_secret

    @property
    def length_keypair_seed(self) -> int:
        return self._native.length_keypair_seed

    @property
    def length_encaps_seed(self) -> int:
        return self._native.length_encaps_seed

    def generate_keypair(self, seed: Buffer | None = None) -> KeyPair:
        """Makes a key pair, from length_keypair_seed bytes of seed if they are given."""
        return KeyPair._make(self._native.keypair(seed))

    def encapsulate(self, public_key: Buffer, seed: Buffer | None = None) -> Encapsulation:
        """Makes a shared secret and the ciphertext that takes it to the owner of public_key.

        seed: length_encaps_seed bytes, for tests. Never use one twice, nor one that made keys.
        Raises ValueError for a public key that no honest party can have made.
        """
        return Encapsulation._make(self._native.encapsulate(public_key, seed))

    def decapsulate(self, secret_key: Buffer, ciphertext: Buffer) -> bytes:
        """Returns the shared secret.

        A ciphertext that was not made for this key gives another, pseudorandom secret and no error;
        every string of the right length is taken.
        """
        return self._native.decapsulate(secret_key, ciphertext)

    def derive_public_key(self, secret_key: Buffer) -> bytes:
        """Returns the public key that belongs to a good secret key."""
        return self._native.derive_public_key(secret_key)

    def check_public_key(self, public_key: Buffer) -> None:
        """Raises ValueError if no honest party can have made this public key."""
        self._native.check_public_key(public_key)

    def check_secret_key(self, secret_key: Buffer) -> None:
        """Raises ValueError if the parts of this secret key do not fit each other."""
        self._native.check_secret_key(secret_key)

    def check_ciphertext(self, ciphertext: Buffer) -> None:
        """Raises ValueError if no honest party can have made this ciphertext."""
        self._native.check_ciphertext(ciphertext)
