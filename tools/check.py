#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An answer in minutes: lint of what changed, and the quick checks of the rooms that changed and of
those that stand on them. `make check` calls it.

usage: check.py [ROOM...]    these rooms instead; src is one, too

What changed is what git has not committed, or else the last commit. The quick checks of a room say
whether it still works at all; `make test` says whether it is right.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = ["tests/unit", "tests/kat/test_response_files.py", "tests/kat/test_decapsulation.py"]
# By room: what pytest runs of it. Each takes less than a minute on two cores, from a built tree.
QUICK = {
    "apps": ["apps/command/tests/test_exchange.py", "apps/openssl-provider/tests/test_evp.py"],
    "bindings": ["bindings/tests/test_wasm_module.py", "bindings/tests/test_python.py"],
    "devices": ["devices/tests/test_cortex_m4.py", "-k", "L1 and known_answers or agrees"],
    "lab": ["lab/tests/test_dfr_models.py"],
    "evaluation": ["evaluation/tests/test_report.py", "evaluation/tests/test_statistics.py"],
    "hardware": [
        *("hardware/tests/test_modules.py", "hardware/tests/test_results.py"),
        *("-k", "test_results or keccak or compare or threshold"),
    ],
    "hls": ["hls/tests/test_refused.py", "hls/tests/test_tables.py"],
    "parameters": ["parameters/tests"],
    "proofs": ["proofs/kernels/test_coverage.py", "proofs/kernels/test_moves.py", "proofs/tests"],
    "src": [*LIBRARY, "tests/mceliece", "tests/sofia"],
    "tests": LIBRARY,
    "tools": ["tools/tests/test_conventions.py", "tools/tests/test_ledger.py"],
}
# What is made for a room, where that is less than what the tests in these files need.
MADE = {
    "hardware": [
        "hardware/tests/test_results.py",
        *(f"hardware/tests/benches/bench_{name}.py" for name in ("keccak", "compare", "threshold")),
    ],
}
NOTHING_RUN = 5  # pytest's status, where a set-up is missing, which it says
# Folders that are not rooms: the rooms that stand on them.
ABOVE = {
    "src": ["src", "apps"],
    "parameters": ["parameters", "src", "apps"],
    "include": ["src", "apps"],
    "cmake": ["src", "apps"],
    "CMakeLists.txt": ["src", "apps"],
    "CMakePresets.json": ["src", "apps"],
    "conftest.py": ["tests"],
    "pytest.ini": ["tests"],
    "docs": ["tools"],
}


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check: git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.split("\0")[:-1]


def changed():
    """Returns the files that are not as in the last commit, or else those that it changed."""
    found = git("diff", "--name-only", "-z", "HEAD")
    found += git("ls-files", "-z", "--others", "--exclude-standard")
    if not found:
        found = git("diff-tree", "-r", "--no-commit-id", "--name-only", "-z", "HEAD")
    return found


def rooms_of(files):
    """Returns the rooms that files are in, deleted ones too, and those above them, in order."""
    tops = {name.partition("/")[0] for name in files} & {*QUICK, *ABOVE}
    found = {room for top in tops for room in ABOVE.get(top, [top])}
    return [room for room in QUICK if room in found and (ROOT / room).is_dir()]


def run(*command):
    print(f"check: {' '.join(map(str, command))}", flush=True)
    return subprocess.run(list(map(str, command)), cwd=ROOT, check=False).returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("room", nargs="*", choices=[[], *QUICK], metavar="ROOM")
    chosen = parser.parse_args().room
    names = changed()
    rooms = chosen or rooms_of(names)
    files = [name for name in names if (ROOT / name).is_file()]
    failed, without = [], []
    if files and run(sys.executable, "tools/lint.py", *files):
        failed.append("lint")
    words = [word for room in rooms for word in MADE.get(room, QUICK[room])]
    paths = [word for word in words if (ROOT / word).exists()]
    if paths and run(sys.executable, "tools/made.py", *dict.fromkeys(paths)):
        failed.append("what is made")
    for room in rooms:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal"]
        code = run(*command, *QUICK[room])
        if code == NOTHING_RUN:
            without.append(room)
        elif code != 0:
            failed.append(room)
    good = [room for room in rooms if room not in failed + without]
    for what, which in (("good", good), ("not run, see above", without), ("failed", failed)):
        if which:
            print(f"check: {what}: {', '.join(which)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
