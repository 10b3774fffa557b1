# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tests of the installed package; they need nothing but Python: python -m unittest discover."""

import array
import copy
import hashlib
import inspect
import json
import pathlib
import pickle
import subprocess
import sys
import threading
import typing
import unittest

import codekem
from codekem import KEM

ANSWERS = json.loads(
    pathlib.Path(__file__).with_name("known_answers.json").read_text(encoding="ascii")
)
NAMES = list(ANSWERS["kems"])
CLASSES = {
    "HQC-1": (codekem.HQC1PrivateKey, codekem.HQC1PublicKey),
    "HQC-3": (codekem.HQC3PrivateKey, codekem.HQC3PublicKey),
    "HQC-5": (codekem.HQC5PrivateKey, codekem.HQC5PublicKey),
    "BIKE-L1": (codekem.BIKEL1PrivateKey, codekem.BIKEL1PublicKey),
    "BIKE-L3": (codekem.BIKEL3PrivateKey, codekem.BIKEL3PublicKey),
    "BIKE-L5": (codekem.BIKEL5PrivateKey, codekem.BIKEL5PublicKey),
}


def changed(base, change):
    """Applies a change of known_answers.json: "xor" has runs [offset, length, value]."""
    out = bytearray(base)
    for offset, length, value in change["xor"]:
        for i in range(offset, offset + length):
            out[i] ^= value
    return bytes(out)


def digest(data):
    return hashlib.sha256(data).hexdigest()


# Says whether this thread ran while another was in a call. Threads give way by themselves only (the
# interval), so between the two moments only the call can have let this one run. It is tried a few
# times: on a busy machine a thread may have to wait for a processor.
MEANWHILE = """
import sys, threading, time, codekem
sys.setswitchinterval(1000)
codekem.select_backend("portable")
kem = codekem.KEM("BIKE-L5")
def call(ends):
    ends.append(time.perf_counter())
    kem.generate_keypair()
    ends.append(time.perf_counter())
for _ in range(100):
    ends, seen = [], []
    thread = threading.Thread(target=call, args=(ends,))
    thread.start()
    while thread.is_alive():
        seen.append(time.perf_counter())
        time.sleep(0)
    if any(ends[0] < now < ends[1] for now in seen):
        print("ran")
        break
"""


# Ends while daemon threads are in calls. Each has made some before, so that it is known to run.
AT_EXIT = """
import sys, threading, codekem
from codekem import liboqs
kem = codekem.KEM("BIKE-L5")
public, secret = kem.generate_keypair()
shared, ciphertext = kem.encapsulate(public)
key = codekem.BIKEL5PrivateKey.from_secret_key_bytes(secret)
oqs = liboqs.KeyEncapsulation("BIKE-L5", secret)
calls = {
    "keypair": kem.generate_keypair,
    "seed": lambda: kem.generate_keypair(bytearray(64)),
    "encapsulate": lambda: kem.encapsulate(bytearray(public)),
    "decapsulate": lambda: kem.decapsulate(bytearray(secret), memoryview(ciphertext)),
    "derive": lambda: kem.derive_public_key(secret),
    "check": lambda: kem.check_secret_key(bytearray(secret)),
    "class": codekem.BIKEL5PrivateKey.generate,
    "import": lambda: codekem.BIKEL5PrivateKey.from_secret_key_bytes(bytearray(secret)),
    "key": lambda: key.decapsulate(ciphertext),
    "liboqs": lambda: oqs.decap_secret(bytearray(ciphertext)),
}
started = threading.Semaphore(0)
def work(call):
    for number in range(10**9):
        call()
        if number == 2:
            started.release()
for call in [*calls.values(), calls["keypair"]][int(sys.argv[1]) :][:2]:
    threading.Thread(target=work, args=(call,), daemon=True).start()
started.acquire()
started.acquire()
"""


