# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the members of codekem_kem are, for packages that read them from memory."""

import pathlib
import re

HEADER = pathlib.Path("include/codekem.h")
MEMBER = re.compile(r"^  (?:const )?(char \*|struct \w+ \*|size_t |uint8_t |bool )(\w+);", re.M)


def offsets(root, word):
    """Returns the offset of each member by its name, with pointers and lengths of word bytes."""
    text = (root / HEADER).read_text(encoding="utf-8")
    body = re.search(r"typedef struct codekem_kem \{\n(.*?)^\} codekem_kem;", text, re.S | re.M)
    members = MEMBER.findall(body[1]) if body else []
    if not body or len(members) != len(re.findall(r"^  [^;/]*;", body[1], re.M)):
        raise ValueError("include/codekem.h: a member of codekem_kem has an unknown type")
    found, end = {}, 0
    for kind, name in members:
        size = 1 if kind in ("uint8_t ", "bool ") else word
        found[name] = -(-end // size) * size
        end = found[name] + size
    return found
