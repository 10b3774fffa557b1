#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Says where the decapsulation of other libraries branches on the secret key, or takes it for an
address, as valgrind sees it: a table in Markdown.

usage: secrets.py KEM=LIBRARY.so...    KEM of HQC; libraries as hqc_authors.py and liboqs.sh make

A place is an instruction. Which places are harmless people must say: sampling that rejects words
shows how many it has rejected, which HQC's specification allows. valgrind 3.19 knows no AVX-512;
what it sees is one run with one key. The exit status is 0 whatever is found, and 1 for a library
that does not work.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from parameters.table import TABLE

HERE = pathlib.Path(__file__).resolve().parent
FOUND = re.compile(
    r"(?:Conditional jump or move|Use of uninitialised value).*\n==\d+==    at (0x\w+): (\w+)"
)


class SecretsError(Exception):
    """Something that keeps the table from being made."""


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise SecretsError(
            f"there is no {command[0]}; tools/setup.sh evaluate installs it"
        ) from error
    if done.returncode != 0:
        raise SecretsError(f"{command[0]} failed: {done.stderr[-1000:].strip()}")
    return done.stderr


def places(program, kem, library):
    """Returns {function: number of instructions} of what depends on the secret key."""
    sizes = kem.sizes
    names = ("public_key", "secret_key", "ciphertext", "shared_secret", "public_key")
    lengths = [str(sizes[name]) for name in names]
    valgrind = ("valgrind", "-q", "--error-limit=no", "--num-callers=1")
    printed = run(*valgrind, program, library, *lengths)
    return collections.Counter(function for _, function in set(FOUND.findall(printed)))


def main(pairs):
    if not pairs or any(word.startswith("-") for word in pairs):
        print(__doc__.split("\n\n")[1])
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "secrets"
            run("cc", "-O1", HERE / "secrets.c", "-o", program, "-ldl")
            print("| library | KEM | places | functions |\n|---|---|---|---|", flush=True)
            for pair in pairs:
                name, _, library = pair.partition("=")
                kem = TABLE.find(name)
                if kem is None or kem.scheme != "hqc" or not pathlib.Path(library).is_file():
                    raise SecretsError(f"{pair} is not HQC-LEVEL=LIBRARY.so")
                found = places(program, kem, pathlib.Path(library).resolve())
                told = ", ".join(f"`{name}` {count}" for name, count in found.most_common())
                row = [pathlib.Path(library).stem, name, str(found.total()), told]
                print(f"| {' | '.join(row)} |", flush=True)
    except SecretsError as error:
        print(f"secrets.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
