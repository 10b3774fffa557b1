# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs vectors in Wycheproof's form on a library.

usage: python -m tests.wycheproof.run --codekem LIBRARY FILE...     libcodekem, or its internals
       python -m tests.wycheproof.run --peer LIBRARY FILE...        functions of NIST's API
       python -m tests.wycheproof.run --acvp COMMAND FILE...        codekem, by its acvp
       python -m tests.wycheproof.run --program COMMAND FILE...     a program that answers lines

A library of others is one that evaluation/peers makes: crypto_kem_keypair, _enc and _dec, whose
randomness peer_random gives. A program gets lines and answers each with one; bytes are hexadecimal,
and - where there are none:

    keygen KEM SEED                  PUBLIC_KEY SECRET_KEY
    encaps KEM PUBLIC_KEY DRAWN      CIPHERTEXT SHARED_SECRET
    decaps KEM SECRET_KEY CIPHERTEXT SHARED_SECRET
    what it does not take            refused WHY
    what it has no call for          inexpressible

bindings/tests has programs in Python, Go, JavaScript and Java, the crate one in Rust, and peers/
here some over other libraries. For each file a line says how many cases passed, how many were
refused that may be, and how many the interface cannot express: wrong lengths where there is no
length. A case that fails has a line of its own, and the exit status is then 1.
"""

import argparse
import collections
import ctypes
import json
import pathlib
import shlex
import subprocess
import sys

from tests.library import CodekemError, Library


class Refused(Exception):
    """The implementation takes an input for a wrong one."""


class NotExpressible(Exception):
    """There is no way to ask the implementation."""


class Codekem:
    """The C library, whose caller knows the lengths: a wrong one is refused here."""

    def __init__(self, path):
        self._library = Library(path)

    def of(self, kem):
        self._scheme = "mceliece_" if kem.startswith("mceliece") else ""
        self._kem = self._library.kem(kem, self._scheme)
        return self

    def _call(self, name, *arguments):
        try:
            return getattr(self._library, name)(self._kem, *arguments)
        except (AssertionError, CodekemError) as error:
            raise Refused(str(error)) from error

    def keypair(self, seed):
        return self._call("keypair", seed)

    def encaps(self, public_key, drawn):
        return self._call("encaps", public_key, drawn)

    def decaps(self, secret_key, ciphertext):
        return self._call("decaps", ciphertext, secret_key)


class Acvp:
    """The command, by prompts of one test each."""

    def __init__(self, command):
        self._command = [*command, "acvp"]

    def of(self, kem):
        self._kem = kem
        return self

    def _ask(self, mode, function, names, **values):
        test = {"tcId": 1} | {name: value.hex() for name, value in values.items()}
        group = {"tgId": 1, "parameterSet": self._kem, "function": function, "tests": [test]}
        prompt = json.dumps({"mode": mode, "testGroups": [group]})
        done = subprocess.run(
            self._command, input=prompt, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Refused(done.stderr.strip())
        (answered,) = json.loads(done.stdout)["testGroups"][0]["tests"]
        return tuple(bytes.fromhex(answered[name]) for name in names)

    def keypair(self, seed):
        return self._ask("keyGen", "", ["ek", "dk"], seed=seed)

    def encaps(self, public_key, drawn):
        return self._ask("encapDecap", "encapsulation", ["c", "k"], ek=public_key, m=drawn)

    def decaps(self, secret_key, ciphertext):
        (secret,) = self._ask("encapDecap", "decapsulation", ["k"], dk=secret_key, c=ciphertext)
        return secret


class Program:
    """A program that answers lines."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def of(self, kem):
        self._kem = kem
        return self

    def _ask(self, step, *values):
        to, answers = self._process.stdin, self._process.stdout
        assert to is not None and answers is not None
        print(step, self._kem, *(value.hex() or "-" for value in values), file=to, flush=True)
        said = answers.readline().split()
        if not said:
            raise OSError(f"the program ended with {self._process.wait()}")
        if said[0] == "inexpressible":
            raise NotExpressible
        if said[0] == "refused":
            raise Refused(" ".join(said[1:]))
        return tuple(map(bytes.fromhex, said))

    def keypair(self, seed):
        return self._ask("keygen", seed)

    def encaps(self, public_key, drawn):
        return self._ask("encaps", public_key, drawn)

    def decaps(self, secret_key, ciphertext):
        return self._ask("decaps", secret_key, ciphertext)[0]

    def close(self):
        """Ends the program, which must end well."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait() == 0


FILL = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)
# By the scheme: bytes that the API asks for at once, of which the first are the seed.
ASKED = {"BIKE": 64}


class Peer:
    """A library with NIST's API. It has the lengths of the first honest case."""

    def __init__(self, path):
        self._library = ctypes.CDLL(str(pathlib.Path(path).resolve()))
        self._sizes = None

    def of(self, kem):
        from parameters.table import TABLE  # the sizes by the name

        self._sizes = TABLE.find(kem).sizes
        self._scheme = kem.split("-")[0]
        return self

    def _check(self, **parts):
        for part, data in parts.items():
            if len(data) != self._sizes[part]:
                raise NotExpressible(f"{part}: {len(data)} bytes")

    def _run(self, name, lengths, inputs, drawn=None):
        out = [ctypes.create_string_buffer(self._sizes[part]) for part in lengths]
        if drawn is not None:
            if not hasattr(self._library, "peer_random"):
                raise NotExpressible("its randomness cannot be given")
            data = drawn.ljust(ASKED.get(self._scheme, 0), b"\0")
            position = 0

            def fill(to, length):
                nonlocal position
                ctypes.memmove(to, data[position : position + length].ljust(length, b"\0"), length)
                position += length

            kept = FILL(fill)
            self._library.peer_random(kept)
        status = getattr(self._library, name)(*out, *inputs)
        if drawn is not None:
            self._library.peer_random(None)
        if status != 0:
            raise Refused(f"status {status}")
        return tuple(buffer.raw for buffer in out)

    def keypair(self, seed):
        self._check(keypair_seed=seed)
        return self._run("crypto_kem_keypair", ["public_key", "secret_key"], [], seed)

    def encaps(self, public_key, drawn):
        self._check(public_key=public_key, encaps_seed=drawn)
        lengths = ["ciphertext", "shared_secret"]
        return self._run("crypto_kem_enc", lengths, [public_key], drawn)

    def decaps(self, secret_key, ciphertext):
        self._check(secret_key=secret_key, ciphertext=ciphertext)
        return self._run("crypto_kem_dec", ["shared_secret"], [ciphertext, secret_key])[0]


