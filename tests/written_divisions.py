# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads the functions of a file of C or assembly, and the divisions in them as they are written."""

import functools
import re
from typing import ClassVar

# Comments, strings, words and numbers, operators of which a sign is a part, any other sign.
TOKEN = re.compile(
    r"""(?P<skipped>/\*.*?\*/|//[^\n]*|\\\n|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')"""
    r"|(?P<word>\w+)|(?P<sign>->|[/%]=?|\S)|(?P<end>\n)",
    re.DOTALL,
)
DIVISIONS = ("/", "%", "/=", "%=")
OPENING = {")": "(", "]": "["}
CLOSING = {"(": ")", "[": "]"}
# Divisors by which no compiler divides: they become shifts and masks.
POWERS_OF_TWO = {str(1 << bit) for bit in range(32)}


def tokens_of(text):
    """Returns (token, line) of each token of C, without those of directives."""
    found, line, directive, first = [], 1, False, True
    for match in TOKEN.finditer(text):
        if match["end"]:
            directive, first = False, True
        elif not match["skipped"]:
            directive = directive or (first and match[0] == "#")
            first = False
            if not directive:
                found.append((match[0], line))
        line += match[0].count("\n")
    return found


def skip(tokens, at, step):
    """Returns the index of the bracket that belongs to the one at an index."""
    pairs = CLOSING if step > 0 else OPENING
    depth = 0
    while True:
        if tokens[at] in pairs:
            depth += 1
        elif tokens[at] in pairs.values():
            depth -= 1
            if depth == 0:
                return at
        at += step


def before(tokens, at):
    """Returns the index at which the operand in front of an operator begins."""
    at -= 1
    while True:
        if tokens[at] in OPENING:
            at = skip(tokens, at, -1)
        name = at > 0 and (tokens[at] in CLOSING and re.match(r"\w|[)\]]", tokens[at - 1]))
        if name and tokens[at - 1] not in ("return", "sizeof"):
            at -= 1
        elif at > 1 and tokens[at - 1] in (".", "->"):
            at -= 2
        else:
            return at


def behind(tokens, at):
    """Returns the index behind the operand that follows an operator."""
    at += 1
    while tokens[at] in ("-", "~", "!", "*", "&", "sizeof"):
        at += 1
    while True:
        if tokens[at] in CLOSING:
            cast = tokens[at] == "("
            at = skip(tokens, at, 1) + 1
            if cast and re.match(r"\w|\(", tokens[at]):
                continue
        else:
            at += 1
        if at >= len(tokens) or tokens[at] not in ("(", "[", ".", "->"):
            return at
        at += tokens[at] in (".", "->")


def divisions_in(tokens, macros):
    """Returns the divisions in a list of tokens, "left / right" each, but by powers of two."""
    padded = ["", *tokens, ";", ";"]
    found = []
    for at, token in enumerate(padded):
        if token in DIVISIONS:
            left = "".join(padded[before(padded, at) : at])
            divisor = padded[at + 1 : behind(padded, at)]
            right = "".join(divisor)
            value = macros.get(right, divisor)
            if len(value) != 1 or value[0] not in POWERS_OF_TWO:
                found.append(f"{left} {token} {right}")
    return found


def name_of(head):
    """Returns the name of the function whose head begins with these tokens: f of `int f(int x)`,
    and of `int TEMPLATE_NAME(f)(int x)`; "" if it is none."""
    at = 0
    while at < len(head) and head[at] not in ("(", "=", "{"):
        at = skip(head, at + 1, 1) + 1 if head[at] == "__attribute__" else at + 1
    if at == len(head) or head[at] != "(":
        return ""
    end = skip(head, at, 1)
    return "".join(head[at + 1 : end]) if head[end + 1 : end + 2] == ["("] else head[at - 1]


class Source:
    """A C file: its functions, and which line belongs to which."""

    def __init__(self, text):
        self.macros = {
            match[1]: [token for token, _ in tokens_of(match[2].replace("\\\n", " "))]
            for match in re.finditer(r"^#define (\w+)((?:\\\n|[^\n])*)", text, re.MULTILINE)
        }
        self._pieces = []  # (first line, last line, name, tokens)
        piece, depth, first = [], 0, 0
        for token, line in tokens_of(text):
            first = first if piece else line
            piece.append(token)
            depth += {"{": 1, "}": -1}.get(token, 0)
            # A macro that is called where functions begin makes one.
            made = token == ")" and piece[1] == "(" and skip(piece, len(piece) - 1, -1) == 1
            if depth == 0 and (token in ("}", ";") or made):
                name = "".join(piece) if made else name_of(piece)
                self._pieces.append((first, line, name, piece))
                piece = []
        assert depth == 0, "braces that do not belong together"

    def function_at(self, line):
        """Returns the name of the function around a line, "" outside of all."""
        return next((n for first, last, n, _ in self._pieces if first <= line <= last), "")

    def divisions(self, name, macros=None):
        """Returns the divisions as they are written in the functions of a name, in order, those of
        the macros that they use among them."""
        macros = (macros or {}) | self.macros
        found = []
        for _, _, one, piece in self._pieces:
            if one == name:
                found += divisions_in(piece, macros)
                used, waiting = set(), [*piece]
                while waiting:
                    word = waiting.pop()
                    if word in macros and word not in used:
                        used.add(word)
                        waiting += macros[word]
                for macro in sorted(used):
                    found += divisions_in(macros[macro], macros)
        return found


class Assembly:
    """A file of assembly: a function is what follows a label that is no number."""

    macros: ClassVar = {}

    def __init__(self, text):
        self._lines = text.splitlines()

    def function_at(self, line):
        labels = (re.match(r"([A-Za-z_]\w*):", text) for text in reversed(self._lines[:line]))
        return next((match[1] for match in labels if match), "")

    def divisions(self, name, macros=None):
        """Returns the instructions that divide, as they are written."""
        del macros
        return [
            " ".join(text.split())
            for number, text in enumerate(self._lines, 1)
            if re.match(r"\s*[us]?(?:div|rem)\w*\s", text) and self.function_at(number) == name
        ]


@functools.cache
def source_of(path):
    text = path.read_text(encoding="utf-8")
    return Assembly(text) if path.suffix == ".S" else Source(text)
