#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the instructions of each function in operations on an emulated Cortex-M4.

usage: .venv/bin/python devices/profile_functions.py [--least PERCENT] [--output FILE]
                                                       [KEM:OPERATION...]

Prints a table in Markdown: functions that take at least so many percent (4) of one of the
operations (docs/results/devices.md), and what is left. Each operation takes the first record of
the known-answer file of its KEM. The program is that of measure.py, which it builds. With --output
it writes rows to a file: target, kem, operation, functions (the instructions of each), emulator,
compiler, made_from (tools/stored_results.py).
"""

import argparse
import bisect
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from devices import device, measure
from parameters.table import TABLE
from tools import (
    artefacts,
    known_answers,
    result_tables,
    stored_results,
)

ROOT = pathlib.Path(__file__).resolve().parent.parent


OPERATIONS = ("keypair", "encaps", "decaps")
KEMS = [kem.name for kem in TABLE.current("bike") if kem.category < 5]
CALLS = [f"{kem}:{operation}" for operation in OPERATIONS for kem in KEMS]
CALLS.append("HQC-1:encaps")


def inputs_of(kem, operation):
    """Returns the inputs of an operation in the first known answer."""
    record = known_answers.read_records(kem)[0]
    keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
    return {
        "keypair": [keypair_seed],
        "encaps": [record["pk"], encaps_seed],
        "decaps": [record["ct"], record["sk"]],
    }[operation]


def functions_of(program):
    """Returns addresses and names of the functions of a program, in order."""
    text = subprocess.run(
        ["arm-none-eabi-nm", str(program)], capture_output=True, text=True, check=True
    ).stdout
    found = sorted(
        {
            int(address, 16) & ~1: name
            for address, name in re.findall(r"^(\w+) [tTW] ([A-Za-z_]\w*)$", text, re.MULTILINE)
        }.items()
    )
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


def row_of(program, kem, operation):
    """Returns what is stored of an operation; most instructions first."""
    row = {
        "target": "cortex-m4",
        "kem": kem,
        "operation": operation,
        "functions": dict(count(program, kem, operation).most_common()),
        "emulator": device.emulator_version(),
        "compiler": artefacts.version_of("arm-none-eabi-gcc"),
    }
    return row | {"made_from": stored_results.made_from("functions", row)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("call", nargs="*", default=CALLS, help="for example BIKE-L1:keypair")
    parser.add_argument(
        "--least",
        type=float,
        default=result_tables.LEAST_PERCENT,
        help="percent of a function to be shown",
    )
    parser.add_argument("--output", type=pathlib.Path, help="where to write the rows")
    arguments = parser.parse_args()
    calls = [call.partition(":")[::2] for call in arguments.call]
    for kem, operation in calls:
        if operation not in OPERATIONS:
            parser.error(
                f"{kem}:{operation} is not KEM:OPERATION with one of {', '.join(OPERATIONS)}"
            )
    program = measure.build() / "bin" / "operations"
    try:
        rows = [row_of(program, kem, operation) for kem, operation in calls]
    except (device.DeviceError, OSError) as error:
        sys.exit(f"profile_functions: {error}")
    print("\n".join(result_tables.function_table(rows, arguments.least)))
    if arguments.output is not None:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(measure.text_of(rows))


if __name__ == "__main__":
    main()
