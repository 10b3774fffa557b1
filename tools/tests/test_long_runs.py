# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which rooms passed all their long tests is noted, and no more than that."""

import json
import types

import pytest

from tests import long_runs, room_reports


@pytest.fixture
def run(root, tmp_path, monkeypatch):
    """run(arguments, passed, failed, ...) returns the rows that the end of such a run notes."""
    monkeypatch.setenv(long_runs.VARIABLE, str(tmp_path / "runs.json"))
    monkeypatch.setattr(long_runs, "hash_of_room", lambda room: f"hash of {room}")
    monkeypatch.setattr(long_runs.records, "today", lambda: "2026-01-01")

    def end(arguments, passed, failed=(), exitstatus=0, **options):
        given = {"markexpr": "long", "keyword": "", "maxfail": 0, "lf": False} | options
        config = types.SimpleNamespace(
            args=arguments,
            option=types.SimpleNamespace(**given),
            invocation_params=types.SimpleNamespace(dir=root),
        )
        reports = {
            kind: [types.SimpleNamespace(nodeid=f"{room}/tests/test_a.py::test_b") for room in of]
            for kind, of in (("passed", passed), ("failed", failed))
        }
        reporter = types.SimpleNamespace(config=config, stats=reports, write_line=print)
        long_runs.record(reporter, exitstatus)
        path = tmp_path / "runs.json"
        return json.loads(path.read_text()) if path.exists() else []

    return end


def test_a_room_that_passed_is_noted(run):
    (row,) = run(["tools"], ["tools", "tools"])
    assert row["what"] == "long tests of tools"
    assert (row["tests"], row["date"], row["sources"]) == (2, "2026-01-01", "hash of tools")
    rows = run(["."], ["tests", "parameters"], ["parameters"], exitstatus=1)
    assert [row["what"] for row in rows] == ["long tests of tests", "long tests of tools"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["tools/tests"], {}),
        (["tools/tests/test_a.py::test_b"], {}),
        (["tools"], {"keyword": "b"}),
        (["tools"], {"markexpr": "not long"}),
        (["tools"], {"exitstatus": 2}),
        (["."], {"failed": ["tests"], "maxfail": 1, "exitstatus": 1}),
    ],
)
def test_a_part_of_a_room_is_not(run, arguments, options):
    assert run(arguments, ["tools"], **options) == []


def test_rooms_that_were_never_noted_are_old():
    rows = long_runs.read()
    assert {row["what"].rpartition(" ")[2] for row in rows} <= {*room_reports.BUDGETS}
    never = [row for row in rows if row["date"] == "never"]
    assert all(long_runs.is_old(row) for row in never)


def test_a_change_of_the_room_makes_its_row_old(tmp_path, monkeypatch):
    row = {"what": "long tests of tools", "sources": long_runs.hash_of_room("tools")}
    assert not long_runs.is_old(row)
    long_runs.hash_of_room.cache_clear()
    monkeypatch.setattr(long_runs.records, "hash_of_folders", lambda: "another")
    assert long_runs.is_old(row)
    long_runs.hash_of_room.cache_clear()
