#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hashes of the netlists that stored results are about, as Yosys has them before any mapping.

usage: python -m hardware.syn.netlists bike|hqc|joint|soc FILE

Writes {netlist: hash} of each netlist of these designs that a stored result names
(tools/stored_results.py). Neither names of files and lines count, nor assertions, nor the order of
cells, and what has no name gets one from what it is connected to: a comment changes nothing.
"""

import hashlib
import json
import pathlib
import re
import shutil
import sys
import tempfile

from hardware.sim import build
from hardware.soc import build_soc
from tools import artefacts, stored_results
from tools.flow import run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
# Of a module: a wire, a connection or the like, or a cell to its end, with its attributes.
ITEM = re.compile(
    r"^(?:  attribute .*\n)*  (?:cell .*\n(?:    .*\n)*  end|(?!attribute|cell).*)\n", re.M
)
CELL = re.compile(r"^(  cell \$\S+) \S+", re.M)  # of Yosys' own types
UNNAMED = re.compile(r"(?<! cell) (\$\S+)")
ROUNDS = 4  # as far as what is connected to what is connected counts for a name


def sources(top, folder):
    """Returns the options and files by which Yosys reads a design; the tool sees files below
    HARDWARE alone."""
    if top.endswith("_core"):
        return "", build.rtl_files(top.removesuffix("_core"))
    shutil.copy(build_soc.cpu_file(), folder / "cpu.v")
    system = [*build_soc.rtl_files(), folder / "cpu.v"]
    if top == build_soc.BOARD:
        return "-D SYNTHESIS", [*system, *build_soc.board_files()]
    return "", system


def elaborated(top, parameters):
    """Returns {name: text} of the modules of a design, those that are instantiated first."""
    (HARDWARE / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HARDWARE / "build") as name:
        folder = pathlib.Path(name)
        options, files = sources(top, folder)
        names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
        chosen = " ".join(f"-G {parameter}" for parameter in parameters.split())
        script = (
            f"read_slang -j 1 --keep-hierarchy {options} {chosen} {names} --top {top}; "
            "proc; chformal -remove; opt_clean; "
            f"write_rtlil {folder.relative_to(HARDWARE)}/netlist.il"
        )
        run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])
        text = (folder / "netlist.il").read_text(encoding="utf-8")
    text = re.sub(r"^ *attribute \\src .*\n", "", text, flags=re.M)
    return {
        found[1]: found[0] for found in re.finditer(r"^module (\S+)\n.*?^end\n", text, re.M | re.S)
    }


def hash_of(text):
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def unnamed(text):
    """Returns what a module consists of, in an order and with names of what has no name in the
    sources that depend on nothing but what it is connected to."""
    items = [UNNAMED.split(CELL.sub(r"\1", item)) for item in ITEM.findall(text)]
    names = {name: "" for item in items for name in item[1::2]}
    for _ in range(ROUNDS):
        places = {name: [] for name in names}
        for item in items:
            whole = hash_of("".join(names.get(part, part) for part in item))
            for at in range(1, len(item), 2):
                places[item[at]].append(f"{whole} {at}")
        names = {name: hash_of(" ".join(sorted(found))) for name, found in places.items()}
    return "".join(sorted("".join(names.get(part, part) for part in item) for item in items))


def digest(netlist):
    """Returns the hash of a netlist: of a module, as its design instantiates it, with all below."""
    modules = elaborated(netlist.top, netlist.parameters)
    name = [one for one in modules if one.lstrip("\\").split("$")[0] == netlist.module][-1]
    parts, wanted = {}, [name]
    while wanted:
        one = wanted.pop()
        if one not in parts and one in modules:
            # A name has the path of the instance in it, which is not the module's own.
            parts[one] = unnamed(modules[one]).replace(name, netlist.module)
            wanted += re.findall(r"^  cell (\S+) ", modules[one], re.M)
    return artefacts.digest("".join(sorted(parts.values())))


def made_from(kind, row):
    """Returns what a new row carries as "made_from"."""
    return stored_results.made_from(kind, row, digest)


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
