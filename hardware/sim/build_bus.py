#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the simulated bike_axi, or hqc_axi, with the driver on registers, as a shared library.

usage: build_bus.py [--scheme hqc] FOLDER [NAME=VALUE]...     parameters: LEVEL=3 PRESET=0 BUILD=2

Prints the path of libbike_bus.so: the functions of driver/bike_device.h and simulated_bus.hpp; or
of libhqc_bus.so, with those of driver/hqc_device.h.
"""

import pathlib
import sys

from hardware.sim import build

HARDWARE = pathlib.Path(__file__).resolve().parent.parent

STRICT = ["-Wall", "-Wextra", "-Werror", "-Wconversion"]


def build_bus(folder, parameters, jobs=2, scheme="bike"):
    """Builds the library for the parameters {name: value}; returns its path."""
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sim, driver = HARDWARE / "sim", HARDWARE / "driver"
    objects = []
    for name in (f"{scheme}_device", f"{scheme}_bus", "kem_bus"):
        objects.append(folder / f"driver_{name}.o")
        build.run_command(
            [
                *("gcc", "-std=c11", "-O2", "-fPIC", *STRICT),
                *("-c", driver / f"{name}.c", "-o", objects[-1]),
            ]
        )
    build.run(
        [
            *("--cc", "-O3", *build.OPEN_VALUES, "-Wno-fatal"),
            *("--Mdir", folder, "--top-module", f"{scheme}_axi"),
            *("--prefix", "Vkem_axi"),
            *("-CFLAGS", "-fPIC -std=c++17"),
            *build.COMPILED,
            *[f"-G{name}={value}" for name, value in parameters.items()],
            *build.rtl_files(scheme),
        ]
    )
    build.make(folder, "Vkem_axi", jobs)
    include = build.include()
    library = folder / f"lib{scheme}_bus.so"
    build.run_command(
        [
            *("g++", "-std=c++17", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wl,-z,defs"),
            f"-DKEM_BUS_OPEN={scheme}_bus_open",
            *(f"-I{folder}", "-isystem", include, "-isystem", include / "vltstd", "-o", library),
            *(sim / "simulated_bus.cpp", *objects, folder / "Vkem_axi__ALL.a"),
            *(*sorted(folder.glob("verilated*.o")), "-pthread"),
        ]
    )
    return library


def main(arguments):
    scheme = "bike"
    if arguments[:1] == ["--scheme"] and arguments[1:2] in (["bike"], ["hqc"]):
        scheme, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        parameters = dict(argument.split("=", 1) for argument in arguments[1:])
    except ValueError:
        print("build_bus.py: parameters are NAME=VALUE", file=sys.stderr)
        return 2
    try:
        print(build_bus(arguments[0], parameters, scheme=scheme))
    except build.BuildError as error:
        print(f"build_bus.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
