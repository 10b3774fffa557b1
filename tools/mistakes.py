#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ledger of planted mistakes, mistakes.toml of each room: each is a change of a source that
some test of that room must notice.

usage: mistakes.py list [--room ROOM]           names, files, and who must notice
       mistakes.py check                        is each still found in its source, exactly once?
       mistakes.py show NAME                    what it changes, as a diff
       mistakes.py apply NAME FOLDER            plants it in a copy of the tree
       mistakes.py run NAME...                  runs the tests that must notice

A room's file has a table for each group, with the test, and in it the mistakes:

    NAME = ["FILE: ANCHOR", "WHO MUST NOTICE", "BEFORE", "AFTER", {long = true}]

ANCHOR is the function, macro, variable, module or label that BEFORE stands in, exactly once;
blanks, line breaks and comments do not count. Without it, it is what is named as the file. Without
AFTER it is a switch: the mistake is in a test program, where BEFORE chooses it. docs/testing.md
says more. Mistakes whose source or test is in a room that has been deleted are left out. The exit
status is 1 if something is not found or not noticed, 2 for wrong usage.
"""

import argparse
import ast
import dataclasses
import difflib
import functools
import pathlib
import subprocess
import sys
import tomllib

from tools import house, made
from tools.anchors import places, tokens

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Lost(ValueError):
    """A mistake is not found in its source, or the ledger is not as it should be."""


@dataclasses.dataclass(frozen=True, eq=False)
class Mistake:
    """One entry; `more` has what only its test knows."""

    name: str
    group: str
    room: str
    test: str
    file: str
    anchor: str
    by: str
    before: str
    after: str | None
    long: bool
    more: dict

    def __repr__(self):
        return f"{self.group}/{self.name}"

    @property
    def suffix(self):
        """The end of the file's name, which says the language."""
        return pathlib.Path(self.file).suffix

    @property
    def switch(self):
        """Whether it is a switch in a test program."""
        return self.after is None

    def find(self, text):
        """Returns where `before` begins and ends in the text of the file; raises Lost."""
        found = places(text, self.suffix).get(self.anchor)
        if found is None:
            raise Lost(f"{self!r}: {self.file} has no {self.anchor}")
        sought = words_of(self.before, self.suffix)
        matches = []
        for begin, end in found:
            inside = tokens(text[begin:end], self.suffix)
            for at in range(len(inside) - len(sought) + 1):
                if all(inside[at + i][0] == word for i, word in enumerate(sought)):
                    matches.append((begin + inside[at][1], begin + inside[at + len(sought) - 1][2]))
        if not sought or len(matches) != 1:
            count = len(matches)
            raise Lost(f"{self!r}: {self.anchor} in {self.file} has {count} times: {self.before}")
        return matches[0]

    def changed(self, text, other=None):
        """Returns the text of the file with the mistake, or with something other in its place."""
        begin, end = self.find(text)
        return text[:begin] + (self.after if other is None else other) + text[end:]

    def apply(self, folder, top=ROOT, within="."):
        """Writes the changed file into a folder that has the layout of the folder `within` of the
        project, and returns its path. A copy that is there is changed, else that of `top`."""
        if self.switch:
            raise Lost(f"{self!r} is a switch in {self.file}")
        path = folder / pathlib.Path(self.file).relative_to(within)
        text = (path if path.exists() else top / self.file).read_text(encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.changed(text), encoding="utf-8")
        return path

    def call(self, names):
        """Returns what `by` says, a call with literals or names as arguments; names: what they
        stand for."""
        return resolved(ast.parse(self.by, mode="eval").body, names)

    def node(self):
        """Returns what pytest calls the test that must notice."""
        return self.test.replace("NAME", self.name)


def words_of(text, suffix):
    """Returns the tokens of a text without their places."""
    return [token for token, _, _ in tokens(text, suffix)]


def resolved(node, names):
    """Returns the value of a syntax tree of names, attributes, calls and literals."""
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Attribute(value=value, attr=attribute):
            return getattr(resolved(value, names), attribute)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            more = {str(keyword.arg): resolved(keyword.value, names) for keyword in keywords}
            values = [resolved(argument, names) for argument in arguments]
            return resolved(function, names)(*values, **more)
    return ast.literal_eval(node)


