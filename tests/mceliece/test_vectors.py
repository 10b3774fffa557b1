# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers of every set, tampered ciphertexts, public keys with unused bits set."""

import functools
import hashlib
import itertools
import subprocess

import pytest

import codekem_ctypes as ck
from mceliece_ctypes import NAMES, SETS, Generator, synthetic_public_key

# What the vectors call a refused input.
REFUSED = -1
LONG = pytest.mark.long


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def padded(data, length):
    return data.ljust(length, b"\0")


def record_text(count, seed, *values):
    names = ["seed", "pk", "sk", "ct", "ss"]
    lines = [
        f"{name} = {value.hex().upper()}"
        for name, value in zip(names, (seed, *values), strict=True)
    ]
    return "\n".join([f"count = {count}", *lines, ""]).encode()


def check_record(mceliece, name, record):
    """Makes the record again; returns its text."""
    kem, seed = mceliece.kem(name), bytes.fromhex(record["seed"])
    generator = Generator(seed)
    public_key, secret_key = mceliece.keypair(kem, generator.draw(32))
    assert sha256(public_key) == record["pk_sha256"]
    assert sha256(secret_key) == record["sk_sha256"]
    assert secret_key[:32].hex() == record["delta"]
    status, ciphertext, secret = mceliece.encaps(kem, public_key, generator.draw)
    assert (status, ciphertext.hex(), secret.hex()) == (ck.OK, record["ct"], record["ss"])
    assert mceliece.decaps(kem, ciphertext, secret_key) == (ck.OK, secret)
    return record_text(record["count"], seed, public_key, secret_key, ciphertext, secret)


@pytest.mark.parametrize("name", SETS)
def test_record_0(name, fast_backend_name, mceliece, stored):
    digests = stored("digests")["sets"][name]
    with mceliece.library.backend(fast_backend_name):
        text = check_record(mceliece, name, digests["records"][0])
    assert sha256(text) == digests["single"]


@LONG
@pytest.mark.parametrize("name", SETS)
def test_all_records_match_the_published_digest(name, fast_backend_name, mceliece, stored):
    digests = stored("digests")["sets"][name]
    with mceliece.library.backend(fast_backend_name):
        texts = [check_record(mceliece, name, record) for record in digests["records"]]
    assert sha256(b"\n".join(texts)) == digests["all"]


@pytest.mark.parametrize("name", SETS)
def test_tampered_ciphertexts(name, fast_backend_name, mceliece, stored):
    """Weights from 0 to 2 t, the support's 0, wrong keys, unused bits."""
    file, kem = stored("decaps"), mceliece.kem(name)
    items = [item for item in file["items"] if item["set"] == name]
    assert len(items) >= 2
    with mceliece.library.backend(fast_backend_name):
        for item in items:
            secret_key = bytes.fromhex(file["sk"][item["sk"]])
            result = mceliece.decaps(kem, bytes.fromhex(item["ct"]), secret_key)
            if item["status"] == REFUSED:
                assert result == (ck.ERROR_CIPHERTEXT, bytes(32)), item["what"]
            else:
                assert result == (ck.OK, bytes.fromhex(item["ss"])), item["what"]


@pytest.mark.parametrize("name", SETS[::2])
def test_encapsulation_alone(name, fast_backend_name, mceliece, stored):
    """Drawn and given errors, seeds, and public keys with unused bits."""
    kem = mceliece.kem(name)
    items = [item for item in stored("encaps")["items"] if item["set"] == name]
    assert items
    with mceliece.library.backend(fast_backend_name):
        for item in items:
            public_key = synthetic_public_key(kem, item)
            if "drbg_seed" in item:
                draw = Generator(bytes.fromhex(item["drbg_seed"])).draw
            elif "derand_seed" in item:
                draw = bytes.fromhex(item["derand_seed"])
            else:
                numbers = b"".join(place.to_bytes(2, "little") for place in item["e_positions"])
                draw = functools.partial(padded, numbers)
            status, ciphertext, secret = mceliece.encaps(kem, public_key, draw)
            refused = item["status"] == REFUSED
            assert status == (ck.ERROR_PUBLIC_KEY if refused else ck.OK), item["what"]
            assert (ciphertext.hex(), secret.hex()) == (item["ct"], item["ss"]), item["what"]


@pytest.mark.parametrize("name", SETS)
def test_keys_of_chosen_seeds(name, fast_backend_name, mceliece, stored):
    """A first attempt that fails in the ordering of the field, and up to nine attempts."""
    kem = mceliece.kem(name)
    items = [item for item in stored("keygen")["items"] if item["set"] == name]
    assert items
    if fast_backend_name == "portable":
        items = items[:1]
    with mceliece.library.backend(fast_backend_name):
        for item in items:
            public_key, secret_key = mceliece.keypair(kem, bytes.fromhex(item["seed"]))
            assert secret_key[:32].hex() == item["delta"]
            assert secret_key[32:40] == bytes.fromhex(item["pivots"])[::-1]
            assert (sha256(public_key), sha256(secret_key)) == (
                item["pk_sha256"],
                item["sk_sha256"],
            )


@pytest.mark.parametrize("name", [name for name in NAMES if "pc" in name])
def test_plaintext_confirmation(name, fast_backend_name, mceliece, stored):
    items = [item for item in stored("pc")["items"] if item["set"] == name]
    assert len(items) >= 3
    secret_key = bytes.fromhex(stored("decaps")["sk"][name.replace("pc", "")])
    kem = mceliece.kem(name)
    with mceliece.library.backend(fast_backend_name):
        for item in items:
            result = mceliece.decaps(kem, bytes.fromhex(item["ct"]), secret_key)
            assert result == (ck.OK, bytes.fromhex(item["ss"])), item["what"]


@pytest.mark.parametrize("name", [name for name in NAMES if "pc" in name])
def test_encapsulation_with_plaintext_confirmation(name, mceliece, stored):
    """The genuine item of each set is what encapsulation gives."""
    plain = name.replace("pc", "")
    record = stored("digests")["sets"][plain]["records"][0]
    generator = Generator(bytes.fromhex(record["seed"]))
    kem = mceliece.kem(name)
    public_key, _ = mceliece.keypair(kem, generator.draw(32))
    item = next(
        item for item in stored("pc")["items"] if item["set"] == name and item["what"] == "record 0"
    )
    status, ciphertext, secret = mceliece.encaps(kem, public_key, generator.draw)
    assert (status, ciphertext.hex(), secret.hex()) == (ck.OK, item["ct"], item["ss"])


def test_the_reference_makes_the_smallest_set(mceliece, stored):
    digests = stored("digests")["sets"]["mceliece348864f"]
    with mceliece.library.backend("reference"):
        check_record(mceliece, "mceliece348864f", digests["records"][0])


def test_the_command_prints_the_published_record(command, stored):
    """All but the empty line that ends a file."""
    for name in ("mceliece348864", "mceliece6960119f"):
        done = subprocess.run(
            [command, "kat", "--kem", name, "--count", "1"], capture_output=True, check=True
        )
        assert sha256(done.stdout[:-1]) == stored("digests")["sets"][name]["single"]


def test_every_set_is_there(mceliece):
    assert mceliece.names() == NAMES


def test_items_cover_every_set(stored):
    for file, names in [("decaps", SETS), ("encaps", SETS), ("keygen", SETS)]:
        assert set(names) >= {item["set"] for item in stored(file)["items"]}
    assert {item["set"] for item in stored("pc")["items"]} == set(NAMES) - set(SETS)
    assert len(list(itertools.chain(stored("decaps")["items"]))) == 145
