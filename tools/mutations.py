# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small mistakes in the functions of src/: where they can be made, and a choice of them.

A place is a token in the body of a function in a .c or .h file, of whatever back end; comments,
strings, preprocessor lines, assertions, attributes, and declarations up to their `=` have none.
Each place has one or two changes: another operator, a number more or less by one, a condition
negated, a statement left out, two arguments exchanged, or an operation of vectors exchanged with a
related one. A seed puts all places in an order, by a hash of the seed and of where they are in
their function; so each place is equally likely, and a change elsewhere leaves the order alone, and
so does the prefix of a name.
"""

import dataclasses
import functools
import hashlib
import itertools
import pathlib
import re

from tools.source_folders import included_as

TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)"
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')"""
    r"|(?P<number>\d[\w.]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S)",
    re.DOTALL,
)


def table(text):
    """Returns {first word: the others} of lines divided by commas."""
    lines = [line.split() for line in text.split(",")]
    return {words[0]: words[1:] for words in lines}


# What takes the place of an operator with two operands.
OPERATORS = table(
    "< <=, <= <, > >=, >= >, == !=, != ==, + -, - +, * +, / *, % *, << >>, >> <<, & |, | &,"
    "^ | &, && ||, || &&, += -=, -= +=, &= |=, |= &=, ^= |= &=, <<= >>=, >>= <<=, ++ --, -- ++"
)
UNARY_TOO = {"+", "-", "*", "&"}
# Parts of the names of operations on vectors, and what takes their place.
WORDS = table(
    "xor or, and or, or and, andnot and, add sub, sub add, left right, right left, lo hi, hi lo,"
    "low high, high low, slli srli, srli slli, sllv srlv, srlv sllv, min max, max min,"
    "unpacklo unpackhi, unpackhi unpacklo, veorq vorrq, vandq vorrq, vorrq vandq, vbicq vandq,"
    "vzip1q vzip2q, vzip2q vzip1q, vtrn1q vtrn2q, vtrn2q vtrn1q, vshlq vshrq, vshrq vshlq"
)
# Their arguments are for the compiler, or for assertions.
NOT_CODE = {"assert", "static_assert", "_Static_assert", "__attribute__", "__asm__", "asm"}
# What begins a statement that is no expression.
KEYWORDS = {
    *("if", "else", "for", "while", "do", "switch", "case", "default", "return", "break"),
    *("continue", "goto", "typedef", "struct", "union", "enum"),
}
PREFIX = "ckem_"  # of names that a library shares between its files
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")
OPEN, CLOSED = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A change of a file below src/: `before` at `offset` becomes `after`."""

    file: str
    function: str
    place: int  # the token's number in its function
    line: int
    offset: int
    before: str
    after: str


def apply(mutant, text):
    """Returns the changed text of the file of a mutant, whose values are {name: value}."""
    end = mutant["offset"] + len(mutant["before"])
    if text[mutant["offset"] : end] != mutant["before"]:
        raise ValueError(f"{mutant['file']} has changed")
    return text[: mutant["offset"]] + mutant["after"] + text[end:]


class Source:
    """The tokens of a C source: kinds, texts, offsets, and the partners of brackets."""

    def __init__(self, text):
        self.text = text
        found = [match for match in TOKEN.finditer(text) if match.lastgroup != "blank"]
        self.kinds = [match.lastgroup for match in found]
        self.texts = [match[0] for match in found]
        self.offsets = [match.start() for match in found]
        self.partner = {}
        opened = []
        for i, token in enumerate(self.texts):
            if token in OPEN:
                opened.append(i)
            elif token in CLOSED and opened:
                self.partner[i] = opened.pop()
                self.partner[self.partner[i]] = i

    def at(self, i):
        """Returns the text of a token; empty outside of the file."""
        return self.texts[i] if 0 <= i < len(self.texts) else ""

    def span(self, first, last):
        """Returns (offset, text) from one token to another, both included."""
        start = self.offsets[first]
        return start, self.text[start : self.offsets[last] + len(self.texts[last])]

    def functions(self):
        """Yields (name, first token of the body, token behind it)."""
        i = 0
        while i < len(self.texts):
            if self.texts[i] == "{":
                end = self.partner.get(i, len(self.texts))
                if self.at(i - 1) == ")" and (name := self.function_before(i - 1)):
                    yield name, i + 1, end
                i = end
            i += 1

    def function_before(self, close):
        """Returns the name of the function whose head ends with this bracket."""
        start = self.partner.get(close, 0)
        if self.at(start - 1) == ")":  # NAME(function)(arguments)
            inner = self.partner[start - 1]
            return "_".join(self.texts[inner + 1 : start - 1])
        if self.at(start - 1) in NOT_CODE:
            return self.function_before(start - 2)
        return self.at(start - 1) if self.kinds[start - 1] == "name" else None

    def statement_end(self, i, end):
        """Returns the `;` that ends the statement at i, or None."""
        while i < end and self.texts[i] not in (";", "{", "}"):
            i = self.partner.get(i, end) if self.texts[i] in "([" else i
            i += 1
        return i if self.at(i) == ";" and i < end else None

    def is_declaration(self, i):
        """Says whether a statement that begins here declares something: two words, or a *."""
        if self.kinds[i] != "name" or self.texts[i] in KEYWORDS:
            return False
        j = i + 1
        while self.at(j) == "*":
            j += 1
        return self.kinds[j : j + 1] == ["name"] and (j == i + 1 or self.at(j + 1) in "=;,[")


def statements(source, first, end):
    """Yields the tokens of a body at which statements begin."""
    begins = True
    i = first
    while i < end:
        token = source.texts[i]
        if begins and token not in ("{", "}", ";"):
            yield i
        if token in ("if", "for", "while", "switch") and source.at(i + 1) == "(":
            if token == "for":
                yield i + 2
            i = source.partner[i + 1]
            begins = True
        else:
            label = token == ":" and (source.at(i - 1) == "default" or source.at(i - 2) == "case")
            begins = token in ("{", "}", ";", "else", "do") or label
        i += 1


def left_out(source, first, end):
    """Returns the tokens of a body that are declarations up to `=`, or in NOT_CODE."""
    out = set()
    for i in range(first, end):
        if source.texts[i] in NOT_CODE and source.at(i + 1) == "(":
            out |= set(range(i, source.partner[i + 1] + 1))
    for i in statements(source, first, end):
        if source.is_declaration(i):
            while i < end and source.texts[i] not in ("=", ";"):
                out.add(i)
                i += 1
    return out


def operand_ends(source, i):
    """Says whether a token ends an operand, so that the next operator has two."""
    if source.kinds[i] == "sign":
        return source.texts[i] in (")", "]")
    return source.texts[i] not in {*KEYWORDS, "sizeof"}


def changes_of_number(text):
    """Returns a number more by one and less by one, in the same notation."""
    match = INTEGER.fullmatch(text)
    if not match:
        return []
    value = int(match[1], 0) if match[1].startswith(("0x", "0X")) else int(match[1])
    as_text = hex if match[1].startswith(("0x", "0X")) else str
    return [f"{as_text(n)}{match[2]}" for n in (value + 1, value - 1) if n >= 0]


def changes_of_name(text):
    """Returns the names of related operations on vectors."""
    parts = text.split("_")
    return [
        "_".join([*parts[:k], *WORDS[part], *parts[k + 1 :]])
        for k, part in enumerate(parts)
        if part in WORDS and len(parts) > 1
    ]


def arguments(source, i):
    """Returns the first and last token of each argument of a call whose name is token i."""
    close, found, start = source.partner[i + 1], [], i + 2
    j = start
    while j <= close:
        if source.texts[j] == "," or j == close:
            found.append((start, j - 1))
            start = j + 1
        elif source.texts[j] in OPEN:
            j = source.partner[j]
        j += 1
    return [pair for pair in found if pair[0] <= pair[1]]


def changes_of_token(source, i):
    """Yields (offset, before, after) for a token that is an operator, a number or a name."""
    text, offset, kind = source.texts[i], source.offsets[i], source.kinds[i]
    if kind == "sign" and text in OPERATORS:
        if text not in UNARY_TOO or operand_ends(source, i - 1):
            yield from ((offset, text, after) for after in OPERATORS[text])
    elif kind == "number":
        yield from ((offset, text, after) for after in changes_of_number(text))
    elif text in ("if", "while") and source.at(i + 1) == "(":
        start, condition = source.span(i + 1, source.partner[i + 1])
        yield start, condition, f"(!{condition})"
    elif kind == "name" and source.at(i + 1) == "(" and text not in {*KEYWORDS, "sizeof"}:
        yield from ((offset, text, after) for after in changes_of_name(text))
        for (first, last), (second, end) in itertools.pairwise(arguments(source, i)):
            start, before = source.span(first, end)
            parts = source.span(first, last)[1], source.span(second, end)[1]
            if parts[0] != parts[1]:
                yield start, before, f"{parts[1]}, {parts[0]}"


@functools.cache
def places(text):
    """Returns (function, token's number in it, changes) for all places of a source."""
    source, found = Source(text), []
    for name, first, end in source.functions():
        out = left_out(source, first, end)
        begins = set(statements(source, first, end))
        for i in range(first, end):
            if i in out:
                continue
            changes = list(changes_of_token(source, i))
            last = source.statement_end(i, end) if i in begins else None
            if last and source.texts[i] not in KEYWORDS and source.at(i - 1) != "(":
                offset, statement = source.span(i, last)
                if not source.is_declaration(i) and not statement.startswith("(void)"):
                    changes.append((offset, statement, "{}"))
            if changes:
                found.append((name, i - first, changes))
    return found


def number_of(*parts):
    """Returns a number that these parts alone decide."""
    return int.from_bytes(hashlib.sha256("\0".join(map(str, parts)).encode()).digest())


def all_mutants(root, seed):
    """Returns one Mutant for each place below root/src, in the order that the seed gives."""
    found = []
    for path in sorted(pathlib.Path(root, "src").rglob("*.[ch]")):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        seen = {}
        for function, place, changes in places(text):
            again = seen[function, place] = seen.get((function, place), 0) + 1
            # The draw does not depend on the library whose folder holds a file.
            where = f"src/{included_as(file)}", function.removeprefix(PREFIX)
            key = number_of(seed, *where, place, again)
            offset, before, after = changes[number_of(key) % len(changes)]
            line = text.count("\n", 0, offset) + 1
            found.append((key, Mutant(file, function, place, line, offset, before, after)))
    return [mutant for _, mutant in sorted(found, key=lambda pair: pair[0])]
