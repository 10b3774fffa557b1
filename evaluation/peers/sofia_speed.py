#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints how long SOFIA-4-128 takes in the authors' code and in codekem, in turn on one machine.

usage: sofia_speed.py FOLDER [BUILD [CALLS]]

FOLDER is a checkout of https://github.com/joostrijneveld/SOFIA (commit a24fea1), BUILD the build
folder of codekem with codekem-sofia (default build/default), CALLS the number of calls of each
operation (default 41). Both sides verify each other's signatures and must make the same keys. Their
code is compiled as their Makefiles do, in a folder of its own. Prints medians in microseconds, and
the peer's median over the back end's. x86-64 only: their vector code needs AVX2 and AES-NI.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=haswell", "-maes", "-std=gnu99", "-fno-strict-aliasing", "-no-pie", "-w"]
# What is compiled for each of their implementations: sources, programs that print assembly, macros.
PEERS = {
    "ref/c": (["F", "mq", "randombytes", "sofia", "sampling", "fips202"], [], []),
    "avx2": (
        [
            "F",
            "randombytes",
            "sofia",
            "sampling",
            "fips202",
            "fips202x4",
            "prg",
            "crypto_stream_aes256ctr",
        ],
        ["mq", "g", "mq3", "g3"],
        ["-DSOFIA_GAP_F"],
    ),
}


def make(name, sources, build, scratch):
    """Builds the program with the authors' implementation in the folder sources."""
    names, assembly, macros = PEERS[name]
    folder = scratch / name.replace("/", "-")
    shutil.copytree(sources / name, folder)
    for part in assembly:
        printed = subprocess.run(
            [sys.executable, f"{part}.s.py"], cwd=folder, capture_output=True, check=True
        )
        (folder / f"{part}.s").write_bytes(printed.stdout)
    program = folder / "sofia_speed"
    subprocess.run(
        ["gcc", *FLAGS, *macros, f"-I{ROOT / 'include'}", "-o", program, HERE / "sofia_speed.c"]
        + [folder / f"{part}.c" for part in names]
        + [folder / f"{part}.s" for part in assembly]
        + [build / "libcodekem-sofia.a", build / "libcodekem.a", "-Wl,-z,noexecstack"],
        check=True,
    )
    return program


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    sources = pathlib.Path(sys.argv[1])
    build = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "default"
    calls = sys.argv[3] if len(sys.argv) > 3 else "41"
    with tempfile.TemporaryDirectory() as scratch:
        for name in PEERS:
            program = make(name, sources, build, pathlib.Path(scratch))
            done = subprocess.run(
                [program, f"authors-{name}", calls], stdout=subprocess.PIPE, text=True, check=True
            )
            rows = [line.split() for line in done.stdout.splitlines()]
            theirs = [float(value) for value in rows[0][1:]]
            print(f"{'':16}{'key pair':>18}{'sign':>18}{'verify':>18}")
            for label, *values in rows:
                cells = [
                    f"{float(value):10.1f} ({peer / float(value):5.2f})"
                    for value, peer in zip(values, theirs, strict=True)
                ]
                print(f"{label:16}" + "".join(cells))


if __name__ == "__main__":
    main()
