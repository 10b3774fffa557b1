# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes what tests showed, for the tables in the documents: files of rows, each of some sources.

A test notes by a property of its node that bears the record's name. With the record's variable in
the environment the notes of the tests that passed are merged into the file that it names.
"""

import dataclasses
import datetime
import functools
import json
import os
import pathlib
from collections.abc import Callable

from tools import artefacts
from tools.source_folders import included_as

ROOT = pathlib.Path(__file__).resolve().parent.parent


@functools.cache
def hash_of_folders(folders=None):
    """Returns the hash of folders of src/, or of all, and of the files that lie in none; comments
    and blanks do not count, nor does the library whose folder holds a file."""
    names = {
        pathlib.PurePosixPath("src", included_as(path.relative_to(ROOT).as_posix())): path
        for path in (ROOT / "src").rglob("*")
        if path.suffix in (".c", ".h", ".S", ".def")
    }
    lines = [
        f"{name} {artefacts.digest(artefacts.words(path))}"
        for name, path in sorted(names.items())
        if folders is None or len(name.parts) == 2 or name.parts[1] in folders
    ]
    return artefacts.digest("\n".join(lines))


@dataclasses.dataclass(frozen=True)
class Record:
    """name: of the notes; variable: of the environment; path: the project's file.

    A row is what has the same values of key; its dictionary `things` says of each `thing` of the
    notes which `parts` were noted. sources(row) returns the hash of what a row is about.
    """

    name: str
    variable: str
    path: pathlib.Path
    key: tuple[str, ...]
    thing: str
    things: str
    parts: str
    sources: Callable

    def merge(self, rows, notes, today):
        """Returns rows with notes: those of the same sources are joined, of older ones go."""
        found = {tuple(row[name] for name in self.key): row for row in rows}
        for note in notes:
            key = tuple(note[name] for name in self.key)
            sources = self.sources(note)
            row = found.get(key)
            if row is None or row["sources"] != sources:
                row = {name: note[name] for name in self.key}
                row |= {self.things: {}, "sources": sources}
                found[key] = row
            row["date"] = today
            things = row[self.things]
            parts = {*things.get(note[self.thing], []), *note[self.parts]}
            things[note[self.thing]] = sorted(parts)
        for row in found.values():
            row[self.things] = dict(sorted(row[self.things].items()))
        return [found[key] for key in sorted(found)]

    def read(self):
        """Returns the rows of the project's file; none if there is no such file."""
        return read(self.path)

    def is_old(self, row):
        """Says whether a row is about other sources than those of this tree."""
        return row["sources"] != self.sources(row)

    def noted(self, terminalreporter):
        """Yields what tests that passed have noted as properties of their nodes."""
        for report in terminalreporter.stats.get("passed", []):
            for name, value in getattr(report, "user_properties", []):
                if name == self.name and report.when == "call":
                    yield value

    def record(self, terminalreporter, noted=None):
        """Merges the notes of the tests that passed, or what noted(terminalreporter) yields, into
        the file that the environment names."""
        if self.variable not in os.environ:
            return
        notes = list((noted or self.noted)(terminalreporter))
        path = pathlib.Path(os.environ[self.variable])
        write(self.merge(read(path), notes, today()), path)
        terminalreporter.write_line(f"{self.name}: {len(notes)} notes merged into {path}")


def today():
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def read(path):
    """Returns the rows of a file; none if there is no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(rows, path):
    """Writes a file, a line for each row."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def page_with(page, begin, end, lines):
    """Returns the text of a page with these lines between those two."""
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"the page lacks {begin!r} or {end!r}")
    return "\n".join([before + begin, "", *lines, "", end + after])
