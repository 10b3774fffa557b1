#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the instructions of each function in operations on an emulated Cortex-M4.

usage: .venv/bin/python embedded/profile_functions.py KEM:OPERATION... [--least PERCENT]

Prints a table in Markdown: functions that take at least so many percent (2) of one of the operations,
and what is left. Each operation takes the first record of the known-answer file of its KEM. The program is
that of measure.py, build/cortex-m4/bin/operations.
"""

import argparse
import bisect
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import device

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import known_answers  # noqa: E402  (after the path of the tools)

OPERATIONS = ("keypair", "encaps", "decaps")


def inputs_of(kem, operation):
    """Returns the inputs of an operation in the first known answer."""
    record = known_answers.read_records(kem)[0]
    keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
    return {"keypair": [keypair_seed], "encaps": [record["pk"], encaps_seed],
            "decaps": [record["ct"], record["sk"]]}[operation]


def functions_of(program):
    """Returns addresses and names of the functions of a program, in order."""
    text = subprocess.run(["arm-none-eabi-nm", str(program)], capture_output=True, text=True,
                          check=True).stdout
    found = sorted({int(address, 16) & ~1: name for address, name in
                    re.findall(r"^(\w+) [tTW] ([A-Za-z_]\w*)$", text, re.MULTILINE)}.items())
    return [address for address, _ in found], [name for _, name in found]


def count(program, kem, operation):
    """Returns the instructions of each function in an operation. The back end is chosen before."""
    call = (kem, operation, *inputs_of(kem, operation))
    profiles = []
    with tempfile.TemporaryDirectory() as folder:
        device.run(program, [call, call], plugin=device.build_plugin(folder), profiles=profiles)
    addresses, names = functions_of(program)
    counts = collections.Counter()
    for address, runs in profiles[1].items():
        counts[names[bisect.bisect_right(addresses, address) - 1]] += runs
    return counts


def print_table(columns, least):
    """Prints the functions in the order of their sum."""
    totals = {name: sum(counts.values()) for name, counts in columns.items()}
    shares = collections.Counter()
    for name, counts in columns.items():
        for function, instructions in counts.items():
            shares[function] += instructions / totals[name]
    shown = [function for function, _ in shares.most_common()
             if any(100 * counts[function] >= least * totals[name]
                    for name, counts in columns.items())]
    print("| percent of the instructions |", " | ".join(columns), "|")
    print("|---" * (1 + len(columns)) + "|")
    for function in shown:
        row = [f"{100 * counts[function] / totals[name]:.1f}" for name, counts in columns.items()]
        print(f"| `{function}` |", " | ".join(row), "|")
    rest = [f"{100 - 100 * sum(counts[function] for function in shown) / totals[name]:.1f}"
            for name, counts in columns.items()]
    print("| all others |", " | ".join(rest), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("call", nargs="+", help="for example BIKE-L3:keypair")
    parser.add_argument("--least", type=float, default=2.0, help="percent of a function to be shown")
    arguments = parser.parse_args()
    program = ROOT / "build" / "cortex-m4" / "bin" / "operations"
    if not program.exists():
        parser.error(f"there is no {program.relative_to(ROOT)}: build the preset cortex-m4 first")
    columns = {}
    for call in arguments.call:
        kem, _, operation = call.partition(":")
        if operation not in OPERATIONS:
            parser.error(f"{call} is not KEM:OPERATION with one of {', '.join(OPERATIONS)}")
        try:
            columns[call.replace(":", " ")] = count(program, kem, operation)
        except (device.DeviceError, OSError) as error:
            sys.exit(f"profile_functions: {call}: {error}")
    print_table(columns, arguments.least)


if __name__ == "__main__":
    main()
