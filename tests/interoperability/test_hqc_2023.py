# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC of 2023 against liboqs 0.13 and PQClean (the crate pqcrypto-hqc), in both directions, and on
ciphertexts that both sides reject."""

import hashlib

import pytest

from tests import hqc_2023_peer
from tests.interoperability.test_rust import NEEDED, rust_version
from tests.samples import flipped

pytestmark = pytest.mark.long  # the libraries take minutes to compile
ROUNDS = 10


@pytest.fixture(scope="module", params=hqc_2023_peer.LIBRARIES)
def peer(request, root, build):
    if rust_version() < NEEDED:
        pytest.skip(
            f"HQC of 2023 not compared with {hqc_2023_peer.LIBRARIES[request.param]}: needs Rust "
            f"{NEEDED[0]}.{NEEDED[1]} or later; Debian 12 has 1.63"
        )
    program, printed = hqc_2023_peer.build(root, build.folder("hqc-2023-peers"), request.param)
    assert program is not None, printed[-3000:]
    with hqc_2023_peer.Peer(program) as one:
        yield one


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_secrets_agree_in_both_directions(bits, peer, internals):
    kem = internals.kem(f"HQC-{bits}-2023")
    for _ in range(ROUNDS):
        public_key, secret_key = internals.keypair(kem)
        ciphertext, sent = peer.encaps(bits, public_key)
        assert internals.decaps(kem, ciphertext, secret_key) == sent
        assert peer.decaps(bits, ciphertext, secret_key) == (True, sent)

        public_key, secret_key = peer.keypair(bits)
        ciphertext, sent = internals.encaps(kem, public_key)
        assert peer.decaps(bits, ciphertext, secret_key) == (True, sent)
        assert internals.decaps(kem, ciphertext, secret_key) == sent


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_seeds_give_the_same_bytes(bits, peer, internals):
    kem = internals.kem(f"HQC-{bits}-2023")
    seed = hashlib.shake_256(bytes([bits // 2])).digest(kem.length_keypair_seed)
    public_key, secret_key = internals.keypair(kem, seed)
    assert peer.keypair(bits, seed) == [public_key, secret_key]
    seed = seed[: kem.length_encaps_seed]
    assert peer.encaps(bits, public_key, seed) == list(internals.encaps(kem, public_key, seed))


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_both_reject_the_same_and_only_theirs_shows_it(bits, peer, internals):
    """CVE-2025-48946: their secret of a rejected ciphertext does not depend on the salt."""
    kem = internals.kem(f"HQC-{bits}-2023")
    public_key, secret_key = peer.keypair(bits)
    ciphertext, sent = peer.encaps(bits, public_key)
    salted = flipped(ciphertext, len(ciphertext) - 1)
    damaged = [flipped(ciphertext, 5), flipped(flipped(ciphertext, 5), len(ciphertext) - 16)]
    for bad in [salted, *damaged]:
        accepted, theirs = peer.decaps(bits, bad, secret_key)
        assert not accepted and theirs != internals.decaps(kem, bad, secret_key) != sent
    assert len({peer.decaps(bits, bad, secret_key)[1] for bad in damaged}) == 1
    assert len({internals.decaps(kem, bad, secret_key) for bad in damaged}) == 2
