# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The end of a run names what failed, with a command that repeats it, and what each room took."""

import types

import pytest

from tests import room_reports


class Terminal:
    """Keeps what is written; stats as in pytest."""

    def __init__(self, **stats):
        self.stats = stats
        self.lines = []

    def getreports(self, name):
        return self.stats.get(name, [])

    def section(self, title):
        self.lines.append(title)

    def write_line(self, line):
        self.lines.append(line)


def report(nodeid, when="call", used=None, keywords=()):
    found = types.SimpleNamespace(nodeid=nodeid, when=when, keywords=keywords)
    if used is not None:
        found.processor_seconds = used
    return found


def test_a_failure_ends_with_room_claim_and_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    text = 'def test_it_holds():\n    """For all\n    inputs.\n\n    More."""\n'
    (tmp_path / "tests" / "test_a.py").write_text(text)
    terminal = Terminal(
        failed=[report("tests/test_a.py::test_it_holds[a b]", keywords={"long": 1})],
        error=[report("hls/tests/test_none.py", when="collect")],
    )
    room_reports.say_failures(terminal)
    assert terminal.lines[1:] == [
        "tests: it holds (For all inputs): .venv/bin/python tools/made.py --long tests/test_a.py; "
        ".venv/bin/python -m pytest -p no:xdist -m long 'tests/test_a.py::test_it_holds[a b]'",
        "hls: it can be collected: .venv/bin/python tools/made.py hls/tests/test_none.py; "
        ".venv/bin/python -m pytest -p no:xdist hls/tests/test_none.py",
    ]


def test_nothing_is_said_of_what_passed():
    terminal = Terminal(passed=[report("tests/test_a.py::test_b")])
    room_reports.say_failures(terminal)
    room_reports.say_times(terminal)  # nobody measured
    assert terminal.lines == []


def test_processor_time_is_added_up_by_room(monkeypatch):
    """Of all parts of a test; a test counts once."""
    monkeypatch.setattr(room_reports, "BUDGETS", {"tests": 100})
    parts = [report("tests/a.py::b", when, used) for when, used in (("setup", 7), ("call", 2.2))]
    terminal = Terminal(passed=parts, failed=[report("hls/a.py::b", used=1)])
    room_reports.say_times(terminal)
    assert terminal.lines[1:] == ["hls: 1 tests, 1 seconds", "tests: 1 tests, 9 of 100 seconds"]


def test_a_run_measures_what_it_used():
    clock = room_reports.Clock()
    sum(range(3_000_000))
    assert clock.used() > 0


@pytest.mark.parametrize("room", ["apps", "proofs", "tests", "tools"])
def test_rooms_have_a_budget(room, root):
    assert room_reports.BUDGETS[room] > 0
    assert {path.parent.name for path in root.glob("*/tests")} <= set(room_reports.BUDGETS)
