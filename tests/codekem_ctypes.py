# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shared library through ctypes: every function of codekem.h, and methods that use them.

For the tests only; nothing here is a supported binding.
"""

import contextlib
import ctypes
import sys
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_size_t, c_uint8, c_void_p

# How the names of shared libraries end here.
SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")

OK = 0
ERROR_NULL = 1
ERROR_RANDOM = 2
ERROR_WORKSPACE = 3
ERROR_PUBLIC_KEY = 4
ERROR_SECRET_KEY = 5
ERROR_CIPHERTEXT = 6
ERROR_BACKEND = 7
ERROR_INTERNAL = 8

WORKSPACE_ALIGNMENT = 64

RANDOM_FUNCTION = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(c_uint8), c_size_t)


def shared_library(name):
    """Returns what the file of a shared library is called here: libcodekem.so of codekem."""
    return f"lib{name}{SUFFIX}"


class Kem(Structure):
    """struct codekem_kem."""

    _fields_ = [
        ("method_name", c_char_p),
        ("alg_version", c_char_p),
        ("security", c_char_p),
        ("claimed_nist_level", c_uint8),
        ("ind_cca", c_bool),
        ("length_public_key", c_size_t),
        ("length_secret_key", c_size_t),
        ("length_ciphertext", c_size_t),
        ("length_shared_secret", c_size_t),
        ("length_keypair_seed", c_size_t),
        ("length_encaps_seed", c_size_t),
        ("length_keypair_workspace", c_size_t),
        ("length_encaps_workspace", c_size_t),
        ("length_decaps_workspace", c_size_t),
        ("internal", c_void_p),
        ("family", c_char_p),
        ("superseded", c_bool),
        ("length_check_workspace", c_size_t),
        ("length_keypair_batch_workspace", c_size_t),
        ("length_encaps_batch_workspace", c_size_t),
        ("length_decaps_batch_workspace", c_size_t),
    ]

    @property
    def name(self):
        return self.method_name.decode()


KEM = POINTER(Kem)
BYTES = c_void_p  # bytes, a ctypes array, an address or None

# Name of each function of codekem.h: result and arguments.
FUNCTIONS = {
    "codekem_version": (c_char_p, []),
    "codekem_status_text": (c_char_p, [c_int]),
    "codekem_kem_count": (c_size_t, []),
    "codekem_kem_at": (KEM, [c_size_t]),
    "codekem_kem_find": (KEM, [c_char_p]),
    "codekem_kem_keypair": (c_int, [KEM, BYTES, BYTES]),
    "codekem_kem_encaps": (c_int, [KEM, BYTES, BYTES, BYTES]),
    "codekem_kem_decaps": (c_int, [KEM, BYTES, BYTES, BYTES]),
    "codekem_kem_keypair_derand": (c_int, [KEM, BYTES, BYTES, BYTES]),
    "codekem_kem_encaps_derand": (c_int, [KEM, BYTES, BYTES, BYTES, BYTES]),
    "codekem_kem_keypair_random": (c_int, [KEM, BYTES, BYTES, RANDOM_FUNCTION, c_void_p]),
    "codekem_kem_encaps_random": (c_int, [KEM, BYTES, BYTES, BYTES, RANDOM_FUNCTION, c_void_p]),
    "codekem_kem_keypair_workspace": (c_int, [KEM, BYTES, BYTES, BYTES, c_void_p, c_size_t]),
    "codekem_kem_encaps_workspace": (c_int, [KEM, BYTES, BYTES, BYTES, BYTES, c_void_p, c_size_t]),
    "codekem_kem_decaps_workspace": (c_int, [KEM, BYTES, BYTES, BYTES, c_void_p, c_size_t]),
    "codekem_random_system": (c_bool, [c_void_p, BYTES, c_size_t]),
    "codekem_kem_keypair_random_workspace": (
        c_int,
        [KEM, BYTES, BYTES, RANDOM_FUNCTION, c_void_p, c_void_p, c_size_t],
    ),
    "codekem_kem_encaps_random_workspace": (
        c_int,
        [KEM, BYTES, BYTES, BYTES, RANDOM_FUNCTION, c_void_p, c_void_p, c_size_t],
    ),
    "codekem_kem_check_secret_key_workspace": (c_int, [KEM, BYTES, c_void_p, c_size_t]),
    "codekem_kem_derive_public_key": (c_int, [KEM, BYTES, BYTES]),
    "codekem_kem_derive_public_key_workspace": (c_int, [KEM, BYTES, BYTES, c_void_p, c_size_t]),
    "codekem_kem_check_public_key": (c_int, [KEM, BYTES]),
    "codekem_kem_check_secret_key": (c_int, [KEM, BYTES]),
    "codekem_kem_check_ciphertext": (c_int, [KEM, BYTES]),
    "codekem_backend_count": (c_size_t, []),
    "codekem_backend_name": (c_char_p, [c_size_t]),
    "codekem_backend_supported": (c_bool, [c_size_t]),
    "codekem_backend_current": (c_char_p, []),
    "codekem_backend_select": (c_int, [c_char_p]),
    "codekem_wipe": (None, [c_void_p, c_size_t]),
}

# The batches: a count after the KEM, a stride after keys that go in.
_SOURCE = [RANDOM_FUNCTION, c_void_p]
_MEMORY = [c_void_p, c_size_t]
_BATCHES = {
    "keypair": [KEM, c_size_t, BYTES, BYTES],
    "encaps": [KEM, c_size_t, BYTES, BYTES, BYTES, c_size_t],
    "decaps": [KEM, c_size_t, BYTES, BYTES, BYTES, c_size_t],
}
for _name, _first in _BATCHES.items():
    _batch = f"codekem_kem_{_name}_batch"
    FUNCTIONS[_batch] = (c_int, _first)
    if _name == "decaps":
        FUNCTIONS[f"{_batch}_workspace"] = (c_int, [*_first, *_MEMORY])
        continue
    FUNCTIONS[f"{_batch}_derand"] = (c_int, [*_first, BYTES])
    FUNCTIONS[f"{_batch}_random"] = (c_int, [*_first, *_SOURCE])
    FUNCTIONS[f"{_batch}_workspace"] = (c_int, [*_first, BYTES, *_MEMORY])
    FUNCTIONS[f"{_batch}_random_workspace"] = (c_int, [*_first, *_SOURCE, *_MEMORY])


class CodekemError(Exception):
    """A call did not return CODEKEM_OK."""

    def __init__(self, status, text):
        super().__init__(f"status {status}: {text}")
        self.status = status


def aligned(length, alignment=WORKSPACE_ALIGNMENT, offset=0):
    """Returns a zeroed buffer of length bytes, offset bytes behind a multiple of alignment."""
    memory = (c_uint8 * (length + alignment + offset))()
    skip = -ctypes.addressof(memory) % alignment + offset
    return (c_uint8 * length).from_buffer(memory, skip)


class Library:
    """A loaded libcodekem. `call[name]` is the C function codekem_<name>."""

    _open: type[ctypes.CDLL] = ctypes.CDLL

    def __init__(self, path):
        self.path = path
        self._library = self._open(str(path))
        self.call = {}
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments
            self.call[name.removeprefix("codekem_")] = function

    def check(self, status):
        if status != OK:
            raise CodekemError(status, self.call["status_text"](status).decode())

    # --- KEMs and back ends ---

    def kems(self):
        return [self.call["kem_at"](i).contents for i in range(self.call["kem_count"]())]

    def kem(self, name):
        found = self.call["kem_find"](name.encode())
        if not found:
            raise KeyError(name)
        return found.contents

    def backends(self):
        """Returns {name: whether this processor can run it}, slowest first."""
        return {
            self.call["backend_name"](i).decode(): self.call["backend_supported"](i)
            for i in range(self.call["backend_count"]())
        }

    @contextlib.contextmanager
    def backend(self, name):
        """Uses the back end called name inside the `with` block, then the best again."""
        self.check(self.call["backend_select"](name.encode()))
        try:
            yield self
        finally:
            self.check(self.call["backend_select"](None))

    # --- The three operations; a seed makes the call deterministic ---

    def keypair(self, kem, seed=None):
        public_key = ctypes.create_string_buffer(kem.length_public_key)
        secret_key = ctypes.create_string_buffer(kem.length_secret_key)
        if seed is None:
            self.check(self.call["kem_keypair"](kem, public_key, secret_key))
        else:
            assert len(seed) == kem.length_keypair_seed
            self.check(self.call["kem_keypair_derand"](kem, public_key, secret_key, seed))
        return public_key.raw, secret_key.raw

    def encaps(self, kem, public_key, seed=None):
        assert len(public_key) == kem.length_public_key
        ciphertext = ctypes.create_string_buffer(kem.length_ciphertext)
        shared = ctypes.create_string_buffer(kem.length_shared_secret)
        if seed is None:
            self.check(self.call["kem_encaps"](kem, ciphertext, shared, public_key))
        else:
            assert len(seed) == kem.length_encaps_seed
            self.check(self.call["kem_encaps_derand"](kem, ciphertext, shared, public_key, seed))
        return ciphertext.raw, shared.raw

    def decaps(self, kem, ciphertext, secret_key):
        assert len(ciphertext) == kem.length_ciphertext
        assert len(secret_key) == kem.length_secret_key
        shared = ctypes.create_string_buffer(kem.length_shared_secret)
        self.check(self.call["kem_decaps"](kem, shared, ciphertext, secret_key))
        return shared.raw
