# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The interface for large keys: memory, short and prepared keys, pieces, rows, checks, refusals."""

import hashlib
import threading

import pytest

from parameters.table import TABLE
from tests.c_library import FFI, aligned, source
from tests.library import STATUS, in_workspace, options
from tests.mceliece_library import NAMES, ROWS, SETS, Generator
from tests.samples import counting, flipped

SMALL = "mceliece348864f"
SEED = counting(32)
OTHER = counting(32, 100)


@pytest.fixture(scope="module")
def pair(mceliece):
    """pair(name) is (KEM, public key, secret key) of a fixed seed."""
    made = {}

    def make(name):
        if name not in made:
            kem = mceliece.kem(name)
            made[name] = (kem, *mceliece.keypair(kem, SEED))
        return made[name]

    return make


@pytest.mark.parametrize("name", NAMES)
def test_facts(name, mceliece):
    kem = mceliece.kem(name)
    size = next(size for size in ROWS if size in name)
    assert (kem.family, kem.alg_version) == ("Classic McEliece", "2022-10-23")
    assert (kem.security, kem.ind_cca, kem.superseded) == ("IND-CCA2", True, False)
    assert kem.claimed_nist_level == {"348864": 1, "460896": 3}.get(size, 5)
    assert (kem.length_keypair_seed, kem.length_encaps_seed) == (32, 32)
    assert kem.length_shared_secret == 32
    assert kem.length_public_key % ROWS[size] == 0 == kem.length_keypair_workspace % 64
    assert kem.length_ciphertext == -(-ROWS[size] // 8) + (32 if TABLE.find(name).confirms else 0)
    assert mceliece.call["rows"](kem) == ROWS[size]


def test_maximum_lengths_cover_every_set(mceliece, root):
    text = (root / "include" / "codekem_mceliece.h").read_text()
    for field in ["public_key", "secret_key", "ciphertext"]:
        largest = max(getattr(mceliece.kem(name), f"length_{field}") for name in NAMES)
        assert f"#define CODEKEM_MCELIECE_MAX_{field.upper()} {largest}\n" in text


def test_the_warning_says_what_it_must(mceliece):
    warning = mceliece.call["warning"]()
    assert "claimed in 2022" in warning and "disputed since August 2026" in warning


def test_names_that_do_not_exist(mceliece):
    for name in ["mceliece348864x", "BIKE-L1", ""]:
        with pytest.raises(KeyError):
            mceliece.kem(name)
    assert not mceliece.call["kem_find"](None)
    assert not mceliece.call["kem_at"](len(NAMES))


def test_keys_are_not_made_on_the_stack(mceliece):
    """A clear refusal, in place of the crash that others have."""
    kem = mceliece.kem(SMALL)
    out = aligned(kem.length_public_key), aligned(kem.length_secret_key)
    call = mceliece.library.call
    assert call["kem_keypair"](kem, *out) == STATUS.ERROR_WORKSPACE
    assert call["kem_keypair_with"](kem, *out, options(seed=SEED)) == STATUS.ERROR_WORKSPACE
    assert call["kem_check_secret_key"](kem, out[1]) == STATUS.ERROR_WORKSPACE
    assert call["kem_derive_public_key"](kem, *out) == STATUS.ERROR_WORKSPACE
    assert not any(out[0]) and not any(out[1])


@pytest.mark.parametrize("name", ["mceliece348864f", "mceliece8192128f"])
def test_encapsulation_and_decapsulation_fit_a_small_thread(name, mceliece, pair):
    kem, public_key, secret_key = pair(name)
    results = []

    def exchange():
        ciphertext, secret = mceliece.library.encaps(kem, public_key, OTHER)
        results.append((secret, mceliece.library.decaps(kem, ciphertext, secret_key)))

    threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=exchange)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert results[0][0] == results[0][1]


@pytest.mark.parametrize("name", SETS)
def test_workspaces_are_checked(name, mceliece, pair):
    kem, _, secret_key = pair(name)
    call = mceliece.library.call
    ciphertext, secret = aligned(kem.length_ciphertext), aligned(32)
    length = kem.length_decaps_workspace
    arguments = kem, secret, ciphertext, secret_key
    for memory, given in [(aligned(length), length - 1), (aligned(length, offset=8), length)]:
        status = call["kem_decaps_with"](*arguments, in_workspace(memory, given))
        assert status == STATUS.ERROR_WORKSPACE


# --- Keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_forty_bytes_are_enough(name, fast_backend_name, mceliece, pair):
    kem, _, secret_key = pair(name)
    with mceliece.library.backend(fast_backend_name):
        assert mceliece.expand(kem, secret_key[:40]) == (STATUS.OK, secret_key)


def test_bad_short_keys_are_refused(mceliece, pair):
    refused = STATUS.ERROR_SECRET_KEY, bytes(6492)
    kem, _, secret_key = pair(SMALL)
    head = secret_key[:32]
    for pivots in (0, 0x7FFFFFFF, 0x1FFFFFFFF, 2**64 - 1):
        assert mceliece.expand(kem, head + pivots.to_bytes(8, "little")) == refused
    plain, moved = mceliece.kem("mceliece348864"), 0xFFFFFFFF << 1
    assert mceliece.expand(plain, head + moved.to_bytes(8, "little")) == refused
    assert mceliece.expand(kem, head + moved.to_bytes(8, "little"))[0] == STATUS.OK  # some key's


