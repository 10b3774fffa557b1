# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece: for interoperability, hybrids, research and measurement.

    from codekem import mceliece

    kem = mceliece.KEM("mceliece6960119f")

Do not rely on it alone, and do not choose it for new products: since August 2026 papers claim
recovery of its keys far below the categories that it was given; nobody has refuted them, and nobody
has recovered a key of full size. So each KEM that is made issues DisputedSecurityWarning.
"""

from __future__ import annotations

import warnings

from codekem import _kem, _native

KEM_NAMES: tuple[str, ...] = tuple(_native.mceliece_names())
"""The names of all KEMs; none if an installed library without Classic McEliece is linked."""

WARNING: str = _native.mceliece_warning()
"""A sentence about the standing of the scheme, for whoever shows these KEMs to users."""


class DisputedSecurityWarning(UserWarning):
    """That the security of Classic McEliece is disputed."""


class KEM(_kem.KEM):
    """One KEM of Classic McEliece, on bytes, as codekem.KEM.

    mceliece6960119 has unused bits in public keys and ciphertexts: where one is set, encapsulate
    and decapsulate raise ValueError. Making keys takes up to some megabytes of memory, which the
    thread keeps for its next call.
    """

    __slots__ = ()

    def __init__(self, name: str) -> None:
        """Raises ValueError if there is no KEM of this name (KEM_NAMES has all)."""
        self._native = _native.Kem.mceliece(name)
        warnings.warn(WARNING, DisputedSecurityWarning, stacklevel=2)

    def __repr__(self) -> str:
        return f"codekem.mceliece.KEM({self.name!r})"
