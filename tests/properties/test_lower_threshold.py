# SPDX-License-Identifier: Apache-2.0 OR MIT
"""BIKE with a lower first threshold, as the options of decapsulation say."""

import pytest

from tests import weak_keys
from tests.library import STATUS, options
from tests.samples import dirty
from tools import mistakes

MOST = {"1": 6, "3": 9, "5": 10}  # by level, what include/codekem.h allows
COUNT = 40


@pytest.fixture(scope="module", params=weak_keys.LEVELS)
def weak(request, library, internals):
    """Returns a KEM, a secret key for which many honest ciphertexts do not decode, and some of
    these with their secrets."""
    return weak_keys.weak_key(library, internals, request.param, COUNT)


def decoded(library, kem, secret, sent, lower):
    """Returns the numbers of the ciphertexts that a batch with this option decodes."""
    found = weak_keys.secrets_of(library, kem, secret, [one for one, _ in sent], lower)
    return [i for i, (_, shared) in enumerate(sent) if found[i] == shared]


def test_a_lower_first_threshold_decodes_others_of_a_weak_key(weak, library):
    """So the decoder takes it, in single calls and in batches; 0 is what no options are."""
    kem, secret, sent = weak
    single = []
    for lower in (None, 0, 6):
        given = None if lower is None else options(lower_first_threshold=lower)
        found = []
        for i, (ciphertext, shared) in enumerate(sent):
            out = dirty(32)
            assert library.call["kem_decaps_with"](kem, out, ciphertext, secret, given) == STATUS.OK
            found += [i] if bytes(out) == shared else []
        single.append(found)
        assert decoded(library, kem, secret, sent, lower or 0) == found
    assert single[0] == single[1] != single[2] and single[2]


@pytest.mark.parametrize("weak", ["BIKE-L1"], indirect=True)
@pytest.mark.parametrize("mistake", mistakes.cases("properties/threshold"))
def test_an_old_threshold_is_noticed(mistake, weak, library, broken_library):
    _, secret, sent = weak
    broken = broken_library(mistake)
    found = decoded(broken, broken.kem("BIKE-L1"), secret, sent, 6)
    assert found != decoded(library, library.kem("BIKE-L1"), secret, sent, 6)


def test_all_back_ends_take_it(weak, library, fast_backend_name):
    kem, secret, sent = weak
    lowers = (0, 3, MOST[kem.name[-1]])
    expected = [decoded(library, kem, secret, sent[:8], lower) for lower in lowers]
    with library.backend(fast_backend_name):
        for lower, found in zip(lowers, expected, strict=True):
            assert decoded(library, kem, secret, sent[:8], lower) == found


def test_what_has_no_first_threshold_refuses_it(kem_name, library, exchange):
    """Other schemes and calls, and more than the most; outputs are then zero."""
    kem, public_key, secret_key, ciphertext, shared = exchange(kem_name)
    most = MOST[kem.name.split("-")[1][-1]] if kem.family == "BIKE" else 0
    for lower in (0, most, most + 1, 2**32, 2**64 - 1):
        given, out = options(lower_first_threshold=lower), dirty(kem.length_shared_secret)
        status = library.call["kem_decaps_with"](kem, out, ciphertext, secret_key, given)
        assert status == (STATUS.OK if lower <= most else STATUS.ERROR_OPTIONS)
        assert bytes(out) == (shared if lower <= most else bytes(len(shared)))
    given, out = options(lower_first_threshold=1), dirty(kem.length_public_key)
    made = dirty(kem.length_secret_key)
    assert library.call["kem_keypair_with"](kem, out, made, given) == STATUS.ERROR_OPTIONS
    status = library.call["kem_derive_public_key_with"](kem, out, secret_key, given)
    assert status == STATUS.ERROR_OPTIONS
    assert bytes(out) == bytes(len(public_key)) and bytes(made) == bytes(len(secret_key))
