# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tag v5.0.0 of HQC against PyPI's pqcrypto, which has it, in both directions."""

import pqcrypto.kem.hqc_128
import pqcrypto.kem.hqc_192
import pqcrypto.kem.hqc_256
import pytest

PEERS = {
    1: pqcrypto.kem.hqc_128,
    3: pqcrypto.kem.hqc_192,
    5: pqcrypto.kem.hqc_256,
}


def peer_encaps(peer, public_key):
    """Returns ciphertext and secret, whatever their order: the ciphertext is the longer one."""
    return sorted((bytes(part) for part in peer.encaps(public_key)), key=len, reverse=True)


@pytest.mark.parametrize("level", PEERS)
def test_tag_agrees_in_both_directions(library, level):
    peer, kem = PEERS[level], library.kem(f"HQC-{level}-v5.0.0")
    for _ in range(5):
        public_key, secret_key = library.keypair(kem)
        ciphertext, sent = peer_encaps(peer, public_key)
        assert library.decaps(kem, ciphertext, secret_key) == sent
        assert bytes(peer.decaps(secret_key, ciphertext)) == sent

        public_key, secret_key = (bytes(part) for part in peer.keygen())
        ciphertext, sent = library.encaps(kem, public_key)
        assert bytes(peer.decaps(secret_key, ciphertext)) == sent


@pytest.mark.parametrize("level", PEERS)
def test_revisions_do_not_mix(library, level):
    """The sizes are the same, the secrets are not: what a mix-up looks like."""
    peer, kem = PEERS[level], library.kem(f"HQC-{level}")
    public_key, secret_key = (bytes(part) for part in peer.keygen())
    ciphertext, sent = peer_encaps(peer, public_key)
    assert library.decaps(kem, ciphertext, secret_key) != sent
