# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece against PyPI's pqcrypto (code of PQClean) and against liboqs, in both directions
and on rejected ciphertexts.

CODEKEM_LIBOQS names the shared library (liboqs.so) of a liboqs that was built with it.
"""

import ctypes
import importlib
import os
import threading

import pytest

from tests.library import STATUS
from tests.mceliece_library import SETS, McEliece
from tests.samples import counting, flipped

# Both make keys on the stack, of which a thread has too little by default.
STACK = 64 << 20


@pytest.fixture(scope="module")
def liboqs():
    path = os.environ.get("CODEKEM_LIBOQS")
    if not path:
        pytest.skip(
            "Classic McEliece not compared with liboqs: build liboqs with BUILD_SHARED_LIBS=ON and "
            "set CODEKEM_LIBOQS to the path of liboqs.so"
        )
    library = ctypes.CDLL(path)
    library.OQS_init()
    return library


def on_large_stack(function, *arguments):
    """Returns what function returns, in a thread of its own."""
    results = []
    threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=lambda: results.append(function(*arguments)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    return results[0]


class Liboqs:
    """One set in liboqs."""

    def __init__(self, library, kem):
        name = kem.name.replace("mceliece", "classic_mceliece_")
        self._functions = {
            operation: getattr(library, f"OQS_KEM_{name}_{operation}")
            for operation in ("keypair", "encaps", "decaps")
        }
        self._kem = kem

    def _call(self, operation, *arguments):
        assert self._functions[operation](*arguments) == 0

    def keypair(self):
        public_key = ctypes.create_string_buffer(self._kem.length_public_key)
        secret_key = ctypes.create_string_buffer(self._kem.length_secret_key)
        self._call("keypair", public_key, secret_key)
        return public_key.raw, secret_key.raw

    def encaps(self, public_key):
        ciphertext = ctypes.create_string_buffer(self._kem.length_ciphertext)
        secret = ctypes.create_string_buffer(32)
        self._call("encaps", ciphertext, secret, public_key)
        return ciphertext.raw, secret.raw

    def decaps(self, ciphertext, secret_key):
        secret = ctypes.create_string_buffer(32)
        self._call("decaps", secret, ciphertext, secret_key)
        return secret.raw


class Pqcrypto:
    """One set in pqcrypto."""

    def __init__(self, kem):
        set_name = kem.name.replace("mceliece", "mceliece_")
        self._module = getattr(importlib.import_module("pqcrypto.kem"), set_name)
        self._ciphertext_bytes = kem.length_ciphertext

    def keypair(self):
        return tuple(bytes(part) for part in self._module.keygen())

    def encaps(self, public_key):
        parts = [bytes(part) for part in self._module.encaps(public_key)]
        return tuple(sorted(parts, key=len, reverse=True))  # whatever their order

    def decaps(self, ciphertext, secret_key):
        return bytes(self._module.decaps(secret_key, ciphertext))


def check_both_directions(mceliece, kem, peer):
    public_key, secret_key = mceliece.keypair(kem, counting(32))
    ciphertext, secret = on_large_stack(peer.encaps, public_key)
    assert mceliece.decaps(kem, ciphertext, secret_key) == (STATUS.OK, secret)
    assert on_large_stack(peer.decaps, ciphertext, secret_key) == secret
    public_key, secret_key = on_large_stack(peer.keypair)
    assert mceliece.check_secret_key(kem, secret_key) == STATUS.OK
    assert mceliece.expand(kem, secret_key[:40]) == (STATUS.OK, secret_key)
    assert mceliece.derive_public_key(kem, secret_key) == (STATUS.OK, public_key)
    status, ciphertext, secret = mceliece.encaps(kem, public_key, counting(32, 50))
    assert status == STATUS.OK
    assert on_large_stack(peer.decaps, ciphertext, secret_key) == secret
    bad = flipped(ciphertext, 7)
    expected = on_large_stack(peer.decaps, bad, secret_key)
    assert mceliece.decaps(kem, bad, secret_key) == (STATUS.OK, expected) != (STATUS.OK, secret)


# Their plain sets start again 3.5 times on average.
@pytest.mark.parametrize(
    "name",
    [
        name
        if name.endswith("f") or "348864" in name
        else pytest.param(name, marks=pytest.mark.long)
        for name in SETS
    ],
)
def test_pqcrypto(name, internals):
    mceliece = McEliece(internals)
    kem = mceliece.kem(name)
    check_both_directions(mceliece, kem, Pqcrypto(kem))


@pytest.mark.parametrize("name", SETS)
def test_liboqs(name, liboqs, internals):
    mceliece = McEliece(internals)
    kem = mceliece.kem(name)
    if not hasattr(liboqs, "OQS_KEM_" + name.replace("mceliece", "classic_mceliece_") + "_keypair"):
        pytest.skip(f"this liboqs was built without {name}")
    check_both_directions(mceliece, kem, Liboqs(liboqs, kem))
