#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the simulated system on a chip and a program for it, and runs the program.

usage: run.py [--folder FOLDER] PROGRAM [NAME=VALUE]...

PROGRAM is one of devices/riscv, `example` or `operations`, or an image of the RAM that you have
built, FILE.bin. NAME=VALUE are parameters of the system, as those of build_soc.py. Standard input
and output, and the exit status, are the program's. What is built stays in FOLDER, build/soc by
default.
"""

import argparse
import pathlib
import subprocess
import sys

from hardware.soc import build_soc, system

SOC = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--folder", type=pathlib.Path, default=system.ROOT / "build" / "soc")
    parser.add_argument("program")
    parser.add_argument("parameters", nargs="*")
    arguments = parser.parse_args()
    try:
        parameters = dict(text.split("=", 1) for text in arguments.parameters)
    except ValueError:
        parser.error("parameters are NAME=VALUE")
    name = "-".join(["simulator", *sorted(arguments.parameters)])
    try:
        simulator = build_soc.build_soc(arguments.folder / name, parameters)
        program = pathlib.Path(arguments.program)
        if not program.suffix:
            ram = parameters.get("RAM_BYTES", "262144")
            folder = arguments.folder / f"programs-{ram}"
            built = system.build_programs(folder, f"-DCODEKEM_SOC_RAM={ram}")
            program = built / f"{arguments.program}.bin"
    except (system.SimulationError, build_soc.build.BuildError) as error:
        sys.exit(f"run.py: {error}")
    return subprocess.run([str(simulator), str(program)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
