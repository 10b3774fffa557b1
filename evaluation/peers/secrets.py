#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Says where the decapsulation of other libraries branches on the secret key, or takes it for an
address, as valgrind sees it: a table in Markdown.

usage: secrets.py KEM=LIBRARY.so...    libraries as build.py and liboqs.sh make them

A place is an instruction. Shifts and permutations of vectors by a secret number are none, which
valgrind reports as values of one byte; addresses have eight. Which places are harmless people must
say: sampling that rejects words shows how many it has rejected, which HQC's specification allows.
valgrind 3.19 knows no AVX-512; what it sees is one run with one key. The exit status is 0 whatever
is found, and 1 for a library that does not work.
"""

import collections
import pathlib
import re
import sys
import tempfile

from parameters.table import TABLE
from tools import programs

HERE = pathlib.Path(__file__).resolve().parent
FOUND = re.compile(
    r"(?:Conditional jump or move.*|Use of uninitialised value of size 8)\n"
    r"==\d+==    at (0x\w+): (.+?) \("
)
# What is secret of a secret key in the form of NIST's packages. HQC's begins with the public key.
# BIKE's holds it, of as many bytes as each half of the key, before the last 32. Classic McEliece's
# has a public choice of pivots from byte 32 to 40.
SECRET_PARTS = {
    "hqc": lambda sizes: [(sizes["public_key"], sizes["secret_key"])],
    "bike": lambda sizes: [
        (0, sizes["secret_key"] - 32 - sizes["public_key"]),
        (sizes["secret_key"] - 32, sizes["secret_key"]),
    ],
    "mceliece": lambda sizes: [(0, 32), (40, sizes["secret_key"])],
}


class SecretsError(Exception):
    """Something that keeps the table from being made."""


def run(*command):
    hint = "tools/setup.sh evaluate installs it"
    return programs.run(SecretsError, *command, hint=hint)


def places(program, kem, library):
    """Returns {function: number of instructions} of what depends on the secret key."""
    names = ("public_key", "secret_key", "ciphertext", "shared_secret")
    lengths = [str(kem.sizes[name]) for name in names]
    parts = [f"{start}-{end}" for start, end in SECRET_PARTS[kem.scheme](kem.sizes)]
    valgrind = ("valgrind", "-q", "--error-limit=no", "--num-callers=1")
    printed = run(*valgrind, program, library, *lengths, *parts)
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
                kem = next((kem for kem in TABLE.kems if kem.name == name), None)
                if kem is None or not pathlib.Path(library).is_file():
                    raise SecretsError(f"{pair} is not KEM=LIBRARY.so")
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
