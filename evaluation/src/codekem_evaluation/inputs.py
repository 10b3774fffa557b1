# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results of the other parts of the project: hardware, other processors, TLS; JSON lists of rows,
and of the areas of our cores a CSV file.

A folder that is not there, or a file that cannot be read, is a sentence in the report, not an
error.
"""

import csv
import pathlib

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import paths

REQUIRED = {
    "hardware": (
        "core",
        "preset",
        "level",
        "build",
        "lut",
        "ff",
        "bram36",
        "dsp",
        "keygen_cycles",
        "encaps_cycles",
        "decaps_cycles",
        "ecp5_mhz",
    ),
    "routed": (
        "module",
        "preset",
        "level",
        "lut4",
        "ff",
        "dp16kd",
        "dsp",
        "mhz",
        "unfinished_after_seconds",
        "device",
        "tools",
    ),
    "peer-cores": (
        "peer",
        "width",
        "lut",
        "lut_raw",
        "lutram",
        "ff",
        "bram36",
        "dsp",
        "keygen",
        "encaps",
        "decaps",
    ),
    "processors": ("target", "kem", "backend", "operation", "instructions"),
    "flash": ("target", "kem", "backend", "flash_bytes", "ram_bytes"),
    "splits": (
        *("kem", "operation", "by", "cycles", "core_cycles", "stack_bytes", "preset"),
        "parameters",
    ),
    "systems": ("system", "parameters", "lut", "ff", "bram36", "dsp", "modules"),
    "sizes": ("kem", "contents", "flash_bytes", "ram_bytes"),
    "tls": (
        "group",
        "implementation",
        "handshakes_per_second",
        "median_ms",
        "p95_ms",
        "p99_ms",
        "bytes_client",
        "bytes_server",
    ),
}
# The key that tells of which kind a row is: a folder may hold several.
MARKS = {
    "hardware": "core",
    "routed": "dp16kd",
    "peer-cores": "peer",
    "processors": "instructions",
    "flash": "flash_bytes",
    "splits": "by",
    "systems": "system",
    "sizes": "contents",
    "tls": "handshakes_per_second",
}
FOLDERS = {
    "hardware": paths.HARDWARE,
    "routed": paths.HARDWARE,
    "peer-cores": paths.PEER_CORES,
    "processors": paths.EMBEDDED,
    "flash": paths.EMBEDDED,
    "splits": paths.SOC,
    "systems": paths.SOC,
    "sizes": paths.SOC,
    "tls": paths.TLS,
}
AREAS = "areas.csv"
OPERATIONS = {"keypair": "keygen"}  # other names that the programs use


def of_another_kind(kind, row):
    return MARKS[kind] not in row and any(mark in row for mark in MARKS.values())


def value_of(text):
    """Returns a number, None for what is empty, or the text."""
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text or None


def lines_of(path):
    """Returns the lines of a CSV file as rows."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                {key: value_of(text) for key, text in row.items()} for row in csv.DictReader(file)
            ]
    except (OSError, ValueError) as error:
        raise EvaluationError(f"it cannot be read: {error}") from error


def rows_of(document):
    """Returns the list of rows in a document: itself, or the one list of objects inside."""
    if isinstance(document, list):
        return document
    if isinstance(document, dict):
        lists = [
            value
            for value in document.values()
            if isinstance(value, list) and value and all(isinstance(v, dict) for v in value)
        ]
        if len(lists) == 1:
            return lists[0]
    raise EvaluationError("it is neither a list of rows nor an object with one")


def read(kind, folder):
    """Returns (rows, each with its trace; sentences on what could not be read)."""
    found, problems = [], []
    for path in sorted([*pathlib.Path(folder).glob("*.json"), *pathlib.Path(folder).glob(AREAS)]):
        try:
            rows = lines_of(path) if path.name == AREAS else rows_of(files.read_json(path))
        except EvaluationError as error:
            problems.append(f"{path.name} left out: {error}")
            continue
        for index, row in enumerate(rows):
            if not isinstance(row, dict) or of_another_kind(kind, row):
                continue
            lacking = [key for key in REQUIRED[kind] if key not in row]
            if lacking:
                problems.append(
                    f"{path.name}, row {index}, left out: it lacks {', '.join(lacking)}"
                )
                continue
            if row.get("operation") in OPERATIONS:
                row = {**row, "operation": OPERATIONS[row["operation"]]}
            found.append({**row, "trace": f"{kind}/{path.stem}/{index}"})
    return found, problems
