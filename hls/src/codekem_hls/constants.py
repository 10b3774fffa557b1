# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Types and tables of constants, which llvmlite gives as text only.

LLVM prints an integer whose top bit is set as a negative number; here all are modulo 2**width.
"""

from __future__ import annotations

import re

TOKEN = re.compile(r'\s*(c"[^"]*"|<\{|\}>|[\[\]{},]|[^\s\[\]{},<>]+|.)', re.S)
CLOSING = {"[": "]", "{": "}", "<{": "}>"}
UNKNOWN = ("zeroinitializer", "undef", "poison")  # any value is right for the last two


class Parser:
    """Reads types and values; ValueError says what is not an integer."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = TOKEN.findall(text)
        self.place = 0

    def next(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1] if self.place <= len(self.tokens) else ""

    def kind(self) -> list[int]:
        """Returns the widths of all integers of a type, in their order."""
        first = self.next()
        if first == "[":
            count = int(self.next())
            self.next()  # x
            inside = self.kind()
            self.next()
            return count * inside
        if first in CLOSING:
            found = self.kind()
            while self.next() == ",":
                found += self.kind()
            return found
        if not re.fullmatch(r"i\d+", first):
            raise ValueError(f"{first} is not an integer")
        return [int(first[1:])]

    def value(self, widths: list[int]) -> list[int]:
        """Returns the numbers of a value, whose type has these widths."""
        first = self.next()
        if first in UNKNOWN:
            return [0] * len(widths)
        if first.startswith('c"'):
            # A backslash is doubled, what cannot be printed has two digits after one.
            pairs = re.findall(r"\\([0-9A-Fa-f]{2})|(?:\\(?=\\))?(.)", first[2:-1], re.S)
            return [int(code, 16) if code else ord(sign) for code, sign in pairs]
        if first in CLOSING:
            found: list[int] = []
            while True:
                found += self.value(self.kind())
                if self.next() == CLOSING[first]:
                    return found
        if first in ("true", "false"):
            return [int(first == "true")]
        if not re.fullmatch(r"-?\d+", first):
            raise ValueError(f"{first or 'nothing'} is not an integer")
        return [int(first) % (1 << widths[0])]


def same_width(widths: list[int]) -> int:
    if len(set(widths)) != 1:
        raise ValueError("its parts are of several types")
    return widths[0]


def table_of(text: str) -> tuple[int, list[int]]:
    """Returns the width and the elements of "TYPE VALUE", one after the other."""
    parser = Parser(text)
    widths = parser.kind()
    numbers = parser.value(widths)
    if len(numbers) != len(widths):
        raise ValueError(f"{len(numbers)} values for {len(widths)} elements")
    return same_width(widths), numbers
