# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC in shares: published, altered and noisy vectors, both sides with libcodekem, and bounds."""

import hashlib

import pytest

from tests import masked_program
from tests.decoder_cases import noisy_hqc_cases, padded_hqc_case
from tests.masked_program import ERROR_RANDOM, KEMS, SECRET, Program, join
from tests.samples import counting
from tools import known_answers

LONG = pytest.mark.long
# Bytes of masks that one decapsulation may take.
MASKS = {"HQC-1": 150_000, "HQC-3": 272_000, "HQC-5": 445_000}


@pytest.mark.parametrize("kem", KEMS)
def test_published_records(kem, program):
    masked_program.check_records(program, kem, 2)


@pytest.mark.parametrize("kem", KEMS)
def test_altered_ciphertexts(kem, program):
    masked_program.check_altered(program, kem)


@pytest.mark.parametrize("kem", KEMS)
def test_noisy_ciphertexts(kem, program, internals):
    masked_program.check_noisy(program, kem, noisy_hqc_cases(kem, internals))


@pytest.mark.parametrize("kem", KEMS)
def test_public_keys_with_an_unused_bit(kem, program, internals):
    masked_program.check_padded(program, kem, padded_hqc_case(kem, internals))


@LONG
def test_everything_on_every_back_end(masked_check, backend_name, internals):
    with Program([masked_check], backend_name) as program:
        for kem in KEMS:
            masked_program.check_records(program, kem, 5)
            masked_program.check_altered(program, kem)
            masked_program.check_noisy(program, kem, noisy_hqc_cases(kem, internals))
            masked_program.check_padded(program, kem, padded_hqc_case(kem, internals))


@pytest.mark.parametrize("kem", KEMS)
def test_both_sides_understand_each_other(kem, program, internals):
    of = internals.kem(kem)
    public_key, secret_key = program.keypair(kem, counting(32))
    plain_public, plain_secret = internals.keypair(of, counting(32))
    assert public_key == plain_public
    for number in range(4):
        seed = hashlib.shake_256(bytes([number])).digest(of.length_encaps_seed)
        ciphertext, secret = internals.encaps(of, public_key, seed)
        assert program.decaps(kem, ciphertext, secret_key) == secret
        assert program.encaps(kem, public_key, seed) == (ciphertext, secret)
        assert internals.decaps(of, ciphertext, plain_secret) == secret


@pytest.mark.parametrize("kem", KEMS)
def test_masks_are_few(kem, program):
    """And the shares of the secret are fresh, but for their sum."""
    record = known_answers.read_records(kem)[0]
    secret_key = program.imported(kem, record["sk"])
    status, shares, taken = program.decaps_shares(kem, record["ct"], secret_key)
    assert status == 0
    assert 0.9 * MASKS[kem] < taken < MASKS[kem]
    parts = [shares[i : i + SECRET] for i in range(0, len(shares), SECRET)]
    assert record["ss"] not in parts
    assert join(shares, SECRET) == record["ss"]


def test_a_source_of_masks_that_fails(program):
    record = known_answers.read_records("HQC-1")[0]
    secret_key = program.imported("HQC-1", record["sk"])
    for most in (0, 31, 32, 1000, 100_000):
        status, shares, taken = program.decaps_shares("HQC-1", record["ct"], secret_key, most)
        assert (status, shares) == (ERROR_RANDOM, bytes(len(shares)))
        assert taken <= most


def test_refreshing_changes_every_share_and_no_value(program):
    kem, of = "HQC-1", program.of("HQC-1")
    record = known_answers.read_records(kem)[0]
    before = program.imported(kem, record["sk"])
    after = program.refreshed(kem, before)
    fixed = of.public_key + 32
    assert before[:fixed] == after[:fixed]
    assert before[: of.public_key] == record["pk"]
    length = (2209, 16)
    y, sigma = before[fixed:-32], before[-32:]
    new_y, new_sigma = after[fixed:-32], after[-32:]
    assert join(y, length[0]) == join(new_y, length[0])
    assert join(sigma, length[1]) == join(new_sigma, length[1])
    assert int.from_bytes(join(y, length[0]), "little").bit_count() == 66
    for old, new, size in ((y, new_y, length[0]), (sigma, new_sigma, length[1])):
        for i in range(0, len(old), size):
            same = sum(a == b for a, b in zip(old[i : i + size], new[i : i + size], strict=True))
            assert same < size / 8


# --- Order 2 --------------------------------------------------------------------------------------


@LONG
def test_second_order(build, internals, library):
    folder = build("gcc", ["masked_check"], CODEKEM_MASKED_ORDER="2")
    backend = library.call["backend_current"]()
    with Program([folder / "bin" / "masked_check"], backend) as program:
        for kem in KEMS:
            assert program.of(kem).shares == 3
            masked_program.check_records(program, kem, 5)
            masked_program.check_altered(program, kem)
            masked_program.check_noisy(program, kem, noisy_hqc_cases(kem, internals))
            masked_program.check_padded(program, kem, padded_hqc_case(kem, internals))
