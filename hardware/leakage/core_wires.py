#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the changes of all wires of the masked core while it decapsulates, glitches too, and tells
a fixed secret from random ones by them, as glitches.py does for its parts.

usage: python -m hardware.leakage.core_wires [--traces N] [--delays N] [--seed N] [--part K/N]
                                             [--plant NAME | --results FILE] [encaps|decaps]

Sets, and what they share, are those of masked_core.py. Each gate, register and port of a memory
takes 1 to --delays steps, each its own, drawn by seed; words within memories do not count. Traces
run side by side, a bit each (wires.cpp). Looked at, to first order: each wire in each step, and in
each step how many wires of a unit change. Prints the largest |t| of both, and what the largest of
so many is above by chance once in a thousand campaigns. Results that are known, those of the fixed
secret, are checked. Of N cycles one is looked at, the K-th (0/8): the others have no glitches, so
that they take less time. --plant takes a mistake of hardware/masked in hardware/mistakes.toml.
--results keeps the row in FILE, as masked_core.py says, with "part", "delays", "wires", "known" and
"units": [the largest |t| of a unit's sums, by chance].
"""

import argparse
import dataclasses
import json
import pathlib
import random
import re
import sys
import time
import typing

import numpy as np

from hardware.leakage import gates, masked_core
from hardware.leakage.measure import by_chance
from hardware.sim import build
from hardware.sim import masked_schedule as schedule
from hardware.syn import masked
from hardware.tests.planted import with_mistake
from tests.c_library import shared_library
from tests.library import Library
from tools import made, mistakes, programs
from tools.flow import run_tool

HERE = pathlib.Path(__file__).resolve().parent
TOP = masked.TOP
UNITS = ("control", "engine", "hash", "move", "product", "receive", "rom", "send", "store")
# As gates.BUILDS["written"], but for memories, which stay.
SCRIPT = (
    "proc -norom; chformal -remove; {flat}; opt_expr; opt_clean; memory -nomap; opt_clean; "
    "dffunmap; simplemap; techmap; opt_expr; opt_clean"
)
VECTOR = 64  # traces of a word
LIMIT = 4.5


@dataclasses.dataclass
class Netlist:
    """Wires are numbers, 0 and 1 the constants. lines: what wires.cpp reads but for delays and
    units; names: of wires in the source; units: {wire: number of UNITS}."""

    lines: list[str]
    count: int
    names: dict[int, str]
    units: dict[int, int]


def netlist(files, folder):
    """Returns the Netlist of the core; Yosys works in a folder below hardware/."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder.relative_to(gates.HARDWARE)
    names = " ".join(str(path.relative_to(gates.HARDWARE)) for path in files)
    script = (
        f"read_slang -j 1 --keep-hierarchy {masked.programs(folder, 1)} {names} --top {TOP}; "
        f"{SCRIPT.format(flat=gates.FLAT)}; write_json {place}/core.json"
    )
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])
    modules = json.loads((folder / "core.json").read_text(encoding="utf-8"))["modules"]
    (found,) = (one for one in modules.values() if "top" in one["attributes"])
    return Reader(found).read()


