#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hashes of the netlists that stored results are about, as Yosys has them before any mapping.

usage: python -m hardware.syn.netlists bike|hqc|joint|soc FILE

Writes {netlist: hash} of each netlist of these designs that a stored result names
(tools/stored_results.py). Only cells count and what they are connected to (structure.py), without
assertions: neither names, nor the order, nor in which modules they stand. So a hash stays when a
module is moved into another, and says that both designs are the same.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

from hardware.sim import build
from hardware.soc import build_soc
from hardware.syn import structure
from tools import artefacts, stored_results
from tools.flow import run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
FLAT = "proc; chformal -remove; flatten -noscopeinfo; opt_expr; opt_clean -purge"
MODULE = re.compile(r"^module \\(\S+)$", re.M)


def sources(top, folder):
    """Returns the options and files by which Yosys reads a design; it sees files below HARDWARE
    alone."""
    if top.endswith("_core"):
        return "", build.rtl_files(top.removesuffix("_core"))
    shutil.copy(build_soc.cpu_file(), folder / "cpu.v")
    system = [*build_soc.rtl_files(), folder / "cpu.v"]
    if top == build_soc.BOARD:
        return "-D SYNTHESIS", [*system, *build_soc.board_files()]
    return "", system


def elaborated(netlist):
    """Returns the name of a netlist's module as its design instantiates it, and {name: module} of
    it and what keeps its boundary, as write_json of Yosys has them."""
    (HARDWARE / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HARDWARE / "build") as name:
        folder = pathlib.Path(name)
        options, files = sources(netlist.top, folder)
        names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
        chosen = " ".join(f"-G {parameter}" for parameter in netlist.parameters.split())
        design = folder.relative_to(HARDWARE) / "design"
        yosys(
            f"read_slang -j 1 --keep-hierarchy {options} {chosen} {names} --top {netlist.top}; "
            f"write_rtlil {design}.il"
        )
        modules = MODULE.findall((folder / "design.il").read_text(encoding="utf-8"))
        name = [one for one in modules if one.split("$")[0] == netlist.module][-1]
        yosys(f"read_rtlil {design}.il; hierarchy -top {name}; {FLAT}; write_json {design}.json")
        found = json.loads((folder / "design.json").read_text(encoding="utf-8"))
    return name, found["modules"]


def yosys(script):
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])


def digest(netlist):
    """Returns the hash of a netlist: of a module, as its design instantiates it, with all below."""
    name, modules = elaborated(netlist)
    return structure.digest(modules[name], modules)


def made_from(kind, row):
    """Returns what a new row carries as "made_from"."""
    return stored_results.made_from(kind, row, digest)


def keep(path, row, cases):
    """Puts a new row into a file of results, in the place of that of its case, in the order of the
    cases."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["case"] != row["case"]] + [row]
    rows.sort(key=lambda one: cases.index(one["case"]))
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in artefacts.DESIGNS.values():
        print(__doc__.strip(), file=sys.stderr)
        return 2
    group, path = arguments[0], pathlib.Path(arguments[1])
    try:
        found = {
            str(one): digest(one)
            for one in sorted(set(stored_results.netlists()))
            if artefacts.DESIGNS[one.top] == group
        }
    except (run_tool.ToolError, build.BuildError) as error:
        sys.exit(f"netlists.py: {error}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
