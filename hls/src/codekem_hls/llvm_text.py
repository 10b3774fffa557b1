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


def size_of(kind: str) -> int:
    """Returns the bytes of an integer or an array; ValueError if the type is another one."""
    match = re.fullmatch(r"\[(\d+) x (.+)\]", kind)
    if match:
        return int(match[1]) * size_of(match[2])
    if not re.fullmatch(r"i\d+", kind):
        raise ValueError(kind)
    return stored_bytes(int(kind[1:]))


def indexed(kind: str, count: int) -> list[int]:
    """Returns the bytes that a step of each index of getelementptr moves on.

    ValueError if the type is not made of arrays and integers.
    """
    sizes = []
    for position in range(count):
        if position:
            match = re.fullmatch(r"\[(\d+) x (.+)\]", kind)
            if match is None:
                raise ValueError(kind)
            kind = match[2]
        sizes.append(size_of(kind))
    return sizes


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
