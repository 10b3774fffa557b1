#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the meaning of every form of instruction in the kernels of a library with the processor.

usage: comparisons.py LIBRARY [--count OPERANDS]

Prints the forms that differ. The exit status is 1 if there are some, if an instruction has no
meaning, or if this processor lacks some.
"""

import argparse
import sys
import tempfile

import iced_x86

from proofs.kernels.engine.host import cpu_flags
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.calls import BACKENDS
from proofs.machine.library import Library
from proofs.machine.operands import NAMES
from proofs.machine.report import functions
from proofs.machine.witness import Comparison, NotTheProcessor, form_of, is_control, lacking

MANY = 10_000


def forms(library):
    """Returns an instruction of each form in the kernels: (address, code, text)."""
    found = {}
    for symbol in functions(library, BACKENDS):
        raw = library.read(symbol.address, symbol.size)
        for i in iced_x86.Decoder(64, raw, ip=symbol.address):
            if not i.is_invalid and not is_control(i):
                found.setdefault(form_of(i), (i.ip, library.code(i.ip), str(i)))
    return list(found.values())


def possible(chosen):
    """Returns those of forms that this processor has, and the flags that it lacks for others."""
    flags = cpu_flags()
    missing = [lacking(code, flags) for _, code, _ in chosen]
    found = [form for form, lacks in zip(chosen, missing, strict=True) if not lacks]
    return found, sorted(set().union(*missing))


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=MANY, metavar="OPERANDS")
    options = parser.parse_args()
    try:
        chosen = forms(Library(options.library))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    chosen, lacks = possible(every := chosen)
    wrong, names = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for address, code, text in chosen:
            names.add(NAMES[iced_x86.Decoder(64, code).decode().mnemonic])
            try:
                Comparison(folder, address, code, options.count).run()
            except (NotTheProcessor, Unsupported) as error:
                wrong += 1
                print(f"{text}: {type(error).__name__}: {error}", flush=True)
    print(f"{len(chosen) - wrong} of {len(chosen)} forms of {len(names)} mnemonics are right")
    if lacks:
        left = len(every) - len(chosen)
        print(f"{left} forms were not run: this processor lacks {', '.join(lacks)}")
    sys.exit(bool(wrong or lacks))


if __name__ == "__main__":
    main()
