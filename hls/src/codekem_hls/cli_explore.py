# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls explore."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

from . import explore, pareto, space
from .errors import Refused

LIMITS = {"lut": "luts", "ff": "ff", "bram": "bram36", "dsp": "dsp"}


def whole_number(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("expected a whole number from 1")
    return value


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "explore",
        help="look through a space of directives; the best points, or the fastest in a budget",
        description="Compiles and synthesises the points of hls/spaces/KERNEL.toml (or of a file). "
        "What was done is kept in the build folder: broken off, it goes on where it was.",
    )
    one.add_argument("kernel", metavar="KERNEL", help="name of a space, or its file")
    one.add_argument(
        "--points",
        type=whole_number,
        default=0,
        help="at most so many, chosen by NSGA-II (default: all)",
    )
    one.add_argument("--seed", type=int, default=1, help="of NSGA-II (default 1)")
    one.add_argument("--workers", type=whole_number, default=2, help="processes (default 2)")
    for name in LIMITS:
        one.add_argument(f"--{name}", type=float, help=f"budget: at most so many {name.upper()}")
    one.add_argument("-o", "--output", type=pathlib.Path, help="write that point's directives")
    one.add_argument("--plot", type=pathlib.Path, help="draw cycles over LUT (.svg, .png or .pdf)")
    one.add_argument("--all", action="store_true", help="show all points, not the best alone")
    one.add_argument("--json", action="store_true", help="JSON instead of a table, with all points")
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    one.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    chosen = space.read(space.find(arguments.kernel))
    limits = {
        figure: getattr(arguments, name)
        for name, figure in LIMITS.items()
        if getattr(arguments, name) is not None
    }
    if arguments.output and not limits:
        raise Refused("-o writes the point that a budget chooses: give --lut NUMBER, too")
    if arguments.plot:  # before all that takes minutes
        pareto.drawing_tools()
        if not arguments.plot.parent.is_dir():
            raise Refused(f"--plot: there is no folder {arguments.plot.parent}")
        if arguments.plot.suffix not in (".svg", ".png", ".pdf"):
            raise Refused(f"--plot {arguments.plot}: the name must end in .svg, .png or .pdf")
    if arguments.output and not arguments.output.parent.is_dir():
        raise Refused(f"-o: there is no folder {arguments.output.parent}")
    folder = arguments.build / "explore"
    rows = explore.explore(
        chosen, folder, arguments.workers, points=arguments.points, seed=arguments.seed
    )
    if arguments.json:
        print(json.dumps(pareto.as_data(chosen, rows), indent=1))
    else:
        sys.stdout.write(pareto.table_text(chosen, rows, arguments.all))
    if not explore.good_rows(rows):
        raise Refused("all points were refused", str(chosen.file))
    if arguments.plot:
        pareto.plot(chosen, rows, arguments.plot, limits.get("luts"))
    if limits:
        best = explore.fastest(rows, limits)
        if best is None:
            raise Refused("no point is within the budget")
        row = rows[best]
        # Beside JSON, which has standard output for itself.
        print(
            f"fastest in the budget: {chosen.shown(best)}: {row['cycles']} cycles, "
            f"{row['luts']:g} LUT",
            file=sys.stderr if arguments.json else sys.stdout,
        )
        if arguments.output:
            pareto.write_point(chosen, best, arguments.output)
    return 0
