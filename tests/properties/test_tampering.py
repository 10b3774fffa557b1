# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Altered ciphertexts are rejected, and the import checks notice altered keys."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.library import STATUS
from tests.samples import BIKE, draw_seeds, flipped

# --- Ciphertexts ----------------------------------------------------------------------------------


def check_tampering(library, case, positions, mask):
    kem, _, secret_key, ciphertext, shared = case
    seen = {shared}
    for position in positions:
        bad = flipped(ciphertext, position, mask)
        rejected = library.decaps(kem, bad, secret_key)
        assert rejected not in seen, f"byte {position}"
        assert library.decaps(kem, bad, secret_key) == rejected
        seen.add(rejected)


@given(data=st.data(), mask=st.integers(1, 255))
def test_a_changed_byte_is_rejected(kem_name, data, mask, library, exchange):
    kem = library.kem(kem_name)
    check_tampering(
        library, exchange(kem_name), [data.draw(st.integers(0, kem.length_ciphertext - 1))], mask
    )


def test_a_changed_byte_at_the_borders_is_rejected(kem_name, library, exchange):
    kem = library.kem(kem_name)
    border = kem.length_ciphertext - 32  # in BIKE between c0 and c1
    positions = [
        0,
        1,
        7,
        8,
        63,
        64,
        border - 2,
        border - 1,
        border,
        border + 1,
        kem.length_ciphertext - 1,
    ]
    check_tampering(library, exchange(kem_name), positions, 0x80)


@pytest.mark.long
@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_every_changed_byte_is_rejected(kem_name, mask, library, exchange):
    check_tampering(
        library, exchange(kem_name), range(library.kem(kem_name).length_ciphertext), mask
    )


@given(data=st.data())
def test_any_ciphertext_gives_some_secret(kem_name, data, library, exchange):
    kem, _, secret_key, _, shared = exchange(kem_name)
    seed = data.draw(st.integers(0, 2**64 - 1))
    fill = data.draw(st.sampled_from([b"\0", b"\xff", b"\x55", None]))
    length = kem.length_ciphertext
    ciphertext = fill * length if fill else random.Random(seed).randbytes(length)
    rejected = library.decaps(kem, ciphertext, secret_key)
    assert rejected not in (shared, bytes(32))


@pytest.mark.parametrize("name", BIKE)
def test_sigma_matters_only_for_rejected_ciphertexts(name, library, exchange):
    kem, _, secret_key, ciphertext, shared = exchange(name)
    other_sigma = flipped(secret_key, len(secret_key) - 1)
    assert library.decaps(kem, ciphertext, other_sigma) == shared
    bad = flipped(ciphertext, 3)
    assert library.decaps(kem, bad, other_sigma) != library.decaps(kem, bad, secret_key)


def test_another_key_pair_does_not_decapsulate(kem_name, library, exchange):
    kem, _, _, ciphertext, shared = exchange(kem_name)
    _, other_secret = library.keypair(kem, bytes(kem.length_keypair_seed))
    assert library.decaps(kem, ciphertext, other_secret) != shared


# --- Import checks --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BIKE)
def test_padding_bits_are_not_canonical(name, library, exchange):
    kem, public_key, _, ciphertext, _ = exchange(name)
    last = kem.length_public_key - 1
    padding = 5 if kem.claimed_nist_level < 5 else 3

    def flip_two(data, bit):  # so that the weight keeps its parity
        return flipped(flipped(data, last, 1 << bit), 0, 1)

    for bit in range(8):
        expected = bit >= 8 - padding
        status = library.call["kem_check_public_key"](kem, flip_two(public_key, bit))
        assert status == (STATUS.ERROR_PUBLIC_KEY if expected else STATUS.OK)
        status = library.call["kem_check_ciphertext"](kem, flip_two(ciphertext, bit))
        assert status == (STATUS.ERROR_CIPHERTEXT if expected else STATUS.OK)
    # Every ciphertext with clean padding is canonical, c1 may be anything.
    assert library.call["kem_check_ciphertext"](kem, flipped(ciphertext, last + 1)) == STATUS.OK


# The polynomials of a KEM: where they begin in public key and ciphertext, and whether the parity of
# their weight is the same for every honest one.
POLYNOMIALS = {
    "BIKE-L1": (0, True, True),
    "BIKE-L3": (0, True, True),
    "BIKE-L5": (0, True, True),
    "HQC-1": (32, True, False),
    "HQC-3": (32, True, True),
    "HQC-5": (32, False, False),
}


