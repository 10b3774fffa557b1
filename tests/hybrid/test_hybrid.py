# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hybrids in C: the vectors of the model, what is altered, and what is refused."""

import pytest

from tests import hybrid_program
from tests.hybrid.test_x25519 import check_x25519
from tests.hybrid_model import GROUPS, Hybrid
from tests.hybrid_program import (
    BAD_CIPHERTEXT,
    BAD_PUBLIC_KEY,
    BAD_SECRET_KEY,
    ERROR_INTERNAL,
    ERROR_RANDOM,
    OK,
    Program,
    check_vector,
)
from tests.samples import counting
from tools import make_hybrid_vectors, mistakes
from tools.make_hybrid_vectors import CASES, LibraryKem

HQC = "HQC-1", "X25519"
P256 = "HQC-1", "P256"


def test_vectors(program, backend_name):
    """On the slow back ends only the first of the smallest: KEMs have tests of their own."""
    vectors = hybrid_program.vectors()
    assert len(vectors) == 20
    slow = backend_name in ("reference", "portable")
    for vector in vectors[:2] if slow else vectors:
        check_vector(program, vector)


def test_vectors_are_those_of_the_model(library):
    for number in (0, 1, CASES.index(CASES[-3])):
        made = make_hybrid_vectors.vector(library, number, *CASES[number])
        assert made == hybrid_program.vectors()[number]


@pytest.mark.long
def test_all_vectors_are_those_of_the_model(library):
    made = [make_hybrid_vectors.vector(library, i, *case) for i, case in enumerate(CASES)]
    assert made == hybrid_program.vectors()


def test_lengths(best):
    of = best.of(HQC)
    assert (of.public_key, of.ciphertext) == (2241 + 32, 4433 + 32)
    assert (of.shared_secret, of.seed, of.encaps_seed) == (32, 32, 64)
    of = best.of(P256)
    assert (of.public_key, of.ciphertext, of.encaps_seed) == (2241 + 65, 4433 + 65, 32 + 128)


# --- Checks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("hybrid", [HQC, P256, ("BIKE-L1", "X25519")], ids="-".join)
def test_every_part_of_a_secret_key_is_checked(hybrid, best):
    check_parts(hybrid, best)


def check_parts(hybrid, program):
    public_key, secret_key = program.keypair(hybrid, counting(32))
    assert program.check("c", hybrid, secret_key) == OK
    assert program.public_key_of(hybrid, secret_key) == public_key
    of_group = GROUPS[hybrid[1]].element_length
    ends = [0, 31, 32, len(secret_key) - 1, len(secret_key) - len(public_key) - 1]
    for place in [*ends, len(secret_key) - of_group - 1]:
        altered = bytearray(secret_key)
        altered[place] ^= 1
        assert program.check("c", hybrid, bytes(altered)) == BAD_SECRET_KEY


@pytest.mark.long
def test_secret_keys_of_all_levels_are_checked(best):
    for hybrid in {(vector["kem"], vector["group"]) for vector in hybrid_program.vectors()}:
        _, secret_key = best.keypair(hybrid, counting(32))
        assert best.check("c", hybrid, secret_key) == OK
        assert best.check("c", hybrid, secret_key[:-1] + b"\0") == BAD_SECRET_KEY


def test_public_keys_and_ciphertexts_are_checked(best):
    for hybrid, first_byte in ((HQC, None), (P256, 4)):
        of = best.of(hybrid)
        public_key, _ = best.keypair(hybrid, counting(32))
        _, ciphertext, _ = best.encaps(hybrid, public_key, counting(of.encaps_seed))
        for what, data, length, refusal in [
            ("u", public_key, 2241, BAD_PUBLIC_KEY),
            ("y", ciphertext, 2209, BAD_CIPHERTEXT),
        ]:
            assert best.check(what, hybrid, data) == OK
            altered = bytearray(data)
            altered[length - 1] |= 0x80  # an unused bit of the KEM's
            assert best.check(what, hybrid, bytes(altered)) == refusal
            if first_byte is not None:
                altered = bytearray(data)
                altered[-65] = 2
                assert best.check(what, hybrid, bytes(altered)) == refusal


# --- Randomness -----------------------------------------------------------------------------------


def test_a_source_gives_what_its_bytes_as_a_seed_give(best):
    """Of P-256 it is asked for the first candidate only."""
    for hybrid in (HQC, P256):
        of = best.of(hybrid)
        seed = counting(of.encaps_seed)
        public_key, _ = best.keypair(hybrid, counting(32))
        expected = best.encaps(hybrid, public_key, seed)
        assert expected[0] == OK
        assert best.encaps(hybrid, public_key, randomness=seed[:64]) == expected


def test_a_candidate_beyond_the_order_is_drawn_again(best, library):
    public_key, _ = best.keypair(P256, counting(32))
    model = Hybrid(LibraryKem(library, "HQC-1"), GROUPS["P256"])
    over, zero, good = b"\xff" * 32, bytes(32), counting(32)
    for bad in ([over], [zero, over], [over, zero, over]):
        randomness = counting(32) + b"".join(bad) + good
        expected = model.encaps(public_key, randomness + bytes(96))
        assert best.encaps(P256, public_key, randomness=randomness) == (OK, *expected)
    empty = bytes(best.of(P256).ciphertext), bytes(32)
    too_many = counting(32) + 4 * over + good
    assert best.encaps(P256, public_key, randomness=too_many) == (ERROR_RANDOM, *empty)
    assert best.encaps(P256, public_key, randomness=counting(32) + over) == (ERROR_RANDOM, *empty)
    refused = best.encaps(P256, public_key, counting(32) + 4 * over)
    assert refused == (ERROR_INTERNAL, *empty)


# --- A test of the tests --------------------------------------------------------------------------


def check_all(program):
    check_x25519(program)
    for vector in hybrid_program.vectors():
        if vector["kem"] == "HQC-1":
            check_vector(program, vector)
    check_parts(HQC, program)


@pytest.mark.long
@pytest.mark.parametrize("mistake", mistakes.cases("hybrid/c"))
def test_mistake_is_found(mistake, planted_hybrid, library):
    backend = library.call["backend_current"]()
    with Program([planted_hybrid(mistake)], backend) as program, pytest.raises(AssertionError):
        check_all(program)
