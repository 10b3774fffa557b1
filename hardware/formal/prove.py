#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves the properties of proofs.py and hqc_proofs.py with Yosys and the solver Bitwuzla.

usage: prove.py [--quick] [--registers] [NAME]...     all proofs, or those whose names begin so
       --quick: those of `make test` only; --registers: also print what two copies have in common

Install hardware/requirements.txt first. proofs.py says how to add a property.
Times are seconds of one processor. The exit status is 1 if a property fails, 2 if a proof could not
be run.
"""

import os
import sys

from hardware.formal import invariants, model, same_control, silence
from hardware.formal.hqc_proofs import PROOFS as HQC_PROOFS
from hardware.formal.proofs import PROOFS as BIKE_PROOFS
from hardware.formal.proofs import Invariants, Silent
from tools.flow import run_tool

PROOFS = [*BIKE_PROOFS, *HQC_PROOFS]


def told_of(failure):
    """Returns the lines that describe the case in which an assertion fails."""
    lines = [f"  {failure.asserted} can fail ({failure.part}):"]
    for number, values in enumerate(failure.cycles):
        shown = ", ".join(f"{name}={value}" for name, value in values.items())
        lines.append(f"    cycle {number}: {shown}")
    return lines


def run(proof, files=None, folder=None):
    """Returns (what fails, in lines; what else is to be told, in lines).

    `files`: other sources than the core's, for mistakes.
    """
    if isinstance(proof, Invariants):
        one = model.read(proof, True, (), files, folder)
        failed = invariants.prove(one, proof.reset, proof.depth)
        return [line for failure in failed for line in told_of(failure)], []
    if isinstance(proof, Silent):
        one = model.read(proof, False, proof.idle, files, folder)
        return [f"  {line}" for line in silence.failures(one, proof)], []
    one = model.read(proof, False, [*proof.told, *proof.also], files, folder)
    found = same_control.compare(one, proof)
    return [f"  {name} can differ" for name in found.differing], [
        f"  equal: {', '.join(found.equal)}",
        f"  may differ: {', '.join(found.secret)}",
    ]


def processor_time():
    """Returns the seconds that this process and its tools have computed."""
    return sum(os.times()[:4])


def main(arguments):
    options = {word for word in arguments if word.startswith("-")}
    if options - {"--quick", "--registers"}:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    names = tuple(word for word in arguments if not word.startswith("-")) or ("",)
    chosen = [
        proof
        for proof in PROOFS
        if proof.name.startswith(names) and (proof.quick or "--quick" not in options)
    ]
    if not chosen:
        print(f"prove.py: no proof begins with {' or '.join(names)}", file=sys.stderr)
        return 2
    status = 0
    for proof in chosen:
        begin = processor_time()
        try:
            failed, told = run(proof)
        except (model.ProofError, run_tool.ToolError) as error:
            print(f"prove.py: {proof.name}: {error}", file=sys.stderr)
            return 2
        seconds = processor_time() - begin
        print(f"{'FAILS ' if failed else 'proved'} {proof.name:44} {seconds:7.1f} s", flush=True)
        for line in [*failed, *(told if "--registers" in options else [])]:
            print(line)
        status = 1 if failed else status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
