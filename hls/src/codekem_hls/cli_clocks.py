# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem-hls calibrate, and codekem-hls route."""

from __future__ import annotations

import argparse
import json
import pathlib

from . import calibrate, delays, results, routed


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "calibrate", help="measure operators on an ECP5 for the model of delays (minutes)"
    )
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    one.set_defaults(run=run_calibrate)
    one = commands.add_parser(
        "route",
        help="place and route flavours on an ECP5, and store their clocks",
        description="Flavours are those of hls/kernels, as keccak_f.perf; without any, those that "
        "are stored are made anew if their cores have changed. A run takes minutes.",
    )
    one.add_argument("flavours", nargs="*", metavar="FLAVOUR")
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/hls"))
    one.set_defaults(run=run_route)


def run_calibrate(arguments: argparse.Namespace) -> int:
    found = calibrate.calibrate((arguments.build / "calibrate").resolve())
    delays.STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    print(f"register: {found['register_ns']} ns")
    for row in found["operators"]:
        print(f"{row['kind']}, {row['bits']} bits: {row['operator_ns']} ns")
    for row in found["in_place"]:
        print(f"{row['flavour']}: logic takes {row['wires']} times as long in a core")
    print(delays.fitted(found))
    return 0


def run_route(arguments: argparse.Namespace) -> int:
    for name in routed.make(arguments.build.resolve(), arguments.flavours):
        print(name)
    print("\n".join(routed.table(results.stored(routed.STORED))))
    return 0