class Reader:
    """What a module in Yosys' write_json has."""

    def __init__(self, module):
        self.module, self.numbers = module, {"0": 0, "x": 0, "1": 1}
        self.lines, self.units = [], {}

    def wires(self, bits):
        return [self.numbers.setdefault(bit, len(self.numbers) - 1) for bit in bits]

    def read(self):
        for name, port in self.module["ports"].items():
            self._line(port["direction"], name, *self.wires(port["bits"]))
        for cell in self.module["cells"].values():
            pins = {pin: self.wires(bits) for pin, bits in cell["connections"].items()}
            if cell["type"] == "$mem_v2":
                driven = self._memory(cell["parameters"], pins)
            elif cell["type"] == "$_DFF_P_":
                self._line("register", *pins["Q"], *pins["D"])
                driven = pins["Q"]
            else:
                self._gate(cell["type"], pins)
                driven = pins["Y"]
            self.units |= dict.fromkeys(driven, unit_of(cell["attributes"].get("src", "")))
        names = {
            self.numbers[bit]: name
            for bit, name in gates.names_of(self.module).items()
            if bit in self.numbers
        }
        return Netlist(self.lines, len(self.numbers) - 1, names, self.units)

    def _line(self, *fields):
        self.lines.append(" ".join(map(str, fields)))

    def _gate(self, kind, pins):
        if kind not in gates.SIMPLE:
            raise gates.GateError(f"a cell that is neither a gate nor a register: {kind}")
        inputs = [pins[pin][0] for pin in gates.SIMPLE[kind]]
        table, bits = gates.table_of(kind), 1 << len(inputs)
        while bits < 8:
            table, bits = table | table << bits, 2 * bits
        self._line("gate", *pins["Y"], table, *inputs)

    def _memory(self, parameters, pins):
        """Writes a memory and its ports; returns the wires that it drives."""
        width, depth, abits = (int(parameters[one], 2) for one in ("WIDTH", "SIZE", "ABITS"))
        if int(parameters["OFFSET"], 2):
            raise gates.GateError("a memory that does not begin at 0")
        self._line("memory", depth, width)
        for number in range(depth):
            row = parameters["INIT"][::-1][number * width : (number + 1) * width]
            if "1" in row:
                self._line("row", number, row.replace("x", "0"))
        clocked = parameters["RD_CLK_ENABLE"][::-1]
        for i in range(int(parameters["RD_PORTS"], 2)):
            address = pins["RD_ADDR"][i * abits : (i + 1) * abits]
            data = pins["RD_DATA"][i * width : (i + 1) * width]
            first = (
                ["read", pins["RD_EN"][i], pins["RD_SRST"][i]] if clocked[i] == "1" else ["look"]
            )
            self._line(*first, *address, "-", *data)
        for i in range(int(parameters["WR_PORTS"], 2)):
            some = slice(i * width, (i + 1) * width)
            address = pins["WR_ADDR"][i * abits : (i + 1) * abits]
            self._line("write", *address, "-", *pins["WR_EN"][some], "-", *pins["WR_DATA"][some])
        return pins["RD_DATA"]


def unit_of(source):
    """Returns the number of the unit from which a cell comes, by the places of its source."""
    for found in re.finditer(r"/(?:masked|kem)_(\w+)\.sv", source):
        if found[1] in UNITS:
            return UNITS.index(found[1])
    return 0


def delays_of(net, most, seed):
    """Returns a delay for each wire."""
    source = random.Random(f"delays {seed}")
    return [source.randint(1, most) for _ in range(net.count)]


