# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make check` finds the rooms that a change concerns, and says what it did not run."""

import subprocess

import pytest

from tools import check, house


def test_what_it_runs_is_there(root):
    for room, words in [*check.QUICK.items(), *check.MADE.items()]:
        paths = [word for word in words if "/" in word] if house.is_there(room) else []
        assert all((root / path).exists() for path in paths), room


def test_rooms_that_stand_on_what_changed_are_checked():
    """In the order of the table; a file that was deleted counts, one at the top does not."""
    for files, rooms in (
        (["src/kem/deleted.c", "README.md"], ["apps", "src"]),
        (
            ["hls/kernels/a.c", "tools/lint.py", "include/codekem.h"],
            ["apps", "hls", "src", "tools"],
        ),
    ):
        assert check.rooms_of(files) == [room for room in rooms if house.is_there(room)]


def test_without_changes_the_last_commit_is_checked(tmp_path, monkeypatch):
    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True)

    monkeypatch.setattr(check, "ROOT", tmp_path)
    git("init", "-q")
    for name in ("first", "second"):
        (tmp_path / name).write_text(name)
        git("add", name)
        git("commit", "-qm", name)
    assert check.changed() == ["second"]
    (tmp_path / "first").unlink()
    (tmp_path / "third").write_text("new")
    assert check.changed() == ["first", "third"]


@pytest.mark.parametrize(
    ("code", "made", "status", "said"),
    [
        (0, 0, 0, "check: good: hls\n"),
        (1, 0, 1, "check: failed: hls\n"),
        (5, 0, 0, "check: not run, see above: hls\n"),
        (0, 1, 1, "check: good: hls\ncheck: failed: what is made\n"),
    ],
)
def test_the_end_says_what_was_not_run(code, made, status, said, monkeypatch, capsys):
    monkeypatch.setattr(check, "changed", list)
    monkeypatch.setattr(check, "run", lambda *words: code if "pytest" in words else made)
    monkeypatch.setattr("sys.argv", ["check.py", "hls"])
    with pytest.raises(SystemExit) as ended:
        check.main()
    assert ended.value.code == status
    assert capsys.readouterr().out == said