class KnownAnswers(unittest.TestCase):
    def test_version_is_that_of_the_vectors(self):
        self.assertEqual(codekem.__version__, ANSWERS["version"])

    def test_records_and_rejections(self):
        for name, answers in ANSWERS["kems"].items():
            with self.subTest(name):
                self.check(KEM(name), answers, *CLASSES[name])

    def check(self, kem, answers, private_class, public_class):
        keys = {None: bytes(kem.length_secret_key)}
        ciphertexts = {None: bytes(kem.length_ciphertext)}
        for number, record in enumerate(answers["records"]):
            seed = bytes.fromhex(record["keypair_seed"])
            public, secret = kem.generate_keypair(seed)
            shared, ciphertext = kem.encapsulate(public, bytes.fromhex(record["encaps_seed"]))
            keys[number], ciphertexts[number] = secret, ciphertext
            self.assertEqual(digest(public), record["public_key_sha256"])
            self.assertEqual(digest(secret), record["secret_key_sha256"])
            self.assertEqual(digest(ciphertext), record["ciphertext_sha256"])
            self.assertEqual(shared.hex(), record["shared_secret"])
            self.assertEqual(kem.decapsulate(secret, ciphertext), shared)
            for key in [
                private_class.from_seed_bytes(seed),
                private_class.from_secret_key_bytes(secret),
            ]:
                self.assertEqual(key.secret_key_bytes(), secret)
                self.assertEqual(key.public_key(), public_class.from_public_bytes(public))
                self.assertEqual(key.decapsulate(ciphertext), shared)
        self.assertEqual(len(ciphertexts), 6)
        self.assertGreaterEqual(len(answers["rejections"]), 12)
        for case in answers["rejections"]:
            ciphertext = changed(ciphertexts[case["ciphertext"]["of"]], case["ciphertext"])
            secret = changed(keys[case["secret_key"]["of"]], case["secret_key"])
            got = kem.decapsulate(secret, ciphertext)
            self.assertEqual(got.hex(), case["shared_secret"], case["what"])


