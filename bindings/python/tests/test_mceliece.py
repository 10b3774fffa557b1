# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tests of Classic McEliece in the installed package, by published vectors."""

import hashlib
import json
import pathlib
import pickle
import unittest
import warnings

import codekem
from codekem import mceliece

ANSWERS = json.loads(
    pathlib.Path(__file__).with_name("mceliece_answers.json").read_text(encoding="ascii")
)


def kem_of(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mceliece.DisputedSecurityWarning)
        return mceliece.KEM(name)


@unittest.skipUnless(mceliece.KEM_NAMES, "the installed library has no Classic McEliece")
class McElieceTest(unittest.TestCase):
    def test_published_records_are_made_and_opened(self):
        self.assertEqual(len(ANSWERS), 10)
        for name, record in ANSWERS.items():
            with self.subTest(name):
                kem = kem_of(name)
                public_key, secret_key = kem.generate_keypair(bytes.fromhex(record["keypair_seed"]))
                for key, kind in [(public_key, "public"), (secret_key, "secret")]:
                    found = hashlib.sha256(key).hexdigest()
                    self.assertEqual(found, record[f"{kind}_key_sha256"])
                shared = kem.decapsulate(secret_key, bytes.fromhex(record["ciphertext"]))
                self.assertEqual(shared.hex(), record["shared_secret"])
                sent, ciphertext = kem.encapsulate(public_key)
                self.assertEqual(kem.decapsulate(secret_key, ciphertext), sent)

    def test_names_are_of_their_own(self):
        self.assertEqual(len(mceliece.KEM_NAMES), 20)
        self.assertFalse(set(mceliece.KEM_NAMES) & set(codekem.KEM_NAMES))
        for wrong in ["HQC-1", "mceliece", "mceliece348864\0"]:
            with self.assertRaisesRegex(ValueError, "mceliece.KEM_NAMES"):
                mceliece.KEM(wrong)
        with self.assertRaises(ValueError):
            codekem.KEM("mceliece348864")

    def test_each_warns(self):
        with self.assertWarnsRegex(mceliece.DisputedSecurityWarning, "disputed"):
            kem = mceliece.KEM("mceliece348864f")
        self.assertEqual(repr(kem), "codekem.mceliece.KEM('mceliece348864f')")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertIs(type(pickle.loads(pickle.dumps(kem))), mceliece.KEM)

    def test_unused_bits_are_refused(self):
        kem = kem_of("mceliece6960119f")
        public_key, secret_key = kem.generate_keypair(bytes(32))
        _, ciphertext = kem.encapsulate(public_key)
        altered = ciphertext[:-1] + bytes([ciphertext[-1] | 0x80])
        with self.assertRaisesRegex(ValueError, "ciphertext is malformed"):
            kem.decapsulate(secret_key, altered)
        row = public_key[:676] + bytes([public_key[676] | 0x80]) + public_key[677:]
        with self.assertRaisesRegex(ValueError, "public key is malformed"):
            kem.encapsulate(row)


if __name__ == "__main__":
    unittest.main()
