# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers of every set, tampered ciphertexts, public keys with unused bits set."""

import itertools
import subprocess

import pytest

from parameters.table import TABLE
from tests import mceliece_checks
from tests.library import STATUS
from tests.mceliece_checks import check_record, sha256
from tests.mceliece_library import NAMES, SETS, Generator

LONG = pytest.mark.long


@pytest.mark.parametrize("name", SETS)
def test_record_0(name, fast_backend_name, mceliece, stored):
    digests = stored("digests")["sets"][name]
    with mceliece.library.backend(fast_backend_name):
        text = check_record(mceliece, name)
    assert sha256(text) == digests["single"]


@LONG
@pytest.mark.parametrize("name", SETS)
def test_all_records_match_the_published_digest(name, fast_backend_name, mceliece, stored):
    digests = stored("digests")["sets"][name]
    with mceliece.library.backend(fast_backend_name):
        texts = [check_record(mceliece, name, number) for number in range(len(digests["records"]))]
    assert sha256(b"\n".join(texts)) == digests["all"]


@pytest.mark.parametrize("name", SETS)
def test_tampered_ciphertexts(name, fast_backend_name, mceliece):
    with mceliece.library.backend(fast_backend_name):
        mceliece_checks.check_ciphertexts(mceliece, name)


@pytest.mark.parametrize("name", SETS[::2])
def test_encapsulation_alone(name, fast_backend_name, mceliece):
    with mceliece.library.backend(fast_backend_name):
        mceliece_checks.check_encapsulation(mceliece, name)


@pytest.mark.parametrize("name", SETS)
def test_keys_of_chosen_seeds(name, fast_backend_name, mceliece):
    most = 1 if fast_backend_name == "portable" else None
    with mceliece.library.backend(fast_backend_name):
        mceliece_checks.check_keys_of_seeds(mceliece, name, most)


@pytest.mark.parametrize("name", [name for name in NAMES if TABLE.find(name).confirms])
def test_plaintext_confirmation(name, fast_backend_name, mceliece):
    with mceliece.library.backend(fast_backend_name):
        mceliece_checks.check_confirmation(mceliece, name)


@pytest.mark.parametrize("name", [name for name in NAMES if TABLE.find(name).confirms])
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
    assert (status, ciphertext.hex(), secret.hex()) == (STATUS.OK, item["ct"], item["ss"])


def test_the_reference_makes_the_smallest_set(mceliece):
    with mceliece.library.backend("reference"):
        check_record(mceliece, "mceliece348864f")


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