@pytest.mark.parametrize("name", SETS)
def test_secret_keys_are_checked(name, mceliece, pair):
    kem, _, secret_key = pair(name)
    assert mceliece.check_secret_key(kem, secret_key) == STATUS.OK
    for place in (0, 32, 40, 41, 300, len(secret_key) - 1025, len(secret_key) - 1):
        bad = flipped(secret_key, place, 1)
        assert mceliece.check_secret_key(kem, bad) == STATUS.ERROR_SECRET_KEY, place


@pytest.mark.parametrize("name", SETS)
def test_public_key_is_derived(name, fast_backend_name, mceliece, pair):
    kem, public_key, secret_key = pair(name)
    with mceliece.library.backend(fast_backend_name):
        assert mceliece.derive_public_key(kem, secret_key) == (STATUS.OK, public_key)


def test_no_public_key_of_a_bad_secret_key(mceliece, pair):
    """g with a root: the columns of that point are zero or meaningless; never a crash."""
    kem, _, secret_key = pair(SMALL)
    for goppa in (bytes(128), b"\1" + bytes(127), b"\xff" * 128):
        status, _ = mceliece.derive_public_key(kem, secret_key[:40] + goppa + secret_key[168:])
        assert status in (STATUS.OK, STATUS.ERROR_SECRET_KEY)


@pytest.mark.parametrize("size", ROWS)
def test_both_forms_of_a_set_have_the_same_keys_if_no_column_moved(size, mceliece, pair):
    """And pc changes nothing about keys."""
    _, public_key, secret_key = pair(f"mceliece{size}f")
    if secret_key[32:40] == b"\xff" * 4 + bytes(4):
        assert pair(f"mceliece{size}")[1:] == (public_key, secret_key)
    kem = mceliece.kem(f"mceliece{size}pcf")
    assert mceliece.keypair(kem, SEED) == (public_key, secret_key)


@pytest.mark.parametrize("name", [SMALL, "mceliece6960119f"])
def test_randomness_is_asked_for_as_the_reference_does(name, mceliece):
    kem, asked = mceliece.kem(name), []

    def draw(length):
        asked.append(length)
        return hashlib.shake_256(b"%d" % len(asked)).digest(length)

    out = aligned(kem.length_public_key), aligned(kem.length_secret_key)
    memory = aligned(kem.length_keypair_workspace)
    drawing = in_workspace(memory, len(memory), random=source(draw))
    assert mceliece.library.call["kem_keypair_with"](kem, *out, drawing) == STATUS.OK
    assert asked == [32]
    public_key = bytes(out[0])
    asked.clear()
    status, *_ = mceliece.encaps(kem, public_key, draw)
    assert status == STATUS.OK and set(asked) == {476 if "6960119" in name else 256}
    asked.clear()
    out = aligned(kem.length_ciphertext), aligned(32)
    drawing = options(random=source(draw))
    assert mceliece.library.call["kem_encaps_with"](kem, *out, public_key, drawing) == STATUS.OK
    assert asked == [32]


def test_a_failing_source_is_reported(mceliece, pair):
    kem, public_key, _ = pair(SMALL)
    assert mceliece.encaps(kem, public_key, lambda _: None) == (
        STATUS.ERROR_RANDOM,
        bytes(kem.length_ciphertext),
        bytes(32),
    )


# --- Prepared keys --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_prepared_keys(name, fast_backend_name, mceliece, pair):
    kem, public_key, secret_key = pair(name)
    with mceliece.library.backend(fast_backend_name):
        prepared = mceliece.prepare(kem, secret_key)
        for seed in (SEED, OTHER):
            _, ciphertext, secret = mceliece.encaps(kem, public_key, seed)
            assert mceliece.decaps_prepared(kem, ciphertext, prepared) == (STATUS.OK, secret)
            bad = flipped(ciphertext, 5)
            assert mceliece.decaps_prepared(kem, bad, prepared) == mceliece.decaps(
                kem, bad, secret_key
            )


def test_prepared_keys_do_not_mix(mceliece, pair):
    kem, public_key, secret_key = pair(SMALL)
    _, ciphertext, _ = mceliece.encaps(kem, public_key, SEED)
    with mceliece.library.backend("portable"):
        prepared = mceliece.prepare(kem, secret_key)
        other = mceliece.kem("mceliece348864")
        refused = STATUS.ERROR_BACKEND, bytes(32)
        assert mceliece.decaps_prepared(other, ciphertext, prepared) == refused
        assert mceliece.decaps_prepared(kem, ciphertext, prepared)[0] == STATUS.OK
    with mceliece.library.backend("reference"):
        assert mceliece.decaps_prepared(kem, ciphertext, prepared) == refused


# --- Pieces and rows ------------------------------------------------------------------------------


def in_pieces(data, length):
    return [data[i : i + length] for i in range(0, len(data), length)]


