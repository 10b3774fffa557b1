#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the meaning of every form of instruction in the kernels of a library of AArch64 with
qemu-aarch64.

usage: comparisons.py LIBRARY [--count OPERANDS]

Prints the forms that differ. The exit status is 1 if there are some, or if an instruction has no
meaning.
"""

import argparse
import sys
import tempfile

from proofs.kernels.engine.ir import Unsupported
from proofs.machine.arm.calls import BACKENDS
from proofs.machine.arm.witness import Comparison, Emulated, forms
from proofs.machine.library import Library
from proofs.machine.report import functions
from proofs.machine.witness import NotTheProcessor

MANY = 10_000
SHARED = ("ckem_gf2x_power_find", "ckem_gf2x_power_apply")  # which NEON's kernels call


def kernels(library):
    """Returns the functions of all back ends, and those that they share."""
    found = functions(library, (*BACKENDS, "portable"))
    return [*found, *(symbol for symbol in library.functions() if symbol.name in SHARED)]


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=MANY, metavar="OPERANDS")
    options = parser.parse_args()
    try:
        library = Library(options.library, "AArch64")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    chosen, wrong = forms(library, kernels(library)), 0
    with tempfile.TemporaryDirectory() as folder:
        emulated = Emulated(folder)
        for code, text in chosen:
            try:
                Comparison(emulated, code, options.count).run()
            except (NotTheProcessor, Unsupported) as error:
                wrong += 1
                print(f"{text}: {type(error).__name__}: {error}", flush=True)
        emulated.close()
    names = {text.partition(" ")[0] for _, text in chosen}
    print(f"{len(chosen) - wrong} of {len(chosen)} forms of {len(names)} mnemonics are right")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
