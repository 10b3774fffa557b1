# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-mceliece through ctypes, with memory of the caller, and its vectors."""

import ctypes
import gzip
import hashlib
import json
import pathlib
from ctypes import c_char_p, c_int, c_size_t, c_void_p

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests import codekem_ctypes as ck
from tests.codekem_ctypes import BYTES, KEM, RANDOM_FUNCTION, aligned

FOLDER = pathlib.Path(__file__).parent / "vectors" / "mceliece"
SIZES = ["348864", "460896", "6688128", "6960119", "8192128"]
SETS = [f"mceliece{size}{form}" for size in SIZES for form in ("", "f")]
NAMES = [f"mceliece{size}{form}" for size in SIZES for form in ("", "f", "pc", "pcf")]

# Rows and used bits of a row's last byte.
ROWS = {"348864": 768, "460896": 1248, "6688128": 1664, "6960119": 1547, "8192128": 1664}

FUNCTIONS = {
    "kem_count": (c_size_t, []),
    "kem_at": (KEM, [c_size_t]),
    "kem_find": (KEM, [c_char_p]),
    "warning": (c_char_p, []),
    "encaps_random": (
        c_int,
        [KEM, BYTES, BYTES, BYTES, RANDOM_FUNCTION, c_void_p, c_void_p, c_size_t],
    ),
    "expand_secret_key": (c_int, [KEM, BYTES, BYTES, c_void_p, c_size_t]),
    "prepared_length": (c_size_t, [KEM]),
    "prepare_secret_key": (c_int, [KEM, c_void_p, c_size_t, BYTES, c_void_p, c_size_t]),
    "decaps_prepared": (c_int, [KEM, BYTES, BYTES, c_void_p, c_void_p, c_size_t]),
    "encaps_begin": (c_int, [KEM, c_void_p, RANDOM_FUNCTION, c_void_p]),
    "encaps_begin_derand": (c_int, [KEM, c_void_p, BYTES]),
    "encaps_absorb": (c_int, [c_void_p, BYTES, c_size_t]),
    "encaps_end": (c_int, [c_void_p, BYTES, BYTES]),
    "rows": (c_size_t, [KEM]),
    "rows_length": (c_size_t, [KEM]),
    "rows_begin": (c_int, [KEM, c_void_p, c_size_t, BYTES, c_void_p, c_size_t]),
    "rows_make": (c_int, [KEM, BYTES, c_size_t, c_size_t, c_void_p]),
}
ENCAPSULATION_BYTES = 8 * 288


def vectors(name):
    """Returns a file of vectors; decaps has the secret keys of the sets, too."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    return json.loads(path.read_text())


class Generator:
    """The generator of NIST's known-answer programs: AES-256 in counter mode, big-endian."""

    def __init__(self, seed):
        self._key, self._v = bytes(32), 0
        self._update(seed)

    def _blocks(self, length):
        cipher = Cipher(algorithms.AES(self._key), modes.ECB()).encryptor()
        out = b""
        while len(out) < length:
            self._v = (self._v + 1) % (1 << 128)
            out += cipher.update(self._v.to_bytes(16, "big"))
        return out[:length]

    def _update(self, data=bytes(48)):
        state = bytes(a ^ b for a, b in zip(self._blocks(48), data, strict=True))
        self._key, self._v = state[:32], int.from_bytes(state[32:], "big")

    def draw(self, length):
        out = self._blocks(length)
        self._update()
        return out


def synthetic_public_key(kem, item):
    """The public key of an item of encaps.json."""
    key = bytearray(hashlib.shake_256(item["pk_label"].encode()).digest(kem.length_public_key))
    if "6960119" in item["set"]:
        for end in range(676, len(key), 677):
            key[end] &= 0x1F
    for place, value in item.get("pk_xor", []):
        key[place] ^= value
    assert hashlib.sha256(key).hexdigest() == item["pk_sha256"]
    return bytes(key)


def source(draw):
    """Makes a codekem_random_function of draw(length)."""

    @RANDOM_FUNCTION
    def fill(_, out, length):
        data = draw(length)
        if data is None:
            return False
        ctypes.memmove(out, data, length)
        return True

    return fill


