# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC of 2023: what sets it apart from the other KEMs, beyond known answers (tests/kat)."""

import functools
import hashlib
import random
import re
import subprocess

import pytest

from tests.c_library import aligned, source
from tests.library import STATUS, in_workspace, options
from tests.samples import buffers, counting, dirty, flipped, honest_exchange
from tools import known_answers

# Name: category, bytes of a message, and of public key, secret key and ciphertext.
KEMS = {
    "HQC-128-2023": (1, 16, (2249, 2305, 4433)),
    "HQC-192-2023": (3, 24, (4522, 4586, 8978)),
    "HQC-256-2023": (5, 32, (7245, 7317, 14421)),
}
SEED = 40


@pytest.fixture(scope="module")
def exchange(internals):
    return functools.cache(functools.partial(honest_exchange, internals))


@pytest.mark.parametrize("name", KEMS)
def test_sizes_and_facts(name, internals, root):
    level, message, sizes = KEMS[name]
    kem = internals.kem(name)
    assert (kem.length_public_key, kem.length_secret_key, kem.length_ciphertext) == sizes
    assert (kem.length_shared_secret, kem.claimed_nist_level) == (64, level)
    assert (kem.length_keypair_seed, kem.length_encaps_seed) == (80 + message, message + 16)
    assert (kem.family, kem.alg_version, kem.superseded) == ("HQC", "2023-04-30", True)


def test_largest_lengths_cover_every_kem_of_both_libraries(internals, root):
    text = (root / "include" / "codekem_legacy.h").read_text()
    kems = [*internals.kems(), *map(internals.kem, KEMS)]
    for field in ["public_key", "secret_key", "ciphertext", "shared_secret", "keypair_seed"]:
        largest = max(getattr(kem, f"length_{field}") for kem in kems)
        assert f"#define CODEKEM_LEGACY_MAX_{field.upper()} {largest}\n" in text
    longest = max(kem.length_encaps_seed for kem in kems)
    assert longest == max(kem.length_encaps_seed for kem in internals.kems())


@pytest.mark.parametrize("name", KEMS)
def test_back_ends_agree(name, backend_name, internals):
    """On seeds that the known answers do not have."""
    kem, draw = internals.kem(name), random.Random(name)
    for _ in range(2 if backend_name == "reference" else 20):
        seeds = draw.randbytes(kem.length_keypair_seed), draw.randbytes(kem.length_encaps_seed)
        results = []
        for one in ("portable", backend_name):
            with internals.backend(one):
                public_key, secret_key = internals.keypair(kem, seeds[0])
                ciphertext, shared = internals.encaps(kem, public_key, seeds[1])
                assert internals.decaps(kem, ciphertext, secret_key) == shared
                rejected = internals.decaps(kem, flipped(ciphertext, 7), secret_key)
                results.append((public_key, secret_key, ciphertext, shared, rejected))
        assert results[0] == results[1]


@pytest.mark.parametrize("name", KEMS)
def test_randomness_of_the_system(name, internals):
    kem = internals.kem(name)
    seen = set()
    for _ in range(3):
        public_key, secret_key = internals.keypair(kem)
        ciphertext, shared = internals.encaps(kem, public_key)
        assert internals.decaps(kem, ciphertext, secret_key) == shared
        seen |= {secret_key, ciphertext, shared}
    assert len(seen) == 9


@pytest.mark.parametrize("name", KEMS)
def test_randomness_is_asked_for_once(name, internals):
    """As much as the seed is, all of it: the records of NIST's files depend on it."""
    kem = internals.kem(name)
    asked = []

    def draw(length):
        asked.append(length)
        return counting(length)

    keys = dirty(kem.length_public_key), dirty(kem.length_secret_key)
    drawing = options(random=source(draw))
    internals.check(internals.call["kem_keypair_with"](kem, *keys, drawing))
    assert tuple(map(bytes, keys)) == internals.keypair(kem, counting(kem.length_keypair_seed))
    sent = dirty(kem.length_ciphertext), dirty(kem.length_shared_secret)
    internals.check(internals.call["kem_encaps_with"](kem, *sent, keys[0], drawing))
    seed = counting(kem.length_encaps_seed)
    assert tuple(map(bytes, sent)) == internals.encaps(kem, bytes(keys[0]), seed)
    assert asked == [kem.length_keypair_seed, kem.length_encaps_seed]


