# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the programs of evaluation/peers/hqc2023: HQC of 2023 of other libraries."""

import os
import subprocess

LIBRARIES = {"liboqs": "liboqs 0.13 (crate oqs-sys 0.11)", "pqclean": "crate pqcrypto-hqc 0.2.2"}


class Peer:
    """One program. random is what the library gets as randomness; None: the system's."""

    def __init__(self, program):
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.communicate()

    def _ask(self, *words):
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().split()

    def keypair(self, bits, random=None):
        """Returns public key and secret key."""
        return [bytes.fromhex(word) for word in self._ask("keypair", bits, _hex(random))]

    def encaps(self, bits, public_key, random=None):
        """Returns ciphertext and shared secret."""
        answer = self._ask("encaps", bits, public_key.hex(), _hex(random))
        return [bytes.fromhex(word) for word in answer]

    def decaps(self, bits, ciphertext, secret_key):
        """Returns whether the ciphertext was accepted, and the shared secret."""
        status, secret = self._ask("decaps", bits, ciphertext.hex(), secret_key.hex())
        assert status in ("0", "-1")
        return status == "0", bytes.fromhex(secret)

    def speed(self, bits, rounds):
        """Returns the median times of keypair, encaps and decaps in nanoseconds."""
        return [int(word) for word in self._ask("speed", bits, rounds)]


def _hex(random):
    return "-" if random is None else random.hex()


def build(root, folder, library):
    """Builds the program of a library into a folder; returns its path, and what cargo printed."""
    made = subprocess.run(
        ["cargo", "build", "--release", "--locked", "--features", library],
        cwd=root / "evaluation" / "peers" / "hqc2023",
        env={**os.environ, "CARGO_TARGET_DIR": str(folder / library)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    program = folder / library / "release" / "hqc2023-peer"
    return (program if made.returncode == 0 else None), made.stdout
