# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-mceliece, with memory of the caller, and its vectors."""

import gzip
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.c_library import FFI, Calls, aligned, source
from tests.library import in_workspace

FOLDER = pathlib.Path(__file__).parent / "vectors" / "mceliece"
SIZES = ["348864", "460896", "6688128", "6960119", "8192128"]
SETS = [f"mceliece{size}{form}" for size in SIZES for form in ("", "f")]
NAMES = [f"mceliece{size}{form}" for size in SIZES for form in ("", "f", "pc", "pcf")]

# Rows and used bits of a row's last byte.
ROWS = {"348864": 768, "460896": 1248, "6688128": 1664, "6960119": 1547, "8192128": 1664}


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


class McEliece:
    """The library in libcodekem_internals.so. Every call gets its memory from here."""

    def __init__(self, internals):
        self.library = internals
        self.call = Calls(internals.c, "codekem_mceliece_")

    def kem(self, name):
        return self.library.kem(name, "mceliece_")

    def names(self):
        return [kem.name for kem in self.library.kems("mceliece_")]

    def _run(self, call, kem, out_lengths, arguments, memory_length, **members):
        """Returns (status, outputs); the workspace must be zero afterwards. A call by its name has
        it in its options, with other members."""
        out = [bytearray(b"\xa5" * length) for length in out_lengths]
        memory = aligned(memory_length)
        if isinstance(call, str):
            chosen = in_workspace(memory, memory_length, **members)
            status = self.library.call[f"kem_{call}_with"](kem, *out, *arguments, chosen)
        else:
            status = call(kem, *out, *arguments, memory, memory_length)
        assert memory == bytes(memory_length), "the call leaves something behind"
        return status, tuple(map(bytes, out))

    def keypair(self, kem, seed):
        lengths = (kem.length_public_key, kem.length_secret_key)
        memory = kem.length_keypair_workspace
        status, out = self._run("keypair", kem, lengths, [], memory, seed=seed)
        self.library.check(status)
        return out

    def encaps(self, kem, public_key, draw):
        """Returns (status, ciphertext, secret); draw is a function, or a seed."""
        lengths = (kem.length_ciphertext, kem.length_shared_secret)
        memory = kem.length_encaps_workspace
        if isinstance(draw, bytes):
            status, out = self._run("encaps", kem, lengths, [public_key], memory, seed=draw)
        else:
            arguments = [public_key, source(draw), None]
            call = self.call["encaps_random"]
            status, out = self._run(call, kem, lengths, arguments, memory)
        return status, *out

    def decaps(self, kem, ciphertext, secret_key):
        """Returns (status, secret)."""
        lengths = (kem.length_shared_secret,)
        arguments, memory = [ciphertext, secret_key], kem.length_decaps_workspace
        status, out = self._run("decaps", kem, lengths, arguments, memory)
        return status, out[0]

    def check_secret_key(self, kem, secret_key):
        memory = kem.length_check_workspace
        return self._run("check_secret_key", kem, (), [secret_key], memory)[0]

    def derive_public_key(self, kem, secret_key):
        lengths, memory = (kem.length_public_key,), kem.length_check_workspace
        status, out = self._run("derive_public_key", kem, lengths, [secret_key], memory)
        return status, out[0]

    def expand(self, kem, short_key):
        call, memory = self.call["expand_secret_key"], kem.length_check_workspace
        status, out = self._run(call, kem, [kem.length_secret_key], [short_key], memory)
        return status, out[0]

    def encaps_in_pieces(self, kem, pieces, draw):
        """Returns (status, ciphertext, secret)."""
        state = FFI.new("codekem_mceliece_encapsulation *")
        if isinstance(draw, bytes):
            status = self.call["encaps_begin_derand"](kem, state, draw)
        else:
            status = self.call["encaps_begin"](kem, state, source(draw), None)
        self.library.check(status)
        for piece in pieces:
            self.library.check(self.call["encaps_absorb"](state, piece, len(piece)))
        ciphertext = bytearray(kem.length_ciphertext)
        secret = bytearray(kem.length_shared_secret)
        status = self.call["encaps_end"](state, ciphertext, secret)
        assert not any(state.words), "end leaves something behind"
        return status, bytes(ciphertext), bytes(secret)

    def prepare(self, kem, secret_key):
        prepared = aligned(self.call["prepared_length"](kem))
        arguments, memory = [prepared, len(prepared), secret_key], kem.length_decaps_workspace
        status, _ = self._run(self.call["prepare_secret_key"], kem, [], arguments, memory)
        self.library.check(status)
        return prepared

    def decaps_prepared(self, kem, ciphertext, prepared):
        call, memory = self.call["decaps_prepared"], kem.length_decaps_workspace
        lengths = [kem.length_shared_secret]
        status, out = self._run(call, kem, lengths, [ciphertext, prepared], memory)
        return status, out[0]
