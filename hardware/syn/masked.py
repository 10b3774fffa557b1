#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Synthesises the masked core as synthesise.py does the others, and prints its area by module.

usage: python -m hardware.syn.masked [LEVEL]

Units keep their boundary, as those of the other cores do; memories of programs have their contents.
"""

import json
import sys

from hardware.sim import build
from hardware.sim import masked_schedule as schedule
from hardware.sim.masked_level import LEVELS
from hardware.syn import synthesise
from tools.flow import cells, run_tool

TOP = "masked_hqc"
UNITS = (
    *("kem_control", "kem_sequencer"),
    *(f"masked_{name}" for name in ("engine", "hash", "lane", "move", "product", "receive", "rom")),
    *("masked_send", "masked_store"),
)


def script_of(folder, level):
    """Returns the script of Yosys; folder: below HARDWARE, where the programs are."""
    files = (str(path.relative_to(build.HARDWARE)) for path in build.files_for(TOP))
    roms = (f'-G {one.upper()}_FILE="{folder}/masked_{one}.hex"' for one in schedule.FILES)
    kept = " ".join(f"{unit}$*" for unit in UNITS)
    return (
        f"read_slang -j 1 --keep-hierarchy -G LEVEL={level} {' '.join(roms)}"
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
    schedule.write(folder, level)
    synthesise.run_yosys(script_of(folder.relative_to(build.HARDWARE), level), folder)
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    found = {TOP: cells.area(cells.cells_of(modules, f"\\{TOP}"))}
    for module in modules:
        unit = module.lstrip("\\").split("$")[0]
        if unit in UNITS:
            figures = cells.area(cells.cells_of(modules, module))
            before = found.get(unit, dict.fromkeys(figures, 0))
            found[unit] = {name: before[name] + figures[name] for name in figures}
    return found


def main(arguments):
    given = arguments or ["1"]
    if len(given) > 1 or given[0] not in map(str, LEVELS):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        found = area(int(given[0]))
    except run_tool.ToolError as error:
        sys.exit(f"masked.py: {error}")
    synthesise.show(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
