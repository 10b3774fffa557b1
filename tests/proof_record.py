# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes what was proved, for the tables in docs/soundness.md.

With CODEKEM_PROOF_RECORD=FILE in the environment the notes of the tests that passed are merged into
FILE at the end; the project's is tests/proofs.json, and tools/proof_table.py writes the tables.
"""

import pathlib
import re

from records import ROOT, Record, hash_of_folders

RESULTS = "right results"
SOUND = "no undefined behaviour"

# What each folder of src/ is proved with, beside the files of src/ itself.
BELOW = {
    "sparse": ["gf2x"],
    "recurrence": ["gf2m"],
    "bike": ["gf2x", "sparse", "keccak"],
    "hqc": ["gf2x", "sparse", "keccak"],
    "mceliece": ["gf2m", "bitmatrix", "sort", "benes", "recurrence", "keccak"],
    "sofia": ["mq4", "keccak"],
}
BACKEND = re.compile(r"_(portable|avx2|avx512|neon|m4|reference)(?=\.|$|_)")


def hash_of_sources(row):
    return hash_of_folders(("base", row["place"], *BELOW.get(row["place"], [])))


RECORD = Record(
    name="proof",
    variable="CODEKEM_PROOF_RECORD",
    path=ROOT / "tests" / "proofs.json",
    key=("kind", "place", "backend", "compiler"),
    thing="function",
    things="functions",
    parts="tests",
    sources=hash_of_sources,
)


def note(node, kind, place, backend, compiler, function):
    """Notes for a test that it shows this of a function."""
    path = pathlib.Path(str(node.path)).name
    entry = {"kind": kind, "place": place, "backend": backend, "compiler": compiler}
    entry |= {"function": function, "tests": [path]}
    if (RECORD.name, entry) not in node.user_properties:
        node.user_properties.append((RECORD.name, entry))
