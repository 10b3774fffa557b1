#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times liboqs and RustCrypto's hqc-kem beside codekem and prints a table.

usage: table.py LIBCODEKEM_SO BUILD_FOLDER [ROUNDS]

Builds evaluation/peers/rust with what the crate registry has. If that is not possible, says in one
line why and what to do, and ends with status 0: the peers are not part of codekem.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FEATURES = {"liboqs": (1, 80), "rustcrypto": (1, 85)}  # and the oldest Rust that builds them
MINUTES = 4  # that building may take


def without(reason):
    print(f"peers: not measured: {reason}")
    sys.exit(0)


def cargo_version():
    if shutil.which("cargo") is None:
        without("there is no cargo; install Rust (rustc and cargo, 1.85 or later) to compare")
    text = subprocess.run(["cargo", "--version"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return tuple(int(part) for part in re.match(r"cargo (\d+)\.(\d+)", text).groups())


def build(folder):
    """Builds the program; returns its path."""
    version = cargo_version()
    features = [name for name, oldest in FEATURES.items() if version >= oldest]
    if not features:
        without("Rust %d.%d is too old for the peers; they need 1.80 or later" % version)
    print(f"peers: building {' and '.join(features)} (the first time takes minutes)", flush=True)
    command = ["cargo", "build", "--release", "--locked", "--features", ",".join(features)]
    try:
        done = subprocess.run(command, cwd=HERE / "rust", timeout=60 * MINUTES,
                              env={**os.environ, "CARGO_TARGET_DIR": str(folder)},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    except subprocess.TimeoutExpired:
        without(f"building took more than {MINUTES} minutes; run {' '.join(command)} "
                f"in {HERE / 'rust'} and try again")
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if line.startswith("error")]
        without(f"{' '.join(command)} failed in {HERE / 'rust'}: {(errors or ['?'])[0]}")
    return folder / "release" / "codekem-peers"


def show(results):
    print(f"\nPeers beside codekem (back end {results['backend']}), calls alternating in one "
          "process; median and quartiles in microseconds; ratio: peer over codekem")
    row = "{:<8} {:<10} {:>9} {:>19}  {:<10} {:>9} {:>19} {:>7}"
    print(row.format("KEM", "operation", "codekem", "", "peer", "", "", "ratio"))
    for r in results["results"]:
        (a1, a2, a3), (b1, b2, b3) = r["codekem_us"], r["peer_us"]
        print(row.format(r["kem"], r["operation"], f"{a2:.1f}", f"[{a1:.1f} .. {a3:.1f}]",
                         r["peer"], f"{b2:.1f}", f"[{b1:.1f} .. {b3:.1f}]", f"{r['ratio']:.2f}"))
    print("The HQC of this liboqs is the version of 2023: same codes and ring, other hashing and "
          "sampling.")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    library, folder = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    program = build(folder)
    command = [program, "speed", library, *sys.argv[3:]]
    if shutil.which("taskset") is not None:
        core = max(os.sched_getaffinity(0))
        command = ["taskset", "-c", str(core), *command]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        without("the comparison failed; its message is above")
    show(json.loads(done.stdout))


if __name__ == "__main__":
    main()
