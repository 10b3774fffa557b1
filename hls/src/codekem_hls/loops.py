# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Loops of the C, by label, and the pragmas that clang gets in place of the labels.

A label is known in its function; if other functions have the same one, directives call a loop
FUNCTION.LABEL.
"""

from __future__ import annotations

import dataclasses
import re

from .directives import Directives
from .errors import Refused

NO_FUNCTIONS = ("_BitInt", "__attribute__", "annotate", "if", "for", "while")


@dataclasses.dataclass
class Loop:
    label: str
    function: str
    start: int  # of what the pragma takes the place of
    end: int
    line: int

    @property
    def whole(self) -> str:
        return f"{self.function}.{self.label}"


def without_comments(text: str) -> str:
    """Returns C with blanks in place of comments and of what stands in quotation marks."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    quoted = r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    return re.sub(quoted, blank, text, flags=re.S)


def bodies(text: str) -> list[tuple[int, int, str]]:
    """Returns where the bodies of functions are: (first place, last place, name)."""
    directive = r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*"
    code = re.sub(directive, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.M)
    found = []
    depth, before, start = 0, 0, 0
    for match in re.finditer(r"[{};]", code):
        if match[0] == "{":
            if depth == 0:
                start = match.start()
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                names = re.findall(r"\b([A-Za-z_]\w*)\s*\(", code[before:start])
                name = next((one for one in names if one not in NO_FUNCTIONS), "")
                found.append((start, match.end(), name))
                before = match.end()
        elif depth == 0:
            before = match.end()
    return found


def labelled_loops(text: str, file: str) -> list[Loop]:
    """Returns the loops with a label."""
    found: list[Loop] = []
    code = without_comments(text)
    functions = bodies(code)
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*:(?=\s*(for|while|do)\b)", code):
        line = text.count("\n", 0, match.start(2)) + 1
        before = re.split(r"[;{}]", code[: match.start()])[-1]
        if match[1] == "default" or re.search(r"\bcase\b[^:]*$", before):
            continue
        body = next(((f, e) for f, e, _ in functions if f < match.start() < e), (0, 0))
        wanted = re.search(rf"\bgoto\s+{match[1]}\b", code[slice(*body)])
        inside = (name for first, last, name in functions if first < match.start() < last)
        # A label to which the C goes stays.
        start = match.end() if wanted else match.start()
        loop = Loop(match[1], next(inside, ""), start, match.end(), line)
        for other in found:
            if other.whole == loop.whole:
                raise Refused(f"a second loop {loop.label}; give it another label", file, line)
            if other.line == line:
                raise Refused(
                    f"loops {other.label} and {loop.label} are on one line; use two", file, line
                )
        found.append(loop)
    return found


def resolve(directives: Directives, found: list[Loop], file: str) -> dict[str, str]:
    """Makes directives call loops by the names of reports; returns these, by FUNCTION.LABEL."""
    same: dict[str, list[Loop]] = {}
    for loop in found:
        same.setdefault(loop.label, []).append(loop)
    shown = {loop.whole: loop.label if len(same[loop.label]) == 1 else loop.whole for loop in found}

    def name_of(name: str) -> str:
        if name in shown:
            return shown[name]
        several = same.get(name, [])
        if not several:
            raise directives.refuse(name, f"no loop of {file} has the label {name}")
        if len(several) > 1:
            all_of = ", ".join(f'"{loop.whole}"' for loop in several)
            raise directives.refuse(name, f"there is more than one loop {name}: {all_of}")
        return name

    for table in (directives.pipeline, directives.unroll, directives.turns):
        for name in list(table):
            value = table.pop(name)
            table[name_of(name)] = value
            directives.lines[name_of(name)] = directives.lines.get(name, 1)
            if name in directives.inherited:
                directives.inherited.add(name_of(name))
    return shown


def with_pragmas(text: str, directives: Directives, file: str) -> tuple[str, dict[int, str]]:
    """Puts pragmas in place of the labels of loops; returns the C and the loops by line."""
    found = labelled_loops(text, file)
    shown = resolve(directives, found, file)
    parts, end = [], 0
    for loop in found:
        factor = directives.unroll.get(shown[loop.whole])
        how = "disable" if factor is None else "full"
        pragma = f"unroll_count({factor})" if factor else f"unroll({how})"
        parts += [text[end : loop.start], f'_Pragma("clang loop {pragma}")']
        end = loop.end
    return "".join([*parts, text[end:]]), {loop.line: shown[loop.whole] for loop in found}
