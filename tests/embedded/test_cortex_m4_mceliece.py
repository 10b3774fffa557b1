# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece on an emulated Cortex-M4: known answers, altered ciphertexts, public keys in
pieces, memory, counts, and traces."""

import functools
import hashlib

import pytest

import device
from mceliece_ctypes import Generator, McEliece, vectors

SHORT = ["mceliece348864f", "mceliece460896f"]
LONG = [
    f"mceliece{name}"
    for name in ("348864", "348864pc", "348864pcf", "460896", "460896pc", "460896pcf")
]
ALL = [*SHORT, *[pytest.param(name, marks=pytest.mark.long) for name in LONG]]

# Bytes that the reference implementation draws for each attempt.
DRAWN = {"348864": 256, "460896": 384}
ATTEMPTS = 20


@pytest.fixture(scope="module")
def program(build):
    # Without a choice of BIKE or HQC the linker drops them all the same.
    return build("cortex-m4", CODEKEM_BUILD_MCELIECE="ON") / "bin" / "mceliece_operations"


@pytest.fixture(scope="module")
def mceliece(internals):
    return McEliece(internals)


@functools.cache
def stored(name):
    return vectors(name)


def size_of(name):
    return name.removeprefix("mceliece")[:6]


@pytest.fixture(scope="module")
def key_of(mceliece):
    """key_of(name) returns the first record of a set, what its generator gives for encapsulation,
    and its keys, which the library of this machine makes."""

    @functools.cache
    def find(name):
        record = stored("digests")["sets"][name.replace("pc", "")]["records"][0]
        generator = Generator(bytes.fromhex(record["seed"]))
        public_key, secret_key = mceliece.keypair(mceliece.kem(name), generator.draw(32))
        assert hashlib.sha256(public_key).hexdigest() == record["pk_sha256"]
        source = b"".join(generator.draw(DRAWN[size_of(name)]) for _ in range(ATTEMPTS))
        return record, source, public_key, secret_key

    return find


@pytest.mark.parametrize("name", ALL)
def test_known_answers_on_the_device(name, program, key_of):
    record, source, public_key, secret_key = key_of(name)
    encaps, decaps = device.run(
        program,
        [
            (name, "encaps-random", public_key, source),
            (name, "decaps", bytes.fromhex(record["ct"]), secret_key)
            if "pc" not in name
            else ("backend",),
        ],
    )
    if "pc" in name:
        decaps = device.run(program, [(name, "decaps", encaps.values[0], secret_key)])[0]
        assert encaps.values[0][: len(record["ct"]) // 2].hex() == record["ct"]
        assert decaps.values == [encaps.values[1]]
    else:
        assert [value.hex() for value in encaps.values] == [record["ct"], record["ss"]]
        assert decaps.values[0].hex() == record["ss"]
