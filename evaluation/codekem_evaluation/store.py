# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads and writes runs: JSON that follows schema/run.json, written atomically."""

import functools
import json
import os
import pathlib
import tempfile

import jsonschema

from codekem_evaluation import paths
from codekem_evaluation.errors import EvaluationError

SCHEMA_NAME = "codekem-evaluation/1"


@functools.cache
def validator():
    schema = json.loads(paths.SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def write_text(path, text):
    """Writes a file as a whole or not at all; a full disk or a closed folder is a clear error."""
    path = pathlib.Path(path)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False,
                                         prefix=f".{path.name}.", newline="") as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            pathlib.Path(temporary).unlink(missing_ok=True)
        raise EvaluationError(f"cannot write {path}: {error.strerror}; choose another place or make "
                              "room, and try again") from error


def check_writable(folder):
    """Finds out before a long measurement whether its result can be kept."""
    probe = pathlib.Path(folder) / ".writable"
    write_text(probe, "codekem-evaluation\n")
    probe.unlink()


def write_run(path, run):
    """Validates a run and writes it."""
    problem = next(validator().iter_errors(run), None)
    if problem is not None:
        raise AssertionError(f"a run that breaks its schema at {problem.json_path}: "
                             f"{problem.message}")
    write_text(path, json.dumps(run, indent=1, allow_nan=False) + "\n")


def read_json(path):
    """Reads JSON; says what is wrong with a file that cannot be read."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise EvaluationError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path} is not JSON: {error}") from error


def read_run(path):
    """Reads a run and validates it."""
    run = read_json(path)
    if not isinstance(run, dict) or run.get("schema") != SCHEMA_NAME:
        raise EvaluationError(f"{path} is not a run of this version (schema {SCHEMA_NAME}); "
                              "measure again with 'codekem-evaluation run'")
    problem = next(validator().iter_errors(run), None)
    if problem is not None:
        raise EvaluationError(f"{path} does not follow the schema at {problem.json_path}: "
                              f"{problem.message[:200]}")
    return run


def latest_run(folder=None):
    """Returns the path of the newest run in the folder of runs."""
    folder = pathlib.Path(folder or paths.RUNS)
    runs = sorted(folder.glob("run-*.json"))
    if not runs:
        raise EvaluationError(f"there is no run in {folder}; measure one with "
                              "'codekem-evaluation run --quick'")
    return runs[-1]
