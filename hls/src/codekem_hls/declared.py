# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arguments of functions as the C declares them."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from .c_types import Layout, NoInteger, Types


@dataclasses.dataclass
class Declared:
    """An argument as the C declares it."""

    name: str
    line: int
    layout: Layout | None  # of a scalar, or of what an array begins with; None if it is wrong
    pointer: bool
    constant: bool  # elements are const
    public: bool
    wrong: str = ""  # why it cannot be the argument of a module
    change: tuple[int, int, bytes] | None = None  # from, to, what to put there in the C


def element_of(kind: str) -> str:
    """Returns the type that a pointer points to: int (*)[8] to int [8], int * to int."""
    if "(*" in kind:
        return re.sub(r"\(\*[^()]*\)", "", kind)
    return kind.split("*", maxsplit=1)[0]


def argument(node: dict[str, Any], types: Types, line: int, text: bytes) -> Declared:
    kind, name = node["type"]["qualType"], node.get("name", "")
    public = any(part["kind"] == "AnnotateAttr" for part in node.get("inner", []))
    pointers = kind.count("*")
    element = element_of(kind)
    found = Declared(
        name, line, None, pointers > 0, re.search(r"\bconst\b", element) is not None, public
    )
    try:
        if pointers > 1 or re.search(r"\)\s*\(", kind):
            raise NoInteger("a pointer to a pointer or to a function")
        found.layout = types.layout(element)
        assert found.layout.element
        if not pointers and found.layout.leaves[0].path:
            raise NoInteger(f"a structure; pass it as an array, {name}[static 1]")
    except NoInteger as error:
        found.wrong = f"argument {name}: {kind} is neither an integer nor an array of integers"
        found.wrong += f": {error}" if str(error) != element.strip() else ""
    found.change = with_length(node, types, text)
    return found


def with_length(node: dict[str, Any], types: Types, text: bytes) -> tuple[int, int, bytes] | None:
    """Returns what to put where in the C, so that an array is at least as long as it is declared.

    In C, a[8] is a pointer and no more, and so is v of a type that is a name for an array; LLVM
    learns the length from a[static 8].
    """
    name = node.get("name", "").encode()
    begin, place = node["range"]["begin"].get("offset"), node["loc"].get("offset")
    if "*" not in node["type"]["qualType"] or place is None or not name:
        return None
    end = place + len(name)
    if text[place:end] != name:
        return None
    bracket = re.match(rb"\s*\[\s*(?!static\b|\]|\*)", text[end:])
    if bracket:
        return end + bracket.end(), end + bracket.end(), b"static "
    words = text[begin:place].decode().split() if begin is not None else []
    length = types.length(words[-1]) if words else None
    if length is None:
        return None
    first = length[1].replace("[", "[static ", 1)
    whole = " ".join([*words[:-1], length[0], f"{name.decode()}{first}"])
    return begin, end, whole.encode()


def declarations(tree: dict[str, Any], text: str, read: str) -> dict[str, list[Declared]]:
    """Returns the arguments of all functions that are defined.

    text: the C without comments; read: what clang has read.
    """
    types = Types(tree)
    data = read.encode()
    found = {}
    for node in tree["inner"]:
        inner = node.get("inner", [])
        if node["kind"] == "FunctionDecl" and any(i["kind"] == "CompoundStmt" for i in inner):
            place = re.search(rf"\b{node['name']}\s*\([^;{{}}]*\)\s*{{", text)
            line = text.count("\n", 0, place.start()) + 1 if place else 1
            params = [part for part in inner if part["kind"] == "ParmVarDecl"]
            found[node["name"]] = [argument(part, types, line, data) for part in params]
    return found


def variables(tree: dict[str, Any], text: str) -> dict[str, Declared]:
    """Returns the variables outside functions."""
    types = Types(tree)
    found: dict[str, Declared] = {}
    for node in tree["inner"]:
        if node["kind"] != "VarDecl":
            continue
        name, kind = node["name"], node["type"]["qualType"]
        place = re.search(rf"\b{name}\b", text)
        line = text.count("\n", 0, place.start()) + 1 if place else 1
        one = found[name] = Declared(name, line, None, True, False, False)
        try:
            one.layout = types.layout(kind)
            assert one.layout.element
        except NoInteger as error:
            one.wrong = f"variable {name}: {kind} is not made of integers"
            one.wrong += f": {error}" if str(error) != kind else ""
    return found


def with_lengths(text: str, functions: dict[str, list[Declared]], modules: set[str]) -> str:
    """Returns the C with the lengths of the arrays that modules get."""
    data = text.encode()
    several = [one.change for name in modules for one in functions.get(name, []) if one.change]
    for begin, end, new in sorted(several, reverse=True):
        data = data[:begin] + new + data[end:]
    return data.decode()
