# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes of which rooms all long tests passed, when, and of which sources, for `make stale`.

`make test-long` has CODEKEM_LONG_RECORD in the environment, which names the project's file; the
rows of the rooms whose tests were all run, and none of which failed, are made anew at the end.
"""

import functools
import hashlib
import os
import pathlib
import subprocess
import types

from tests import records, room_reports, rooms
from tools import artefacts, house

ROOT = records.ROOT
VARIABLE = "CODEKEM_LONG_RECORD"
PATH = ROOT / "tests" / "long_runs.json"
# What all rooms stand on, beside src/; what runs write, and documents, change no test.
SHARED = ("include", "parameters")
WRITTEN = ("checked.json", "long_runs.json", "mutants.json", "proofs.json")


@functools.cache
def hash_of_room(room):
    """Returns the hash of what the tests of a room are about: src/, without its comments, and the
    files of the room and of those that all stand on."""
    command = ["git", "ls-files", "-z", "--", room, *SHARED]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [pathlib.PurePosixPath(name) for name in said.split("\0") if name]
    lines = [records.hash_of_folders()]
    for name in sorted(set(names)):
        own = name.suffix != ".md" and name.name not in WRITTEN and "results" not in name.parts
        if own and (ROOT / name).is_file():
            lines.append(f"{name} {hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}")
    return artefacts.digest("\n".join(lines))


def all_rooms():
    """Returns the rooms that have tests and are there."""
    return [room for room in room_reports.BUDGETS if house.is_there(room)]


def row_of(room, date, tests, without):
    """Returns a row: how many tests passed, and the set-ups that were missing."""
    row = {"what": f"long tests of {room}", "date": date, "tests": tests, "without": without}
    return row | {"sources": hash_of_room(room) if tests else ""}


def read():
    """Returns a row for each room; one that was never noted is of no sources."""
    found = {row["what"]: row for row in records.read(PATH)}
    rows = [row_of(room, "never", 0, []) for room in all_rooms()]
    return [found.get(row["what"], row) for row in rows]


def is_old(row):
    return row["sources"] != hash_of_room(row["what"].rpartition(" ")[2])


# As tools/stale.py reads the others.
RECORD = types.SimpleNamespace(key=("what",), read=read, is_old=is_old)


def whole_rooms(config):
    """Returns the rooms of which a run had all long tests to do."""
    chosen = config.option.keyword or getattr(config.option, "lf", False)
    if config.option.markexpr != "long" or chosen or any("::" in one for one in config.args):
        return []
    paths = [(config.invocation_params.dir / one).resolve() for one in config.args]
    return [room for room in all_rooms() if any((ROOT / room).is_relative_to(p) for p in paths)]


def record(terminalreporter, exitstatus):
    """Merges what a run showed into the file that the environment names."""
    config, stats = terminalreporter.config, terminalreporter.stats
    failed = {
        room_reports.room_of(report.nodeid)
        for kind in ("failed", "error")
        for report in stats.get(kind, [])
    }
    # A run that was interrupted, or ended with the first failure, says nothing of what follows.
    if VARIABLE not in os.environ or exitstatus not in (0, 1):
        return
    if failed and config.option.maxfail:
        return
    passed = [room_reports.room_of(one.nodeid) for one in stats.get("passed", [])]
    good = [room for room in whole_rooms(config) if room in passed and room not in failed]
    if not good:
        return
    path = pathlib.Path(os.environ[VARIABLE])
    found = {row["what"]: row for row in records.read(path)}
    without = [name for name in rooms.ROOMS if rooms.why_closed(name) is not None]
    for room in good:
        row = row_of(room, records.today(), passed.count(room), without)
        found[row["what"]] = row
    records.write([found[what] for what in sorted(found)], path)
    terminalreporter.write_line(f"long tests that passed, noted in {path}: {', '.join(good)}")
