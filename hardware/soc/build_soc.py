#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the simulated system on a chip (rtl/soc.sv) by Verilator.

usage: build_soc.py [--device KEM] FOLDER [NAME=VALUE]...

NAME=VALUE are parameters of soc: BIKE_LEVEL=1 BIKE_PRESET=0 HQC_LEVEL=0 RAM_BYTES=262144; level 0
leaves a core out. Prints the path of the simulator, which sim/soc_main.cpp describes; or with
--device that of libsoc_simulated.so, by which the command and the OpenSSL provider let the system
do the operations of the KEM (docs/hardware-soc.md). Its program is built in FOLDER/programs.

The processor is VexRiscv, from the package pythondata-cpu-vexriscv of this Python
(tests/requirements.txt has its version).
"""

import importlib.util
import pathlib
import sys

from hardware.sim import build
from hardware.soc import system

SOC = pathlib.Path(__file__).resolve().parent
HARDWARE = SOC.parent

BOARD = "ulx3s_soc"  # the system on a board: board/ and kit/ulx3s
CPU = "VexRiscv_Full"  # rv32im, 4 KiB of cache for instructions and for data, WFI


def cpu_file():
    """Returns the processor's Verilog."""
    found = importlib.util.find_spec("pythondata_cpu_vexriscv")
    if found is None or not found.submodule_search_locations:
        raise build.BuildError(
            "the processor is missing: run tools/setup.sh test, or install "
            "pythondata-cpu-vexriscv as tests/requirements.txt names it"
        )
    return pathlib.Path(found.submodule_search_locations[0]) / "verilog" / f"{CPU}.v"


def soc_files():
    """Returns the system's own sources, the packages first."""
    sources = [*(SOC / "rtl").glob("*.sv"), *(SOC / "generated").glob("*.sv")]
    return sorted(sources, key=lambda path: (not path.stem.endswith("_pkg"), path.stem))


def rtl_files():
    """Returns all sources but the processor's, in the order in which they import."""
    cores = [*build.rtl_files("bike"), *build.rtl_files("hqc")]
    return list(dict.fromkeys([*cores, *soc_files()]))


def board_files():
    """Returns the sources of the board, without those of the system."""
    uart = [HARDWARE / "kit" / "ulx3s" / f"uart_{way}.sv" for way in ("receive", "send")]
    return [*uart, *sorted((SOC / "board").glob("*.sv"))]


def build_soc(folder, parameters, jobs=2):
    """Builds the simulator for the parameters {name: value}; returns its path."""
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build.run(
        [
            *("--cc", "--exe", "-O3", "-Wno-fatal", "-Wno-TIMESCALEMOD"),
            *("--flatten", "--x-assign", "fast", "--x-initial", "fast", "--no-assert"),
            *("--Mdir", folder, "-o", "soc", "--top-module", "soc", "--prefix", "Vsoc"),
            *("-CFLAGS", f"-fPIC -std=c++17 -I{SOC / 'sim'}"),
            *build.COMPILED,
            *[f"-G{name}={value}" for name, value in parameters.items()],
            SOC / "sim" / "public.vlt",
            *rtl_files(),
            cpu_file(),
            SOC / "sim" / "simulated_soc.cpp",
            SOC / "sim" / "soc_main.cpp",
        ]
    )
    build.make(folder, "Vsoc", jobs)
    return folder / "soc"


def build_device(folder, kem, parameters, program):
    """Builds the library that is a device for a KEM, with this program in the system; returns its
    path."""
    folder = pathlib.Path(folder).resolve()
    build_soc(folder, parameters)
    library = folder / "libsoc_simulated.so"
    described = " ".join(f"{name}={value}" for name, value in parameters.items())
    build.run_command(
        [
            *("g++", "-std=c++17", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wl,-z,defs"),
            *(f'-DKEM_NAME="{kem}"', f'-DSOC_PROGRAM="{pathlib.Path(program).resolve()}"'),
            f'-DKEM_PARAMETERS="{described}"',
            *(f"-I{folder}", "-isystem", build.include(), "-o", library),
            *(SOC / "sim" / "soc_device.cpp", folder / "simulated_soc.o"),
            *(folder / "Vsoc__ALL.a", *sorted(folder.glob("verilated*.o")), "-pthread"),
        ]
    )
    return library


def main(arguments):
    kem = None
    if arguments[:1] == ["--device"] and len(arguments) > 1:
        kem, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        parameters = dict(argument.split("=", 1) for argument in arguments[1:])
    except ValueError:
        print("build_soc.py: parameters are NAME=VALUE", file=sys.stderr)
        return 2
    try:
        if kem is None:
            print(build_soc(arguments[0], parameters))
        else:
            ram = parameters.get("RAM_BYTES", "262144")
            programs = pathlib.Path(arguments[0]).resolve() / "programs"
            images = system.build_programs(programs, f"-DCODEKEM_SOC_RAM={ram}")
            print(build_device(arguments[0], kem, parameters, images / "operations.bin"))
    except (build.BuildError, system.SimulationError) as error:
        print(f"build_soc.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
