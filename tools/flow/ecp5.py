# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The device of Lattice that cores are placed on, and its cells."""

DEVICE = {
    "name": "LFE5U-85F-6CABGA756",
    "options": ["--85k", "--package", "CABGA756", "--speed", "6"],
}
# The look-up tables of a cell: a carry cell is two, 16 x 4 bits of memory are four and two to
# write.
LUTS = {"LUT4": 1, "CCU2C": 2}
LUTRAM = {"TRELLIS_DPR16X4": 6}
