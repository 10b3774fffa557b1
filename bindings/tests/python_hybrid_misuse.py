# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What codekem.hybrid takes and refuses; test_hybrid.py runs it where the package is installed."""

import pickle
import unittest

from codekem.hybrid import Hybrid, HybridPrivateKey

HYBRID = Hybrid("HQC-1")
KEY = HYBRID.generate()
PUBLIC = KEY.public_bytes_raw()
SECRET, CIPHERTEXT = HYBRID.encapsulate(bytearray(PUBLIC))


class Misuse(unittest.TestCase):
    def test_any_buffer_is_taken(self):
        self.assertEqual(KEY.decapsulate(memoryview(CIPHERTEXT)), SECRET)
        again = HYBRID.from_seed_bytes(bytearray(KEY.private_bytes_raw()))
        self.assertEqual(again.decapsulate(CIPHERTEXT), SECRET)
        self.assertEqual((len(PUBLIC), len(CIPHERTEXT)), (2273, 4465))
        self.assertEqual(len(CIPHERTEXT), HYBRID.length_ciphertext)

    def test_what_is_wrong_is_a_value_error(self):
        for call, argument in [
            (Hybrid, "HQC-2"),
            (lambda group: Hybrid("HQC-1", group), "P384"),
            (HYBRID.from_seed_bytes, bytes(31)),
            (HYBRID.encapsulate, PUBLIC[:-1]),
            (HYBRID.encapsulate, bytes(2240) + b"\xff" + bytes(32)),  # unused bits of the KEM's
            (lambda seed: HYBRID.encapsulate(PUBLIC, seed), bytes(63)),
            (KEY.decapsulate, CIPHERTEXT + b"\0"),
        ]:
            with self.assertRaises(ValueError):
                call(argument)

    def test_other_types_are_type_errors(self):
        for call, argument in [(KEY.decapsulate, "text"), (pickle.dumps, KEY)]:
            with self.assertRaises(TypeError):
                call(argument)
        self.assertRaises(TypeError, HybridPrivateKey)

    def test_nothing_of_a_key_is_shown(self):
        self.assertNotIn(KEY.private_bytes_raw().hex(), repr(KEY) + str(KEY))
        self.assertEqual(pickle.loads(pickle.dumps(HYBRID)).label, HYBRID.label)


if __name__ == "__main__":
    unittest.main()
