#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exchanges a secret with every KEM by the command codekem, then prints its table of speeds.

usage: evaluate.py COMMAND    (what `make evaluate` runs)

Each exchange is as between two parties: one process makes the key pair, another encapsulates, the
first party decapsulates, and only files pass between them. Ends with status 1 if two secrets differ.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def run(command, *arguments, folder):
    """Runs the command in a folder; ends the program with its message if it fails."""
    done = subprocess.run([command, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"evaluate: {command.name} {' '.join(arguments)} failed")
    return done.stdout


def exchange(command, kem, folder):
    """Returns the shared secrets of both sides, as in the files."""
    run(command, "keygen", "--kem", kem, "--public", "bob.pub", "--secret", "bob.key",
        folder=folder)
    run(command, "encaps", "--public", "bob.pub", "--ciphertext", "to-bob.ct", "--shared",
        "alice.secret", folder=folder)
    run(command, "decaps", "--secret", "bob.key", "--ciphertext", "to-bob.ct", "--shared",
        "bob.secret", folder=folder)
    return (folder / "alice.secret").read_bytes(), (folder / "bob.secret").read_bytes()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    command = pathlib.Path(sys.argv[1]).resolve()
    kems = [kem["name"] for kem in json.loads(run(command, "list", "--json", folder="."))["kems"]]
    print("Exchanging a secret with every KEM, in two processes with files between them", flush=True)
    for number, kem in enumerate(kems, 1):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = exchange(command, kem, pathlib.Path(folder))
        if ours != theirs:
            sys.exit(f"evaluate: {kem}: the two sides hold different secrets")
        print(f"[{number:2}/{len(kems)}] {kem}: both sides hold the same secret", flush=True)
    print("\nMeasuring the speed", flush=True)
    sys.exit(subprocess.run([command, "speed"], stdin=subprocess.DEVNULL, check=False).returncode)


if __name__ == "__main__":
    main()
