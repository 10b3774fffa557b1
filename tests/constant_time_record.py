# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes what the checks of constant time found clean, for docs/results/constant-time.md.

Tests note what they checked with the fixture `checked`. With CODEKEM_CONSTANT_TIME_RECORD=FILE in
the environment the notes of the tests that passed are merged into FILE at the end; the project's is
tests/constant_time/checked.json, and tools/constant_time_table.py writes the table from it.
"""

import functools
import platform
import subprocess

import pytest

from parameters.table import TABLE
from tests.records import ROOT, Record, hash_of_folders

# The folders of src/ that a scheme is made of, beside the files of src/ itself.
SHARED = ["base", "keccak"]
FOLDERS = {
    "BIKE": [*SHARED, "gf2x", "sparse", "bike"],
    "HQC": [*SHARED, "gf2x", "sparse", "hqc"],
    "HQC of 2023": [*SHARED, "gf2x", "sparse", "hqc", "legacy"],
    "Classic McEliece": [
        *[*SHARED, "gf2m", "bitmatrix", "sort", "benes", "recurrence"],
        "mceliece",
    ],
    "SOFIA": [*SHARED, "mq4", "sofia"],
    "HQC in shares": [*SHARED, "gf2x", "hqc", "masked"],
    "hybrid": [*SHARED, "gf2x", "sparse", "bike", "hqc", "hybrid"],
}


def scheme_of(kem):
    """Returns the scheme of a KEM, or of the mathematics of one, by its name."""
    if kem == "SOFIA":
        return kem
    if kem.endswith("-X25519"):
        return "hybrid"
    if kem.startswith("MASKED-"):
        return "HQC in shares"
    found = next(row for row in TABLE.kems if kem in (row.name, row.scheme))
    older = found.scheme == "hqc" and found.library == "legacy"
    return "HQC of 2023" if older else found.family


def hash_of_sources(scheme):
    """Returns the hash of a scheme's sources."""
    return hash_of_folders(tuple(FOLDERS[scheme]))


RECORD = Record(
    name="constant_time",
    variable="CODEKEM_CONSTANT_TIME_RECORD",
    path=ROOT / "tests" / "constant_time" / "checked.json",
    key=("scheme", "machine", "backend", "tool", "compiler", "flags"),
    thing="kem",
    things="kems",
    parts="operations",
    sources=lambda row: hash_of_sources(row["scheme"]),
)


@functools.cache
def version_of(compiler):
    """Returns the name of a compiler with its version: "gcc 12.2.0"."""
    done = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True)
    name = "gcc" if "gcc" in compiler else compiler.partition("-")[0]
    return f"{name} {done.stdout.strip()}"


@pytest.fixture
def checked(request):
    """checked(tool, backend, compiler, flags, {KEM: operations}) notes what was found clean.

    compiler is the command, or, with machine (by default this one), what it is called.
    """

    def note(tool, backend, compiler, flags, kems, machine=None):
        for kem, operations in kems.items():
            request.node.user_properties.append(
                (
                    RECORD.name,
                    {
                        "scheme": scheme_of(kem),
                        "machine": machine or platform.machine(),
                        "backend": backend,
                        "tool": tool,
                        "compiler": version_of(compiler),
                        "flags": flags,
                        "kem": kem,
                        "operations": sorted(operations),
                    },
                )
            )

    return note
