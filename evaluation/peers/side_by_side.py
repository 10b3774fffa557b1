#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times codekem beside shared libraries with the functions of NIST's API, and prints Markdown.

usage: side_by_side.py BUILD_FOLDER BACKEND KEM=LIBRARY... [--rounds N] [--batch N]

BUILD_FOLDER holds libcodekem.so. LIBRARY is a shared library with crypto_kem_keypair,
crypto_kem_enc and crypto_kem_dec, or the name of another back end of codekem, for instance
    side_by_side.py build/default avx512 BIKE-L1=/opt/bike-kem/libbike_L1.so HQC-1=portable
With --batch codekem does so many operations at once, and its times are those of one of them; the
peer does single calls.
"""

import argparse
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OPERATION = re.compile(
    r"^  (\w+) +([\d.]+) \[([\d.]+) \.\. ([\d.]+)\] +([\d.]+) "
    r"\[([\d.]+) \.\. ([\d.]+)\] +ratio ([\d.]+) "
    r"\[([\d.]+) \.\. ([\d.]+)\]$",
    re.MULTILINE,
)


def compile_program(library, folder):
    program = pathlib.Path(folder) / "pair_speed"
    done = subprocess.run(
        [
            "cc",
            "-O2",
            f"-I{HERE.parent.parent / 'include'}",
            str(HERE / "pair_speed.c"),
            "-o",
            str(program),
            f"-L{library}",
            "-lcodekem",
            "-ldl",
            "-lm",
            f"-Wl,-rpath,{library}",
        ],
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"side_by_side: pair_speed.c does not compile; is libcodekem.so in {library}?")
    return program


def decimals_of(middle, low, high):
    """Returns the decimals that half of the interval allows, at most those of three digits."""
    most = 2 - math.floor(math.log10(middle))
    half = (high - low) / 2
    return max(0, most if half <= 0 else min(most, -math.floor(math.log10(half))))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("backend")
    parser.add_argument("pairs", nargs="+", metavar="KEM=LIBRARY")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--batch", type=int, default=1)
    arguments = parser.parse_args()
    taskset = ["taskset", "-c", "1"] if shutil.which("taskset") else []
    print("| KEM | operation | codekem | quartiles | peer | quartiles | ratio | interval |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(arguments.folder.resolve(), folder)
        for pair in arguments.pairs:
            kem, _, peer = pair.partition("=")
            done = subprocess.run(
                [
                    *taskset,
                    program,
                    kem,
                    arguments.backend,
                    peer,
                    str(arguments.rounds),
                    str(arguments.batch),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
            if done.returncode < 0:
                sys.exit(f"side_by_side: {pair} stopped with signal {-done.returncode}")
            if done.returncode != 0:
                sys.exit(1)
            for name, a, a1, a3, b, b1, b3, *ratio in OPERATION.findall(done.stdout):
                middle, low, high = map(float, ratio)
                decimals = decimals_of(middle, low, high)
                print(
                    f"| {kem} | {name} | {a} | {a1} to {a3} | {b} | {b1} to {b3} "
                    f"| {middle:.{decimals}f} | {low:.{decimals}f} to {high:.{decimals}f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
