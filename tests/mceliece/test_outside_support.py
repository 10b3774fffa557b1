# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An error counts only if all of its places are in the support: 3488 of 4096 elements here."""

from tests.library import STATUS
from tests.mceliece_words import Key, N, T, accepted

PLACES = range(0, 54 * T, 54)


def test_errors_outside_of_the_support_are_rejected(fast_backend_name, mceliece, stored):
    kem = mceliece.kem("mceliece348864")
    secret_key = bytes.fromhex(stored("decaps")["sk"]["mceliece348864"])
    key = Key(secret_key)
    ciphertext = key.ciphertext(PLACES)
    with mceliece.library.backend(fast_backend_name):
        expected = (STATUS.OK, accepted(PLACES, ciphertext))
        assert mceliece.decaps(kem, ciphertext, secret_key) == expected
        # the word that holds the support's end, the next one, the last one; all of them outside
        for outside in ([N], [N + 32], [4095], range(N, N + T)):
            ciphertext = key.ciphertext([*PLACES[len(outside) :], *outside])
            expected = (STATUS.OK, key.rejected(ciphertext))
            assert mceliece.decaps(kem, ciphertext, secret_key) == expected, outside
