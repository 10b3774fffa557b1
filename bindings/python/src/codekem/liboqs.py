# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The interface of liboqs-python, for programs that have it: `from codekem import liboqs as oqs`.

The order of encap_secret is liboqs's: (ciphertext, shared_secret). Names and bytes are those of
liboqs where it has the same revision of the KEM.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from codekem import _native
from codekem._kem import KEM_NAMES
from codekem._types import Buffer, Self


class MechanismNotSupportedError(Exception):
    """There is no KEM of this name."""

    def __init__(self, alg_name: str, supported: tuple[str, ...]) -> None:
        super().__init__(f"{alg_name} is not supported; there are {', '.join(supported)}")
        self.alg_name = alg_name


class MechanismNotEnabledError(MechanismNotSupportedError):
    """Here every KEM is enabled; the name is for programs that catch it."""


def get_supported_kem_mechanisms() -> tuple[str, ...]:
    """Returns the names of all KEMs."""
    return KEM_NAMES


def get_enabled_kem_mechanisms() -> tuple[str, ...]:
    """Returns the names of all KEMs."""
    return KEM_NAMES


def is_kem_enabled(alg_name: str) -> bool:
    """Says whether there is a KEM of this name."""
    return alg_name in KEM_NAMES


class KeyEncapsulation:
    """One KEM, and the secret key that generate_keypair made or secret_key holds."""

    def __init__(self, alg_name: str, secret_key: Buffer | None = None) -> None:
        if alg_name not in KEM_NAMES:
            raise MechanismNotSupportedError(alg_name, KEM_NAMES)
        self.alg_name = alg_name
        self._kem = _native.Kem(alg_name)
        self._secret: _native.SecretKey | None = None
        if secret_key is not None:
            self._secret = _native.SecretKey.from_bytes(self._kem, secret_key)
        kem = self._kem
        self.details: dict[str, Any] = {
            "name": kem.name,
            "version": kem.version,
            "claimed_nist_level": kem.nist_level,
            "is_ind_cca": kem.is_ind_cca,
            "length_public_key": kem.length_public_key,
            "length_secret_key": kem.length_secret_key,
            "length_ciphertext": kem.length_ciphertext,
            "length_shared_secret": kem.length_shared_secret,
            "length_keypair_seed": kem.length_keypair_seed,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.free()

    def __repr__(self) -> str:
        return f"Key encapsulation mechanism: {self.alg_name}"

    def generate_keypair(self) -> bytes:
        """Makes a key pair, keeps the secret key and returns the public one."""
        self._secret = _native.SecretKey.generate(self._kem)
        return self._secret.public_bytes()

    def generate_keypair_seed(self, seed: Buffer) -> bytes:
        """As generate_keypair, from a seed of details["length_keypair_seed"] bytes."""
        self._secret = _native.SecretKey.from_seed(self._kem, seed)
        return self._secret.public_bytes()

    def export_secret_key(self) -> bytes:
        """Returns the secret key as bytes, which Python does not wipe."""
        return self._held().secret_bytes()

    def encap_secret(self, public_key: Buffer) -> tuple[bytes, bytes]:
        """Returns (ciphertext, shared_secret) for the owner of public_key.

        Raises ValueError for a public key that no honest party can have made.
        """
        shared_secret, ciphertext = self._kem.encapsulate(public_key)
        return ciphertext, shared_secret

    def decap_secret(self, ciphertext: Buffer) -> bytes:
        """Returns the shared secret in a ciphertext."""
        return self._held().decapsulate(ciphertext)

    def free(self) -> None:
        """Lets go of the secret key, which is wiped."""
        self._secret = None

    def _held(self) -> _native.SecretKey:
        secret = self._secret
        if secret is None:
            raise ValueError("there is no secret key yet; call generate_keypair, or give it")
        return secret
