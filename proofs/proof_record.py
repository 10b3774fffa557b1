# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes which proofs passed, for the tables in docs/results/proofs.md.

With CODEKEM_PROOF_RECORD=FILE in the environment the proofs that passed are merged into FILE at the
end; the project's is proofs/proofs.json, and proofs/proof_table.py writes the tables from it.
"""

import functools
import re
import subprocess

from tests.records import ROOT, Record, hash_of_folders

# What reads the sources: by the folder of the proofs, or their file.
COMPILERS = {
    "kernels": ["clang", "--version"],
    "kernels/test_machine_code.py": ["arm-none-eabi-gcc", "--version"],
    "soundness": ["frama-c", "-version"],
}
# The end of the name of a test whose proof must fail, and files about the tools of the proofs.
MISTAKES = ("_found", "_noticed", "_reported")
TOOLS = ("kernels/engine/tests/test_engine.py", "soundness/test_names.py")


def hash_of_sources(row):
    """Returns the hash of all of src/, which any proof may be about."""
    del row
    return hash_of_folders()


RECORD = Record(
    name="proofs",
    variable="CODEKEM_PROOF_RECORD",
    path=ROOT / "proofs/proofs.json",
    key=("file", "compiler"),
    thing="proof",
    things="proofs",
    parts="kinds",
    sources=hash_of_sources,
)


@functools.cache
def version_of(*command):
    """Returns the name of a tool with its version."""
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return " ".join([command[0], *re.findall(r"\d+\.\d+(?:\.\d+)?", said)[:1]])


def compiler_of(file):
    """Returns what reads the sources for the proofs of a file, with its version; None of others."""
    folder = file.partition("/")[0]
    command = COMPILERS.get(file, COMPILERS.get(folder))
    return command and version_of(*command)


def notes(terminalreporter):
    """Yields what is noted of the proofs that passed."""
    for report in terminalreporter.stats.get("passed", []):
        path, _, name = report.nodeid.partition("::")
        file = path.removeprefix("proofs/")
        function = name.partition("[")[0]
        if report.when != "call" or function.endswith(MISTAKES) or file in TOOLS:
            continue
        if not compiler_of(file):
            continue
        kind = "long" if "long" in report.keywords else "quick"
        entry = {"file": file, "compiler": compiler_of(file), "proof": name, "kinds": [kind]}
        yield entry


def record(terminalreporter):
    """Merges the proofs that passed into the file that the environment names."""
    RECORD.record(terminalreporter, notes)
