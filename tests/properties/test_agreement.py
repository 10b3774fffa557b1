# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Both sides agree, and seeds decide everything."""

from hypothesis import given
from hypothesis import strategies as st

from tests.library import STATUS
from tests.samples import draw_seeds, flipped


def test_random_exchange_agrees(kem_name, backend_name, library):
    kem = library.kem(kem_name)
    with library.backend(backend_name):
        public_key, secret_key = library.keypair(kem)
        ciphertext, shared = library.encaps(kem, public_key)
        assert library.decaps(kem, ciphertext, secret_key) == shared
        other_ciphertext, other_shared = library.encaps(kem, public_key)
    assert other_ciphertext != ciphertext
    assert other_shared != shared


@given(data=st.data())
def test_seeded_exchange_agrees_and_repeats(kem_name, data, library):
    kem = library.kem(kem_name)
    keypair_seed, encaps_seed = draw_seeds(data, kem)
    public_key, secret_key = library.keypair(kem, keypair_seed)
    ciphertext, shared = library.encaps(kem, public_key, encaps_seed)
    assert library.decaps(kem, ciphertext, secret_key) == shared
    assert library.keypair(kem, keypair_seed) == (public_key, secret_key)
    assert library.encaps(kem, public_key, encaps_seed) == (ciphertext, shared)
    for check, value in [
        ("public_key", public_key),
        ("secret_key", secret_key),
        ("ciphertext", ciphertext),
    ]:
        assert library.call[f"kem_check_{check}"](kem, value) == STATUS.OK


@given(data=st.data())
def test_all_back_ends_agree(kem_name, data, library):
    """The reference is compared by the known answers; it is too slow for many examples."""
    kem = library.kem(kem_name)
    keypair_seed, encaps_seed = draw_seeds(data, kem)
    keypair_seed, encaps_seed = draw_seeds(data, kem)
    results = []
    for backend in [
        name for name, runs in library.backends().items() if runs and name != "reference"
    ]:
        with library.backend(backend):
            public_key, secret_key = library.keypair(kem, keypair_seed)
            ciphertext, shared = library.encaps(kem, public_key, encaps_seed)
            rejected = library.decaps(kem, flipped(ciphertext, 0), secret_key)
            results.append((public_key, secret_key, ciphertext, shared, rejected))
    assert all(result == results[0] for result in results)


@given(data=st.data())
def test_every_seed_byte_matters(kem_name, data, library):
    kem = library.kem(kem_name)
    keypair_seed, encaps_seed = draw_seeds(data, kem)
    public_key, secret_key = library.keypair(kem, keypair_seed)
    position = data.draw(st.integers(0, len(keypair_seed) - 1))
    other_public, other_secret = library.keypair(kem, flipped(keypair_seed, position, 1))
    assert other_secret != secret_key
    if kem_name.startswith("BIKE"):
        # The second half of the seed is sigma, the secret of rejection: not in the public key.
        assert (other_public == public_key) == (position >= 32)
    ciphertext, shared = library.encaps(kem, public_key, encaps_seed)
    position = data.draw(st.integers(0, len(encaps_seed) - 1))
    other = library.encaps(kem, public_key, flipped(encaps_seed, position, 1))
    assert other[0] != ciphertext
    assert other[1] != shared
