# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys of HQC with unused bits that are set: multiplied and folded once, as the reference does."""

import hashlib

import pytest

# Seeds whose r2 has the last position but one, or the last, of all: there the bits reach 2 n, and
# what is folded twice is another ciphertext. SHA3-256 of ciphertexts, computed with integers of
# Python from the standard's text [HQC, 13].
CIPHERTEXTS = {
    ("HQC-1", 323): "288882103da6f48bb6d0e58e08747ab99038fe34fd4e97977822e1a35a80b7be",
    ("HQC-1", 358): "8c9def266257b145b80de1d8b32a49c7ebdb12d2050d0897b1f3a9372f09e91a",
    ("HQC-3", 220): "8d76a5567efd9ef57044dbc3dd2bb415a3402e0dbf3fb96b65cb74a6a28af801",
    ("HQC-3", 309): "b976cc7fd879f19da8685f5db1c5b452cc2fd03b0cf32948fd3bb7a53191382c",
    ("HQC-5", 491): "4173322bce6ae96964bfe5be2df7ebf57413b902e26fcb4da2517d17f733e6b1",
    ("HQC-5", 1028): "25158bf8509eceacd7304352b85a90d2a0965d7126fa344115a06cd14c2b2194",
}
UNUSED = {"HQC-1": 3, "HQC-3": 5, "HQC-5": 3}  # bits of the last byte


def drawn(label, count):
    return hashlib.shake_256(label.encode()).digest(count)


@pytest.mark.parametrize(("name", "seed"), CIPHERTEXTS)
def test_unused_bits_of_a_key_are_folded_once(name, seed, library):
    kem = library.kem(name)
    key = bytearray(drawn(f"{name} key", kem.length_public_key))
    key[-1] |= 0xFF & 0xFF << 8 - UNUSED[name]
    ciphertext, _ = library.encaps(
        kem, bytes(key), drawn(f"{name} seed {seed}", kem.length_encaps_seed)
    )
    assert hashlib.sha3_256(ciphertext).hexdigest() == CIPHERTEXTS[name, seed]
