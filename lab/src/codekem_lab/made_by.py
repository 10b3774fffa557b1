# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a worker makes its batches by, told with each of them: results of others are not counted.

Machines of a cluster may have an old build, another checkout or another version of this package.
Programs print the hash of the sources that they were built from. Programs of one hash may still
differ (a script in front, a compiler's mistake), so each also answers a few known decodings.
"""

import functools
import hashlib
import json
import os
import pathlib
import platform
import sys

from codekem_base.errors import EvaluationError
from codekem_lab import paths
from codekem_lab.dfr_worker import INNER_CODE, Point, call
from codekem_lab.lab_points import LabPoint, toy

SEED = "c0de" * 16
MODULES = ("dfr_campaign", "dfr_worker", "lab_campaign", "lab_points", "made_by")
DECODINGS = 300  # a tenth of a second; at this r one in twenty fails
WORDS = 200
# What is asked of the programs whose batches they are: everything that campaigns call.
ASKED = {
    "dfr": (
        ("run", *Point(1, 9803, 134).settings(SEED, "auto"), 0, DECODINGS),
        ("run-hqc", Point(1, 17669, 75, INNER_CODE).backend("auto"), 1, SEED, 0, WORDS),
    ),
    "lab": (
        (
            *("direct", *LabPoint("bgf-5", 1, 9803, 71, 134, None).words(), f"seed={SEED}"),
            *("first=0", f"count={DECODINGS}"),
        ),
        (
            *("split", *toy(523).words(), f"seed={SEED}"),
            *("run=0", "particles=20", "kept=1", "levels=adaptive"),
        ),
        (
            *("roulette", *toy(523).words(), f"seed={SEED}", "group=8", "by-weight=2@0,0@150"),
            *("by-threes=0@0,1@20", "by-wrong=1@0,0@12", "first=0", "count=40"),
        ),
    ),
}


def answer(program, question):
    """Returns the hash of what a program says, but for the time that it took; None if it fails."""
    try:
        said = call(program, *question)
        if question != ("source",):
            said = json.dumps({**json.loads(said), "seconds": None}, sort_keys=True)
    except (EvaluationError, ValueError):
        return None
    return hashlib.sha256(said.encode()).hexdigest()[:16]


@functools.cache
def of_package():
    """Returns the hash of what this package runs on workers."""
    found = hashlib.sha256()
    for name in MODULES:
        found.update(f"{name}\n".encode() + (paths.PACKAGE / f"{name}.py").read_bytes())
    return found.hexdigest()[:16]


@functools.cache
def of_version(program, kind, _version):
    return {
        "sources": answer(program, ("source",)),
        "answers": [answer(program, question) for question in ASKED[kind]],
    }


def of_program(program, kind):
    """Returns what a program of a kind of ASKED was made from, and what it answers."""
    try:
        found = os.stat(program)
    except OSError as error:
        raise EvaluationError(
            f"{program} cannot run: {error.strerror}; every machine needs it at this place"
        ) from error
    version = (found.st_ino, found.st_size, found.st_mtime_ns)  # it may be built again meanwhile
    return {"package": of_package(), **of_version(str(program), kind, version)}


def worker():
    """Returns the name of the worker that this is: its machine, and Dask's name for it."""
    name = f"{platform.node()}, process {os.getpid()}"
    distributed = sys.modules.get("distributed")
    try:
        return f"{distributed.get_worker().address} ({name})" if distributed else name
    except ValueError:  # no worker of Dask
        return name


def signed(result, program, kind):
    """Returns a result of this machine with what it was made by."""
    return {**result, "made_by": {**of_program(program, kind), "worker": worker()}}


def accepted(result, program, expected):
    """Returns a result without what it was made by; an error if it is not what is expected."""
    found = dict(result.pop("made_by", None) or {"package": None})
    name = found.pop("worker", "a worker")
    if found == expected:
        return result
    what = pathlib.Path(program).name
    if found.get("package") != expected["package"]:
        why = "has another version of the package codekem-lab"
    elif found["sources"] != expected["sources"]:
        why = f"has a {what} that was built from other sources"
    else:
        why = f"has a {what} that gives other answers than the one here"
    raise EvaluationError(
        f"the worker {name} {why}; its batches are not counted. Bring the same checkout and build "
        "to every machine, and start its worker again; then the same command goes on"
    )
