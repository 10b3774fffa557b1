# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Post-quantum key encapsulation with HQC and BIKE.

    from codekem import HQC1PrivateKey

    private_key = HQC1PrivateKey.generate()                              # Bob
    shared_secret, ciphertext = private_key.public_key().encapsulate()   # Alice
    assert private_key.decapsulate(ciphertext) == shared_secret          # Bob

KEM("HQC-1") is the same on bytes, for all KEMs by name; codekem.liboqs has the interface of
liboqs-python. All functions let other threads run while they compute.
"""

from codekem._kem import KEM, KEM_NAMES, Encapsulation, KeyPair
from codekem._keys import (
    # imports: made by parameters/generate.py
    BIKEL1PrivateKey,
    BIKEL1PublicKey,
    BIKEL3PrivateKey,
    BIKEL3PublicKey,
    BIKEL5PrivateKey,
    BIKEL5PublicKey,
    HQC1PrivateKey,
    HQC1PublicKey,
    HQC3PrivateKey,
    HQC3PublicKey,
    HQC5PrivateKey,
    HQC5PublicKey,
    # imports: end
    PrivateKey,
    PublicKey,
)
from codekem._native import backend, backends, select_backend
from codekem._native import version as _version

__version__ = _version()

__all__ = [
    "KEM",
    "KEM_NAMES",
    # bike: made by parameters/generate.py
    "BIKEL1PrivateKey",
    "BIKEL1PublicKey",
    "BIKEL3PrivateKey",
    "BIKEL3PublicKey",
    "BIKEL5PrivateKey",
    "BIKEL5PublicKey",
    # bike: end
    "Encapsulation",
    # hqc: made by parameters/generate.py
    "HQC1PrivateKey",
    "HQC1PublicKey",
    "HQC3PrivateKey",
    "HQC3PublicKey",
    "HQC5PrivateKey",
    "HQC5PublicKey",
    # hqc: end
    "KeyPair",
    "PrivateKey",
    "PublicKey",
    "__version__",
    "backend",
    "backends",
    "select_backend",
]
