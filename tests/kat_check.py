# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the program kat_check (tests/kat/kat_check.c), natively or under an emulator."""

import functools
import subprocess

from tools import known_answers

# Not those that need OpenSSL, and of v4.2 the smallest.
KEMS = [
    "BIKE-L1",
    "BIKE-L3",
    "BIKE-L5",
    "BIKE-L1-v4.2-sha3",
    "BIKE-L1-v4.2-sha3-bind",
    "HQC-1",
    "HQC-3",
    "HQC-5",
    "HQC-128-2023",
    "HQC-192-2023",
    "HQC-256-2023",
]


@functools.cache
def text_of(kem, record_limit):
    return known_answers.text_of(kem, record_limit)


def run_kat_check(folder, kem, backend, prefix=(), record_limit=None):
    """Checks the known answers of a KEM; prefix is the emulator with its arguments."""
    check_text(folder, text_of(kem, record_limit), backend, prefix)


def check_text(folder, text, backend, prefix=()):
    """Checks the cases of a text as tools/known_answers.py describes it."""
    done = subprocess.run(
        [*prefix, str(folder / "bin" / "kat_check"), backend],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{text.count('run')} cases agree ({backend})\n"
