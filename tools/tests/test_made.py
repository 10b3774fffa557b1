# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The graph of what tests need: what is made for whom, what is made again, what is said if not."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.fixtures import why_not_built
from tools import made
from tools.made import Made

LINES = [
    Made(False, "tests", "test-gcc", "test-gcc--1", None),
    Made(False, "tests/memory", "test-clang", "test-clang--1", None),
    Made(True, "tests/memory", "test-clang-small=ON", "test-clang-small.ON--1", None),
    Made(False, "hls", "test-clang-16", "-clang-16", "clang-16"),
]


OF_BUILDS = [
    Made(False, "tests", "test-gcc", "test-gcc--1", None, ("all", "kat_check")),
    Made(True, "tests/unit", "test-clang", "test-clang--1", None, ("codekem_tests",)),
    Made(False, "tests/kat", "test-clang", "test-clang--2", None, ("kat_check",)),
    Made(True, "hls", "model", "model", None),
]


@pytest.mark.parametrize(
    ("name", "targets", "arguments"),
    [
        ("test-gcc", ["test_ct"], " tests"),
        ("test-clang", ["kat_check"], " tests/kat"),
        ("test-clang", ["test_sort"], " --long tests/unit"),
        ("test-clang", ["kat_check", "test_ct"], " --long tests/kat tests/unit"),
        ("test-clang", [], " tests/kat"),
        ("model", [], " --long hls"),
        ("test-clang", ["all"], " --long tests/unit"),
        ("test-none", [], None),
    ],
)
def test_how_something_is_made_is_said(name, targets, arguments, monkeypatch, tmp_path):
    (tmp_path / "made.txt").touch()
    monkeypatch.setattr(made, "GRAPH", tmp_path)
    monkeypatch.setattr(made, "graph", lambda: OF_BUILDS)
    said = "no made.cmake says how" if arguments is None else made.COMMAND + arguments
    assert made.how_to_make(name, targets) == said


@pytest.mark.parametrize(
    ("paths", "long", "preset", "expected"),
    [
        ([], False, None, ["test-gcc", "test-clang", "test-clang-16"]),
        (["tests"], False, None, ["test-gcc", "test-clang"]),
        (["tests/memory"], True, None, ["test-gcc", "test-clang", "test-clang-small=ON"]),
        (["tests/memory/test_memory.py::test_a[b]"], False, None, ["test-gcc", "test-clang"]),
        (["tests/kat"], False, None, ["test-gcc"]),
        (["hls/tests"], False, None, ["test-clang-16"]),
        ([], True, "clang", ["test-clang", "test-clang-small=ON", "test-clang-16"]),
        (["docs"], True, None, []),
    ],
)
def test_tests_get_what_their_folders_name(paths, long, preset, expected):
    """Those above and below included."""
    assert [one.name for one in made.wanted(LINES, paths, long, preset)] == expected


def test_unknown_paths_are_refused():
    with pytest.raises(SystemExit, match="there is no tests/nothing in"):
        made.wanted(LINES, ["tests/nothing"], False)


# --- A small project with a graph of its own ------------------------------------------------------

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES C)
add_library(twice STATIC twice.c)
add_executable(broken EXCLUDE_FROM_ALL broken.c)
"""
MADE = """
made_build(small OPTIONS CODEKEM_NAME=a TARGETS twice)
made_build(small FOR other LONG TARGETS broken)
made_build(nowhere FOR other TARGETS twice)
made_by(upper OUTPUT upper.txt COMMAND ${MADE_PYTHON} upper.py "${MADE_BUILDS}/upper.txt"
        DEPENDS upper.py room/word.txt)
"""
UPPER = """
import pathlib, sys
word = pathlib.Path("room/word.txt").read_text()
pathlib.Path(sys.argv[1]).write_text(word.upper())
"""
PRESETS = {
    "version": 6,
    "configurePresets": [
        {"name": "small", "generator": "Ninja"},
        {"name": "nowhere", "generator": "Ninja", "cacheVariables": {"CMAKE_C_COMPILER": "no-cc"}},
    ],
}


@pytest.fixture
def project(root, tmp_path):
    """project(words...) runs tools/made.py there; returns its status and what it printed."""
    files = {"CMakeLists.txt": PROJECT, "upper.py": UPPER, "CMakePresets.json": json.dumps(PRESETS)}
    files |= {"twice.c": "int twice(int x) { return 2 * x; }\n", "broken.c": "int main(void) {\n"}
    files |= {"room/made.cmake": MADE, "room/word.txt": "one", "room/other/test_a.py": ""}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copytree(root / "tools" / "graph", tmp_path / "tools" / "graph")
    shutil.copy(root / "tools" / "made.py", tmp_path / "tools")
    environment = os.environ | {"CODEKEM_TEST_BUILDS": str(tmp_path / "build")}

    def run(*words):
        done = subprocess.run(
            [sys.executable, "tools/made.py", *words],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    return run


def test_an_edited_source_is_made_again(project, tmp_path):
    """And until then whoever wants to use what is made of it is told."""
    folder = tmp_path / "build" / "test-small-name=a"
    assert "was not built" in why_not_built(folder, ["twice"])
    assert made.why_not_made("upper", tmp_path / "none") == "upper was not made"
    assert project()[0] == 0
    assert why_not_built(folder, ["twice"]) == ""
    assert (tmp_path / "build" / "upper.txt").read_text() == "ONE"
    graph = tmp_path / "build" / "graph"
    assert made.why_not_made("upper", graph) == ""
    assert made.why_not_made("lower", graph) == "no made.cmake says how to make lower"
    before = (folder / "libtwice.a").read_bytes()
    (tmp_path / "twice.c").write_text("int twice(int x) { return x << 1 | 1; }\n")
    (tmp_path / "room" / "word.txt").write_text("two")
    assert "is not up to date" in why_not_built(folder, ["twice"])
    assert made.why_not_made("upper", graph) == "upper is not up to date"
    assert project("room")[0] == 0
    assert why_not_built(folder, ["twice"]) == ""
    assert (folder / "libtwice.a").read_bytes() != before
    assert (tmp_path / "build" / "upper.txt").read_text() == "TWO"


def test_what_fails_is_shown_and_does_not_stop_the_rest(project, tmp_path):
    status, said = project("--long")
    assert status == 1
    assert "broken.c:" in said and "twice.c" not in said
    assert (tmp_path / "build" / "upper.txt").exists()
    assert (tmp_path / "build" / "test-small-name=a" / "libtwice.a").exists()


def test_what_cannot_be_made_here_is_named(project):
    assert "room/other: test-nowhere (needs no-cc, which is not here)" in project("--list")[1]


def test_rooms_do_not_see_the_variables_of_others(project, tmp_path):
    (tmp_path / "another").mkdir()
    (tmp_path / "another" / "made.cmake").write_text("set(small mine)\nset(own ON)\n")
    with (tmp_path / "room" / "made.cmake").open("a") as file:
        file.write("if(DEFINED own)\n  message(FATAL_ERROR own)\nendif()\n")
    assert project("--list")[0] == 0


def test_a_word_that_nobody_knows_is_an_error(project, tmp_path):
    with (tmp_path / "room" / "made.cmake").open("a") as file:
        file.write("made_build(small TARGETS twice LONGER)\nmade_build(small OTHER twice)\n")
    status, said = project()
    assert status == 1 and "what is OTHER;twice?" in said


def test_sources_of_the_library_are_followed(build):
    """Down to a header that many include."""
    folder = build("gcc")
    said = subprocess.run(
        ["ninja", "-C", folder, "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    assert said.count("src/kem/sparse/sparse.h") > 5