@pytest.mark.parametrize("name", KEMS)
def test_workspace_forms(name, internals, exchange):
    kem, public_key, secret_key, ciphertext, shared = exchange(name)
    out = buffers(kem)
    seed = {
        "keypair": {"seed": counting(kem.length_keypair_seed)},
        "encaps": {"seed": counting(kem.length_encaps_seed, 100)},
    }
    calls = {
        "keypair": (kem.length_keypair_workspace, [out["public_key"], out["secret_key"]]),
        "encaps": (
            kem.length_encaps_workspace,
            [out["ciphertext"], out["shared_secret"], public_key],
        ),
        "decaps": (kem.length_decaps_workspace, [out["shared_secret"], ciphertext, secret_key]),
        "check_secret_key": (kem.length_check_workspace, [secret_key]),
        "derive_public_key": (kem.length_check_workspace, [out["public_key"], secret_key]),
    }
    for operation, (length, arguments) in calls.items():
        memory = aligned(length)
        for given, said in [(length - 1, STATUS.ERROR_WORKSPACE), (length, STATUS.OK)]:
            chosen = in_workspace(memory, given, **seed.get(operation, {}))
            assert internals.call[f"kem_{operation}_with"](kem, *arguments, chosen) == said
        assert not any(memory), f"{operation} leaves something in the workspace"
    expected = {
        "public_key": public_key,
        "secret_key": secret_key,
        "ciphertext": ciphertext,
        "shared_secret": shared,
    }
    assert out == expected


@pytest.mark.parametrize("name", KEMS)
def test_public_key_is_derived(name, internals, exchange):
    kem, public_key, secret_key, _, _ = exchange(name)
    out = dirty(kem.length_public_key)
    assert internals.call["kem_derive_public_key"](kem, out, secret_key) == STATUS.OK
    assert bytes(out) == public_key
    assert internals.call["kem_derive_public_key"](kem, out, None) == STATUS.ERROR_NULL
    assert not any(out)


# --- Rejection ------------------------------------------------------------------------------------


def rejection_of(name, ciphertext, secret_key):
    """The secret that docs/kems.md promises."""
    sigma = secret_key[SEED : SEED + KEMS[name][1]]
    return hashlib.shake_256(sigma + ciphertext + b"\5").digest(64)


@pytest.mark.parametrize("name", KEMS)
def test_a_changed_byte_is_rejected(name, fast_backend_name, internals, exchange):
    kem, _, secret_key, ciphertext, shared = exchange(name)
    u_bytes = kem.length_public_key - SEED
    length = kem.length_ciphertext
    with internals.backend(fast_backend_name):
        for position in [
            0, 1, 7, u_bytes - 1, u_bytes, u_bytes + 1, length - 17, length - 16, length - 1
        ]:  # fmt: skip
            for mask in (0x01, 0x80):
                bad = flipped(ciphertext, position, mask)
                rejected = internals.decaps(kem, bad, secret_key)
                assert rejected == rejection_of(name, bad, secret_key) != shared


@pytest.mark.parametrize("name", KEMS)
def test_the_salt_shows_no_rejection(name, internals, exchange):
    """CVE-2025-48946: with the published rejection both ciphertexts would give the same secret."""
    kem, _, secret_key, ciphertext, shared = exchange(name)
    damaged = flipped(ciphertext, 100)
    others = [flipped(damaged, kem.length_ciphertext - 1 - i) for i in range(16)]
    secrets = [internals.decaps(kem, one, secret_key) for one in [damaged, *others]]
    assert len({shared, *secrets}) == 18
    # And of the good ciphertext with another salt.
    secrets += [
        internals.decaps(kem, flipped(ciphertext, kem.length_ciphertext - 1 - i), secret_key)
        for i in range(16)
    ]
    assert len({shared, *secrets}) == 34


