# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parts shifts by a variable that take longer than a cycle: a coarse one comes after a fine one."""

from __future__ import annotations

from . import delays
from .ir import Const, Function, Op

KINDS = ("shl", "lshr", "ashr")


def part(function: Function, clock: float) -> None:
    """Makes two operations of each shift that alone is too long for a cycle of `clock` ns.

    The first one shifts by the lower half of the distance's bits, the second one by the rest.
    """
    room = clock - delays.model().register
    for block in function.blocks.values():
        ops: list[Op] = []
        for op in block.ops:
            if (
                delays.model().parts_shifts
                and op.kind in KINDS
                and not isinstance(op.args[1], Const)
                and delays.delay_of(op) > room
            ):
                ops += fine_part(op)
            ops.append(op)
        block.ops = ops


def fine_part(op: Op) -> list[Op]:
    """Returns what comes before a shift, which is left with the coarse part of the distance."""
    value, distance = op.args[:2]
    bits = (op.width - 1).bit_length()
    fine = bits // 2

    def masked(what: str, mask: int) -> Op:
        args = [distance, Const(mask, distance.width)]
        return Op(f"{op.name}.{what}", "and", distance.width, args, line=op.line, block=op.block)

    low = masked("fine", (1 << fine) - 1)
    high = masked("coarse", (1 << bits) - (1 << fine))
    first = Op(f"{op.name}.first", op.kind, op.width, [value, low], line=op.line, block=op.block)
    first.distance, op.distance = fine, bits - fine
    op.args = [first, high]
    return [low, high, first]
