# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures of a design for Xilinx 7-series, from what Yosys counts.

`lut` is Yosys' estimate of logic cells, in which small look-up tables share a cell; `lut_raw`
counts look-up tables; `lutram` those used as memory. A RAMB18 counts as half a BRAM36.
"""

LUTRAM = {
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM256X1S": 4,
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM128X1S": 2,
}


def cells_of(modules, name):
    """Returns the primitives of a module with those below it."""
    total = {}
    for cell, count in modules[name]["num_cells_by_type"].items():
        below = cells_of(modules, "\\" + cell) if "\\" + cell in modules else {cell: 1}
        for primitive, each in below.items():
            total[primitive] = total.get(primitive, 0) + count * each
    return total


def area(cells):
    """Returns the figures of a set of primitives; the estimate is Yosys' own rule."""
    luts = {size: cells.get(f"LUT{size}", 0) for size in range(1, 7)}
    left, cells_needed = dict(luts), luts[6]
    for size, partners in [(5, [1]), (4, [1, 2]), (3, [1, 2])]:
        cells_needed += left[size]
        room = left[size]
        for partner in partners:
            shared = min(room, left[partner])
            left[partner] -= shared
            room -= shared
    cells_needed += (left[2] + left[1] + 1) // 2
    return {
        "lut": cells_needed,
        "lut_raw": sum(luts.values()),
        "lutram": sum(LUTRAM[c] * n for c, n in cells.items() if c in LUTRAM),
        "ff": sum(n for c, n in cells.items() if c.startswith("FD")),
        "bram36": cells.get("RAMB36E1", 0) + cells.get("RAMB18E1", 0) / 2,
        "dsp": cells.get("DSP48E1", 0),
    }
