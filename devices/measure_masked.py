#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts instructions and stack of HQC in shares on an emulated Cortex-M4.

usage: .venv/bin/python devices/measure_masked.py [--output FOLDER]

Every level runs the first record of its known answers; wrong answers are an error. Masks come from
ChaCha8 inside of the library, which counts, too. `tools/stored_results.py tables` then writes the
table in docs/results/devices.md, beside the counts of the library without shares.

masked.json       rows: target, kem, backend, operation, shares, instructions, stack_bytes,
                  emulator, compiler, made_from (tools/stored_results.py)
"""

import argparse
import pathlib
import random
import sys

from devices import device, measure
from tests.masked_program import KEMS, SECRET, join, share
from tools import artefacts, known_answers, made

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build():
    """Returns the folder of the tests, with what they build."""
    return artefacts.made_folder(made.folder_of("cortex-m4", {"CODEKEM_BUILD_MCELIECE": "ON"}))


def run(program, kem):
    """Returns {operation: Result} of the first record; the answers are right."""
    record = known_answers.read_records(kem)[0]
    seeds = known_answers.record_seeds(kem, record)
    keypair_seed, encaps_seed = (share(seed, 2, random.Random(1)) for seed in seeds)
    keypair, imported, encaps = device.run(
        program,
        [
            (kem, "keypair", keypair_seed),
            (kem, "import", record["sk"]),
            (kem, "encaps", record["pk"], encaps_seed),
        ],
    )
    decaps, again = device.run(
        program,
        [
            (kem, "decaps", record["ct"], keypair.values[1]),
            (kem, "guarded-decaps", record["ct"], imported.values[0]),
        ],
    )
    found = [keypair.values[0], encaps.values[0]]
    found += [join(value, SECRET) for value in (encaps.values[1], decaps.values[0])]
    found.append(join(again.values[0], SECRET))
    if found != [record["pk"], record["ct"], *[record["ss"]] * 3]:
        sys.exit(f"measure_masked: wrong answers of {kem}")
    return {"keypair": keypair, "import": imported, "encaps": encaps, "decaps": decaps}


def rows_of(program, kem, emulator):
    return [
        {
            "target": "cortex-m4",
            "kem": kem,
            "backend": "m4",
            "operation": operation,
            "shares": 2,
            "instructions": result.instructions,
            "stack_bytes": result.stack_bytes,
            "emulator": emulator,
        }
        for operation, result in run(program, kem).items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "devices/results")
    arguments = parser.parse_args()
    program = build() / "bin" / "masked_operations"
    emulator = device.emulator_version()
    rows = [row for kem in KEMS for row in rows_of(program, kem, emulator)]
    path = arguments.output / "masked.json"
    path.write_text(measure.text_of(measure.stamped("masked-m4", rows)))


if __name__ == "__main__":
    main()