class McEliece:
    """The library in libcodekem_internals.so. Every call gets its memory from here."""

    def __init__(self, internals):
        self.library = internals
        self.functions = internals.c
        self.call = {}
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(internals.c, f"codekem_mceliece_{name}")
            function.restype, function.argtypes = result, arguments
            self.call[name] = function

    def kem(self, name):
        found = self.call["kem_find"](name.encode())
        if not found:
            raise KeyError(name)
        return found.contents

    def names(self):
        count = self.call["kem_count"]()
        return [self.call["kem_at"](i).contents.name for i in range(count)]

    def _run(self, call, kem, out_lengths, arguments, memory_length):
        """Returns (status, outputs); the workspace must be zero afterwards."""
        out = [ctypes.create_string_buffer(b"\xa5" * length, length) for length in out_lengths]
        memory = aligned(memory_length)
        if isinstance(call, str):
            call = self.library.call[f"kem_{call}"]
        status = call(kem, *out, *arguments, memory, memory_length)
        assert bytes(memory) == bytes(memory_length), "the call leaves something behind"
        return status, tuple(each.raw for each in out)

    def keypair(self, kem, seed):
        lengths = (kem.length_public_key, kem.length_secret_key)
        memory = kem.length_keypair_workspace
        status, out = self._run("keypair_workspace", kem, lengths, [seed], memory)
        self.library.check(status)
        return out

    def encaps(self, kem, public_key, draw):
        """Returns (status, ciphertext, secret); draw is a function, or a seed."""
        lengths = (kem.length_ciphertext, kem.length_shared_secret)
        memory = kem.length_encaps_workspace
        if isinstance(draw, bytes):
            status, out = self._run("encaps_workspace", kem, lengths, [public_key, draw], memory)
        else:
            arguments = [public_key, source(draw), None]
            call = self.call["encaps_random"]
            status, out = self._run(call, kem, lengths, arguments, memory)
        return status, *out

    def decaps(self, kem, ciphertext, secret_key):
        """Returns (status, secret)."""
        lengths = (kem.length_shared_secret,)
        arguments, memory = [ciphertext, secret_key], kem.length_decaps_workspace
        status, out = self._run("decaps_workspace", kem, lengths, arguments, memory)
        return status, out[0]

    def check_secret_key(self, kem, secret_key):
        memory = kem.length_check_workspace
        return self._run("check_secret_key_workspace", kem, (), [secret_key], memory)[0]

    def derive_public_key(self, kem, secret_key):
        lengths, memory = (kem.length_public_key,), kem.length_check_workspace
        status, out = self._run("derive_public_key_workspace", kem, lengths, [secret_key], memory)
        return status, out[0]

    def expand(self, kem, short_key):
        out, memory = ck.aligned(kem.length_secret_key), aligned(kem.length_check_workspace)
        status = self.call["expand_secret_key"](kem, out, short_key, memory, len(memory))
        assert not any(memory)
        return status, bytes(out)

    def encaps_in_pieces(self, kem, pieces, draw):
        """Returns (status, ciphertext, secret)."""
        state = ck.aligned(ENCAPSULATION_BYTES)
        if isinstance(draw, bytes):
            status = self.call["encaps_begin_derand"](kem, state, draw)
        else:
            status = self.call["encaps_begin"](kem, state, source(draw), None)
        self.library.check(status)
        for piece in pieces:
            self.library.check(self.call["encaps_absorb"](state, piece, len(piece)))
        ciphertext = ctypes.create_string_buffer(kem.length_ciphertext)
        secret = ctypes.create_string_buffer(kem.length_shared_secret)
        status = self.call["encaps_end"](state, ciphertext, secret)
        assert not any(state), "end leaves something behind"
        return status, ciphertext.raw, secret.raw

    def prepare(self, kem, secret_key):
        prepared = aligned(self.call["prepared_length"](kem))
        memory = aligned(kem.length_decaps_workspace)
        self.library.check(
            self.call["prepare_secret_key"](
                kem, prepared, len(prepared), secret_key, memory, len(memory)
            )
        )
        assert not any(memory)
        return prepared

    def decaps_prepared(self, kem, ciphertext, prepared):
        secret = ctypes.create_string_buffer(kem.length_shared_secret)
        memory = aligned(kem.length_decaps_workspace)
        status = self.call["decaps_prepared"](
            kem, secret, ciphertext, prepared, memory, len(memory)
        )
        assert not any(memory)
        return status, secret.raw
