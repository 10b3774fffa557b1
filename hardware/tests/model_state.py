# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names what differs between two states of a simulated core: any register, memory or wire.

The state is what Verilator saves, without names; they and the sizes come from the C++ that it
generated for the core, in the order in which that saves them.
"""

import math
import re

SIZES = {"CData": 1, "SData": 2, "IData": 4, "QData": 8}
PORTS = {"8": "CData", "16": "SData", "": "IData", "64": "QData"}
# Arguments, results and bounds that the simulation keeps, variables within a block of statements,
# and the values of what lies beyond the end of a memory: no part of the hardware.
TEMPORARY = re.compile(r"^__V|__Vlem|__Vlvbound|__Vxrand|unnamedblk")


def sizes_in(header):
    """Returns {name: bytes} of the variables of the model."""
    sizes = {
        name: SIZES[PORTS[width]]
        for width, name in re.findall(r"VL_(?:IN|OUT)(8|16|64|)\((\w+),", header)
    }
    element = r"(CData|SData|IData|QData|VlWide<(\d+)>)(?:/\*[^*]*\*/)?"
    for kind, wide, name in re.findall(element + r" (\w+);", header):
        sizes[name] = 4 * int(wide) if wide else SIZES[kind]
    for opened, kind, wide, depths, name in re.findall(
        rf"((?:VlUnpacked<)+){element}((?:, \d+>)+) (\w+);", header
    ):
        depth = math.prod(int(number) for number in re.findall(r"\d+", depths))
        assert opened.count("<") == depths.count(">")
        sizes[name] = depth * (4 * int(wide) if wide else SIZES[kind])
    return sizes


def fields(folder):
    """Returns (name, bytes) of all variables of the core that was built there, as they are
    saved."""
    sizes = sizes_in((folder / "Vkem_core___024root.h").read_text(encoding="utf-8"))
    source = "".join(
        path.read_text(encoding="utf-8") for path in sorted(folder.glob("Vkem_core___024root*.cpp"))
    )
    body = source.split("::__Vserialize(VerilatedSerialize& os)", 1)[1].split("\n}\n", 1)[0]
    names = re.findall(r"os\s?<<\s?(\w+)(?:\[\w+\])*;", body)
    names.remove("__Vcheckval")
    assert len(names) > 100
    return [(name, sizes[name]) for name in names]


def differences(folder, one, other):
    """Returns the names of what differs in two states of the core that was built there."""
    known = fields(folder)
    at = len(one) - sum(size for _, size in known)  # what comes first is Verilator's own
    assert len(one) == len(other) and 0 < at < 100
    different = []
    for name, size in known:
        if one[at : at + size] != other[at : at + size] and not TEMPORARY.search(name):
            for code, text in [("__DOT__", "."), ("__BRA__", "["), ("__KET__", "]")]:
                name = name.replace(code, text)
            different.append(name)
        at += size
    return different