class Keys(unittest.TestCase):
    def test_exchange_gives_the_secret_first(self):
        for name, (private_class, public_class) in CLASSES.items():
            with self.subTest(name):
                key = private_class.generate()
                public = public_class.from_public_bytes(key.public_key().public_bytes_raw())
                result = public.encapsulate()
                shared_secret, ciphertext = result
                self.assertEqual(len(shared_secret), 32)
                self.assertEqual(len(ciphertext), KEM(name).length_ciphertext)
                self.assertEqual(result.shared_secret, shared_secret)
                self.assertEqual(key.decapsulate(ciphertext), shared_secret)

    def test_keys_are_new_each_time(self):
        keys = {codekem.HQC1PrivateKey.generate().secret_key_bytes() for _ in range(3)}
        self.assertEqual(len(keys), 3)

    def test_wrong_lengths(self):
        for name, (private_class, public_class) in CLASSES.items():
            key = private_class.generate()
            right = KEM(name)
            for function, length in [
                (private_class.from_seed_bytes, right.length_keypair_seed),
                (private_class.from_secret_key_bytes, right.length_secret_key),
                (public_class.from_public_bytes, right.length_public_key),
                (key.decapsulate, right.length_ciphertext),
            ]:
                for wrong in [0, length - 1, length + 1]:
                    with (
                        self.subTest(name, function=function.__name__, length=wrong),
                        self.assertRaises(ValueError) as caught,
                    ):
                        function(bytes(wrong))
                    self.assertIn(f"{length} bytes, not {wrong}", str(caught.exception))

    def test_wrong_types(self):
        key = codekem.HQC1PrivateKey.generate()
        for function in [
            codekem.HQC1PrivateKey.from_seed_bytes,
            codekem.HQC1PrivateKey.from_secret_key_bytes,
            codekem.HQC1PublicKey.from_public_bytes,
            key.decapsulate,
        ]:
            for wrong in ["text" * 100, 5, None, [1, 2]]:
                with self.subTest(function.__name__, wrong=wrong), self.assertRaises(TypeError):
                    function(wrong)
        for made in [codekem.HQC1PrivateKey, codekem.HQC1PublicKey]:
            with self.assertRaises(TypeError):
                made()

    def test_malformed_keys_are_refused(self):
        for name, (private_class, public_class) in CLASSES.items():
            with self.subTest(name):
                key = private_class.generate()
                with self.assertRaises(ValueError):
                    public_class.from_public_bytes(bytes(KEM(name).length_public_key))
                damaged = bytearray(key.secret_key_bytes())
                damaged[0] ^= 1
                with self.assertRaises(ValueError):
                    private_class.from_secret_key_bytes(damaged)

    def test_malformed_public_keys_are_refused_by_every_way_in(self):
        from codekem import liboqs as oqs

        for name, (_, public_class) in CLASSES.items():
            kem, zeros = KEM(name), bytes(KEM(name).length_public_key)
            for malformed in [zeros, b"\xff" * len(zeros), bytearray(zeros)]:
                for take in [
                    public_class.from_public_bytes,
                    kem.encapsulate,
                    oqs.KeyEncapsulation(name).encap_secret,
                ]:
                    with (
                        self.subTest(name, take=take.__qualname__),
                        self.assertRaisesRegex(ValueError, "public key is malformed"),
                    ):
                        take(malformed)

    def test_every_ciphertext_of_the_right_length_is_taken(self):
        for name, (private_class, _) in CLASSES.items():
            key = private_class.generate()
            kem, secret = KEM(name), key.secret_key_bytes()
            found = set()
            for filling in [b"\0", b"\1", b"\x80", b"\xff"]:
                ciphertext = filling * kem.length_ciphertext
                shared = key.decapsulate(ciphertext)
                self.assertEqual(kem.decapsulate(secret, ciphertext), shared)
                found.add(shared)
            self.assertEqual(len(found), 4)

    def test_nothing_shows_the_secret(self):
        key = codekem.HQC1PrivateKey.generate()
        secret = key.secret_key_bytes()
        texts = [repr(key), str(key), repr(codekem.KEM("HQC-1")), repr(key.public_key())]
        for wrong in [secret[:-1], secret + b"x", bytearray(secret[1:]), list(secret)]:
            with self.assertRaises((ValueError, TypeError)) as caught:
                codekem.HQC1PrivateKey.from_secret_key_bytes(wrong)
            texts.append(str(caught.exception))
        for text in texts:
            self.assertLess(len(text), 200)
            for shown in [secret[2241 : 2241 + 8].hex(), str(secret[2241 : 2241 + 8])[2:-1]]:
                self.assertNotIn(shown, text)

    def test_private_keys_are_not_pickled_and_public_ones_are(self):
        key = codekem.HQC1PrivateKey.generate()
        with self.assertRaises(TypeError):
            pickle.dumps(key)
        public = key.public_key()
        self.assertEqual(pickle.loads(pickle.dumps(public)), public)
        self.assertEqual(hash(copy.deepcopy(public)), hash(public))
        self.assertIs(copy.copy(key), key)

    def test_equality_needs_the_same_class_and_bytes(self):
        one, two = codekem.HQC1PrivateKey.generate(), codekem.HQC1PrivateKey.generate()
        again = codekem.HQC1PrivateKey.from_secret_key_bytes(one.secret_key_bytes())
        self.assertEqual(one, again)
        self.assertNotEqual(one, two)
        self.assertNotEqual(one.public_key(), two.public_key())
        self.assertNotEqual(one.public_key(), one.public_key().public_bytes_raw())
        with self.assertRaises(TypeError):
            hash(one)

    def test_private_keys_with_one_public_key_may_differ(self):
        """The public key of BIKE says nothing of sigma, the end of the secret key."""
        for name in ["BIKE-L1", "BIKE-L3", "BIKE-L5"]:
            private_class, _ = CLASSES[name]
            one = private_class.generate()
            for place in [-1, -32]:
                raw = bytearray(one.secret_key_bytes())
                raw[place] ^= 1
                two = private_class.from_secret_key_bytes(raw)
                self.assertEqual(one.public_key(), two.public_key())
                self.assertNotEqual(one, two)
                ciphertext = bytes(KEM(name).length_ciphertext)
                self.assertNotEqual(one.decapsulate(ciphertext), two.decapsulate(ciphertext))


