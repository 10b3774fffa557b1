# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids through tests/hybrid/hybrid_check.c, on this processor or another, and their vectors."""

import functools
import hashlib
import json
import types

from tests import asked
from tools import known_answers
from tools.make_hybrid_vectors import change

LENGTHS = ["public_key", "secret_key", "ciphertext", "shared_secret", "seed", "encaps_seed"]
OK, ERROR_RANDOM, BAD_PUBLIC_KEY, BAD_SECRET_KEY, BAD_CIPHERTEXT, ERROR_INTERNAL = 0, 2, 4, 5, 6, 8
LABEL = 64


@functools.cache
def vectors():
    text = (known_answers.VECTORS / "hybrid.json").read_text(encoding="ascii")
    return json.loads(text)["vectors"]


class Program(asked.Process):
    """One process of hybrid_check. A hybrid is a pair: names of a KEM and of a group."""

    def __init__(self, command, backend):
        super().__init__(command, backend)
        self.of = functools.cache(self._of)

    def _request(self, letter, hybrid, *inputs, answer, number=0):
        return self._ask(f"{letter} {' '.join(hybrid)} {number}", *inputs, answer=answer)

    def _of(self, hybrid):
        """Returns the lengths, and the label."""
        got = self._request("i", hybrid, answer=4 * len(LENGTHS) + LABEL)
        numbers = [int.from_bytes(got[4 * i : 4 * i + 4], "little") for i in range(len(LENGTHS))]
        label = got[4 * len(LENGTHS) :].rstrip(b"\0").decode()
        return types.SimpleNamespace(label=label, **dict(zip(LENGTHS, numbers, strict=True)))

    def keypair(self, hybrid, seed):
        of = self.of(hybrid)
        assert len(seed) == of.seed
        got = self._request("k", hybrid, seed, answer=1 + of.public_key + of.secret_key)
        assert got[0] == OK
        return got[1 : 1 + of.public_key], got[1 + of.public_key :]

    def encaps(self, hybrid, public_key, seed=b"", randomness=b""):
        """Returns the status, the ciphertext and the shared secret."""
        of = self.of(hybrid)
        assert len(public_key) == of.public_key and len(seed) in (0, of.encaps_seed)
        answer = 1 + of.ciphertext + of.shared_secret
        inputs = public_key, seed or randomness
        got = self._request("e", hybrid, *inputs, answer=answer, number=len(randomness))
        return got[0], got[1 : 1 + of.ciphertext], got[1 + of.ciphertext :]

    def decaps(self, hybrid, ciphertext, secret_key):
        """Returns the status and the shared secret."""
        of = self.of(hybrid)
        assert (len(ciphertext), len(secret_key)) == (of.ciphertext, of.secret_key)
        got = self._request("d", hybrid, ciphertext, secret_key, answer=1 + of.shared_secret)
        return got[0], got[1:]

    def public_key_of(self, hybrid, secret_key):
        got = self._request("p", hybrid, secret_key, answer=1 + self.of(hybrid).public_key)
        assert got[0] == OK
        return got[1:]

    def check(self, what, hybrid, data):
        """Returns the status of a check: "c" of a secret key, "u" a public key, "y" a ciphertext"""
        return self._request(what, hybrid, data, answer=1)[0]

    def x25519(self, scalar, point):
        return self._request("x", ("HQC-1", "X25519"), scalar, point, answer=32)


def check_vector(program, vector):
    """Demands all that a vector says."""
    hybrid = vector["kem"], vector["group"]
    seed, encaps_seed = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["encaps_seed"])
    assert program.of(hybrid).label == vector["label"]
    public_key, secret_key = program.keypair(hybrid, seed)
    assert secret_key.startswith(seed)
    assert hashlib.sha256(public_key).hexdigest() == vector["public_key_sha256"]
    status, ciphertext, secret = program.encaps(hybrid, public_key, encaps_seed)
    assert (status, secret.hex()) == (OK, vector["shared_secret"])
    assert hashlib.sha256(ciphertext).hexdigest() == vector["ciphertext_sha256"]
    assert program.decaps(hybrid, ciphertext, secret_key) == (OK, secret)
    for one in vector["altered"]:
        expected = one["shared_secret"]
        status, secret = program.decaps(hybrid, change(ciphertext, one), secret_key)
        assert (status, secret) == (
            (BAD_CIPHERTEXT, bytes(32)) if expected is None else (OK, bytes.fromhex(expected))
        )
    for one in vector["keys"]:
        expected = one["shared_secret"]
        status, altered, secret = program.encaps(hybrid, change(public_key, one), encaps_seed)
        assert (status, secret) == (
            (BAD_PUBLIC_KEY, bytes(32)) if expected is None else (OK, bytes.fromhex(expected))
        )
        assert (status == OK) == (altered != bytes(len(altered)))
