# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads and writes runs: JSON that follows schema/run.json, written atomically."""

import functools
import json
import pathlib
import re

import jsonschema

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import paths

SCHEMA_NAME = "codekem-evaluation/1"


@functools.cache
def validator():
    """Returns the schema's validator without the samples: there are too many for it; see below."""
    schema = json.loads(paths.SCHEMA.read_text(encoding="utf-8"))
    schema["$defs"]["rounds"] = {"type": "array"}
    return jsonschema.Draft202012Validator(schema)


def problem_of(run):
    """Returns what breaks the schema first, or None."""
    problem = next(validator().iter_errors(run), None)
    if problem is not None:
        return f"{problem.json_path}: {problem.message[:200]}"
    for key in ("times", "signatures"):
        for index, cell in enumerate(run.get(key, [])):
            for unit in ("nanoseconds", "cycles"):
                if cell[unit] is not None and not are_rounds(cell[unit]):
                    return f"$.{key}[{index}].{unit}: not lists of positive numbers"
    return slip_of(run)


def slip_of(run):
    """Returns where the times of a run contradict themselves first, or None: a KEM or code that is
    not in its lists, or operations of one code with different numbers of samples."""
    known = {key: {each["name"] for each in run[key]} for key in ("kems", "implementations")}
    counts = {}
    for index, cell in enumerate(run["times"]):
        place = f"$.times[{index}]"
        if cell["kem"] not in known["kems"]:
            return f"{place}.kem: {cell['kem']} is not in $.kems"
        if cell["implementation"] not in known["implementations"]:
            return f"{place}.implementation: {cell['implementation']} is not in $.implementations"
        for unit in ("nanoseconds", "cycles"):
            lengths = [len(samples) for samples in cell[unit] or []]
            first = counts.setdefault((cell["kem"], cell["implementation"]), lengths)
            if cell[unit] is not None and lengths != first:
                return f"{place}.{unit}: other numbers of samples than operations before"
    return None


def are_rounds(rounds):
    """Does what $defs/rounds of the schema says."""
    return bool(rounds) and all(
        isinstance(samples, list)
        and samples
        and all(
            isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
            for value in samples
        )
        for samples in rounds
    )


def write_run(path, run, write=files.write_text):
    """Validates a run and writes it."""
    problem = problem_of(run)
    if problem is not None:
        raise AssertionError(f"a run that breaks its schema at {problem}")
    write(path, files.as_text(run))


def read_run(path):
    """Reads a run and validates it."""
    run = files.read_json(path)
    if not isinstance(run, dict) or run.get("schema") != SCHEMA_NAME:
        raise EvaluationError(
            f"{path} is not a run of this version (schema {SCHEMA_NAME}); "
            "measure again with 'codekem-evaluation run'"
        )
    problem = problem_of(run)
    if problem is not None:
        raise EvaluationError(f"{path} does not follow the schema at {problem}")
    return run


def age(path):
    """Returns what orders runs by time: when one was made, as it says at its beginning, then when
    its file was written."""
    with path.open(encoding="utf-8", errors="replace") as file:
        found = re.search(r'"created": "([^"]*)"', file.read(1000))
    return found[1] if found else "", path.stat().st_mtime_ns


def latest_run(folder=None):
    """Returns the path of the newest run in the folder of runs."""
    folder = pathlib.Path(folder or paths.RUNS)
    runs = list(folder.glob("run-*.json"))
    if not runs:
        raise EvaluationError(
            f"there is no run in {folder}; measure one with 'codekem-evaluation run --quick'"
        )
    return max(runs, key=age)