def answer(library, values):
    """Returns what a library makes of the inputs of a case, by the names of the outputs."""
    if "m" in values:
        ciphertext, secret = library.encaps(values["ek"], values["m"])
        return {"c": ciphertext, "K": secret}
    if "seed" not in values:
        return {"K": library.decaps(values["dk"], values["c"])}
    public_key, secret_key = library.keypair(values["seed"])
    if "c" not in values:
        return {"ek": public_key, "dk": secret_key}
    return {"ek": public_key, "K": library.decaps(secret_key, values["c"])}


def verdict(library, test):
    """Returns "passed", "refused", "not expressible", or what is wrong."""
    names = {"seed", "ek", "dk", "m", "c", "K"}
    values = {name: bytes.fromhex(text) for name, text in test.items() if name in names}
    try:
        made = answer(library, values)
    except NotExpressible:
        return "not expressible"
    except Refused as error:
        if test["result"] == "invalid":
            return "passed"
        return "refused" if test["result"] == "acceptable" else f"is refused: {error}"
    if test["result"] == "invalid":
        return "is not refused"
    wrong = [name for name, value in made.items() if values[name] != value]
    return f"has another {' and '.join(wrong)}" if wrong else "passed"


def run(library, path):
    """Returns the verdicts of a file, {(number, flag, comment): verdict}."""
    document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    found = {}
    for group in document["testGroups"]:
        of_kem = library.of(group["parameterSet"])
        for test in group["tests"]:
            key = test["tcId"], *test["flags"], test["comment"]
            found[key] = verdict(of_kem, test)
    assert len(found) == document["numberOfTests"]
    return found


MOST_LINES = 20  # of failures in a file
GOOD = ("passed", "refused", "not expressible")


def main(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--codekem", metavar="LIBRARY", type=pathlib.Path)
    which.add_argument("--peer", metavar="LIBRARY", type=pathlib.Path)
    which.add_argument("--acvp", metavar="COMMAND", type=shlex.split)
    which.add_argument("--program", metavar="COMMAND", type=shlex.split)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    given = parser.parse_args(words)
    try:
        kinds = {"codekem": Codekem, "peer": Peer, "acvp": Acvp, "program": Program}
        (library,) = (kind(vars(given)[name]) for name, kind in kinds.items() if vars(given)[name])
    except OSError as error:
        sys.exit(f"run.py: {error}")
    bad = False
    for path in given.files:
        try:
            found = run(library, path)
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"run.py: {path}: {error}")
        wrong = [
            f"{path.name}, case {number} ({', '.join(words_of_case)}) {said}"
            for (number, *words_of_case), said in found.items()
            if said not in GOOD
        ]
        print("\n".join(wrong[:MOST_LINES]), end="\n" if wrong else "")
        bad = bad or bool(wrong)
        counts = collections.Counter(said if said in GOOD else "FAILED" for said in found.values())
        print(f"{path.name}: {', '.join(f'{n} {said}' for said, n in sorted(counts.items()))}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
