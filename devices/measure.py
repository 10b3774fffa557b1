#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts instructions, stack, flash and RAM on an emulated Cortex-M4; writes devices/results.

usage: .venv/bin/python devices/measure.py [--pqm4 FOLDER --mupq FOLDER] [--output FOLDER]

Every KEM runs the first record of its known-answer file; wrong answers are an error. With --pqm4
and --mupq (copies of the repositories of these names on GitHub, by mupq) the m4f implementations of
BIKE in pqm4 are built with its own options (but without assertions) and counted in the same way.
Without them, the rows of an earlier run with the same emulator stay. `tools/stored_results.py
tables` then writes the tables in docs/devices.md.

cortex-m4.json        rows: target, kem, backend, operation, instructions, stack_bytes, emulator,
                      compiler, made_from (tools/stored_results.py); pqm4's also peer, which has a
                      hash of its sources
cortex-m4-sizes.json  rows: target, kem, backend, flash_bytes, ram_bytes, compiler, made_from: of a
                      library with that KEM alone, without the start-up code and the example;
                      ram_bytes is static data
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from devices import device
from parameters.table import TABLE
from tools import artefacts, known_answers, made, stored_results

ROOT = pathlib.Path(__file__).resolve().parent.parent


KEMS = [kem.name for kem in TABLE.current("bike", "hqc")]
BOARD = ROOT / "devices/cortex-m4"
PEERS = {f"bikel{kem.level}": kem.name for kem in TABLE.current("bike") if kem.category < 5}
PEER_OPTIONS = [
    "-mcpu=cortex-m4",
    "-mthumb",
    "-mfloat-abi=hard",
    "-mfpu=fpv4-sp-d16",
    "-O3",
    "-std=gnu99",
    "-w",
    "-DPQM4",
    "-DNDEBUG",
    "-ffunction-sections",
    "-Wl,--gc-sections",
    "-nostartfiles",
    "--specs=nosys.specs",
]


def call(*command):
    """Runs a command and returns what it prints; ends the program with its errors if it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"measure: {' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(*kems):
    """Builds the preset cortex-m4 with these KEMs (all if none); returns the folder."""
    options = {"CODEKEM_KEMS": ";".join(kems)} if kems else {}
    return artefacts.made_folder(made.folder_of("cortex-m4", options))


def rows_of(kem, program, emulator):
    """Runs the first known answer of a KEM and returns its rows."""
    record = known_answers.read_records(kem)[0]
    keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
    operations = [
        (kem, "keypair", keypair_seed),
        (kem, "encaps", record["pk"], encaps_seed),
        (kem, "decaps", record["ct"], record["sk"]),
    ]
    expected = [[record["pk"], record["sk"]], [record["ct"], record["ss"]], [record["ss"]]]
    backend, *results = device.run(program, [("backend",), *operations])
    if [result.values for result in results] != expected:
        sys.exit(f"measure: wrong answers of {kem}")
    return [
        {
            "target": "cortex-m4",
            "kem": kem,
            "backend": backend.values[0].decode(),
            "operation": operation[1],
            "instructions": result.instructions,
            "stack_bytes": result.stack_bytes,
            "emulator": emulator,
        }
        for operation, result in zip(operations, results, strict=True)
    ]


def peer_rows(pqm4, mupq, emulator):
    """Builds and runs pqm4's implementations of BIKE and returns their rows."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # mupq has this header from another repository.
        (folder / "randombytes.h").write_text(
            "#include <stddef.h>\n#include <stdint.h>\nint randombytes(uint8_t *, size_t);\n"
        )
        for peer, kem in PEERS.items():
            sources = sorted(
                path
                for path in (pqm4 / "crypto_kem" / peer / "m4f").iterdir()
                if path.suffix in {".c", ".s", ".S"}
            )
            if not sources:
                sys.exit(f"measure: {pqm4} has no {peer}")
            program = folder / peer
            call(
                "arm-none-eabi-gcc",
                *PEER_OPTIONS,
                f"-I{folder}",
                f"-I{sources[0].parent}",
                f"-I{mupq / 'common'}",
                f"-I{BOARD}",
                "-T",
                BOARD / "layout.ld",
                "-o",
                program,
                *sources,
                mupq / "common" / "fips202.c",
                pqm4 / "common" / "keccakf1600.S",
                *[BOARD / f"{part}.c" for part in ("board", "measure", "peer")],
            )
            for line in call(*device.QEMU, program).splitlines():
                operation, instructions, stack_bytes = line.split()
                rows.append(
                    {
                        "target": "cortex-m4",
                        "kem": kem,
                        "backend": "pqm4-m4f",
                        "operation": operation,
                        "instructions": int(instructions),
                        "stack_bytes": int(stack_bytes),
                        "emulator": emulator,
                    }
                )
    return rows


def peer_hash(pqm4, mupq):
    """Returns a hash of what peer_rows builds of the two, without comments and blanks."""
    files = [
        path
        for peer in PEERS
        for path in (pqm4 / "crypto_kem" / peer / "m4f").iterdir()
        if path.suffix in {".c", ".h", ".s", ".S"}
    ]
    files += [mupq / "common" / "fips202.c", pqm4 / "common" / "keccakf1600.S"]
    return artefacts.Sources(sorted(files)).digest()


def size_row(kem):
    """Returns how much flash and RAM the example takes for a KEM, without the program itself."""
    folder = build(kem)
    sections = call("arm-none-eabi-objdump", "-h", folder / "bin" / "library_size")
    sizes = {
        name: int(size, 16)
        for name, size in re.findall(r"^ *\d+ (\.\w+) +([0-9a-f]+)", sections, re.MULTILINE)
    }
    backend = device.run(folder / "bin" / "operations", [("backend",)])[0].values[0].decode()
    return {
        "target": "cortex-m4",
        "kem": kem,
        "backend": backend,
        "flash_bytes": sizes[".text"] + sizes.get(".data", 0),
        "ram_bytes": sizes.get(".data", 0) + sizes.get(".bss", 0),
    }


def stamped(kind, rows):
    """Returns rows with the compiler that made them, and what they were made from."""
    rows = [row | {"compiler": artefacts.version_of("arm-none-eabi-gcc")} for row in rows]
    return [row | {"made_from": stored_results.made_from(kind, row)} for row in rows]


def text_of(rows):
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--pqm4", type=pathlib.Path, help="a copy of the repository pqm4")
    parser.add_argument("--mupq", type=pathlib.Path, help="a copy of the repository mupq")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "devices/results")
    arguments = parser.parse_args()
    if (arguments.pqm4 is None) != (arguments.mupq is None):
        parser.error("--pqm4 and --mupq belong together")

    emulator = device.emulator_version()
    output = arguments.output / "cortex-m4.json"
    folder = build()
    program = folder / "bin" / "operations"
    rows = [row for kem in KEMS for row in rows_of(kem, program, emulator)]
    rows = stamped("cortex-m4", rows)
    if arguments.pqm4 is not None:
        folders = arguments.pqm4.resolve(), arguments.mupq.resolve()
        peer = f"pqm4 and mupq, sources {peer_hash(*folders)}"
        rows += stamped("pqm4", [row | {"peer": peer} for row in peer_rows(*folders, emulator)])
    elif output.exists():
        rows += [
            row
            for row in json.loads(output.read_text())
            if row["backend"] == "pqm4-m4f" and row["emulator"] == emulator
        ]
    sizes = stamped("cortex-m4", [size_row(kem) for kem in KEMS])
    output.write_text(text_of(rows))
    (arguments.output / "cortex-m4-sizes.json").write_text(text_of(sizes))


if __name__ == "__main__":
    main()
