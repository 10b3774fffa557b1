# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the library says about itself."""

import pytest

from tests.library import STATUS


def test_kems_are_listed_with_their_parameters(library):
    kems = {kem.name: kem for kem in library.kems()}
    assert len(kems) == library.call["kem_count"]()
    assert not library.call["kem_at"](len(kems))
    assert all(library.kem(name).name == name for name in kems)
    for name, sizes in {
        "BIKE-L1": (1, 1541, 5223, 1573),
        "BIKE-L3": (3, 3083, 10105, 3115),
        "BIKE-L5": (5, 5122, 16494, 5154),
    }.items():
        kem = kems[name]
        assert (
            kem.claimed_nist_level,
            kem.length_public_key,
            kem.length_secret_key,
            kem.length_ciphertext,
        ) == sizes
        assert (kem.alg_version, kem.security, kem.ind_cca) == ("5.1", "IND-CPA", False)
        assert (kem.length_shared_secret, kem.length_keypair_seed, kem.length_encaps_seed) == (
            32,
            64,
            32,
        )


def test_largest_lengths_cover_every_kem(library, root):
    text = (root / "include" / "codekem.h").read_text()
    for field in [
        "public_key",
        "secret_key",
        "ciphertext",
        "shared_secret",
        "keypair_seed",
        "encaps_seed",
    ]:
        largest = max(getattr(kem, f"length_{field}") for kem in library.kems())
        assert f"#define CODEKEM_MAX_{field.upper()} {largest}\n" in text


@pytest.mark.parametrize("name", ["", "bike-l1", "BIKE-L2", "BIKE-L1 ", "BIKE"])
def test_unknown_kem_is_not_found(name, library):
    assert not library.call["kem_find"](name)


def test_find_accepts_null(library):
    assert not library.call["kem_find"](None)


def test_every_status_has_its_own_sentence(library):
    statuses = vars(STATUS).values()
    texts = {library.call["status_text"](status) for status in [*statuses, 99]}
    assert len(texts) == len(statuses) + 1 == 12
    assert library.call["status_text"](2**32 - 1)
