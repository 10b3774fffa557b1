# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The operations of HQC beside all known answers of the repository."""

import hashlib

from hls.tests.hqc_operations import DECAPS, ENCAPS, KEYGEN, Operations
from tools import known_answers


class Checked(Operations):
    """Operations with what they are compared with."""

    def check_record(self, record, operations=(KEYGEN, ENCAPS, DECAPS)):
        keypair_seed, encaps_seed = known_answers.record_seeds(self.kem, record)
        if KEYGEN in operations:
            assert self.keygen(keypair_seed) == record["sk"]
        if ENCAPS in operations:
            assert self.encaps(record["pk"], encaps_seed) == [record["ct"], record["ss"]]
        if DECAPS in operations:
            assert self.decaps(record["sk"], record["ct"]) == record["ss"]

    def check_altered(self, count=None):
        cases = list(known_answers.rejections(self.kem))[:count]
        assert {accepted for *_, accepted in cases} == {True, False}
        for what, ciphertext, secret_key, shared, _ in cases:
            assert self.decaps(secret_key, ciphertext) == shared, what

    def _coins(self, case):
        generator = known_answers.ShakeGenerator(bytes(46) + case["rng"].to_bytes(2, "big"))
        return generator.random(self.memory.message + 16)

    def check_padded(self):
        """A public key with an unused bit that is set."""
        cases = known_answers.read_json("hqc", "stress")["padded"]
        (case,) = [case for case in cases if case["kem"] == self.kem]
        public_key = bytearray(known_answers.read_records(self.kem)[0]["pk"])
        public_key[-1] |= 0x80
        ciphertext, shared = self.encaps(bytes(public_key), self._coins(case))
        assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
        assert shared.hex() == case["enc"]

    def check_stress(self, wrong=None):
        """Every number of wrong symbols, or those of `wrong`."""
        record = known_answers.read_records(self.kem)[0]
        cases = known_answers.read_json("hqc", "stress")["cases"]
        cases = [case for case in cases if case["kem"] == self.kem]
        cases = [case for case in cases if wrong is None or case["symbol_errors"] in wrong]
        assert cases
        for case in cases:
            flips = [256 + i * case["step"] for i in range(case["flips"])]
            public_key = known_answers.flip_bits(record["pk"], flips)
            secret_key = public_key + record["sk"][len(public_key) :]
            ciphertext, shared = self.encaps(public_key, self._coins(case))
            assert hashlib.sha256(ciphertext).hexdigest() == case["ct_sha256"]
            assert shared.hex() == case["enc"]
            assert self.decaps(secret_key, ciphertext).hex() == case["dec"], case["symbol_errors"]
