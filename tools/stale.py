#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Says which stored results and records of tests are older than what they are about, and what makes
them anew. `make stale` calls it.

usage: stale.py    exit status 1 if anything is stale
"""

import importlib
import pathlib
import sys

from tools import artefacts, stored_results

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Modules with a RECORD of tests that passed, and how rows are made anew. A room may be missing.
RECORDS = {
    "tests.long_runs": "make test-long ROOM=NAME",
    "tests.constant_time_record": (
        "CODEKEM_CONSTANT_TIME_RECORD=$PWD/tests/constant_time/checked.json make test test-long "
        'ROOM="tests/constant_time tests/platforms bindings/tests/test_wasm.py"; '
        "then tools/constant_time_table.py"
    ),
    "proofs.proof_record": (
        "CODEKEM_PROOF_RECORD=$PWD/proofs/proofs.json make test test-long ROOM=proofs/FILE; "
        "then proofs/proof_table.py"
    ),
}


def old_rows():
    """Yields lines about the rows that are about older sources than those of this tree."""
    for module, command in RECORDS.items():
        if not (ROOT / module.partition(".")[0]).is_dir():
            continue
        record = importlib.import_module(module).RECORD
        old = [row for row in record.read() if record.is_old(row)]
        for row in old:
            yield f"stale: {', '.join(str(row[key]) for key in record.key)}: of {row['date']}"
        if old:
            yield f"    make anew by: {command}"


def main():
    made = artefacts.make()
    if not made:
        print("not judged: what the graph could not make of what results have measured")
    lines = [*old_rows()]
    stale = stored_results.say(stored_results.stale())
    print("\n".join(lines) if lines else "records of tests: all are about these sources")
    sys.exit(1 if lines or stale or not made else 0)


if __name__ == "__main__":
    main()