@pytest.mark.parametrize("name", POLYNOMIALS)
@given(data=st.data())
def test_honest_keys_and_ciphertexts_pass_the_checks(name, data, library):
    kem = library.kem(name)
    keypair_seed, encaps_seed = draw_seeds(data, kem)
    public_key, secret_key = library.keypair(kem, keypair_seed)
    ciphertext, _ = library.encaps(kem, public_key, encaps_seed)
    assert library.call["kem_check_public_key"](kem, public_key) == STATUS.OK
    assert library.call["kem_check_secret_key"](kem, secret_key) == STATUS.OK
    assert library.call["kem_check_ciphertext"](kem, ciphertext) == STATUS.OK


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_what_no_honest_party_makes_is_refused(name, library, exchange):
    kem, public_key, _, ciphertext, _ = exchange(name)
    start, key_has_parity, ciphertext_has_parity = POLYNOMIALS[name]
    check_key = library.call["kem_check_public_key"]
    check_ciphertext = library.call["kem_check_ciphertext"]
    for what, bad in {
        "all zero": bytes(len(public_key)),
        "zero polynomial": public_key[:start] + bytes(len(public_key) - start),
        "all ones": b"\xff" * len(public_key),
    }.items():
        assert check_key(kem, bad) == STATUS.ERROR_PUBLIC_KEY, what
    assert check_key(kem, flipped(public_key, start + 100, 1)) == (
        STATUS.ERROR_PUBLIC_KEY if key_has_parity else STATUS.OK
    )
    assert check_key(kem, flipped(public_key, start + 100, 3)) == STATUS.OK
    assert check_ciphertext(kem, flipped(ciphertext, 100, 1)) == (
        STATUS.ERROR_CIPHERTEXT if ciphertext_has_parity else STATUS.OK
    )
    assert check_ciphertext(kem, flipped(ciphertext, 100, 3)) == STATUS.OK
    if name.startswith(
        "HQC"
    ):  # an error may lie in one half alone, so that BIKE's c0 may be anything
        u_bytes = len(public_key) - start
        assert (
            check_ciphertext(kem, bytes(u_bytes) + ciphertext[u_bytes:]) == STATUS.ERROR_CIPHERTEXT
        )


@pytest.mark.parametrize("name", BIKE)
@given(data=st.data(), mask=st.integers(1, 255))
def test_a_changed_secret_key_is_noticed(name, data, mask, library, exchange):
    kem, _, secret_key, _, _ = exchange(name)
    position = data.draw(st.integers(0, kem.length_secret_key - 33))  # not sigma, which is random
    bad = flipped(secret_key, position, mask)
    assert library.call["kem_check_secret_key"](kem, bad) == STATUS.ERROR_SECRET_KEY


def secret_key_faults(kem, secret_key):
    """Returns what: a secret key with that fault."""
    d = {1: 71, 3: 103, 5: 137}[kem.claimed_nist_level]
    rb = kem.length_public_key
    h0, h1, h = 8 * d, 8 * d + rb, 8 * d + 2 * rb
    swapped = secret_key[4:8] + secret_key[:4] + secret_key[8:]
    repeated = secret_key[:4] + secret_key[:4] + secret_key[8:]
    return {
        "index out of range": (12345678).to_bytes(4, "little") + secret_key[4:],
        "largest index": b"\xff" * 4 + secret_key[4:],
        "index twice": repeated,
        "padding of h0": flipped(secret_key, h0 + rb - 1, 0x80),
        "padding of h1": flipped(secret_key, h1 + rb - 1, 0x80),
        "padding of h": flipped(secret_key, h + rb - 1, 0x80),
        "lists exchanged": secret_key[4 * d : 8 * d] + secret_key[: 4 * d] + secret_key[8 * d :],
        "h0 and h1 exchanged": (
            secret_key[:h0] + secret_key[h1:h] + secret_key[h0:h1] + secret_key[h:]
        ),
        "another public key": secret_key[:h] + bytes(rb) + secret_key[h + rb :],
        "all zero": bytes(len(secret_key)),
        "all ones": b"\xff" * len(secret_key),
    }, swapped


@pytest.mark.parametrize("name", BIKE)
def test_each_fault_of_a_secret_key_is_noticed(name, backend_name, library, exchange):
    kem, _, secret_key, _, _ = exchange(name)
    faults, reordered = secret_key_faults(kem, secret_key)
    with library.backend(backend_name):
        for what, bad in faults.items():
            status = library.call["kem_check_secret_key"](kem, bad)
            assert status == STATUS.ERROR_SECRET_KEY, what
        # The order of the entries has no meaning.
        assert library.call["kem_check_secret_key"](kem, reordered) == STATUS.OK


@pytest.mark.parametrize("name", BIKE)
def test_damaged_secret_keys_are_memory_safe(name, backend_name, library, exchange):
    """Decapsulation must survive what the check refuses; the sanitizer builds would notice more."""
    kem, _, secret_key, ciphertext, _ = exchange(name)
    faults, _ = secret_key_faults(kem, secret_key)
    with library.backend(backend_name):
        for bad in faults.values():
            assert len(library.decaps(kem, ciphertext, bad)) == 32
