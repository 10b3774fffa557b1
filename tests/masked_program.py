# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC in shares through tests/masked/masked_check.c, on this processor or another."""

import functools
import hashlib
import random
import subprocess
import types

from tests import asked
from tools import known_answers

KEMS = ["HQC-1", "HQC-3", "HQC-5"]
OK, ERROR_NULL, ERROR_RANDOM = 0, 1, 2
LENGTHS = "shares public_key secret_key plain_key ciphertext keypair_seed encaps_seed workspace"
SECRET = 32


def share(value, shares, generator):
    """Returns a value as fresh shares, one behind the other."""
    masks = [generator.randbytes(len(value)) for _ in range(shares - 1)]
    last = functools.reduce(xor, masks, value)
    return b"".join([*masks, last])


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def join(shares, length):
    """Returns the value of shares of so many bytes."""
    parts = [shares[i : i + length] for i in range(0, len(shares), length)]
    return functools.reduce(xor, parts)


class Program(asked.Process):
    """One process of masked_check."""

    def __init__(self, command, backend, seed=1):
        super().__init__(command, backend)
        self.of = functools.cache(self._of)
        self.generator = random.Random(seed)

    def _request(self, letter, kem, *inputs, answer, number=0):
        return self._ask(f"{letter} {kem} {number}", *inputs, answer=answer)

    def _of(self, kem):
        names = LENGTHS.split()
        got = self._request("i", kem, answer=4 * len(names))
        numbers = [int.from_bytes(got[4 * i : 4 * i + 4], "little") for i in range(len(names))]
        return types.SimpleNamespace(**dict(zip(names, numbers, strict=True)))

    def keypair(self, kem, seed):
        """Returns the public key, and the secret key in shares."""
        of = self.of(kem)
        shares = share(seed, of.shares, self.generator)
        got = self._request("k", kem, shares, answer=1 + of.public_key + of.secret_key)
        assert got[0] == OK
        return got[1 : 1 + of.public_key], got[1 + of.public_key :]

    def imported(self, kem, plain):
        of = self.of(kem)
        assert len(plain) == of.plain_key
        got = self._request("m", kem, plain, answer=1 + of.secret_key)
        assert got[0] == OK
        return got[1:]

    def refreshed(self, kem, secret_key):
        got = self._request("r", kem, secret_key, answer=1 + self.of(kem).secret_key)
        assert got[0] == OK
        return got[1:]

    def encaps(self, kem, public_key, seed):
        """Returns the ciphertext and the secret."""
        of = self.of(kem)
        shares = share(seed, of.shares, self.generator)
        answer = 1 + of.ciphertext + of.shares * SECRET
        got = self._request("e", kem, public_key, shares, answer=answer)
        assert got[0] == OK
        return got[1 : 1 + of.ciphertext], join(got[1 + of.ciphertext :], SECRET)

    def decaps_shares(self, kem, ciphertext, secret_key, most=None):
        """Returns the status, the shares of the secret, and how many bytes of masks it took; with
        most the source of masks fails after so many."""
        of = self.of(kem)
        letter = "d" if most is None else "f"
        answer = 1 + of.shares * SECRET + 4
        got = self._request(letter, kem, ciphertext, secret_key, answer=answer, number=most or 0)
        return got[0], got[1:-4], int.from_bytes(got[-4:], "little")

    def decaps(self, kem, ciphertext, secret_key):
        status, shares, _ = self.decaps_shares(kem, ciphertext, secret_key)
        assert status == OK
        return join(shares, SECRET)


class Probes:
    """masked_probes, which records every value behind a barrier."""

    def __init__(self, path):
        self.path = path

    def _lines(self, *words):
        done = subprocess.run(
            [self.path, *map(str, words)], check=True, capture_output=True, text=True
        )
        return [line.split() for line in done.stdout.splitlines()]

    def exact(self):
        """Returns {gadget: (values, values that leak, wrong results, sharings not uniform)}."""
        return {name: tuple(map(int, numbers)) for name, *numbers in self._lines("exact")}

    def values(self, runs):
        """Returns how many random words came out of each decoder otherwise than in libcodekem."""
        ((symbols, noise),) = self._lines("values", runs)
        return int(symbols), int(noise)

    def orders(self, runs):
        """Returns how many random orders are none, and how far from even they are, in standard
        deviations."""
        ((wrong, far),) = self._lines("orders", runs)
        return int(wrong), float(far)

    def sample(self, name, runs):
        """Returns the number of points, the largest |t|, how many are above the limit, and it."""
        ((points, largest, above, limit),) = self._lines(name, runs)
        return int(points), float(largest), int(above), float(limit)


def check_exact(probes):
    found = probes.exact()
    assert len(found) == 13
    for gadget, (values, *wrong) in found.items():
        assert values >= 4 and wrong == [0, 0, 0], gadget


def check_orders(probes):
    wrong, far = probes.orders(100_000)
    assert wrong == 0
    assert far < 5  # of 256 counts, once in 7,000 seeds; there is one seed


def check_sample(probes, name, runs, points):
    """Demands that nothing leaks in so many runs of each class, on at least so many points."""
    count, largest, above, limit = probes.sample(name, runs)
    assert count >= points
    assert above == 0, f"{name}: t = {largest} above {limit}"


def check_records(program, kem, count):
    """Demands the first records of the published response file: key pair, ciphertext, secrets."""
    for record in known_answers.read_records(kem)[:count]:
        keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
        public_key, secret_key = program.keypair(kem, keypair_seed)
        assert public_key == record["pk"]
        assert program.encaps(kem, public_key, encaps_seed) == (record["ct"], record["ss"])
        assert program.decaps(kem, record["ct"], secret_key) == record["ss"]
        again = program.refreshed(kem, program.imported(kem, record["sk"]))
        assert program.decaps(kem, record["ct"], again) == record["ss"]


def check_altered(program, kem, step=1):
    """Demands the published secrets of altered ciphertexts, or of every step-th."""
    cases = list(known_answers.rejections(kem))
    assert {accepted for *_, accepted in cases} == {True, False}
    keys = {}
    for what, ciphertext, plain, secret, _ in cases[::step]:
        if plain not in keys:
            keys[plain] = program.imported(kem, plain)
        assert program.decaps(kem, ciphertext, keys[plain]) == secret, what


def check_noisy(program, kem, cases, step=1):
    """The same for ciphertexts with every number of wrong symbols: cases of decoder_cases."""
    for ciphertext, plain, secret in list(cases)[::step]:
        assert program.decaps(kem, ciphertext, program.imported(kem, plain)) == secret


def check_level(program, kem, count, noisy):
    """All of these, with so many records."""
    check_records(program, kem, count)
    check_altered(program, kem)
    check_noisy(program, kem, noisy)


def check_padded(program, kem, case):
    """The same for a public key with an unused bit: what decoder_cases.padded_hqc_case returns."""
    public_key, seed, digest, secret = case
    ciphertext, made = program.encaps(kem, public_key, seed)
    assert (hashlib.sha256(ciphertext).hexdigest(), made) == (digest, secret)