@pytest.mark.parametrize("name", KEMS)
def test_peers_differ_in_rejections_alone(name):
    """The stored cases: the same secret where the ciphertext is accepted, and nowhere else. The
    peers give one secret for all salts; what they give is the published K(sigma, u, v)."""
    records = known_answers.read_records(name)
    cases = [
        case for case in known_answers.hqc_cases(name, "tampered")["cases"] if case["kem"] == name
    ]
    assert len(cases) >= 20
    salts = set()
    for case in cases:
        assert case["accepted"] == ("peers_ss" not in case)
        if not case["accepted"]:
            ciphertext = known_answers.tampered_ciphertext(case, records)
            secret_key = records[case["sk_of"]]["sk"]
            assert case["ss"] == rejection_of(name, ciphertext, secret_key).hex()
            sigma = secret_key[SEED : SEED + KEMS[name][1]]
            published = hashlib.shake_256(sigma + ciphertext[:-16] + b"\4").hexdigest(64)
            assert case["peers_ss"] == published
            if case["what"] in ("salt first bit", "salt last bit"):
                salts.add(case["peers_ss"])
    assert len(salts) == 1


@pytest.mark.parametrize("name", KEMS)
def test_sigma_matters_only_for_rejected_ciphertexts(name, internals, exchange):
    kem, _, secret_key, ciphertext, shared = exchange(name)
    other_sigma = flipped(secret_key, SEED)
    assert internals.decaps(kem, ciphertext, other_sigma) == shared
    bad = flipped(ciphertext, 3)
    assert internals.decaps(kem, bad, other_sigma) != internals.decaps(kem, bad, secret_key)


# --- Checks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEMS)
def test_checks(name, fast_backend_name, internals, exchange):
    kem, public_key, secret_key, ciphertext, _ = exchange(name)
    start = SEED + KEMS[name][1]
    with internals.backend(fast_backend_name):
        check = internals.call["kem_check_secret_key"]
        assert check(kem, secret_key) == STATUS.OK
        for position in (0, SEED - 1, start, start + SEED, len(secret_key) - 1):
            assert check(kem, flipped(secret_key, position, 1)) == STATUS.ERROR_SECRET_KEY, position
        assert check(kem, flipped(secret_key, len(secret_key) - 1, 0x80)) == STATUS.ERROR_SECRET_KEY
        assert check(kem, flipped(secret_key, SEED)) == STATUS.OK  # sigma may be anything
    check = internals.call["kem_check_public_key"]
    assert check(kem, public_key) == STATUS.OK
    assert check(kem, flipped(public_key, len(public_key) - 1, 0x80)) == STATUS.ERROR_PUBLIC_KEY
    assert check(kem, public_key[:SEED] + bytes(len(public_key) - SEED)) == STATUS.ERROR_PUBLIC_KEY
    one_bit = check(kem, flipped(public_key, SEED + 100, 1))  # the weight has another parity
    assert one_bit == (STATUS.OK if name == "HQC-256-2023" else STATUS.ERROR_PUBLIC_KEY)
    check = internals.call["kem_check_ciphertext"]
    u_last = len(public_key) - SEED - 1
    assert check(kem, ciphertext) == STATUS.OK
    assert check(kem, flipped(ciphertext, u_last, 0x80)) == STATUS.ERROR_CIPHERTEXT
    assert check(kem, bytes(u_last + 1) + ciphertext[u_last + 1 :]) == STATUS.ERROR_CIPHERTEXT


@pytest.mark.parametrize("name", KEMS)
def test_it_does_not_mix_with_the_current_revision(name, internals, library):
    """Which is why the names differ: even the lengths of keys do, not those of ciphertexts."""
    old = internals.kem(name)
    new = library.kem(f"HQC-{KEMS[name][0]}")
    assert old.length_ciphertext == new.length_ciphertext
    assert old.length_public_key == new.length_public_key + 8


def test_builds_without_libcrypto(build, need):
    """CODEKEM_LEGACY_AES=OFF, as in all presets for other processors."""
    folder = build("aarch64", targets=["codekem_legacy"])
    symbols = subprocess.run(
        [need("nm"), folder / "libcodekem-legacy.a"], capture_output=True, text=True, check=True
    ).stdout
    assert re.search(r" [DR] \w*hqc_128_2023$", symbols, re.MULTILINE)
    assert "EVP_" not in symbols and "aes" not in symbols
    package = (folder / "codekem-legacy.pc").read_text()
    assert "libcrypto" not in package and "libcodekem-legacy.a" in package
