# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the packages of other languages beside what their users have, and keeps the result.

Each language has a module bindings/bench/LANGUAGE/measure.py with measure(work, quick), which
installs the package and its competitors into environments of their own below the folder work, times
them in turn and returns rows:

    package, operation set    what was measured, such as "Python", "HQC-1"
    ours_us, peer_us          medians of key generation, encapsulation and decapsulation, in µs;
                              either may be None, where something else is compared
    peer                      the competitor with its version
    ratio, goal               the figure to judge, and what it should be: ">= 100" or "<= 0.6"
    note                      what a reader must know, or ""

It raises OSError if it cannot measure, with what to install.
"""

import datetime
import importlib.machinery
import os
import pathlib
import re
import shutil
import subprocess
import time
import types

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import paths

FOLDER = paths.ROOT / "bindings" / "bench"
WORK = paths.ROOT / "build" / "packages" / "measure"
SCHEMA_NAME = "codekem-packages/1"
KEYS = {"package", "operation set", "ours_us", "peer", "peer_us", "ratio", "goal", "note"}
GOAL = re.compile(r"(>=|<=) ([0-9.]+)")


def languages():
    """Returns the names of the languages that can be measured."""
    return sorted(path.parent.name for path in FOLDER.glob("*/measure.py"))


def is_met(row):
    """Says whether a row meets its goal."""
    sign, value = row["goal"].split()
    return row["ratio"] >= float(value) if sign == ">=" else row["ratio"] <= float(value)


def problem_of(row):
    """Returns what is wrong with a row, or None."""
    if not isinstance(row, dict) or row.keys() != KEYS:
        return f"it does not have the fields {', '.join(sorted(KEYS))}"
    if not isinstance(row["ratio"], (int, float)) or GOAL.fullmatch(row["goal"]) is None:
        return f"ratio {row['ratio']!r}, goal {row['goal']!r}"
    for side in ("ours_us", "peer_us"):
        if row[side] is not None and not (len(row[side]) == 3 and min(row[side]) > 0):
            return f"{side} is {row[side]!r}"
    return None


def load(language):
    """Returns the module of a language."""
    path = FOLDER / language / "measure.py"
    loader = importlib.machinery.SourceFileLoader(f"measure_{language}", str(path))
    module = types.ModuleType(loader.name)
    module.__file__ = str(path)
    loader.exec_module(module)
    return module


def measure_language(language, quick, work):
    """Returns the part of one language: its rows, load and seconds, or the reason for none."""
    folder = work / language
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    start, busy = time.monotonic(), os.getloadavg()[0]
    try:
        rows = load(language).measure(folder, quick)
    except (OSError, subprocess.SubprocessError) as error:
        return {"language": language, "reason": str(error).strip() or repr(error)}
    for row in rows:
        problem = problem_of(row)
        if problem is not None:
            raise EvaluationError(f"{FOLDER / language / 'measure.py'} gave a bad row: {problem}")
    return {
        "language": language,
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "load": [round(busy, 2), round(os.getloadavg()[0], 2)],
        "seconds": round(time.monotonic() - start),
        "rows": rows,
    }


def measure(names, quick, say, work=WORK):
    """Measures languages one after the other; returns what is stored. say(text) shows progress."""
    if paths.CHECKOUT is None:
        raise EvaluationError("packages are measured in a checkout of codekem; there is none here")
    parts = []
    for language in names:
        say(f"packages: {language}")
        parts.append(measure_language(language, quick, work))
    return {
        "schema": SCHEMA_NAME,
        "mode": "quick" if quick else "full",
        "parts": parts,
    }


def keep(result, folder=None):
    """Stores a result beside the runs; returns its path."""
    name = datetime.datetime.now(datetime.UTC).strftime("packages-%Y%m%d-%H%M%S-%f.json")
    path = pathlib.Path(folder or paths.RUNS) / name
    files.write_text(path, files.as_text(result))
    return path


def latest(folder=None):
    """Returns the newest part with rows of each language: {language: part}."""
    found = {}
    for path in sorted(pathlib.Path(folder or paths.RUNS).glob("packages-*.json")):
        result = files.read_json(path)
        if result.get("schema") == SCHEMA_NAME:
            found |= {part["language"]: part for part in result["parts"] if "rows" in part}
    return dict(sorted(found.items()))
