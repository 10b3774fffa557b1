# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Results of the other parts of the project: hardware, other processors, TLS; JSON lists of rows,
and of the areas of our cores a CSV file.

schema/results.json says of each kind which fields a row has. A folder that is not there, or a file
that cannot be read, is a sentence in the report, not an error.
"""

import csv
import functools
import json
import pathlib

import jsonschema

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import paths

SCHEMA = json.loads((paths.PACKAGE / "schema" / "results.json").read_text(encoding="utf-8"))
REQUIRED = {kind: each["required"] for kind, each in SCHEMA["$defs"].items()}
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


@functools.cache
def validator():
    return jsonschema.Draft202012Validator(SCHEMA)


def of_another_kind(kind, row):
    """Says whether a row is of another kind: a folder may hold several."""
    return REQUIRED[kind][0] not in row and any(first in row for first, *_ in REQUIRED.values())


def problem_of(kind, row):
    """Returns what is wrong with a row, or None."""
    lacking = [key for key in REQUIRED[kind] if key not in row]
    if lacking:
        return f"it lacks {', '.join(lacking)}"
    wrong = next(validator().iter_errors(row), None)
    return wrong and f"{wrong.json_path[2:]}: {wrong.message}"


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
    paths_of = sorted([*pathlib.Path(folder).glob("*.json"), *pathlib.Path(folder).glob(AREAS)])
    states = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths_of]
    rows, problems = read_once(kind, tuple(states))
    return list(rows), list(problems)


@functools.cache
def read_once(kind, states):
    """Does what read does, once for each state of the files."""
    found, problems = [], []
    for path, *_ in states:
        try:
            rows = lines_of(path) if path.name == AREAS else rows_of(files.read_json(path))
        except EvaluationError as error:
            problems.append(f"{path.name} left out: {error}")
            continue
        for index, row in enumerate(rows):
            if not isinstance(row, dict) or of_another_kind(kind, row):
                continue
            problem = problem_of(kind, row)
            if problem is not None:
                problems.append(f"{path.name}, row {index}, left out: {problem}")
                continue
            if row.get("operation") in OPERATIONS:
                row = {**row, "operation": OPERATIONS[row["operation"]]}
            found.append({**row, "trace": f"{kind}/{path.stem}/{index}"})
    return found, problems
