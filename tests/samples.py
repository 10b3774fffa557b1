# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small helpers of the tests that call the library: an honest exchange, damaged copies, buffers."""

import os
import subprocess
import sys
from typing import NamedTuple

from hypothesis import strategies as st

from tests.c_library import shared_library
from tests.library import Kem
from tools.source_folders import ROOT

BIKE = ["BIKE-L1", "BIKE-L3", "BIKE-L5"]


class Exchange(NamedTuple):
    """A key pair, a ciphertext for it and their secret."""

    kem: Kem
    public_key: bytes
    secret_key: bytes
    ciphertext: bytes
    shared: bytes


def counting(length, start=0):
    """Returns start, start + 1, ... as bytes: a seed that is easy to type."""
    return bytes((start + i) % 256 for i in range(length))


def honest_exchange(library, name):
    """Makes the exchange that fixed seeds give."""
    kem = library.kem(name)
    public_key, secret_key = library.keypair(kem, counting(kem.length_keypair_seed))
    ciphertext, shared = library.encaps(kem, public_key, counting(kem.length_encaps_seed, 100))
    return Exchange(kem, public_key, secret_key, ciphertext, shared)


def flipped(data, position, mask=0xFF):
    """Returns data with the bits of mask toggled in one byte."""
    out = bytearray(data)
    out[position] ^= mask
    return bytes(out)


def dirty(length):
    """Returns a buffer full of A5."""
    return bytearray(b"\xa5" * length)


def buffers(kem):
    """Returns a dirty buffer for every output of a KEM."""
    return {
        field: dirty(getattr(kem, f"length_{field}"))
        for field in ["public_key", "secret_key", "ciphertext", "shared_secret"]
    }


def draw_seeds(data, kem):
    """Draws seeds of the right lengths for keypair and encaps, with Hypothesis."""
    return tuple(
        data.draw(st.binary(min_size=length, max_size=length))
        for length in (kem.length_keypair_seed, kem.length_encaps_seed)
    )


def run_python(script, folder, **environment):
    """Runs a script in a new process, with the path of the shared library as its argument."""
    return subprocess.run(
        [sys.executable, "-c", script, str(folder / shared_library("codekem"))],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
