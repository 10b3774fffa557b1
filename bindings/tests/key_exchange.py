# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in PEM between the packages, the command and the provider for OpenSSL.

Each package has a program that answers lines of standard input, one line for each, until they end:

    write KEM SEED FORM           PRIVATE PUBLIC: both keys of a seed; FORM is seed, both, expanded
                                  or default
    read private KEM TEXT         ok KEM PUBLIC SECRET SEED, with "-" for a seed that is not known,
                                  or error and why
    read public KEM TEXT          ok KEM PUBLIC, or error and why

SEED, PUBLIC and SECRET are bytes, PRIVATE, PUBLIC of write and TEXT files in PEM, in hexadecimal.
"""

import re
import subprocess
from typing import NamedTuple

FORMS = ["seed", "both", "expanded"]


class PrivateKey(NamedTuple):
    """What a reader finds."""

    kem: str
    public: bytes
    secret: bytes
    seed: bytes | None


class Refused(NamedTuple):
    """Why it finds nothing."""

    why: str


class Program:
    """The program of a package."""

    def __init__(self, *command, environment=None, cwd=None):
        self.command, self.environment, self.cwd = command, environment, cwd

    def ask(self, lines):
        """Returns the answers to lines."""
        done = subprocess.run(
            [str(word) for word in self.command],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=self.cwd,
            check=False,
        )
        answers = done.stdout.splitlines()
        assert done.returncode == 0 and len(answers) == len(lines), done.stdout + done.stderr
        return answers

    def write(self, wanted):
        """Returns (private key, public key) in PEM for each (KEM, seed, form)."""
        said = self.ask([f"write {kem} {seed.hex()} {form}" for kem, seed, form in wanted])
        return [tuple(bytes.fromhex(word).decode() for word in line.split()) for line in said]

    def read(self, given):
        """Returns what each (kind, KEM, PEM) is."""
        said = self.ask([f"read {kind} {kem} {pem.encode().hex()}" for kind, kem, pem in given])
        return [found(kind, line) for (kind, *_), line in zip(given, said, strict=True)]


def found(kind, line):
    if line.startswith("error "):
        return Refused(line.removeprefix("error "))
    ok, kem, *parts = line.split()
    assert ok == "ok", line
    data = [None if part == "-" else bytes.fromhex(part) for part in parts]
    return (kem, *data) if kind == "public" else PrivateKey(kem, *data)


class OpenSSL:
    """The provider, by `openssl`; its answers come from its text, so they name no reason."""

    def __init__(self, call, with_form):
        """call(*arguments, stdin=) runs openssl; with_form(form) is one that writes in a form."""
        self.call, self.with_form = call, with_form

    def write(self, wanted):
        made = []
        for kem, seed, form in wanted:
            call = self.call if form == "default" else self.with_form(form)
            key = call("genpkey", "-algorithm", kem, "-pkeyopt", f"hexseed:{seed.hex()}").stdout
            made.append((key, call("pkey", "-pubout", stdin=key.encode()).stdout))
        return made

    def read(self, given):
        return [self.read_one(kind, pem) for kind, _, pem in given]

    def read_one(self, kind, pem):
        options = ["-pubin"] if kind == "public" else ["-check"]
        done = self.call("pkey", *options, "-noout", "-text", stdin=pem.encode(), check=False)
        if done.returncode != 0:
            return Refused(done.stdout)
        kem = re.search(r"^(\S+) (?:Private|Public)-Key:$", done.stdout, re.MULTILINE)[1]
        if kind == "public":
            return kem, self.field(done.stdout, "pub")
        assert "Key is valid" in done.stdout
        return PrivateKey(kem, *(self.field(done.stdout, name) for name in ("pub", "priv", "seed")))

    @staticmethod
    def field(text, name):
        digits = re.search(rf"^{name}:\n((?:    [0-9a-f:]+\n)+)", text, re.MULTILINE)
        return None if digits is None else bytes.fromhex(re.sub(r"[\s:]", "", digits[1]))


def expected(library, kem, seed, form):
    """Returns what readers must find of a key in a form: BIKE's secret keys hold no seed."""
    public, secret = library.keypair(library.kem(kem), seed)
    lost = form == "expanded" and kem.startswith("BIKE")
    return PrivateKey(kem, public, secret, None if lost else seed)
