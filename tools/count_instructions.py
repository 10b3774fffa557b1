#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the instructions of each operation on other processors, under QEMU, and writes a table.

usage: count_instructions.py [--output FILE] [TARGET...]    count (all targets: see TARGETS)
       count_instructions.py --table FILE                   print the table in FILE as Markdown

Has the graph build the library for each target with its CMake preset, runs each operation once
under QEMU's user-mode emulator with tests/platforms/trace_plugin.c, and writes one JSON row for
each: target, kem, backend, operation, instructions, stack_bytes, emulator, compiler, made_from
(tools/stored_results.py). What the emulator with Zvbc executes it logs (tools/newer_qemu.py); it
counts no stack. The inputs are fixed, so the same compiler gives the same numbers, to the
instruction. They are counts of instructions: they say nothing about time, which depends on how long
each takes on a processor.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

from parameters.table import TABLE
from tools import artefacts, made, newer_qemu, result_tables, stored_results

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Name (and CMake preset): the emulator with its arguments, the triplet of Debian's cross tools, the
# back ends beside the reference, and what Python calls the machine, where tests can run natively.
TARGETS = {
    "aarch64": (
        ["qemu-aarch64", "-cpu", "max"],
        "aarch64-linux-gnu",
        ["portable", "neon", "neon-sha3"],
        "aarch64",
    ),
    "armv7": (["qemu-arm", "-cpu", "cortex-a9"], "arm-linux-gnueabihf", ["portable", "neon"], None),
    "riscv64": (
        ["qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128"],
        "riscv64-linux-gnu",
        ["portable", "rvv"],
        "riscv64",
    ),
    "riscv64-zbc": (["qemu-riscv64"], "riscv64-linux-gnu", ["zbc"], None),
    "s390x": (["qemu-s390x"], "s390x-linux-gnu", ["portable"], "s390x"),
    # The loader would take another version of libc that this machine has for 32-bit programs.
    "i686": (
        ["qemu-i386", "-E", "LD_LIBRARY_PATH=/usr/i686-linux-gnu/lib"],
        "i686-linux-gnu",
        ["portable"],
        None,
    ),
}
COUNTED = ["aarch64", "armv7", "riscv64", "riscv64-zbc", "s390x"]
KEMS = [kem.name for kem in TABLE.current("bike", "hqc")]
OPERATIONS = ["keypair", "encaps", "decaps"]
# The rows of the harness (tests/harness) that are counted: without a source of randomness; those of
# Classic McEliece draw an error that needs one attempt.
ROWS = {"keypair": "keypair-derand", "encaps": "encaps-derand"}
ROWS_OF_MCELIECE = {"encaps": "encaps-random"}


def emulator(target):
    """Returns the command in front of a program for the target."""
    command, triplet, _, _ = TARGETS[target]
    return [*command, "-L", f"/usr/{triplet}"]


def line_of(subject, operation, cases=1, *words):
    """Returns the line for the harness."""
    rows = ROWS_OF_MCELIECE if subject.startswith("mceliece") else ROWS
    rows = {} if subject.startswith("SOFIA") else rows
    return " ".join([subject, rows.get(operation, operation), str(cases), *words])


def watch(command, plugin, program, arguments, trace=False):
    """Runs a program of the harness under the emulator's command with the plugin. Returns
    (instructions, digest, bytes of stack) of each case; the last two are 0 without trace."""
    done = subprocess.run(
        [
            *command,
            "-d",
            "plugin",
            "-plugin",
            f"{plugin},trace=on" if trace else str(plugin),
            str(program),
            *map(str, arguments),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    rows = [line.split() for line in done.stderr.splitlines()]
    return [(int(count), digest, int(stack)) for count, digest, stack in rows]


def rows_of(target, folder, plugin):
    """Yields the rows of the table for a target."""
    command = emulator(target)
    program = folder / "bin" / "marked_kems"
    yield from rows_of_plugin(target, command, plugin, program)
    if target == "riscv64":
        yield from rows_of_log(target, "rvv-zvbc", program)


def rows_of_log(target, backend, program):
    """Yields the rows of a back end for which an emulator without plugins is needed."""
    command = [newer_qemu.qemu_riscv64(), *newer_qemu.PROCESSOR]
    name = f"qemu-riscv64 {'.'.join(map(str, newer_qemu.version(command[0])))}"
    ((marks, _),) = newer_qemu.paths(command, program, [backend, "nothing 1"])
    for kem in KEMS:
        for operation in OPERATIONS:
            ((count, _),) = newer_qemu.paths(command, program, [backend, line_of(kem, operation)])
            yield {
                "target": target,
                "kem": kem,
                "backend": backend,
                "operation": operation,
                "instructions": count - marks,
                "stack_bytes": None,
                "emulator": name,
            }


def rows_of_plugin(target, command, plugin, program):
    """Yields the rows of the back ends that a plugin watches."""
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True)
    name = f"{command[0]} {re.search(r'version ([0-9.]+)', version.stdout)[1]}"
    for backend in TARGETS[target][2]:
        ((marks, _, _),) = watch(command, plugin, program, [backend, "nothing 1"])
        for kem in KEMS:
            for operation in OPERATIONS:
                ((count, _, stack),) = watch(
                    command, plugin, program, [backend, line_of(kem, operation)], trace=True
                )
                yield {
                    "target": target,
                    "kem": kem,
                    "backend": backend,
                    "operation": operation,
                    "instructions": count - marks,
                    "stack_bytes": stack,
                    "emulator": name,
                }


def missing_emulator(target):
    """Returns what this machine lacks to count on a target, or None."""
    program = TARGETS[target][0][0]
    if shutil.which(program) is None:
        return program
    if target == "riscv64" and newer_qemu.qemu_riscv64() is None:
        return "QEMU 8.2 or later, which has Zvbc,"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output",
        type=pathlib.Path,
        metavar="FILE",
        help="where to write the table (default: print it)",
    )
    parser.add_argument(
        "--table",
        type=pathlib.Path,
        metavar="FILE",
        help="count nothing, print the table in FILE as Markdown",
    )
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        default=COUNTED,
        help=f"one of {', '.join(TARGETS)} (default: {' '.join(COUNTED)})",
    )
    arguments = parser.parse_args()
    if arguments.table:
        try:
            rows = json.loads(arguments.table.read_text(encoding="ascii"))
            print("\n".join(result_tables.counts(rows)))
        except (OSError, ValueError, KeyError) as error:
            parser.error(f"cannot read the table {arguments.table}: {error}")
        return
    for target in arguments.targets:
        if target not in TARGETS:
            parser.error(f"there is no target {target}; there are {', '.join(TARGETS)}")
        if lacks := missing_emulator(target):
            parser.error(f"{lacks} is missing: run tools/setup.sh test processors")
    plugin = artefacts.made_folder(made.folder_of("gcc", {})) / "tests" / "libtrace_plugin.so"
    rows = []
    for target in arguments.targets:
        print(f"counting on {target}", file=sys.stderr, flush=True)
        folder = artefacts.made_folder(made.folder_of(target, {}))
        compiler = artefacts.version_of(f"{TARGETS[target][1]}-gcc")
        for row in rows_of(target, folder, plugin):
            row |= {"compiler": compiler}
            rows.append(row | {"made_from": stored_results.made_from("count", row)})
    text = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(text, encoding="ascii")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
