# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks of Classic McEliece against its vectors, for whoever has its operations: the library
(mceliece_library.McEliece), or a program on some processor (mceliece_program.Program)."""

import functools
import hashlib

from tests.library import STATUS
from tests.mceliece_library import ROWS, Generator, synthetic_public_key, vectors
from tests.samples import counting, flipped

# What the vectors call a refused input.
REFUSED = -1
stored = functools.cache(vectors)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def items_of(file, name, least=1):
    """Returns the items of a set in a file of vectors."""
    found = [item for item in stored(file)["items"] if item["set"] == name]
    assert len(found) >= least
    return found


def record_text(count, seed, *values):
    names = ["seed", "pk", "sk", "ct", "ss"]
    lines = [
        f"{name} = {value.hex().upper()}"
        for name, value in zip(names, (seed, *values), strict=True)
    ]
    return "\n".join([f"count = {count}", *lines, ""]).encode()


def check_record(mceliece, name, number=0):
    """Makes a published record again; returns its text."""
    record = stored("digests")["sets"][name]["records"][number]
    kem, seed = mceliece.kem(name), bytes.fromhex(record["seed"])
    generator = Generator(seed)
    public_key, secret_key = mceliece.keypair(kem, generator.draw(32))
    assert sha256(public_key) == record["pk_sha256"]
    assert sha256(secret_key) == record["sk_sha256"]
    assert secret_key[:32].hex() == record["delta"]
    status, ciphertext, secret = mceliece.encaps(kem, public_key, generator.draw)
    assert (status, ciphertext.hex(), secret.hex()) == (STATUS.OK, record["ct"], record["ss"])
    assert mceliece.decaps(kem, ciphertext, secret_key) == (STATUS.OK, secret)
    return record_text(record["count"], seed, public_key, secret_key, ciphertext, secret)


def check_ciphertexts(mceliece, name):
    """Weights from 0 to 2 t, the support's 0, wrong keys, unused bits."""
    kem = mceliece.kem(name)
    for item in items_of("decaps", name, least=2):
        secret_key = bytes.fromhex(stored("decaps")["sk"][item["sk"]])
        result = mceliece.decaps(kem, bytes.fromhex(item["ct"]), secret_key)
        if item["status"] == REFUSED:
            assert result == (STATUS.ERROR_CIPHERTEXT, bytes(32)), item["what"]
        else:
            assert result == (STATUS.OK, bytes.fromhex(item["ss"])), item["what"]


def padded(data, length):
    return data.ljust(length, b"\0")


def randomness(item):
    """Returns the randomness of an item: a seed, or a function that draws."""
    if "drbg_seed" in item:
        return Generator(bytes.fromhex(item["drbg_seed"])).draw
    if "derand_seed" in item:
        return bytes.fromhex(item["derand_seed"])
    numbers = b"".join(place.to_bytes(2, "little") for place in item["e_positions"])
    return functools.partial(padded, numbers)


def check_encapsulation(mceliece, name):
    """Drawn and given errors, seeds, and public keys with unused bits."""
    kem = mceliece.kem(name)
    for item in items_of("encaps", name):
        public_key = synthetic_public_key(kem, item)
        status, ciphertext, secret = mceliece.encaps(kem, public_key, randomness(item))
        refused = item["status"] == REFUSED
        assert status == (STATUS.ERROR_PUBLIC_KEY if refused else STATUS.OK), item["what"]
        assert (ciphertext.hex(), secret.hex()) == (item["ct"], item["ss"]), item["what"]


def check_keys_of_seeds(mceliece, name, most=None):
    """A first attempt that fails in the ordering of the field, and up to nine attempts."""
    kem = mceliece.kem(name)
    for item in items_of("keygen", name)[:most]:
        public_key, secret_key = mceliece.keypair(kem, bytes.fromhex(item["seed"]))
        assert secret_key[:32].hex() == item["delta"]
        assert secret_key[32:40] == bytes.fromhex(item["pivots"])[::-1]
        assert (sha256(public_key), sha256(secret_key)) == (item["pk_sha256"], item["sk_sha256"])


def check_confirmation(mceliece, name):
    """Ciphertexts with a hash of the error, genuine and altered."""
    secret_key = bytes.fromhex(stored("decaps")["sk"][name.replace("pc", "")])
    kem = mceliece.kem(name)
    for item in items_of("pc", name, least=3):
        result = mceliece.decaps(kem, bytes.fromhex(item["ct"]), secret_key)
        assert result == (STATUS.OK, bytes.fromhex(item["ss"])), item["what"]


def check_large_keys(program, name):
    """Short keys, derived and checked keys, pieces and rows, of a key of the vectors; by a
    Program."""
    kem = program.kem(name)
    secret_key = bytes.fromhex(stored("decaps")["sk"][name])
    assert program.expand(kem, secret_key[:40]) == (STATUS.OK, secret_key)
    assert program.check_secret_key(kem, secret_key) == STATUS.OK
    assert program.check_secret_key(kem, flipped(secret_key, 300, 1)) == STATUS.ERROR_SECRET_KEY
    status, public_key = program.derive_public_key(kem, secret_key)
    record = stored("digests")["sets"][name]["records"][0]
    assert (status, sha256(public_key)) == (STATUS.OK, record["pk_sha256"])
    count = ROWS[name.removeprefix("mceliece").removesuffix("f")]
    row = len(public_key) // count
    for first, number in [(0, 1), (100, 33), (count - 1, 1)]:
        expected = public_key[first * row : (first + number) * row]
        assert program.rows(kem, secret_key, first, number) == (STATUS.OK, expected)
    expected = program.encaps(kem, public_key, counting(32))
    for piece in (8 * row, 1001):
        assert program.encaps_in_pieces(kem, public_key, counting(32), piece) == expected
    assert program.decaps(kem, expected[1], secret_key) == (STATUS.OK, expected[2])
