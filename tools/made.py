#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes what tests need: builds, models of cores, packages. pytest makes nothing itself.

usage: made.py [--long] [--build PRESET] [--list] [PATH...]

What tests in PATH need (default: all; a test's name after :: is ignored). --long: what the long
tests need, too; --build: only builds with that preset; --list: prints it, and makes nothing.

CMake writes build/graph/build.ninja from the rooms' made.cmake (tools/graph/CMakeLists.txt); Ninja
makes what is older than what it is made from. What fails does not stop the rest. The exit status is
1 if something failed. What needs a program that is not here is left out: pytest says so.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Another folder lets two runs of the tests go side by side.
BUILDS = pathlib.Path(os.environ.get("CODEKEM_TEST_BUILDS", ROOT / "build")).resolve()
GRAPH = BUILDS / "graph"
COMMAND = ".venv/bin/python tools/made.py"


@dataclasses.dataclass(frozen=True)
class Made:
    """A line of made.txt. name: what is made; target: of Ninja; lacks: the program without which it
    cannot be made here, or None; of_build: the targets of the build that it is."""

    long: bool
    place: str
    name: str
    target: str
    lacks: str | None
    of_build: tuple[str, ...] = ()


def write_graph():
    """Has CMake write the graph; returns its lines."""
    command = ["cmake", "-S", ROOT / "tools" / "graph", "-B", GRAPH, "-G", "Ninja"]
    command += [f"-DMADE_BUILDS={BUILDS}", f"-DMADE_PYTHON={sys.executable}"]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        sys.exit(f"made: CMake cannot write the graph: {done.stderr[:2000]}")
    return graph()


def graph():
    """Returns the lines of the graph that was written last."""
    lines = []
    for line in (GRAPH / "made.txt").read_text(encoding="utf-8").splitlines():
        mark, place, name, target, *of_build = line.split(" ")
        lacks = target[1:] if target.startswith("-") else None
        lines.append(Made(mark == "long", place, name, target, lacks, tuple(of_build)))
    return lines


def is_within(path, folder):
    return folder in (".", "") or path == folder or path.startswith(f"{folder}/")


def place_of(path):
    """Returns a path below the top folder, without what follows ::."""
    full = (ROOT / path.partition("::")[0]).resolve()
    if not full.exists() or not full.is_relative_to(ROOT):
        sys.exit(f"made: there is no {path} in {ROOT}")
    return full.relative_to(ROOT).as_posix()


def folder_of(preset, options, builds=BUILDS):
    """Returns the folder of a build with a preset and options {NAME: value}, as made_build of
    tools/graph has it."""
    parts = [preset] + [
        f"{name.removeprefix('CODEKEM_').lower()}={value}"
        for name, value in sorted(options.items())
    ]
    return builds / re.sub(r"[^A-Za-z0-9=._-]+", "_", "-".join(["test", *parts]))


def wanted(lines, paths, long, preset=None, name=None):
    """Returns those lines that tests in paths need, all without any; with that preset or name."""
    places = [place_of(path) for path in paths] or ["."]
    return [
        one
        for one in lines
        if (long or not one.long)
        and (preset is None or f"{one.name}-".startswith(f"test-{preset}-"))
        and (name is None or one.name == name)
        and any(is_within(one.place, place) or is_within(place, one.place) for place in places)
    ]


def why_not_made(name, graph=GRAPH):
    """Says why what made_by makes as `name` cannot be used; an empty string if it can."""
    if not (graph / "build.ninja").exists():
        return f"{name} was not made"
    done = subprocess.run(
        ["ninja", "-C", graph, "-n", name], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        return f"no made.cmake says how to make {name}"
    return f"{name} is not up to date" if f"Making {name}\n" in done.stdout else ""


def how_to_make(name, targets=()):
    """Returns the command that makes something, or targets of a build."""
    if not (GRAPH / "made.txt").exists():
        return COMMAND
    lines = [one for one in graph() if one.name == name]
    of_targets = [
        [one for one in lines if target in one.of_build]
        or [one for one in lines if {"all", "codekem_tests"} & set(one.of_build)]
        for target in targets
    ] or [lines]
    if not all(of_targets):
        return "no made.cmake says how"
    first = [min(found, key=lambda one: one.long) for found in of_targets]
    long = " --long" if any(one.long for one in first) else ""
    return f"{COMMAND}{long} {' '.join(dict.fromkeys(one.place for one in first))}"


def make(paths=(), long=False, preset=None, name=None):
    """Makes what tests in paths need; returns whether all was made."""
    lines = wanted(write_graph(), paths, long, preset, name)
    targets = list(dict.fromkeys(one.target for one in lines if one.lacks is None))
    if not targets:
        return True
    done = subprocess.run(
        ["ninja", "-C", GRAPH, "-j", str(os.cpu_count() or 1), "-k", "0", *targets],
        cwd=ROOT,
        check=False,
    )
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--build", metavar="PRESET")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    arguments = parser.parse_args()
    if arguments.list:
        for one in wanted(write_graph(), arguments.paths, arguments.long, arguments.build):
            lacks = f" (needs {one.lacks}, which is not here)" if one.lacks else ""
            print(f"{'long ' if one.long else 'quick'} {one.place}: {one.name}{lacks}")
        return
    sys.exit(0 if make(arguments.paths, arguments.long, arguments.build) else 1)


if __name__ == "__main__":
    main()
