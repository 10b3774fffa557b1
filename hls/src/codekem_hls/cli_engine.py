# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls engine."""

from __future__ import annotations

import argparse
import pathlib

from . import engines
from .design import build_file
from .inputs import random_inputs


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "engine",
        help="write the same kernel and directives for Vitis HLS or Bambu; --run runs it",
        description="Writes C, directives and script for another engine. They follow its manual; "
        "the authors have not run them. --run runs the engine, if it is on the path, and stores "
        "its row in hls/results/engines.json, which the tables of the evaluation show.",
    )
    one.add_argument("engine", choices=sorted(engines.NAMES))
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("-o", "--output", type=pathlib.Path, help="folder (below build/hls)")
    one.add_argument("--run", dest="really", action="store_true", help="run the engine, too")
    one.add_argument("--seed", type=int, default=1, help="of the inputs of Bambu's simulation")
    one.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    one.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    design = build_file(arguments.file)
    name = arguments.file.stem
    folder = arguments.output or pathlib.Path("build/hls") / f"{name}-{arguments.engine}"
    values = random_inputs(design, arguments.seed, arguments.set)
    if arguments.really:
        row = engines.run(arguments.engine, design, name, values, folder)
        print(f"{row['tool']}: {row['cycles']} cycles, {row['lut']:g} LUT; stored")
        return 0
    for path in engines.write(arguments.engine, design, values, folder):
        print(path)
    print(engines.NOT_RUN.format(engines.NAMES[arguments.engine]))
    return 0
