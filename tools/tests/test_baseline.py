# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The comparison with the baseline (tools/baseline.py), on made-up data: what is lost, changed or
not in the list of moves is reported, and nothing is allowed without a reason."""

import json
import subprocess
import tarfile
import zipfile

import pytest

from tools import baseline, baseline_parts
from tools.baseline import Allowed, Moves, WrongList

MOVES = Moves("""
# made up
hls -> tools/hls
tests/hls -> hls/tests
src/hqc -> src/kem/hqc
src/hqc/old.c -> src/legacy/old.c
""")
BEFORE = {
    "tests": {
        "tests/hls/test_a.py::test_one[hls]": "quick",
        "tests/unit/test_b.py::test_two[gcc-src/hqc/a.c]": "quick and long",
    },
    "mistakes": {
        "hls/one": ["src/hqc/old.c", "f", "T('src/hqc/a.c')", "tests/hls/test_a.py::test", "long"]
    },
    "coverage": {"src/hqc/a.c": "3 of 4 lines, 1 of 2 branches"},
    "objects": {"gcc: src/hqc/a.c": "00 11", "gcc: src/hqc/old.c": "22"},
    "packages": {"a.crate: a-1/c/src/hqc/a.c": "33", "a.crate: a-1/src/lib.rs": "44"},
    "netlists": {"soc A=1": "55"},
    "report": {"plain/times.csv": "a,b\n1,2\n"},
}
AFTER = {
    "tests": {
        "hls/tests/test_a.py::test_one[hls]": "quick",
        "tests/unit/test_b.py::test_two[gcc-src/kem/hqc/a.c]": "quick and long",
    },
    "mistakes": {
        "hls/one": [
            *("src/legacy/old.c", "f", "T('src/kem/hqc/a.c')", "hls/tests/test_a.py::test"),
            "long",
        ]
    },
    "coverage": {"src/kem/hqc/a.c": "3 of 4 lines, 1 of 2 branches"},
    "objects": {"gcc: src/kem/hqc/a.c": "00 11", "gcc: src/legacy/old.c": "22"},
    "packages": {"a.crate: a-1/c/src/kem/hqc/a.c": "33", "a.crate: a-1/src/lib.rs": "44"},
    "netlists": {"soc A=1": "55"},
    "report": {"plain/times.csv": "a,b\n1,2\n"},
}


class Made:
    """A tree with this data."""

    def __init__(self, data, version="1"):
        self._data, self._version = data, version

    def versions(self, _):
        return {"gcc": self._version}

    def data(self, part):
        return self._data[part]


def stored(data):
    return {part: {"versions": {"gcc": "1"}, "data": data[part]} for part in data}


def compared(capsys, change, allowed="", version="1"):
    """Returns (number of differences left, lines) of the moved tree after a change of its data."""
    data = json.loads(json.dumps(AFTER))
    change(data)
    now = Made(data, version)
    left = baseline.compare(stored(BEFORE), list(BEFORE), Allowed(allowed), MOVES, now)
    return left, [line.strip() for line in capsys.readouterr().out.splitlines()]


def nothing(_):
    """Changes nothing."""


def test_what_only_moved_is_no_difference(capsys):
    left, lines = compared(capsys, nothing)
    assert left == 0
    assert lines == [
        f"{part}: {len(BEFORE[part])} compared, 0 differences allowed, 0 left" for part in BEFORE
    ]


def test_lines_that_are_reached_may_come_and_go(capsys):
    def grow(data):
        data["coverage"]["src/kem/hqc/a.c"] = "8 of 9 lines, 0 of 0 branches"

    assert compared(capsys, grow)[0] == 0


def lose_a_test(data):
    del data["tests"]["hls/tests/test_a.py::test_one[hls]"]


def make_a_test_long(data):
    data["tests"]["hls/tests/test_a.py::test_one[hls]"] = "long"


def change_an_object(data):
    data["objects"]["gcc: src/legacy/old.c"] = "23"


def cover_less(data):
    data["coverage"]["src/kem/hqc/a.c"] = "2 of 4 lines, 1 of 2 branches"


def notice_by_another_test(data):
    data["mistakes"]["hls/one"][3] = "tests/hls/test_a.py::test"
    data["mistakes"]["hls/one"][4] = "quick"


def add_a_member(data):
    data["packages"]["a.crate: a-1/new"] = "00"


def change_a_row(data):
    data["report"]["plain/times.csv"] = "a,b\n1,3\n"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lose_a_test, "tests: lost: hls/tests/test_a.py::test_one[hls]"),
        (
            make_a_test_long,
            "tests: changed: hls/tests/test_a.py::test_one[hls]: quick -> long",
        ),
        (change_an_object, "objects: changed: gcc: src/legacy/old.c: 22 -> 23"),
        (
            cover_less,
            "coverage: changed: src/kem/hqc/a.c: 3 of 4 lines, 1 of 2 branches -> "
            "2 of 4 lines, 1 of 2 branches",
        ),
        (
            notice_by_another_test,
            "mistakes: changed: hls/one: ['src/hqc/old.c', 'f', \"T('src/hqc/a.c')\", "
            "'tests/hls/test_a.py::test', 'long'] -> ['src/legacy/old.c', 'f', "
            "\"T('src/kem/hqc/a.c')\", 'tests/hls/test_a.py::test', 'quick']",
        ),
        (add_a_member, "packages: new: a.crate: a-1/new"),
        (change_a_row, "report: changed: plain/times.csv: line 2: 1,2 -> 1,3"),
    ],
)
def test_each_difference_is_printed(change, line, capsys):
    left, lines = compared(capsys, change)
    assert left == 1
    assert line in lines


def test_an_allowed_difference_is_one_with_its_reason(capsys):
    line = r"objects: changed: gcc: src/legacy/old\.c: .* -- it has a new constant"
    left, lines = compared(capsys, change_an_object, line)
    assert left == 0
    assert "objects: 2 compared, 1 differences allowed, 0 left" in lines
    left, lines = compared(capsys, nothing, line)
    assert left == 1
    assert lines[-1] == f"allowed, but there is no such difference: {line}"


@pytest.mark.parametrize(
    "line",
    [
        "tests: lost: .*",
        "tests: lost: .* --",
        "tests: lost: .* -- ",
        "lost: .* -- why",
        "tests: ( -- why",
    ],
)
def test_what_is_allowed_needs_part_pattern_and_reason(line):
    with pytest.raises(WrongList):
        Allowed(line)


def test_other_versions_are_not_judged(capsys):
    left, lines = compared(capsys, change_an_object, "objects: .* -- not looked for", "2")
    assert left == 0
    assert lines == [f"{part}: not judged: gcc: 1, now 2" for part in BEFORE]


@pytest.mark.parametrize("line", ["a", "a -> ", "a -> b\na -> c"])
def test_a_list_of_moves_that_is_none_is_refused(line):
    with pytest.raises(WrongList):
        Moves(line)


def test_the_lists_of_the_tree_can_be_read():
    assert Moves.read().path("src/bike/decoder.c").endswith("/decoder.c")
    Allowed(baseline.ALLOWED.read_text(encoding="utf-8"))


# --- The command ----------------------------------------------------------------------------------


def call(monkeypatch, tmp_path, data, allowed=""):
    """Returns the exit status of `compare` with one part."""
    path, list_of_allowed = tmp_path / "baseline.json.xz", tmp_path / "allowed.txt"
    baseline.write(path, stored(BEFORE))
    list_of_allowed.write_text(allowed)
    monkeypatch.setattr(baseline, "ALLOWED", list_of_allowed)
    monkeypatch.setattr(baseline_parts, "Present", lambda _: Made(data))
    return baseline.main(["compare", str(path), "--parts", "netlists,report"])


def test_the_exit_status_says_whether_something_differs(monkeypatch, tmp_path, capsys):
    assert call(monkeypatch, tmp_path, AFTER) == 0
    other = AFTER | {"netlists": {"soc A=1": "56"}}
    assert call(monkeypatch, tmp_path, other) == 1
    assert call(monkeypatch, tmp_path, other, "netlists: .* -- another memory") == 0
    assert call(monkeypatch, tmp_path, other, "netlists: .*") == 2
    assert "not 'PART: PATTERN -- REASON': netlists: .*" in capsys.readouterr().err


def test_what_is_taken_is_compared(monkeypatch, tmp_path):
    path = tmp_path / "baseline.json"
    monkeypatch.setattr(baseline_parts, "Present", lambda _: Made(AFTER))
    (tmp_path / "allowed.txt").write_text("")
    monkeypatch.setattr(baseline, "ALLOWED", tmp_path / "allowed.txt")
    assert baseline.main(["take", str(path), "--parts", "netlists"]) == 0
    assert baseline.main(["take", str(path), "--parts", "report"]) == 0
    assert baseline.read(path) == {part: stored(AFTER)[part] for part in ("netlists", "report")}
    assert baseline.main(["compare", str(path)]) == 0


# --- Commits of renames ---------------------------------------------------------------------------


@pytest.fixture
def commit(tmp_path):
    """commit({path: text}) commits a tree of these files; returns what is wrong with it."""

    def git(*words):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    def made(files):
        for path in tmp_path.rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                path.unlink()
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git("add", "--all")
        git("commit", "--allow-empty", "-m", "a")

    git("init")
    made({"hls/a": "a", "hls/same": "a", "tests/hls/b": "b", "other": "c"})

    def check(files):
        made(files)
        return baseline.not_as_listed("HEAD", MOVES, tmp_path)

    return check


MOVED = {"tools/hls/a": "a", "tools/hls/same": "a", "hls/tests/b": "b", "other": "c"}


def test_a_commit_that_moves_as_listed(commit):
    assert commit(MOVED) == []


@pytest.mark.parametrize(
    ("files", "faults"),
    [
        (
            {"tools/hls/a": "a", "tools/hls/same": "a", "hls/tests/b": "b", "moved": "c"},
            ["not in the list of moves: other", "added: moved"],
        ),
        (MOVED | {"tools/hls/a": "a!"}, ["changed as it moved: hls/a -> tools/hls/a"]),
        (MOVED | {"other": "c!"}, ["changed in its place: other"]),
        (MOVED | {"new": ""}, ["added: new"]),
        (
            {"hls/new/a": "a", "tools/hls/same": "a", "hls/tests/b": "b", "other": "c"},
            ["not at its place in the list: hls/a -> tools/hls/a", "added: hls/new/a"],
        ),
    ],
)
def test_what_else_a_commit_does_is_reported(files, faults, commit):
    assert commit(files) == faults


# --- Archives -------------------------------------------------------------------------------------


def test_members_of_archives_have_hashes_of_their_own(tmp_path):
    content = tmp_path / "content"
    content.write_bytes(b"text")
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as archive:
        archive.add(content, "top/content")
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as archive:
        archive.write(content, "other/content")
    assert list(baseline_parts.members_of(tmp_path / "a.tar.xz")) == [("top/content", b"text")]
    assert list(baseline_parts.members_of(tmp_path / "a.whl")) == [("other/content", b"text")]
    assert list(baseline_parts.members_of(content)) == [("content", b"text")]
