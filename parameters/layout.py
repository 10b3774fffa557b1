# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the members of codekem_kem and codekem_options are, for packages that reach them in
memory."""

import pathlib
import re

HEADER = pathlib.Path("include/codekem.h")
MEMBER = re.compile(
    r"^  (?:const )?((?:char|uint8_t|void|struct \w+) \*|codekem_random_function |size_t |uint8_t |"
    r"bool )(\w+);",
    re.M,
)


def _members(root, word, struct):
    """Yields (name, offset, size) of each member of a struct."""
    text = (root / HEADER).read_text(encoding="utf-8")
    body = re.search(rf"typedef struct {struct} \{{\n(.*?)^\}} {struct};", text, re.S | re.M)
    text = re.sub(r"/\*.*?\*/", "", body[1], flags=re.S) if body else ""
    members = MEMBER.findall(text)
    if not members or len(members) != text.count(";"):
        raise ValueError(f"include/codekem.h: a member of {struct} has an unknown type")
    end = 0
    for kind, name in members:
        size = 1 if kind in ("uint8_t ", "bool ") else word
        start = -(-end // size) * size
        end = start + size
        yield name, start, size


def offsets(root, word, struct="codekem_kem"):
    """Returns the offset of each member by its name, with pointers and lengths of word bytes."""
    return {name: start for name, start, _ in _members(root, word, struct)}


def size(root, word, struct):
    """Returns the bytes of a struct, which begins and ends at a multiple of a word."""
    *_, (_, start, length) = _members(root, word, struct)
    return -(-(start + length) // word) * word
