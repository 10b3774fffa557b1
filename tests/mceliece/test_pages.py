# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Key pairs whose public key leaves in pages."""

import hashlib

import pytest

from tests.c_library import FFI, aligned
from tests.library import STATUS
from tests.mceliece_library import Generator

PLAIN = ["mceliece348864", "mceliece460896", "mceliece6688128", "mceliece6960119"]


@pytest.fixture(scope="module")
def in_pages(mceliece):
    """in_pages(kem, seed, page, write) returns (status, secret key); write(offset, bytes)."""
    call = mceliece.call["keypair_in_pages"]

    def run(kem, seed, page, write, missing=0):
        length = mceliece.call["keypair_in_pages_workspace"](kem, page)
        memory, secret_key = aligned(max(length, 64)), aligned(kem.length_secret_key)

        def sink(_, offset, data, size):
            return write(offset, FFI.buffer(data, size)[:])

        status = call(kem, secret_key, seed, page, sink, None, memory, length - missing)
        assert not any(memory), "the call leaves something behind"
        return status, bytes(secret_key)

    return run


@pytest.mark.parametrize(
    "name, page",
    [
        ("mceliece348864", 2048),
        ("mceliece348864", 1),
        ("mceliece348864pc", 261120),
        *[pytest.param(name, 4096, marks=pytest.mark.long) for name in PLAIN],
    ],
)
def test_pages_are_the_public_key(name, page, mceliece, in_pages, stored):
    kem, written = mceliece.kem(name), bytearray()
    record = stored("digests")["sets"][name.replace("pc", "")]["records"][0]

    def write(offset, data):
        assert offset == len(written)
        assert len(data) == min(page, kem.length_public_key - offset)
        written.extend(data)
        return True

    seed = Generator(bytes.fromhex(record["seed"])).draw(32)
    status, secret_key = in_pages(kem, seed, page, write)
    assert status == STATUS.OK
    assert hashlib.sha256(written).hexdigest() == record["pk_sha256"]
    assert hashlib.sha256(secret_key).hexdigest() == record["sk_sha256"]


def test_a_flash_that_fails_stops_it(mceliece, in_pages):
    kem, offsets = mceliece.kem("mceliece348864"), []

    def write(offset, _):
        offsets.append(offset)
        return len(offsets) < 3

    status, secret_key = in_pages(kem, bytes(32), 4096, write)
    assert status == STATUS.ERROR_PUBLIC_KEY
    assert offsets == [0, 4096, 8192]
    assert not any(secret_key)


@pytest.mark.parametrize(
    "name, page, missing",
    [
        ("mceliece348864f", 2048, 0),
        ("mceliece348864", 0, 0),
        ("mceliece348864", 300_000, 0),
        ("mceliece348864", 2048, 1),
    ],
)
def test_what_it_refuses(name, page, missing, mceliece, in_pages):
    """An f set, pages of no length or longer than the key, too little memory."""
    status, secret_key = in_pages(mceliece.kem(name), bytes(32), page, lambda *_: True, missing)
    assert status == STATUS.ERROR_WORKSPACE
    assert not any(secret_key)
