# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of keys in files, in the installed package: python -m unittest discover."""

import enum
import unittest

import codekem
from codekem import KEM
from codekem.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
)

CLASSES = {
    name: [getattr(codekem, name.replace("-", "") + kind) for kind in ("PrivateKey", "PublicKey")]
    for name in codekem.KEM_NAMES
    if "." not in name  # earlier versions, which have no classes
}


class Files(unittest.TestCase):
    """Keys in DER and PEM; bindings/tests/test_keys.py of the project has those of others."""

    def test_every_form_comes_back(self):
        for name, (private_class, _) in CLASSES.items():
            key = private_class.generate()
            bare = private_class.from_secret_key_bytes(key.secret_key_bytes())
            for encoding, load_private, load_public in [
                (Encoding.PEM, load_pem_private_key, load_pem_public_key),
                (Encoding.DER, load_der_private_key, load_der_public_key),
            ]:
                with self.subTest(name, encoding=encoding):
                    public = key.public_key()
                    data = public.public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
                    self.assertEqual(load_public(bytearray(data)), public)
                    default = key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption())
                    for form in [None, "seed", "both", "expanded"]:
                        data = key.private_bytes(encoding, PrivateFormat.PKCS8, form=form)
                        self.assertEqual(load_private(data), key)
                        self.assertEqual(data == default, form in (None, "seed"))
                    if name.startswith("HQC"):
                        self.assertLess(len(default), 150)
                        self.assertEqual(bare.private_bytes(encoding, PrivateFormat.PKCS8), default)
                    else:
                        self.assertEqual(bare.private_bytes(encoding, PrivateFormat.PKCS8), data)

    def test_raw_means_the_seed(self):
        for name, (private_class, _) in CLASSES.items():
            key = private_class.generate()
            seed = key.private_bytes(Encoding.Raw, PrivateFormat.Raw)
            self.assertEqual(seed, key.private_bytes_raw())
            self.assertEqual(len(seed), KEM(name).length_keypair_seed)
            self.assertEqual(private_class.from_seed_bytes(seed), key)
            raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            self.assertEqual(raw, key.public_key().public_bytes_raw())
            bare = private_class.from_secret_key_bytes(key.secret_key_bytes())
            if name.startswith("HQC"):
                self.assertEqual(bare.private_bytes_raw(), seed)
            else:
                for ask in [
                    bare.private_bytes_raw,
                    lambda bare=bare: bare.private_bytes(
                        Encoding.PEM, PrivateFormat.PKCS8, form="both"
                    ),
                ]:
                    with self.assertRaisesRegex(ValueError, "seed of this key is not known"):
                        ask()

    def test_members_of_other_enumerations_serve_by_their_names(self):
        class Theirs(enum.Enum):
            PEM, PKCS8, SubjectPublicKeyInfo, Raw, TraditionalOpenSSL = range(5)

        class BestAvailableEncryption:
            pass

        key = codekem.HQC1PrivateKey.generate()
        self.assertEqual(
            key.private_bytes(Theirs.PEM, Theirs.PKCS8),
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8),
        )
        public = key.public_key()
        public.public_bytes(Theirs.PEM, Theirs.SubjectPublicKeyInfo)
        for wrong in [
            lambda: key.private_bytes(Theirs.PEM, Theirs.TraditionalOpenSSL),
            lambda: key.private_bytes(Theirs.PEM, Theirs.PKCS8, BestAvailableEncryption()),
            lambda: key.private_bytes(Theirs.PEM, Theirs.Raw),
            lambda: key.private_bytes(Theirs.Raw, Theirs.PKCS8),
            lambda: key.private_bytes(Theirs.PEM, Theirs.PKCS8, form="half"),
            lambda: public.public_bytes(Theirs.PEM, Theirs.PKCS8),
            lambda: public.public_bytes(Theirs.PEM, Theirs.Raw),
        ]:
            self.assertRaises(ValueError, wrong)
        for wrong in [
            lambda: key.private_bytes("PEM", PrivateFormat.PKCS8),
            lambda: public.public_bytes(Encoding.PEM, "Raw"),
            lambda: load_pem_private_key(b"", b"password"),
            lambda: load_pem_private_key("text"),
        ]:
            self.assertRaises(TypeError, wrong)

    def test_files_that_are_wrong(self):
        key = codekem.HQC1PrivateKey.generate()
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        self.assertEqual(load_pem_private_key(b"a comment\n" + pem + b"another\n"), key)
        self.assertEqual(load_pem_private_key(pem.replace(b"\n", b"\r\n")), key)
        other = codekem.HQC3PrivateKey.generate()
        self.assertEqual(
            load_pem_private_key(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8)), other
        )
        for text, says in [
            (b"", "not in PEM"),
            (pem[:60], "not in PEM"),
            (public, "this is a PUBLIC KEY, where a PRIVATE KEY belongs"),
            (pem.replace(b"PRIVATE", b"ENCRYPTED PRIVATE"), "the key is encrypted"),
            (pem.replace(b"\n", b"\n!", 1), "not base64"),
            (pem.replace(b"\n", b"\nComment: x\n\n", 1), "not base64"),
        ]:
            with self.assertRaisesRegex(ValueError, says):
                load_pem_private_key(text)
        der = bytearray(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8))
        for place in range(len(der) - 32):
            der[place] ^= 0x21
            with self.assertRaises(ValueError) as caught:
                load_der_private_key(der)
            self.assertLess(len(str(caught.exception)), 200)
            der[place] ^= 0x21
        ml_kem = bytes.fromhex("3034020100300b0609608648016503040401042280 20".replace(" ", ""))
        with self.assertRaisesRegex(
            ValueError, r"another algorithm.* 2\.16\.840\.1\.101\.3\.4\.4\.1"
        ):
            load_der_private_key(ml_kem + bytes(32))


if __name__ == "__main__":
    unittest.main()
