# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What test_made_up.py runs in a tree with a table of its own: exchanges, rejections and constant
time of KEMs with every back end.

usage: python -m parameters.tests.made_up BUILD KEM...
"""

import pathlib
import random
import subprocess
import sys

from parameters.table import TABLE
from tests.c_library import shared_library
from tests.library import Library

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 4


def library_of(build):
    return Library(pathlib.Path(build) / shared_library("codekem"))


def exchange(library, name, source):
    """Checks exchanges and rejections; returns all secrets."""
    kem, sizes = library.kem(name), TABLE.find(name).sizes
    lengths = [getattr(kem, f"length_{part}") for part in sizes]
    assert lengths == list(sizes.values()), (name, lengths)
    secrets = []
    for _ in range(ROUNDS):
        public_key, secret_key = library.keypair(kem, source.randbytes(sizes["keypair_seed"]))
        seed = source.randbytes(sizes["encaps_seed"])
        ciphertext, shared = library.encaps(kem, public_key, seed)
        assert library.decaps(kem, ciphertext, secret_key) == shared, name
        altered = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
        last = ciphertext[:-1] + bytes([ciphertext[-1] ^ 1])
        garbage = source.randbytes(len(ciphertext))
        rejected = [library.decaps(kem, each, secret_key) for each in (altered, last, garbage)]
        assert len({shared, *rejected}) == 4, name
        secrets += [shared, *rejected]
    return secrets


def software(build, *names):
    library = library_of(build)
    assert set(names) <= {kem.name for kem in library.kems()}
    backends = [name for name, supported in library.backends().items() if supported]
    for name in names:
        found = []
        for backend in backends:
            with library.backend(backend):
                found.append(exchange(library, name, random.Random(name)))
        assert all(one == found[0] for one in found), name
        watch(build, name)
        print(f"{name}: {', '.join(backends)}")


def watch(build, name):
    """Lets valgrind watch every operation: nothing may depend on a secret, and all must run. The
    back end "twin" is portable code, by a row that test_made_up.py adds."""
    supp = ROOT / "tests" / "constant_time" / "valgrind.supp"
    for backend in ("twin", "avx2"):
        watcher = ["valgrind", "-q", "--error-exitcode=99", f"--suppressions={supp}"]
        lines = [f"{name} {operation}" for operation in ("keypair", "encaps", "decaps", "check")]
        harness = [f"{build}/bin/taint", backend, *lines]
        done = subprocess.run([*watcher, *harness], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        assert len(done.stdout.splitlines()) == 6, done.stdout


if __name__ == "__main__":
    software(*sys.argv[1:])