class Bytes(unittest.TestCase):
    def test_any_buffer(self):
        kem = KEM("BIKE-L1")
        public, secret = kem.generate_keypair()
        shared, ciphertext = kem.encapsulate(public)

        def spread(data):
            wide = bytearray(2 * len(data))
            wide[::2] = data
            return memoryview(wide)[::2]

        for kind in [bytearray, memoryview, lambda data: array.array("B", data), spread]:
            self.assertEqual(kem.decapsulate(kind(secret), kind(ciphertext)), shared)
            self.assertEqual(kem.derive_public_key(kind(secret)), public)
            again, ciphertext2 = kem.encapsulate(kind(public))
            self.assertEqual(kem.decapsulate(secret, ciphertext2), again)

    def test_every_name_makes_an_exchange(self):
        self.assertLessEqual(set(NAMES), set(codekem.KEM_NAMES))
        for name in codekem.KEM_NAMES:
            with self.subTest(name):
                kem = KEM(name)
                public, secret = kem.generate_keypair()
                kem.check_public_key(public)
                kem.check_secret_key(secret)
                shared, ciphertext = kem.encapsulate(public)
                kem.check_ciphertext(ciphertext)
                self.assertEqual(kem.decapsulate(secret, ciphertext), shared)
                self.assertEqual(kem.superseded, name not in NAMES)
                self.assertEqual(pickle.loads(pickle.dumps(kem)), kem)

    def test_unknown_names_and_back_ends(self):
        for function, word in [(KEM, "KEM_NAMES"), (codekem.select_backend, "backends")]:
            with self.assertRaises(ValueError) as caught:
                function("HQC-2")
            self.assertIn(word, str(caught.exception))
            with self.assertRaises(TypeError):
                function(5)
            for name in ["HQC-1", codekem.backend(), "reference"]:
                for wrong in [name + "\0", name + "\0x", "\0" + name, "\0", "", name + " "]:
                    with self.assertRaises(ValueError) as caught:
                        function(wrong)
                    self.assertIn(word, str(caught.exception))

    def test_checks_refuse(self):
        kem = KEM("HQC-1")
        for check in [kem.check_public_key, kem.check_ciphertext, kem.check_secret_key]:
            length = {
                "check_public_key": kem.length_public_key,
                "check_ciphertext": kem.length_ciphertext,
                "check_secret_key": kem.length_secret_key,
            }[check.__name__]
            with self.assertRaises(ValueError):
                check(b"\xff" * length)


