#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts instructions and memory of Classic McEliece on an emulated Cortex-M4.

usage: .venv/bin/python devices/measure_mceliece.py [--mceliece-arm-m4 FOLDER] [--output FOLDER]

Every set runs the first record of its known answers, with the randomness of that record; wrong
answers are an error. With --mceliece-arm-m4 the code of Chen and Chou is counted in the same way
[CC21]. It is built elsewhere, with the options of its own project: the folder has SET.a and
SET/api.h for each SET. Without the option, the rows of an earlier run with the same emulator stay.
`tools/stored_results.py tables` then writes the table in docs/results/devices.md.

mceliece.json     rows: target, kem, backend, operation (keypair: in pages; encaps, stream, decaps),
                  instructions, memory_bytes (stack and working memory), emulator, compiler,
                  made_from (tools/stored_results.py); of the peer also peer, a hash of its code
"""

import argparse
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

from devices import device, measure
from tests.mceliece_library import Generator, vectors
from tools import artefacts, made

ROOT = pathlib.Path(__file__).resolve().parent.parent


# Bytes that each attempt to draw an error asks for.
SETS = {"mceliece348864f": 256, "mceliece460896f": 384}
IN_PAGES = "mceliece348864"
ATTEMPTS = 20
PAGE_BYTES = 2048
PEER = "ches2021"


def build():
    """Builds the program with the options of the tests and returns the folder."""
    folder = made.folder_of("cortex-m4", {"CODEKEM_BUILD_MCELIECE": "ON"})
    return artefacts.made_folder(folder)


def record_of(name):
    """Returns the first record of a set, its seed of the key, and what its generator gives then."""
    record = vectors("digests")["sets"][name]["records"][0]
    generator = Generator(bytes.fromhex(record["seed"]))
    seed = generator.draw(32)
    return record, seed, b"".join(generator.draw(SETS.get(name, 256)) for _ in range(ATTEMPTS))


def check(name, found, expected):
    if found != expected:
        sys.exit(f"measure_mceliece: wrong answers of {name}")


def key_pair(program, name):
    """Makes the key pair of the first record on the device."""
    record, seed, _ = record_of(name)
    pair = device.run(program, [(name, "keypair", seed)])[0].values
    digests = [hashlib.sha256(value).hexdigest() for value in pair]
    check(name, digests, [record["pk_sha256"], record["sk_sha256"]])
    return pair


def row_of(name, operation, result, working_memory, emulator):
    return {
        "target": "cortex-m4",
        "kem": name,
        "backend": "m4",
        "operation": operation,
        "instructions": result.instructions,
        "memory_bytes": result.stack_bytes + working_memory,
        "emulator": emulator,
    }


def workspaces(program, name):
    """Returns the working memory of encapsulation, and of a key pair in pages."""
    lengths = struct.unpack("<4I", device.run(program, [("workspace", name)])[0].values[0])
    return lengths[1], lengths[3]


def rows_of(program, name, emulator):
    """Returns the rows of encapsulation, whole and in pieces, and decapsulation."""
    record, _, source = record_of(name)
    public_key, secret_key = key_pair(program, name)
    seed = bytes(range(32))
    _, encaps, seeded, stream, decaps = device.run(
        program,
        [
            ("backend",),
            (name, "encaps-random", public_key, source),
            (name, "encaps", "-", seed),
            (name, "stream", "-", str(PAGE_BYTES), seed),
            (name, "decaps", bytes.fromhex(record["ct"]), secret_key),
        ],
    )
    found = [value.hex() for value in [*encaps.values, *decaps.values]]
    check(name, found, [record["ct"], record["ss"], record["ss"]])
    check(name, stream.values, seeded.values)
    return [
        row_of(name, "encaps", encaps, workspaces(program, name)[0], emulator),
        row_of(name, "stream", stream, 0, emulator),
        row_of(name, "decaps", decaps, 0, emulator),
    ]


def pages_row(program, name, emulator):
    """Returns the row of a key pair whose public key leaves in pages."""
    record, seed, _ = record_of(name)
    result = device.run(program, [(name, "pages", str(PAGE_BYTES), seed)])[0]
    digests = [hashlib.sha256(value).hexdigest() for value in result.values]
    check(name, digests, [record["pk_sha256"], record["sk_sha256"]])
    return row_of(name, "keypair", result, workspaces(program, name)[1], emulator)


def peer_rows(folder, emulator):
    """Links and runs the code of Chen and Chou and returns its rows."""
    rows = []
    for name in SETS:
        archive = folder / f"{name}.a"
        with tempfile.TemporaryDirectory() as temporary:
            # pqm4 has this header from another repository.
            header = pathlib.Path(temporary) / "randombytes.h"
            header.write_text(
                "#include <stddef.h>\n#include <stdint.h>\nint randombytes(uint8_t *, size_t);\n"
            )
            program = pathlib.Path(temporary) / name
            measure.call(
                "arm-none-eabi-gcc",
                *measure.PEER_OPTIONS,
                f"-I{temporary}",
                f"-I{folder / name}",
                f"-I{measure.BOARD}",
                "-T",
                measure.BOARD / "layout.ld",
                "-o",
                program,
                *[measure.BOARD / f"{part}.c" for part in ("board", "measure", "peer")],
                archive,
            )
            lines = measure.call(*device.QEMU, program).splitlines()
        members = subprocess.run(
            ["arm-none-eabi-ar", "p", str(archive)], capture_output=True, check=True
        ).stdout
        for line in lines:
            operation, instructions, stack_bytes = line.split()
            rows.append(
                {
                    "target": "cortex-m4",
                    "kem": name,
                    "backend": PEER,
                    "operation": operation,
                    "instructions": int(instructions),
                    "memory_bytes": int(stack_bytes),
                    "emulator": emulator,
                    "peer": f"mceliece-arm-m4, code {hashlib.sha256(members).hexdigest()[:16]}",
                }
            )
    # More than the timer counts.
    return [row for row in rows if (row["kem"], row["operation"]) != ("mceliece460896f", "keypair")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mceliece-arm-m4", type=pathlib.Path, help="what was built elsewhere")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "devices/results")
    arguments = parser.parse_args()

    emulator = device.emulator_version()
    output = arguments.output / "mceliece.json"
    folder = build()
    program = folder / "bin" / "mceliece_operations"
    rows = [pages_row(program, IN_PAGES, emulator)]
    rows += [row for name in SETS for row in rows_of(program, name, emulator)]
    rows = measure.stamped("mceliece-m4", rows)
    if arguments.mceliece_arm_m4 is not None:
        rows += measure.stamped(PEER, peer_rows(arguments.mceliece_arm_m4.resolve(), emulator))
    elif output.exists():
        rows += [
            row
            for row in json.loads(output.read_text())
            if row["backend"] == PEER and row["emulator"] == emulator
        ]
    output.write_text(measure.text_of(rows))


if __name__ == "__main__":
    main()
