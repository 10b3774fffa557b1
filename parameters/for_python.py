# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the evaluation and the laboratory know of the KEMs: they may be installed where this room is
not."""

from parameters.notice import notice

HEAD = '''"""The KEMs by their names, and the levels of BIKE and HQC by their numbers."""

import typing


class Kem(typing.NamedTuple):
    """A KEM: its family, its level and NIST's category; whether a later revision has superseded it,
    and whether it differs from another KEM only by a hash that confirms the plaintext."""

    family: str
    level: int
    category: int
    superseded: bool
    confirms: bool


class Bike(typing.NamedTuple):
    """A level of BIKE: bits of a polynomial, weight of a key's half, weight of the error."""

    r: int
    d: int
    t: int

'''


def evaluation(table):
    lines = [*notice("#"), *HEAD.splitlines(), "", "KEMS = {"]
    for kem in table.kems:
        words = [f'"{kem.family}"', kem.level, kem.category, kem.superseded, kem.confirms]
        lines.append(f'    "{kem.name}": Kem({", ".join(map(str, words))}),')
    lines += ["}", "BIKE = {"]
    for one in table.levels["bike"]:
        lines.append(f"    {one.level}: Bike({one.r}, {one.d}, {one.t}),")
    lines += ["}", "HQC = {"]
    for one in table.levels["hqc"]:
        lines.append(f"    {one.level}: {one.n},")
    lines += ["}", "# TLS groups of a KEM alone.", "GROUPS = ["]
    lines += [f'    "{kem.name.replace("-", "").lower()}",' for kem in table.kems if kem.tls]
    return "\n".join([*lines, "]", ""])


def files(table, _root):
    return {"tools/base/src/codekem_base/parameters.py": evaluation(table)}


def regions(_table, _root):
    return {}
