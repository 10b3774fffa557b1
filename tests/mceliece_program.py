# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece through tests/mceliece/mceliece_check.c, on this processor or another."""

import functools
import types

from tests import asked

FIELDS = ["length_public_key", "length_secret_key", "length_ciphertext", "rows"]
SECRET = 32
# Attempts to draw an error for which randomness is sent along; three are enough on average.
ATTEMPTS = 40


class Program(asked.Process):
    """One process of mceliece_check, with methods as those of McEliece; use it in a `with`."""

    def __init__(self, command, backend):
        super().__init__(command, backend)
        self.kem = functools.cache(self._kem)

    def _ask_status(self, line, *inputs, lengths=()):
        """Returns the status and the outputs."""
        got = self._ask(line, *inputs, answer=1 + sum(lengths))
        parts, start = [], 1
        for length in lengths:
            parts.append(got[start : start + length])
            start += length
        return got[0], *parts

    def _kem(self, name):
        got = self._ask(f"i {name}", answer=4 * len(FIELDS))
        numbers = [int.from_bytes(got[i : i + 4], "little") for i in range(0, len(got), 4)]
        return types.SimpleNamespace(name=name, **dict(zip(FIELDS, numbers, strict=True)))

    def keypair(self, kem, seed):
        status, *keys = self._ask_status(
            f"k {kem.name}", seed, lengths=(kem.length_public_key, kem.length_secret_key)
        )
        assert status == 0
        return tuple(keys)

    def encaps(self, kem, public_key, draw):
        """Returns (status, ciphertext, secret); draw is a function, or a seed."""
        random, length = draw, 0
        if not isinstance(draw, bytes):
            request = {"348864": 256, "460896": 384, "6960119": 476, "8192128": 256}
            size = next((n for size, n in request.items() if size in kem.name), 512)
            random = b"".join(draw(size) for _ in range(ATTEMPTS))
            length = len(random)
        return self._ask_status(
            f"e {kem.name} {length}",
            *(public_key, random),
            lengths=(kem.length_ciphertext, SECRET),
        )

    def encaps_in_pieces(self, kem, public_key, seed, piece):
        return self._ask_status(
            f"a {kem.name} {piece}", public_key, seed, lengths=(kem.length_ciphertext, SECRET)
        )

    def decaps(self, kem, ciphertext, secret_key):
        """Returns (status, secret); the program has compared with a prepared key."""
        return self._ask_status(f"d {kem.name}", ciphertext, secret_key, lengths=(SECRET,))

    def expand(self, kem, short_key):
        return self._ask_status(f"x {kem.name}", short_key, lengths=(kem.length_secret_key,))

    def check_secret_key(self, kem, secret_key):
        return self._ask_status(f"c {kem.name}", secret_key)[0]

    def derive_public_key(self, kem, secret_key):
        return self._ask_status(f"p {kem.name}", secret_key, lengths=(kem.length_public_key,))

    def rows(self, kem, secret_key, first, count):
        """Returns (status, rows)."""
        length = count * (kem.length_public_key // kem.rows)
        return self._ask_status(f"r {kem.name} {first} {count}", secret_key, lengths=(length,))
