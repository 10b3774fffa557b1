# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ledger of planted mistakes: each is found in its source, whatever the layout, or is named."""

import collections
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from tools import mistakes
from tools.anchors import begins_line, places, tokens

BY_FILE = collections.defaultdict(list)
for one in mistakes.every():
    BY_FILE[one.file].append(one)
BY_ANCHOR = collections.defaultdict(list)
for one in mistakes.every():
    BY_ANCHOR[one.file, one.anchor].append(one)
FIRST = next(one for one in mistakes.every() if one.file.startswith("src/") and one.suffix == ".c")


def test_every_mistake_is_found_once():
    assert mistakes.check() == []


def laid_out_anew(text, suffix):
    """Returns a source with other line breaks, and a comment between all words that blanks part."""
    if suffix == ".py":
        return re.sub(r"^( *)(?=def |return |if |for )", r"\n\1# } (said)\n\1", text, flags=re.M)
    if suffix == ".S":
        return re.sub(r"(?<=\S) (?=\S)", "  /* } said: ; */  ", text).replace("\n", " \n\n")
    parts, directive = [], False
    all_tokens = tokens(text, suffix)
    for at, (token, begin, _) in enumerate(all_tokens):
        gap = text[all_tokens[at - 1][2] if at else 0 : begin]
        first = begins_line(text, all_tokens, at)
        directive = token in "#`" if first else directive
        comment = " /* } said: ; */ "
        if first:
            gap = f"\n// {{ said\n{comment if token not in '#`' else ''}"
        elif gap:
            gap = f"{comment}\\\n  " if directive else f"\n{comment}\n"
        parts += [gap, token]
    return "".join(parts)


@pytest.mark.parametrize("file", BY_FILE)
def test_layout_and_comments_lose_nothing(file, root):
    text = (root / file).read_text(encoding="utf-8")
    suffix = pathlib.Path(file).suffix
    anew = laid_out_anew(text, suffix)
    assert anew != text
    for mistake in BY_FILE[file]:
        begin, end = mistake.find(anew)
        found = mistakes.words_of(anew[begin:end], suffix)
        assert found == mistakes.words_of(mistake.before, suffix)


def test_a_line_more_in_the_same_function_loses_nothing(root):
    for mistake in {one.file: one for one in mistakes.every()}.values():
        text = (root / mistake.file).read_text(encoding="utf-8")
        begin, end = mistake.find(text)
        line = mistake.anchor in mistake.before or mistake.before.startswith("#")
        first = "" if line else " added(1); "
        if mistake.suffix != ".py":
            more = f"{text[:begin]}{first}{text[begin:end]} added(2); {text[end:]}"
            assert mistake.find(more) == (begin + len(first), end + len(first))


@pytest.mark.parametrize(("file", "anchor"), BY_ANCHOR, ids=lambda text: text.rpartition("/")[2])
def test_a_lost_anchor_is_named(file, anchor, root, tmp_path):
    text = (root / file).read_text(encoding="utf-8")
    other = re.sub(rf"\b{anchor}\b", f"not_{anchor}", text)
    assert anchor not in places(other, pathlib.Path(file).suffix)
    for mistake in BY_ANCHOR[file, anchor]:
        for path, content in [(file, other), (mistake.node().partition("::")[0], "")]:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content, encoding="utf-8")
        assert mistakes.fault(mistake, tmp_path) == f"{mistake!r}: {file} has no {anchor}"


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"before": "not in any source"}, "has 0 times: not in any source"),
        ({"before": ";"}, r"has \d+ times: ;"),
        ({"file": "src/none.c"}, "there is no src/none.c"),
        ({"test": "tests/unit/none.py::test_none"}, "there is no tests/unit/none.py"),
        ({"test": ""}, "there is no $"),
        ({"test": "tools/tests/test_ledger.py::test_none"}, "there is no test"),
        ({"after": None, "before": "", "anchor": "none"}, "has no none"),
    ],
)
def test_what_is_wrong_is_said(changes, said, root):
    mistake = dataclasses.replace(FIRST, **changes)
    assert re.search(said, mistakes.fault(mistake, root))


