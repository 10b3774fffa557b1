# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem kat prints the published response files, byte for byte."""

import hashlib
import json
import pathlib

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "tests" / "vectors"
PUBLISHED = {
    kem: {**values, "folder": path.parent}
    for path in VECTORS.glob("*/digests.json")
    for kem, values in json.loads(path.read_text(encoding="ascii")).get("kems", {}).items()
}


@pytest.mark.parametrize("kem", sorted(PUBLISHED))
def test_whole_file_has_the_published_digest(succeed, kem):
    text = succeed("kat", "--kem", kem).stdout
    assert len(text) == PUBLISHED[kem]["bytes"]
    assert hashlib.sha256(text).hexdigest() == PUBLISHED[kem]["sha256"]


@pytest.mark.parametrize("kem", [kem for kem in sorted(PUBLISHED) if "excerpt" in PUBLISHED[kem]])
def test_first_records_are_those_of_the_excerpt(succeed, kem):
    excerpt = (PUBLISHED[kem]["folder"] / PUBLISHED[kem]["excerpt"]).read_bytes()
    count = PUBLISHED[kem]["excerpt_records"]
    assert succeed("kat", "--kem", kem, "--count", count).stdout == excerpt


def test_every_kem_has_a_published_digest(succeed):
    names = set(succeed("list", "--names", text=True).stdout.split())
    # Those of Classic McEliece are in a form of their own: tests/mceliece reads them.
    assert {name for name in names if not name.startswith("mceliece")} == set(PUBLISHED)


def test_default_seed_is_that_of_the_published_files(succeed):
    seed = bytes(range(48)).hex()
    files = [
        succeed("kat", "--kem", "BIKE-L1", "--count", "2", *extra).stdout
        for extra in ([], ["--seed", seed], ["--seed", seed.upper()])
    ]
    assert files[0] == files[1] == files[2]


def test_other_seed_gives_other_records(succeed):
    text = succeed("kat", "--kem", "BIKE-L1", "--count", "1", "--seed", "00" * 48, text=True).stdout
    # The first output of AES-256 CTR_DRBG from 48 zero bytes, computed apart from the command.
    assert first_seed_from_zero() in text.lower()
    assert text.startswith("# BIKE\n\ncount = 0\nseed = ")


def first_seed_from_zero():
    """Computes the seed of the first record for seed 00...00 with another AES."""

    def blocks(key, counter, count):
        encrypt = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update
        return b"".join(
            encrypt(((counter + i) % (1 << 128)).to_bytes(16, "big")) for i in range(1, count + 1)
        )

    state = blocks(bytes(32), 0, 3)  # mixed with the seed, zero
    return blocks(state[:32], int.from_bytes(state[32:], "big"), 3).hex()