class Threads(unittest.TestCase):
    """Every KEM in threads with the smallest stack that Python allows on most systems."""

    def test_threads_with_small_stacks(self):
        before = threading.stack_size(128 * 1024)
        try:
            self.exchange_in_threads()
        finally:
            threading.stack_size(before)

    def exchange_in_threads(self):
        failures = []
        keys = {name: private.generate() for name, (private, _) in CLASSES.items()}

        def work(name):
            try:
                for _ in range(3):
                    shared, ciphertext = keys[name].public_key().encapsulate()
                    if keys[name].decapsulate(ciphertext) != shared:
                        failures.append(f"{name}: the secrets differ")
                    CLASSES[name][0].generate()
            except Exception as error:  # noqa: BLE001 (told to the thread of the test)
                failures.append(f"{name}: {error!r}")

        threads = [threading.Thread(target=work, args=(name,)) for name in NAMES for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_others_run_meanwhile(self):
        """A thread counts while another makes keys in one call of several milliseconds."""
        done = subprocess.run(
            [sys.executable, "-c", MEANWHILE], capture_output=True, check=True, text=True
        )
        self.assertEqual(done.stdout, "ran\n")

    def test_daemon_threads_may_be_in_a_call_when_python_ends(self):
        for number in range(10):
            done = subprocess.run(
                [sys.executable, "-c", AT_EXIT, str(number)], capture_output=True, check=False
            )
            self.assertEqual((done.returncode, done.stderr), (0, b""), number)


class Annotations(unittest.TestCase):
    def test_they_are_types_while_the_program_runs(self):
        from codekem import __main__, liboqs

        seen = 0
        for module in [codekem, liboqs, __main__]:
            for name, found in inspect.getmembers(module):
                if inspect.isclass(found) and found.__module__.startswith("codekem."):
                    typing.get_type_hints(found)
                    functions = [one for _, one in inspect.getmembers(found, inspect.isroutine)]
                else:
                    functions = [found]
                for function in functions:
                    if inspect.isfunction(function) or inspect.ismethod(function):
                        with self.subTest(f"{name}.{function.__name__}"):
                            typing.get_type_hints(function)
                            inspect.signature(function, eval_str=True)
                            seen += 1
        self.assertGreater(seen, 100)

    def test_buffers_are_instances_of_their_type(self):
        kind = typing.get_type_hints(KEM.encapsulate)["public_key"]
        for value in [b"", bytearray(), memoryview(b""), array.array("B")]:
            self.assertIsInstance(value, kind)
        self.assertNotIsInstance("text", kind)


class Liboqs(unittest.TestCase):
    def test_the_ciphertext_comes_first(self):
        from codekem import liboqs as oqs

        with oqs.KeyEncapsulation("BIKE-L1") as client, oqs.KeyEncapsulation("BIKE-L1") as server:
            public = client.generate_keypair()
            ciphertext, shared = server.encap_secret(public)
            self.assertEqual(len(ciphertext), client.details["length_ciphertext"])
            self.assertEqual(client.decap_secret(ciphertext), shared)
            again = oqs.KeyEncapsulation("BIKE-L1", client.export_secret_key())
            self.assertEqual(again.decap_secret(ciphertext), shared)
        with self.assertRaises(ValueError):
            client.decap_secret(ciphertext)
        seeded = oqs.KeyEncapsulation("HQC-1")
        self.assertEqual(
            seeded.generate_keypair_seed(bytes(32)),
            KEM("HQC-1").generate_keypair(bytes(32)).public_key,
        )
        with self.assertRaises(oqs.MechanismNotSupportedError):
            oqs.KeyEncapsulation("Kyber512")
        self.assertIn("HQC-5", oqs.get_enabled_kem_mechanisms())
        self.assertFalse(oqs.is_kem_enabled("Kyber512"))


class Command(unittest.TestCase):
    def test_it_says_version_back_end_and_speed(self):
        done = subprocess.run(
            [sys.executable, "-m", "codekem", "--seconds", "0.001", "HQC-1", "BIKE-L5"],
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        self.assertIn(f"codekem {codekem.__version__}, ", done.stdout)
        self.assertIn(f"back end {codekem.backend()} of ", done.stdout)
        rows = [line.split() for line in done.stdout.splitlines()[-2:]]
        self.assertEqual([row[0] for row in rows], ["HQC-1", "BIKE-L5"])
        self.assertTrue(all(float(value) > 0 for row in rows for value in row[1:]))

    def test_a_wrong_name_is_said(self):
        done = subprocess.run(
            [sys.executable, "-m", "codekem", "HQC-2"],
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no KEM HQC-2; there are BIKE-L1", done.stderr)


if __name__ == "__main__":
    unittest.main()
