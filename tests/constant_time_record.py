# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes what the checks of constant time found clean, for the table in docs/constant-time.md.

Tests note what they checked with the fixture `checked`. With CODEKEM_CONSTANT_TIME_RECORD=FILE in
the environment the notes of the tests that passed are merged into FILE at the end; the project's is
tests/constant_time/checked.json, and tools/constant_time_table.py writes the table from it.
"""

import datetime
import functools
import json
import os
import pathlib
import platform
import subprocess

import pytest

import source_hash

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "constant_time" / "checked.json"
VARIABLE = "CODEKEM_CONSTANT_TIME_RECORD"

# What makes a row; `kems` says which KEMs it has, and of each the operations.
KEY = ("scheme", "machine", "backend", "tool", "compiler", "flags")

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
}


def scheme_of(kem):
    """Returns the scheme of a KEM by its name."""
    if kem.startswith("mceliece"):
        return "Classic McEliece"
    if kem.startswith("HQC") and kem.endswith("2023"):
        return "HQC of 2023"
    return kem.partition("-")[0]


@functools.cache
def hash_of_sources(scheme):
    """Returns the hash of a scheme's sources; comments, line breaks and blanks do not count."""
    top = ROOT / "src"
    paths = [path for path in top.iterdir() if path.is_file()]
    paths += [path for folder in FOLDERS[scheme] for path in (top / folder).rglob("*")]
    lines = [
        f"{path.relative_to(ROOT)} {source_hash.digest(' '.join(source_hash.c_tokens(text)))}"
        for path in sorted(paths)
        if path.suffix in (".c", ".h", ".S", ".def")
        for text in [path.read_text(encoding="utf-8")]
    ]
    return source_hash.digest("\n".join(lines))


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
                    "constant_time",
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


def merge(rows, notes, today):
    """Returns rows with notes: those of the same sources are joined, those of older ones go."""
    found = {tuple(row[name] for name in KEY): row for row in rows}
    for note in notes:
        key = tuple(note[name] for name in KEY)
        sources = hash_of_sources(note["scheme"])
        row = found.get(key)
        if row is None or row["sources"] != sources:
            row = {name: note[name] for name in KEY} | {"kems": {}, "sources": sources}
            found[key] = row
        row["date"] = today
        operations = {*row["kems"].get(note["kem"], []), *note["operations"]}
        row["kems"][note["kem"]] = sorted(operations)
    for row in found.values():
        row["kems"] = dict(sorted(row["kems"].items()))
    return [found[key] for key in sorted(found)]


def read(path=RECORD):
    """Returns the rows of a record; none if there is no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(rows, path):
    """Writes a record, a line for each row."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def record_checks(terminalreporter):
    """Merges the notes of the tests that passed into the record that the environment names."""
    if VARIABLE not in os.environ:
        return
    notes = [
        value
        for report in terminalreporter.stats.get("passed", [])
        for name, value in getattr(report, "user_properties", [])
        if name == "constant_time" and report.when == "call"
    ]
    path = pathlib.Path(os.environ[VARIABLE])
    write(merge(read(path), notes, datetime.datetime.now(datetime.UTC).date().isoformat()), path)
    terminalreporter.write_line(f"constant time: {len(notes)} notes merged into {path}")
