# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command codekem-hls."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

from . import area, cli_clocks, cli_explore, report, results, simulate
from .design import Design, build_file
from .errors import Refused, ToolFailed
from .inputs import random_inputs, read_inputs
from .software import Software

DESCRIPTION = """Makes hardware of fixed latency from kernels in C. FILE is a file of directives, as
hls/kernels/keccak_f.perf.toml; docs/hls.md explains all of it."""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="codekem-hls", description=DESCRIPTION)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("compile", help="write the core as SystemVerilog")
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("-o", "--output", type=pathlib.Path, help="standard output, if not given")
    one = commands.add_parser("report", help="loops, latency, memories; area with --area")
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("--area", action="store_true", help="synthesise by Yosys (takes a minute)")
    form = one.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON instead of text")
    form.add_argument("--latex", action="store_true", help="as LaTeX tables instead of text")
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    one = commands.add_parser(
        "simulate", help="run the core in Verilator beside the same C as software"
    )
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("--inputs", type=pathlib.Path, help="JSON {argument: number or list}")
    one.add_argument("--runs", type=int, default=3, help="with random inputs (default 3)")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a scalar; or as NAME<BOUND, in quotation marks, the range of random numbers",
    )
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    cli_explore.add(commands)
    cli_clocks.add(commands)
    one = commands.add_parser("results", help="make stored areas anew whose sources have changed")
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    one.add_argument("flavour", nargs="*", help="as keccak_f.perf; all, if none is given")
    return top


def run_simulate(arguments: argparse.Namespace, design: Design) -> int:
    if arguments.runs < 1:
        raise Refused("--runs: expected a number from 1")
    if arguments.inputs:
        runs = [read_inputs(design, arguments.inputs)]
    else:
        seeds = range(arguments.seed, arguments.seed + arguments.runs)
        runs = [random_inputs(design, seed, arguments.set) for seed in seeds]
    folder = arguments.build / f"{arguments.file.stem}"
    software = Software(design, folder)
    wanted = [software.run(values) for values in runs]
    library = simulate.build_simulations([design], folder)
    for number, (values, expected) in enumerate(zip(runs, wanted, strict=True)):
        hardware = simulate.run_core(library, design, values, arguments.seed + number)
        public = {name: value for name, value in values.items() if isinstance(value, int)}
        latency = design.latency(public)
        same = hardware.arrays == expected.arrays and hardware.result == expected.result
        print(
            f"run {number + 1}: {hardware.cycles} cycles, {latency} computed; "
            f"{'the results are those of the C' if same else 'THE RESULTS DIFFER from the C'}"
        )
        if not same or hardware.cycles != latency:
            return 1
        if arguments.inputs:
            print(json.dumps({**hardware.arrays, "result": hardware.result}))
    return 0


def run(arguments: argparse.Namespace) -> int:
    if "run" in arguments:
        return int(arguments.run(arguments))
    if arguments.command == "results":
        for name in results.make(arguments.build, only=arguments.flavour):
            print(name, flush=True)
        print("\n".join(results.table(results.stored())))
        print("\n".join(results.operations_table(results.stored())))
        return 0
    design = build_file(arguments.file)
    if arguments.command == "compile":
        if arguments.output:
            arguments.output.write_text(design.text, encoding="ascii")
        else:
            sys.stdout.write(design.text)
        return 0
    if arguments.command == "report":
        areas = None
        if arguments.area:
            areas = area.areas(design, arguments.build / f"{arguments.file.stem}-area")
        found = report.figures(design, areas)
        if arguments.json:
            print(json.dumps(found, indent=1))
        else:
            sys.stdout.write(report.latex(found) if arguments.latex else report.text(found))
        return 0
    return run_simulate(arguments, design)


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        return run(arguments)
    except (Refused, ToolFailed) as error:
        print(f"codekem-hls: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
