# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Faults and misuse, as docs/security.md describes them: what is noticed, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.c_library import source
from tests.library import STATUS, options
from tests.samples import buffers, flipped
from tools import known_answers, mistakes

HQC = ["HQC-1", "HQC-3", "HQC-5"]


# --- A secret key that is altered in memory -------------------------------------------------------


@pytest.mark.parametrize("name", HQC)
@given(data=st.data(), mask=st.integers(1, 255))
def test_any_changed_byte_of_a_secret_key_is_noticed(name, data, mask, library, exchange):
    """Of HQC all of it, for all of it follows from its last 32 bytes."""
    kem, _, secret_key, _, _ = exchange(name)
    bad = flipped(secret_key, data.draw(st.integers(0, kem.length_secret_key - 1)), mask)
    assert library.call["kem_check_secret_key"](kem, bad) == STATUS.ERROR_SECRET_KEY


@pytest.mark.parametrize("name", HQC)
def test_a_changed_byte_at_the_borders_of_fields_is_noticed(name, library, exchange):
    kem, public_key, secret_key, _, _ = exchange(name)
    fields = [0, 32, len(public_key), len(public_key) + 32, kem.length_secret_key - 32]
    for position in [*fields, *(field - 1 for field in fields[1:]), kem.length_secret_key - 1]:
        bad = flipped(secret_key, position, 1)
        status = library.call["kem_check_secret_key"](kem, bad)
        assert status == STATUS.ERROR_SECRET_KEY, position


def test_decapsulation_does_not_look_for_altered_keys(kem_name, library, exchange):
    """It returns CODEKEM_OK and another secret, as for a ciphertext of somebody else."""
    kem, _, secret_key, ciphertext, shared = exchange(kem_name)
    if kem_name.startswith("BIKE"):  # in h0, behind both lists of positions
        position = 8 * {1: 71, 3: 103, 5: 137}[kem.claimed_nist_level] + 100
    else:  # the seed of y, behind the public key
        position = kem.length_public_key
    assert library.decaps(kem, ciphertext, flipped(secret_key, position, 1)) != shared


@given(bit=st.integers(0, 7), data=st.data())
def test_one_changed_bit_of_a_public_key(kem_name, bit, data, library, exchange):
    """Of BIKE it is always noticed, by the parity; of HQC where the weight is even, behind the
    seed. Encapsulation does not look."""
    kem, public_key, _, _, _ = exchange(kem_name)
    position = data.draw(st.integers(0, kem.length_public_key - 1))
    bad = flipped(public_key, position, 1 << bit)
    status = library.call["kem_check_public_key"](kem, bad)
    if kem_name.startswith("BIKE") or (kem.claimed_nist_level < 5 and position >= 32):
        assert status == STATUS.ERROR_PUBLIC_KEY
    elif position < 32 or position + 1 < kem.length_public_key:
        assert status == STATUS.OK
    ciphertext, shared = library.encaps(kem, bad, bytes(kem.length_encaps_seed))
    assert (len(ciphertext), len(shared)) == (kem.length_ciphertext, kem.length_shared_secret)


# --- A source of randomness that repeats ----------------------------------------------------------


def test_repeated_randomness_repeats_keys_and_ciphertexts(kem_name, library):
    """Nothing else goes into them, so the caller can see it by comparing what is public."""
    kem = library.kem(kem_name)
    repeating = options(random=source(lambda length: b"\x42" * length))
    made = []
    for _ in range(2):
        out = buffers(kem)
        library.check(
            library.call["kem_keypair_with"](kem, out["public_key"], out["secret_key"], repeating)
        )
        library.check(
            library.call["kem_encaps_with"](
                kem, out["ciphertext"], out["shared_secret"], out["public_key"], repeating
            )
        )
        made.append({field: bytes(data) for field, data in out.items()})
    assert made[0] == made[1]


# --- A comparison that is skipped -----------------------------------------------------------------


@pytest.mark.parametrize("mistake", mistakes.cases("properties/comparison"))
def test_rejections_notice_a_skipped_comparison(mistake, broken_library):
    """And honest ciphertexts do not: a self-test needs one that is rejected."""
    library, name = broken_library(mistake), mistake.name
    kem = library.kem(name)
    noticed = {
        accepted: {library.decaps(kem, ciphertext, secret_key) != shared}
        for _, ciphertext, secret_key, shared, accepted in known_answers.rejections(name)
    }
    record = known_answers.read_records(name)[0]
    assert library.decaps(kem, record["ct"], record["sk"]) == record["ss"]
    assert noticed[False] == {True}
