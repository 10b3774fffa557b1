# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What llvmlite gives as text only: sizes of types, lines and loops in metadata."""

from __future__ import annotations

import re


def stored_bytes(width: int) -> int:
    """Returns the bytes of an integer of `width` bits in memory, as on x86-64."""
    if width > 64:
        return -(-width // 64) * 8
    size = 1
    while 8 * size < width:
        size *= 2
    return size


class Kind:
    """A type of integers, arrays and structures, from LLVM's text; ValueError if it is another."""

    def __init__(self, text: str) -> None:
        self.parts: list[Kind] = []
        self.offsets: list[int] = []
        self.count = 1
        self.size = self.alignment = 1  # bytes
        text = text.strip()
        array = re.fullmatch(r"\[(\d+) x (.+)\]", text)
        packed = text.startswith("<{")
        if array:
            self.parts, self.count = [Kind(array[2])], int(array[1])
            self.size, self.alignment = self.count * self.parts[0].size, self.parts[0].alignment
            return
        if text.startswith("{") or packed:
            self.parts = [Kind(part) for part in divided(text[2:-2] if packed else text[1:-1])]
            self.structure(packed)
            return
        if not re.fullmatch(r"i\d+", text):
            raise ValueError(text)
        self.width = int(text[1:])
        self.size = stored_bytes(self.width)
        self.alignment = min(self.size, 8)

    def structure(self, packed: bool) -> None:
        place = 0
        self.alignment = 1 if packed else max((part.alignment for part in self.parts), default=1)
        for part in self.parts:
            step = 1 if packed else part.alignment
            place = -(-place // step) * step
            self.offsets.append(place)
            place += part.size
        self.size = -(-place // self.alignment) * self.alignment

    def element(self, gaps: bool = False) -> int:
        """Returns the bits of the widest integers that all of it is made of, one after the other.

        ValueError if there are gaps where none may be.
        """
        if not self.parts:
            return self.width
        widths = {part.element(gaps) for part in self.parts}
        holes = bool(self.offsets) and self.size != sum(part.size for part in self.parts)
        if holes and not gaps:
            raise ValueError("a structure with gaps between its members")
        if (holes or len(widths) > 1) and any(width != 8 * stored_bytes(width) for width in widths):
            raise ValueError("its parts are of several types")
        return min(widths)


def divided(text: str) -> list[str]:
    """Returns what commas separate, but for those inside of brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "[{<") - (sign in "]}>")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def named_types(text: str) -> dict[str, str]:
    """Returns the structures of a module that have names."""
    return dict(re.findall(r"^(%[\w.]+) = type (.+)$", text, re.M))


def without_names(kind: str, names: dict[str, str]) -> str:
    """Returns a type, or a constant, with the structures in place of their names."""
    for _ in names:  # a structure may be in another one
        for name, body in names.items():
            parts = re.split(rf"{re.escape(name)}(?![\w.])", kind)
            kind = body.join(parts)
    return kind


class Metadata:
    """Lines of instructions and of loops, from a module's text."""

    def __init__(self, text: str) -> None:
        self.nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?(.*)$", text, re.M))
        # Of each function and block, the instructions as text: LLVM numbers metadata otherwise if
        # it prints one instruction alone.
        self.texts: dict[str, dict[str, list[str]]] = {}
        self.heads: dict[str, str] = {}
        for match in re.finditer(r"^(define [^\n]*@(\w+)\([^\n]*)\{\n(.*?)^\}", text, re.M | re.S):
            self.heads[match[2]] = match[1]
            self.texts[match[2]] = self.blocks(match[3])

    @staticmethod
    def blocks(text: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        current: list[str] = []
        for line in text.splitlines():
            label = re.match(r'^"?([^\s":]+)"?:', line)
            if label:
                current = found[label[1]] = []
            elif line.startswith("    ") or line.strip() == "]":  # the cases of a switch
                current[-1] += line
            elif line.strip():
                current.append(line)
        return found

    def location(self, node: str) -> int:
        match = re.match(r"!DILocation\(line: (\d+)", self.nodes.get(node, ""))
        return int(match[1]) if match else 0

    def line_of(self, instruction: str) -> int:
        match = re.search(r"!dbg (!\d+)", instruction)
        return self.location(match[1]) if match else 0

    def function_line(self, function: str) -> int:
        match = re.search(r"!dbg (!\d+)", self.heads[function])
        line = re.search(r"\bline: (\d+)", self.nodes.get(match[1], "")) if match else None
        return int(line[1]) if line else 0

    def loop_nodes(self, branch: str) -> list[str]:
        match = re.search(r"!llvm\.loop (!\d+)", branch)
        return re.findall(r"!\d+", self.nodes.get(match[1], ""))[1:] if match else []

    def loop_line(self, branch: str) -> int:
        """Returns the line where the loop begins that this branch goes round, or 0."""
        return next((line for n in self.loop_nodes(branch) if (line := self.location(n))), 0)

    def unroll_is_left(self, branch: str) -> bool:
        """Whether LLVM was asked to unroll this loop and did not."""
        texts = [self.nodes.get(node, "") for node in self.loop_nodes(branch)]
        return any("loop.unroll.full" in text or "loop.unroll.count" in text for text in texts)
