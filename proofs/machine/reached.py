#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Says which instructions the operations of KEMs run, and no proof ran.

usage: reached.py LIBRARY RECORD [--backend NAME...] [--kem NAME...]

RECORD is what prove.py wrote about the library. Keys and secrets are made on each back end of this
processor, alone and in batches, and random ciphertexts are opened; reached.c notes what runs in the
library's back ends. What is left is printed by function. The exit status is 1 if something is left.
"""

import argparse
import ctypes
import pathlib
import secrets
import subprocess
import sys
import tempfile

from proofs.machine.calls import BACKENDS
from proofs.machine.library import Library
from proofs.machine.mutations import executed_by
from proofs.machine.report import functions, instructions

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = (1, 2, 3, 4, 5, 8, 9, 17)  # in a batch
RANDOM = 40  # ciphertexts that were made for no key
NOT_CONSTANT_TIME = "reference"  # which has no tables that are proved


class Kem(ctypes.Structure):
    """The beginning of codekem_kem (include/codekem.h)."""

    _fields_ = (
        *((name, ctypes.c_char_p) for name in ("method_name", "alg_version", "security")),
        ("claimed_nist_level", ctypes.c_uint8),
        ("ind_cca", ctypes.c_bool),
        *((f"length_{x}", ctypes.c_size_t) for x in ("public", "secret", "ciphertext", "shared")),
    )


class Operations:
    """A library that runs here."""

    def __init__(self, path):
        self.loaded = ctypes.CDLL(str(pathlib.Path(path).resolve()))
        self.loaded.codekem_kem_at.restype = ctypes.POINTER(Kem)
        self.loaded.codekem_backend_name.restype = ctypes.c_char_p

    def backends(self):
        """Yields the names of back ends that this processor has, each while it is in use."""
        for index in map(ctypes.c_size_t, range(self.loaded.codekem_backend_count())):
            name = self.loaded.codekem_backend_name(index)
            if self.loaded.codekem_backend_select(name) == 0:
                yield name.decode()

    def kems(self):
        """Yields all KEMs."""
        for index in range(self.loaded.codekem_kem_count()):
            yield self.loaded.codekem_kem_at(ctypes.c_size_t(index))

    def run(self, kem):
        """Runs all operations of a KEM; raises ValueError if one fails."""
        for count in (None, *COUNTS):
            self._exchange(kem, count)
        lengths = kem.contents
        public, secret = self._buffers(1, lengths.length_public, lengths.length_secret)
        shared = ctypes.create_string_buffer(lengths.length_shared)
        self._call("keypair", kem, public, secret)
        self._call("check_public_key", kem, public)
        self._call("check_secret_key", kem, secret)
        self._call("derive_public_key", kem, public, secret)
        for _ in range(RANDOM):
            self._call(
                "decaps", kem, shared, secrets.token_bytes(lengths.length_ciphertext), secret
            )

    def _exchange(self, kem, count):
        """Agrees on secrets, alone (None) or in a batch, there also all for one key."""
        length = kem.contents
        public, secret, ciphertext, *shared = self._buffers(
            count or 1, length.length_public, length.length_secret, length.length_ciphertext,
            length.length_shared, length.length_shared)  # fmt: skip
        batch, counted = ("", []) if count is None else ("_batch", [ctypes.c_size_t(count)])
        self._call(f"keypair{batch}", kem, *counted, public, secret, *counted and [None])
        for one in (False, True) if counted else (False,):
            strides = [length.length_public, length.length_secret]
            of_public, of_secret = (
                [ctypes.c_size_t(0 if one else stride), None] if counted else []
                for stride in strides
            )
            self._call(f"encaps{batch}", kem, *counted, ciphertext, shared[0], public, *of_public)
            self._call(f"decaps{batch}", kem, *counted, shared[1], ciphertext, secret, *of_secret)
            if shared[0].raw != shared[1].raw:
                raise ValueError("two secrets differ")

    @staticmethod
    def _buffers(count, *lengths):
        return [ctypes.create_string_buffer(count * length) for length in lengths]

    def _call(self, name, *arguments):
        status = self.loaded[f"codekem_kem_{name}"](*arguments)
        if status != 0:
            raise ValueError(f"{name}: status {status}")


def watched(library, loaded, folder):
    """Lets all instructions of back ends be noted; returns a function that says their addresses
    that have run."""
    made = pathlib.Path(folder) / "reached.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", str(HERE / "reached.c"), "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    start, end = library.text
    known = library.named("codekem_version").address
    moved = ctypes.cast(loaded.codekem_version, ctypes.c_void_p).value - known
    places = [at - start for s in functions(library, BACKENDS) for at in instructions(library, s)]
    before = ctypes.create_string_buffer(library.read(start, end - start), end - start)
    ran = ctypes.create_string_buffer(end - start)
    listed = (ctypes.c_uint64 * len(places))(*places)
    status = ctypes.CDLL(str(made)).ckem_reached_watch(
        ctypes.c_void_p(moved + start), ctypes.c_size_t(end - start), listed,
        ctypes.c_size_t(len(places)), before, ran)  # fmt: skip
    if status != 0:
        raise OSError("the library's code cannot be changed here")
    return lambda: {start + at for at, byte in enumerate(ran.raw) if byte}


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--backend", nargs="+", metavar="NAME")
    parser.add_argument("--kem", nargs="+", metavar="NAME")
    options = parser.parse_args()
    try:
        library, operations = Library(options.library), Operations(options.library)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    proved, asked = executed_by(library, options.record), 0
    with tempfile.TemporaryDirectory() as folder:
        ran = watched(library, operations.loaded, folder)
        for backend in operations.backends():
            for kem in operations.kems() if backend != NOT_CONSTANT_TIME else ():
                name = kem.contents.method_name.decode()
                if backend in (options.backend or [backend]) and name in (options.kem or [name]):
                    operations.run(kem)
                    asked += 1
    if not asked:
        parser.error("no such back end here, or no such KEM")
    reached = ran()
    for symbol in functions(library, BACKENDS):
        left = (reached - proved.keys()).intersection(instructions(library, symbol))
        if left:
            print(f"{symbol.name}: {len(left)}, the first is {min(left) - symbol.address:#x}")
    print(f"{len(reached & proved.keys())} of {len(reached)} instructions that ran are proved")
    sys.exit(not reached <= proved.keys())


if __name__ == "__main__":
    main()
