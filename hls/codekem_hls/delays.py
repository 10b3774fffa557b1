# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How long operations take, in nanoseconds, for chaining them in a cycle.

Rough numbers for FPGAs with some routing; docs/hls.md says how they compare with routed clocks.
They decide in which step an operation is, never what it computes.
"""

from __future__ import annotations

from .ir import Array, Const, Op

LOGIC = 0.9  # a look-up table and its wires
GATE = 0.5  # and, or, xor: a look-up table takes two or three of them
CARRY = 0.03  # for each bit of a carry chain
REGISTER = 1.0  # from the clock to the output, and from the input to the clock
MEMORY_OUT = 1.8  # more than a register, from the clock to the data of a block RAM
MEMORY_IN = 0.5  # more than a register, from address or data to the clock

FREE = ("zext", "sext", "trunc", "copy", "phi", "bswap", "bitreverse", "call")
SUMS = ("add", "sub", "icmp", "abs")


def levels_of_choice(ways: int) -> int:
    """Returns the levels of multiplexers of four ways."""
    return max(1, -(-(max(2, ways) - 1).bit_length() // 2))


def widest(op: Op) -> int:
    """Returns the length of the carry chain of a sum or comparison."""
    if op.kind != "icmp":
        return op.bits
    return max(arg.value.bit_length() if isinstance(arg, Const) else arg.bits for arg in op.args)


def choice_delay(array: Array, op: Op) -> float:
    """An element of registers or of a table, chosen by a variable index."""
    if isinstance(op.args[0], Const):
        return 0.0
    inputs = max(0, array.address_bits - 6)
    return LOGIC * (levels_of_choice(array.depth) if array.kind != "table" else 1 + inputs / 2)


def delay_of(op: Op) -> float:
    """Returns the delay of the logic of an operation; of a load, from the data on."""
    kind = op.kind
    by_constant = len(op.args) > 1 and isinstance(op.args[1], Const)
    if kind in ("and", "or", "xor"):
        return 0.0 if by_constant else GATE
    if kind in FREE or (kind in ("shl", "lshr", "ashr") and by_constant):
        return 0.0
    if kind in ("fshl", "fshr") and isinstance(op.args[2], Const):
        return 0.0
    if kind in ("shl", "lshr", "ashr", "fshl", "fshr"):
        return LOGIC * levels_of_choice(op.width)
    if kind in SUMS:
        return LOGIC + CARRY * min(64, widest(op))
    if kind in ("umin", "umax", "smin", "smax", "usub.sat", "uadd.sat"):
        return 2 * LOGIC + CARRY * min(64, widest(op))
    if kind == "mul":
        return 3.0 + CARRY * widest(op)
    if kind == "ctpop":
        return LOGIC * op.width.bit_length()
    if kind == "load" and op.array is not None:
        if op.array.bind == "registers":
            return choice_delay(op.array, op)
        return MEMORY_OUT if op.array.read_latency else LOGIC * (1 + op.array.address_bits / 6)
    if kind == "table" and op.array is not None:
        return choice_delay(op.array, op)
    if kind == "store":
        return 0.0
    return LOGIC


def input_delay(op: Op) -> float:
    """Returns what the inputs of an operation take before a register or memory has them."""
    if op.kind in ("load", "store") and op.array is not None and op.array.bind != "registers":
        return MEMORY_IN
    return 0.0