@pytest.mark.long
def test_every_mistake_names_a_test_that_pytest_collects(root):
    """With its parameters; of files that are collected here, which depends on what is set up."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-m", "long or not long"]
    said = subprocess.run(
        [*command, "--collect-only", "-q"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    nodes = {line for line in said.splitlines() if "::" in line}
    names = nodes | {node.partition("[")[0] for node in nodes}
    files = {node.partition("::")[0] for node in nodes}
    tests = [one.node() for one in mistakes.every()]
    assert tests and {node for node in tests if node.partition("::")[0] in files} <= names


def test_a_mistake_that_changes_nothing_is_named(root):
    same = dataclasses.replace(FIRST, after=f"{FIRST.before} /* the same */".replace("(", " ("))
    assert mistakes.fault(same, root).endswith("before and after are the same")


# --- The command, in a project of its own ---------------------------------------------------------

SOURCE = """
#define DOUBLED(x) \\
  (2 * (x))
static int half(int x) { return x / 2; }
int third(int x) { return x / 3; }
"""
LEDGER = """
["some/group"]
test = "tests/test_source.py::test_it_is_found[NAME]"
"other half" = ["src/a.c: half", "the test", "return x/2;", "return x / 4;"]
third = ["src/a.c: third", "nobody", "x / 3", "x / 4", {long = true}]
doubled = ["src/a.c: DOUBLED", "the test", "2 * (x)", "3 * (x)"]
switch = ["src/a.c: half", "the test", "x", {test = "tests/test_source.py::test_other"}]
"""
TEST = """
import pytest
from tools import mistakes

@pytest.mark.parametrize("mistake", mistakes.cases("some/group"))
def test_it_is_found(mistake):
    assert mistake.by == "the test"
"""
INI = "[pytest]\nmarkers =\n    long: takes minutes\n"


@pytest.fixture
def command(root, tmp_path):
    """command(words...) runs the command in a project of its own."""
    shutil.copytree(root / "tools" / "graph", tmp_path / "tools" / "graph")
    for name in ("mistakes.py", "house.py", "anchors.py", "made.py"):
        shutil.copy(root / "tools" / name, tmp_path / "tools")
    files = {
        "CMakePresets.json": "{}",
        "src/a.c": SOURCE,
        "tests/mistakes.toml": LEDGER,
        "pytest.ini": INI,
    }
    for name, text in {**files, "tests/test_source.py": TEST}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    # A plugin that somebody's PYTEST_ADDOPTS names may not be found from here.
    theirs = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}

    def run(*words):
        program = [sys.executable, tmp_path / "tools" / "mistakes.py"]
        return subprocess.run(
            [*program, *words],
            capture_output=True,
            text=True,
            check=False,
            env=theirs
            | {"PYTHONPATH": str(tmp_path), "CODEKEM_TEST_BUILDS": str(tmp_path / "build")},
        )

    return run


def test_list_and_check(command, tmp_path):
    assert command("list", "--room", "hls").stdout == ""
    lines = command("list", "--room", "tests").stdout.splitlines()
    assert lines[:2] == [
        "some/group/other half: src/a.c: half: the test",
        "some/group/third: src/a.c: third: nobody (long)",
    ]
    done = command("check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "some/group/switch: half in src/a.c has 2 times: x",
    ]
    ledger = tmp_path / "tests" / "mistakes.toml"
    ledger.write_text(re.sub("(?m)^switch.*", "", ledger.read_text()))
    done = command("check")
    assert (done.returncode, done.stdout) == (0, "3 planted mistakes are all found\n")


def test_show_and_apply(command, tmp_path):
    shown = command("show", "some/group/other half").stdout.splitlines()
    assert shown[:2] == ["--- a/src/a.c", "+++ b/src/a.c"]
    assert [line for line in shown[3:] if line[0] != " "] == [
        "-static int half(int x) { return x / 2; }",
        "+static int half(int x) { return x / 4; }",
    ]
    for name in ("other half", "doubled"):
        done = command("apply", f"some/group/{name}", tmp_path / "copy")
        assert (done.returncode, done.stdout) == (0, f"{tmp_path}/copy/src/a.c\n")
    changed = (tmp_path / "copy" / "src" / "a.c").read_text()
    assert changed == SOURCE.replace("x / 2", "x / 4").replace("2 * (x)", "3 * (x)")
    assert (tmp_path / "src" / "a.c").read_text() == SOURCE
    for words in (["show", "some/group/none"], ["apply", "some/group/switch", tmp_path]):
        done = command(*words)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("mistakes.py: ")
    assert command("run").returncode == 2


def test_run_says_whether_it_is_noticed(command):
    assert command("run", "some/group/other half", "some/group/doubled").returncode == 0
    done = command("run", "some/group/third")
    assert done.returncode == 1
    assert "1 failed" in done.stdout


def test_mistakes_stand_in_the_room_of_their_test():
    assert {mistake.test.partition("/")[0] == mistake.room for mistake in mistakes.every()} == {
        True
    }
