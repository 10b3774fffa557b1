#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures TLS handshakes with every group: rows of JSON on standard output, progress on the other.

usage: all_groups.py BUILD-FOLDER [--seconds S] [--rounds N] [--oqsprovider MODULE] [GROUP...]

Every group of the provider beside X25519, X25519MLKEM768 where OpenSSL has it, and oqs-provider's
groups if its module is named. Implementations of a group are measured alternately, in rounds; the
row is the round with the median rate.
"""

import argparse
import json
import pathlib
import subprocess
import sys

KEMS = {"bikel1": ["p256", "x25519"], "bikel3": ["p384", "x448"], "bikel5": ["p521"],
        "hqc1": ["p256", "x25519"], "hqc3": ["p384", "x448"], "hqc5": ["p521"]}
GROUPS = [name for kem, halves in KEMS.items() for name in [kem, *[f"{h}_{kem}" for h in halves]]]
CLASSICAL = ["X25519", "X25519MLKEM768"]


def implementations(group, build, oqsprovider):
    """Returns {name: options} of what may have this group."""
    if group in CLASSICAL:
        return {"openssl": []}
    found = {"codekem": ["--provider", "codekem", "--module-path", build / "ossl-modules"]}
    if oqsprovider is not None:
        found["oqsprovider"] = ["--provider", oqsprovider.stem, "--module-path",
                                oqsprovider.parent]
    return found


def measure(build, group, implementation, options, seconds):
    """Returns a row, or None if this implementation does not have the group."""
    done = subprocess.run([build / "bin" / "codekem_handshakes", "--group", group,
                           "--implementation", implementation, "--seconds", str(seconds),
                           *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "choosing the group failed" not in done.stderr:
            sys.exit(f"{group} by {implementation}: {done.stderr}")
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("groups", nargs="*", default=[*CLASSICAL, *GROUPS])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--oqsprovider", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "bin" / "codekem_handshakes").exists():
        sys.exit(f"{build} has no bin/codekem_handshakes: run make build")
    for group in options.groups:
        rows = {}
        for _ in range(options.rounds):
            for name, more in implementations(group, build, options.oqsprovider).items():
                row = measure(build, group, name, more, options.seconds)
                if row is not None:
                    rows.setdefault(name, []).append(row)
        print(f"{group}: {', '.join(rows) or 'nobody has it'}", file=sys.stderr)
        for found in rows.values():
            found.sort(key=lambda row: row["handshakes_per_second"])
            print(json.dumps(found[len(found) // 2]), flush=True)


if __name__ == "__main__":
    main()