def stimulus(inputs, traces):
    """Returns the bytes of wires.cpp's stimulus, and the secrets that are known, {trace: bytes}."""
    which = [0, 1, *(inputs.source.randrange(2) for _ in range(traces - 2))]
    lanes, known = [], {}
    for number, one in enumerate(which):
        lanes.append([share for both in inputs.lanes(one) for share in both])
        if one == 0 and inputs.result is not None:
            known[number] = inputs.result
    words = np.array(lanes, dtype="<u8").T  # lanes of shares, traces
    bits = np.unpackbits(words[..., None].view(np.uint8), axis=-1, bitorder="little")
    packed = np.packbits(np.swapaxes(bits, 1, 2), axis=-1, bitorder="little")
    sets = np.packbits(np.array(which, dtype=np.uint8), bitorder="little")
    return (len(words) // 2).to_bytes(8, "little") + sets.tobytes() + packed.tobytes(), known


def build_simulator(folder, traces):
    """Returns the path of the program `wires` for so many traces, a multiple of 64."""
    options = ["-std=c++20", "-O3", "-march=native", f"-DWORDS={traces // VECTOR}"]
    command = ["g++", *options, f"-DLIMIT={LIMIT}", HERE / "wires.cpp", "-o", folder / "wires"]
    programs.run(build.BuildError, *map(str, command))
    return folder / "wires"


class Options(typing.NamedTuple):
    """What is simulated; part: (K, N)."""

    operation: str = "decaps"
    traces: int = 640
    delays: int = 4
    seed: int = 1
    part: tuple[int, int] = (0, 8)


def measure(files, library, options, folder):
    """Returns what wires.cpp found of a core with these sources, with names instead of numbers;
    folder: below hardware/. Raises BuildError if a result is not the one that is known."""
    net = netlist(files, folder)
    inputs = masked_core.Inputs(options.operation, options.seed, library)
    data, known = stimulus(inputs, options.traces)
    (folder / "stimulus").write_bytes(data)
    lines = [
        "delays " + " ".join(map(str, delays_of(net, options.delays, options.seed))),
        "units " + " ".join(str(net.units.get(wire, 0)) for wire in range(net.count)),
        *net.lines,
    ]
    (folder / "netlist").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    program = build_simulator(folder, options.traces)
    numbers = (schedule.OPERATIONS[options.operation], options.seed, *options.part)
    command = (program, folder / "netlist", folder / "stimulus", *numbers)
    found = json.loads(programs.run(build.BuildError, *map(str, command)))
    out = found.pop("out")
    wrong = [one for one, secret in known.items() if not out[one].startswith(secret.hex())]
    if wrong:
        raise build.BuildError(f"{len(wrong)} of {len(known)} results are wrong")
    first, units = found["first"], found["units"]
    first["wire"] = net.names.get(first["wire"], str(first["wire"]))
    units["unit"] = UNITS[units["unit"]]
    for one, number in ((first, "changes"), (units, "samples")):
        one["chance"] = round(by_chance(found[number]), 1)
    return found | {"known": len(known), "wires": net.count}


def row_of(options, found):
    """Returns the row of what measure found."""
    first, units = found["first"], found["units"]
    return {
        "case": f"{options.operation}, gates",
        "by": __spec__.name,
        **options._asdict(),
        **{name: found[name] for name in ("cycles", "wires", "known", "above")},
        "samples": found["changes"],
        **{name: first[name] for name in ("most", "at", "chance")},
        "who": first["wire"],
        "units": [units["most"], units["chance"]],
    }


def part_of(text):
    """Returns K and N of K/N; raises ValueError."""
    part, parts = map(int, text.split("/"))
    if not 0 <= part < parts:
        raise ValueError
    return part, parts


def show(found, options, seconds):
    """Prints what measure found."""
    print(
        f"HQC-1 masked {options.operation}: {found['wires']:,} wires, {found['cycles']:,} cycles, "
        f"one of {options.part[1]} looked at, {options.traces} traces, {found['known']} results "
        f"known and right; {seconds:.0f} s"
    )
    for name, what, who in (("first", "changes", "wire"), ("units", "samples", "unit")):
        one = found[name]
        print(
            f"  {found[what]:,} {'sums' if who == 'unit' else 'changes'} of a {who}, |t| at most "
            f"{one['most']} for {one[who]} at cycle {one['at'][0]}, step {one['at'][1]}; by chance "
            f"up to {one['chance']}"
        )


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--traces", type=int, default=640)
    parser.add_argument("--delays", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=part_of, default="0/8", metavar="K/N")
    parser.add_argument("--plant", choices=sorted(mistakes.of("hardware/masked")))
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("operation", nargs="?", default="decaps", choices=masked_core.OPERATIONS)
    chosen = parser.parse_args(arguments)
    if chosen.plant and chosen.results:
        parser.error("--results: what a mistake gives is no result to keep")
    if chosen.traces < VECTOR or chosen.traces % VECTOR or chosen.delays < 1:
        parser.error(f"--traces: a multiple of {VECTOR}; --delays: 1 or more")
    files, folder = build.files_for(TOP), gates.HARDWARE / "build" / "gates-core"
    if chosen.plant:
        mistake = mistakes.of("hardware/masked")[chosen.plant]
        files = with_mistake(folder / chosen.plant, files, mistake)
    options = Options(*(getattr(chosen, name) for name in Options._fields))
    library = Library(made.folder_of("gcc", {}) / shared_library("codekem"))
    begun = time.monotonic()
    found = measure(files, library, options, folder)
    show(found, options, time.monotonic() - begun)
    if chosen.results:
        masked_core.keep(chosen.results, row_of(options, found))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (build.BuildError, gates.GateError, run_tool.ToolError) as failure:
        sys.exit(f"core_wires.py: {failure}")