@pytest.mark.parametrize("name", [*SETS[1::2], "mceliece6960119pc"])
def test_public_key_in_pieces(name, fast_backend_name, mceliece, pair):
    kem, public_key, _ = pair(name)
    row = len(public_key) // mceliece.call["rows"](kem)
    with mceliece.library.backend(fast_backend_name):
        expected = mceliece.encaps(kem, public_key, OTHER)
        for length in (len(public_key), row, 8 * row, 13 * row, 1000, 4096, 99991):
            pieces = in_pieces(public_key, length)
            assert mceliece.encaps_in_pieces(kem, pieces, OTHER) == expected, length


def test_single_bytes_and_empty_pieces(mceliece, pair):
    kem, public_key, _ = pair(SMALL)
    pieces = [public_key[:1], b"", *in_pieces(public_key[1:5000], 1), public_key[5000:]]
    assert mceliece.encaps_in_pieces(kem, pieces, OTHER) == mceliece.encaps(kem, public_key, OTHER)


def test_pieces_with_a_source_of_randomness(mceliece, pair):
    kem, public_key, secret_key = pair(SMALL)
    seed = bytes(range(48))
    result = mceliece.encaps_in_pieces(kem, [public_key], Generator(seed).draw)
    assert result == mceliece.encaps(kem, public_key, Generator(seed).draw)
    _, ciphertext, secret = result
    assert mceliece.decaps(kem, ciphertext, secret_key) == (STATUS.OK, secret)


def test_incomplete_and_malformed_public_keys_are_refused(mceliece, pair):
    kem, public_key, _ = pair("mceliece6960119f")
    refused = STATUS.ERROR_PUBLIC_KEY, bytes(kem.length_ciphertext), bytes(32)
    check = mceliece.library.call["kem_check_public_key"]
    assert check(kem, public_key) == STATUS.OK
    for bad in (
        public_key[:-1],
        public_key + b"\0",
        b"",
        flipped(public_key, 676, 0x20),
        flipped(public_key, len(public_key) - 1, 0x80),
    ):
        for length in (1 << 21, 4000):
            assert mceliece.encaps_in_pieces(kem, in_pieces(bad, length), OTHER) == refused
        if len(bad) == len(public_key):
            assert mceliece.encaps(kem, bad, OTHER) == refused
            assert check(kem, bad) == STATUS.ERROR_PUBLIC_KEY


def test_an_encapsulation_ends_once(mceliece):
    state = FFI.new("codekem_mceliece_encapsulation *")
    kem = mceliece.kem(SMALL)
    assert mceliece.call["encaps_begin_derand"](kem, state, SEED) == STATUS.OK
    out = aligned(kem.length_ciphertext), aligned(32)
    assert mceliece.call["encaps_end"](state, *out) == STATUS.ERROR_PUBLIC_KEY
    assert mceliece.call["encaps_end"](state, *out) == STATUS.ERROR_NULL
    assert mceliece.call["encaps_absorb"](state, b"x", 1) == STATUS.ERROR_NULL


@pytest.mark.parametrize("name", SETS[1::2])
def test_rows_on_demand(name, fast_backend_name, mceliece, pair):
    kem, public_key, secret_key = pair(name)
    count = mceliece.call["rows"](kem)
    row = len(public_key) // count
    memory = aligned(mceliece.call["rows_length"](kem))
    assert len(memory) < 3 / 4 * len(public_key)
    workspace = aligned(kem.length_check_workspace)
    with mceliece.library.backend(fast_backend_name):
        begin = mceliece.call["rows_begin"]
        status = begin(kem, memory, len(memory), secret_key, workspace, len(workspace))
        assert status == STATUS.OK and not any(workspace)
        for first, number in [(0, 1), (count - 1, 1), (100, 33), (count, 0)]:
            out = aligned(number * row)
            assert mceliece.call["rows_make"](kem, out, first, number, memory) == STATUS.OK
            assert bytes(out) == public_key[first * row : (first + number) * row]
    out = aligned(row)
    for first, number in [(count, 1), (0, count + 1), (2**63, 2**63)]:
        assert mceliece.call["rows_make"](kem, out, first, number, memory) == STATUS.ERROR_WORKSPACE
    assert mceliece.call["rows_make"](mceliece.kem(name[:-1]), out, 0, 1, memory) == (
        STATUS.ERROR_WORKSPACE
    )


# --- Other schemes --------------------------------------------------------------------------------


def test_kems_of_other_schemes_are_refused(mceliece):
    bike, call = mceliece.library.kem("BIKE-L1"), mceliece.call
    state = FFI.new("codekem_mceliece_encapsulation *")
    for kem in (bike, None):
        assert call["prepared_length"](kem) == call["rows"](kem) == call["rows_length"](kem) == 0
        assert call["expand_secret_key"](kem, None, SEED, None, 0) == STATUS.ERROR_NULL
        assert call["encaps_begin_derand"](kem, state, SEED) == STATUS.ERROR_NULL
        assert call["rows_begin"](kem, None, 0, None, None, 0) == STATUS.ERROR_NULL
        assert call["rows_make"](kem, None, 0, 0, None) == STATUS.ERROR_NULL