def entry(name, row, group, room, settings):
    """Returns the Mistake of a row of the ledger."""
    settings, row = dict(settings), list(row)
    if isinstance(row[-1], dict):
        settings |= row.pop()
    if len(row) not in (3, 4) or not all(isinstance(text, str) for text in row):
        raise Lost(f"{group}/{name}: not place, who must notice, before and after: {row}")
    place, by, before, *after = row
    path, _, anchor = place.partition(": ")
    file = pathlib.PurePosixPath(settings.pop("within", ""), path)
    test, long = settings.pop("test", ""), settings.pop("long", False)
    where = (str(file), anchor or file.stem)
    last = after[0] if after else None
    return Mistake(name, group, room, test, *where, by, before, last, long, settings)


@functools.cache
def ledger(root=ROOT):
    """Returns {group: {name: Mistake}} of all rooms."""
    found: dict[str, dict[str, Mistake]] = {}
    for path in sorted(root.glob("*/mistakes.toml")):
        for group, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if group in found:
                raise Lost(f"{path.parent.name}/{path.name}: {group} is in another file, too")
            settings = {key: value for key, value in table.items() if not isinstance(value, list)}
            rows = {key: value for key, value in table.items() if isinstance(value, list)}
            found[group] = {
                name: mistake
                for name, row in rows.items()
                for mistake in [entry(name, row, group, path.parent.name, settings)]
                if house.is_there(mistake.file, root) and house.is_there(mistake.test, root)
            }
    return found


def of(group):
    """Returns {name: Mistake} of a group."""
    return ledger()[group]


def cases(*groups):
    """Returns the mistakes of groups as parameters of a test; the long ones are marked."""
    import pytest

    return [
        pytest.param(mistake, id=mistake.name, marks=pytest.mark.long if mistake.long else [])
        for group in groups
        for mistake in of(group).values()
    ]


def every():
    """Returns all mistakes."""
    return [mistake for group in ledger().values() for mistake in group.values()]


def named(name):
    """Returns the mistake GROUP/NAME."""
    for mistake in every():
        if repr(mistake) == name:
            return mistake
    raise Lost(f"there is no mistake {name}")


# --- The command ----------------------------------------------------------------------------------


def fault(mistake, top):
    """Returns what is wrong with an entry, or None."""
    path, _, test = mistake.node().partition("::")
    for name in (mistake.file, path):
        if not (top / name).is_file():
            return f"{mistake!r}: there is no {name}"
    try:
        mistake.find((top / mistake.file).read_text(encoding="utf-8"))
    except Lost as lost:
        return str(lost)
    if words_of(mistake.before, mistake.suffix) == words_of(mistake.after or "", mistake.suffix):
        return f"{mistake!r}: before and after are the same"
    if f"\ndef {test.partition('[')[0]}(" not in (top / path).read_text(encoding="utf-8"):
        return f"{mistake!r}: there is no test {mistake.test}"
    return None


def check(top=ROOT):
    """Returns what is wrong with the ledger, for the sources below a folder."""
    return [found for mistake in every() if (found := fault(mistake, top))]


def shown(mistake):
    """Returns the lines of a diff."""
    old = (ROOT / mistake.file).read_text(encoding="utf-8")
    new = mistake.changed(old)
    before, after = (f"{side}/{mistake.file}" for side in "ab")
    return difflib.unified_diff(old.splitlines(), new.splitlines(), before, after, lineterm="")


def run(mistakes):
    """Runs the tests that must notice; returns pytest's exit status."""
    nodes = list(dict.fromkeys(mistake.node() for mistake in mistakes))
    made.make([node.partition("::")[0] for node in nodes], long=True)  # what cannot be made fails
    command = [sys.executable, "-m", "pytest", "-m", "long or not long", *nodes]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__, usage="see --help")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list").add_argument("--room")
    commands.add_parser("check")
    commands.add_parser("show").add_argument("name")
    apply = commands.add_parser("apply")
    apply.add_argument("name")
    apply.add_argument("folder", type=pathlib.Path)
    commands.add_parser("run").add_argument("name", nargs="+")
    return parser.parse_args(words)


def main(words):
    given = arguments_of(words)
    try:
        if given.command == "list":
            for one in every():
                if given.room in (None, one.room):
                    print(f"{one!r}: {one.file}: {one.anchor}: {one.by}{' (long)' * one.long}")
        elif given.command == "check":
            found = check()
            print("\n".join(found) or f"{len(every())} planted mistakes are all found")
            return 1 if found else 0
        elif given.command == "show":
            print("\n".join(shown(named(given.name))))
        elif given.command == "apply":
            print(named(given.name).apply(given.folder))
        else:
            return run([named(name) for name in given.name])
    except Lost as lost:
        print(f"mistakes.py: {lost}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
