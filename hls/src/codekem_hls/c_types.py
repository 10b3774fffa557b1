# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Types of the C as clang's AST spells them: the integers that a type is made of, and where.

Sizes are those of x86-64, as in the IR.
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

from .llvm_text import stored_bytes

INTEGERS = {"char": 8, "bool": 1, "_Bool": 1, "short": 16, "int": 32, "long": 64, "__int128": 128}
QUALIFIERS = ("const", "volatile", "restrict", "__restrict", "static", "register")
BASIC = (*INTEGERS, "signed", "unsigned", "_BitInt")


@dataclasses.dataclass(frozen=True)
class Leaf:
    """The integers of one name within a type: one, or those of an array."""

    path: str  # "" for the type itself, else the names of members, as ".x" or ".a.b"
    width: int  # bits that are used
    signed: bool
    boolean: bool
    offset: int  # bytes
    dims: tuple[tuple[int, int], ...] = ()  # of arrays, outside first: count, bytes from one on

    @property
    def stored(self) -> int:
        """Bits of an element as it is accessed: a bool is a byte in memory."""
        return 8 if self.boolean else self.width


@dataclasses.dataclass(frozen=True)
class Layout:
    size: int  # bytes
    alignment: int
    leaves: tuple[Leaf, ...]

    @property
    def element(self) -> tuple[int, bool]:
        """The bits of the integers that all of it is made of, and whether these are 0 or 1.

        Members of several widths are a memory of the narrowest ones. NoInteger if there are gaps.
        """
        widths = {leaf.stored for leaf in self.leaves}
        whole = all(width == 8 * stored_bytes(width) for width in widths)
        filled = sum(
            stored_bytes(leaf.stored) * math.prod(count for count, _ in leaf.dims)
            for leaf in self.leaves
        )
        if filled != self.size:
            raise NoInteger("a structure with gaps between its members; put the widest first")
        if len(widths) > 1 and not whole:
            raise NoInteger("a structure whose members are parts of bytes and whole ones")
        return min(widths), all(leaf.boolean for leaf in self.leaves)


class NoInteger(ValueError):
    """A type that is not made of integers; the text says which part."""


class Types:
    """All types that a file names."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.typedefs: dict[str, str] = {}
        self.enums: dict[str, str] = {}
        self.records: dict[str, dict[str, Any]] = {}
        known: dict[str, dict[str, Any]] = {}
        for node in tree["inner"]:
            self.declare(node, known)

    def declare(self, node: dict[str, Any], known: dict[str, dict[str, Any]]) -> None:
        kind, name = node["kind"], node.get("name", "")
        if kind == "RecordDecl":
            known[node["id"]] = node
            for inner in node.get("inner", []):
                self.declare(inner, known)
            if name and node.get("completeDefinition"):
                self.records[f"{node['tagUsed']} {name}"] = node
        elif kind == "EnumDecl":
            known[node["id"]] = node
            fixed = node.get("fixedUnderlyingType", {})
            self.enums[f"enum {name}"] = fixed.get("qualType", "unsigned int")
        elif kind == "TypedefDecl":
            spelling = node["type"]["qualType"]
            owned = next((i["ownedTagDecl"] for i in node["inner"] if "ownedTagDecl" in i), None)
            if owned is not None and not owned.get("name"):  # typedef struct {...} name;
                tag = known.get(owned["id"], {})
                spelling = f"{'enum' if tag.get('kind') == 'EnumDecl' else 'struct'} {name}"
                if tag.get("kind") == "RecordDecl":
                    self.records[spelling] = tag
            self.typedefs[name] = spelling

    def layout(self, spelling: str) -> Layout:
        """Returns what a type is made of; NoInteger if that is not integers alone."""
        text = " ".join(word for word in spelling.split() if word not in QUALIFIERS)
        array = re.fullmatch(r"(.*?)\s*\[(\d+)\](.*)", text)
        if array:
            inner = self.layout(f"{array[1]}{array[3]}")
            count = int(array[2])
            leaves = tuple(
                dataclasses.replace(leaf, dims=((count, inner.size), *leaf.dims))
                for leaf in inner.leaves
            )
            return Layout(count * inner.size, inner.alignment, leaves)
        if text in self.typedefs and self.typedefs[text] != text:
            return self.layout(self.typedefs[text])
        if text in self.records:
            return self.record(text)
        if text.startswith("enum "):
            return self.layout(self.enums.get(text, "unsigned int"))
        return integer(text)

    def record(self, name: str) -> Layout:
        node = self.records[name]
        if node["tagUsed"] != "struct":
            raise NoInteger(f"{name}; write a structure, or shift and mask")
        if any(part["kind"] not in ("FieldDecl", "RecordDecl") for part in node.get("inner", [])):
            raise NoInteger(f"{name} with an attribute; let the compiler lay it out")
        place, alignment, leaves = 0, 1, []
        for field in node.get("inner", []):
            if field["kind"] != "FieldDecl":
                continue
            if field.get("isBitfield") or "name" not in field:
                raise NoInteger(f"{name} with bit-fields or parts without a name")
            inner = self.layout(field["type"]["qualType"])
            place = -(-place // inner.alignment) * inner.alignment
            leaves += [
                dataclasses.replace(
                    leaf, path=f".{field['name']}{leaf.path}", offset=place + leaf.offset
                )
                for leaf in inner.leaves
            ]
            place += inner.size
            alignment = max(alignment, inner.alignment)
        return Layout(-(-place // alignment) * alignment, alignment, tuple(leaves))

    def length(self, name: str) -> tuple[str, str] | None:
        """Returns the element and the lengths, as "[4][8]", of a typedef of an array."""
        spelling = self.typedefs.get(name, "")
        while spelling in self.typedefs:
            spelling = self.typedefs[spelling]
        match = re.fullmatch(r"([^\[\]*()]*?)\s*((?:\[\d+\])+)", spelling)
        return (match[1], match[2]) if match else None


def integer(text: str) -> Layout:
    """Returns the layout of an integer."""
    words = re.sub(r"_BitInt\(\d+\)", "_BitInt", text).split()
    if "double" in words or "float" in words:
        raise NoInteger("floating point; use integers, with the point at a fixed place")
    if "*" in text:
        raise NoInteger("a pointer; use an index")
    if not words or any(word not in BASIC for word in words):
        raise NoInteger(text)
    bits = re.search(r"_BitInt\((\d+)\)", text)
    order = ("char", "bool", "_Bool", "short", "long", "__int128", "int")
    kind = next((one for one in order if one in words), "int")
    width = int(bits[1]) if bits else INTEGERS[kind]
    boolean = kind in ("bool", "_Bool")
    size = stored_bytes(width)
    return Layout(
        size,
        16 if kind == "__int128" else min(size, 8),
        (Leaf("", width, "unsigned" not in words and not boolean, boolean, 0),),
    )
