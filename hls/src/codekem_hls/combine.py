# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One text of a kernel and of the files that it includes.

Loops and messages are known by lines of that text; `told` says where they are in the files.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re

from .errors import Refused

LEFT = ("hls.h",)  # declarations only
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


@dataclasses.dataclass
class Combined:
    """A kernel's text; places: the file and line of each of its lines."""

    text: str
    places: list[tuple[str, int]]
    file: str

    def place(self, line: int) -> tuple[str, int]:
        return self.places[min(max(line, 1), len(self.places)) - 1]

    def told(self, text: str, file: str) -> str:
        """Returns a message with the lines of the files; `file` needs no name in it."""

        def one(number: str) -> str:
            name, line = self.place(int(number))
            return f"{line}" if name == file else f"{line} of {pathlib.PurePath(name).name}"

        def every(match: re.Match[str]) -> str:
            return match[1] + re.sub(r"\d+", lambda number: one(number[0]), match[2])

        return re.sub(r"\b(lines? )(\d+(?:, \d+)*)", every, text)

    def clang_place(self, match: re.Match[str]) -> str:
        """Returns FILE:LINE: of what clang says about the combined text."""
        if match[1] != self.file:
            return match[0]
        name, line = self.place(int(match[2]))
        return f"{name}:{line}:"

    def refused(self, found: Refused) -> Refused:
        """Returns what is said about a line of the combined text, about the file's line."""
        file, line = self.place(found.line)
        return Refused(self.told(found.message, file), file, line)


def combined(path: pathlib.Path) -> Combined:
    """Reads a kernel; each file that it includes from beside it is taken in once, at that place."""
    lines: list[str] = []
    places: list[tuple[str, int]] = []
    done: set[pathlib.Path] = set()

    def take(file: pathlib.Path) -> None:
        done.add(file.resolve())
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            inner = file.parent / match[1] if match else file
            if match and match[1] not in LEFT and inner.is_file():
                if inner.resolve() not in done:
                    take(inner)
                continue
            lines.append(line)
            places.append((str(file), number))

    take(path)
    return Combined("\n".join(lines) + "\n", places, str(path))
