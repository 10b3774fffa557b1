# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How many bits of each value are kept.

Forward: a value is below 2**n, from the walk for counters, from the operands for the rest.
Backward: only the lowest n bits of a value are used. The smaller of both is kept, and holds the
value modulo 2**n; a user that needs more bits extends it with zeros, which is right, because bits
are dropped only where nobody needs them.
"""

from __future__ import annotations

from .ir import Array, Const, Function, Op, Operand, Param

SUM_LIKE = ("add", "sub", "mul", "and", "or", "xor", "copy", "zext", "trunc", "phi")


def natural(op: Op, bits: list[int]) -> int:
    """Returns a bound of the bits of a result, from the bits of its operands."""
    kind = op.kind
    first, second = bits[0] if bits else 0, bits[-1] if bits else 0
    amount = op.args[1].value if len(op.args) > 1 and isinstance(op.args[1], Const) else None
    fixed = {
        "icmp": 1,
        "and": min(first, second),
        "zext": first,
        "trunc": first,
        "copy": first,
        "usub.sat": first,
        "ctpop": op.width.bit_length(),
        "ctlz": op.width.bit_length(),
        "cttz": op.width.bit_length(),
        "udiv": max(0, first + 1 - (amount or 1).bit_length()),
        "table": max((n.bit_length() for n in op.array.contents), default=1) if op.array else 1,
    }
    if kind in fixed:
        return fixed[kind]
    if kind in ("or", "xor", "umax", "phi"):
        return max(bits, default=op.width)
    if kind == "select":
        return max(bits[1:])
    if kind == "umin":
        return min(first, second)
    if kind in ("add", "uadd.sat"):
        return max(first, second) + 1 if first and second else max(first, second)
    if kind == "mul":
        return first + second
    if kind == "lshr":
        return max(0, first - amount) if amount is not None else first
    if kind == "shl" and amount is not None:
        return first + amount
    return op.width


def forward(function: Function, highest: dict[Op, int]) -> dict[Op, int]:
    bound = dict.fromkeys(function.ops, 0)

    def of(operand: Operand) -> int:
        if isinstance(operand, Op):
            return bound[operand]
        return operand.value.bit_length() if isinstance(operand, Const) else operand.width

    changed = True
    while changed:
        changed = False
        for op in bound:
            if op in highest:
                new = highest[op].bit_length()
            elif op.kind in ("load", "call", "store"):
                new = op.width
            else:
                new = min(op.width, natural(op, [of(arg) for arg in op.args]))
            if new > bound[op]:
                bound[op], changed = new, True
    return bound


def wanted(op: Op, position: int, bound: dict[Op, int], demand: int) -> int:
    """Returns how many low bits of an operand count, if `demand` bits of the result do."""
    arg = op.args[position]
    amount = op.args[1].value if len(op.args) > 1 and isinstance(op.args[1], Const) else None
    kind, width = op.kind, arg.width
    if kind in SUM_LIKE or (kind == "select" and position):
        other = op.args[1 - position] if kind == "and" else None
        if isinstance(other, Const):
            demand = min(demand, other.value.bit_length())
        return min(width, demand)
    if kind == "store" and position == 1:
        return width
    if kind == "lshr" and position == 0 and amount is not None:
        return min(width, demand + amount)
    if kind == "shl" and position == 0:
        return max(0, demand - (amount or 0))
    return width


def backward(function: Function, bound: dict[Op, int]) -> dict[Op, int]:
    demand = dict.fromkeys(function.ops, 0)
    for block in function.blocks.values():
        if isinstance(block.condition, Op):
            demand[block.condition] = block.condition.width
    ordered = list(reversed(list(function.ops)))
    changed = True
    while changed:
        changed = False
        for op in ordered:
            if op.kind not in ("store", "call") and not demand[op]:
                continue
            for position, arg in enumerate(op.args):
                if isinstance(arg, Op):
                    need = wanted(op, position, bound, demand[op])
                    if op.is_memory and position == 0 and isinstance(op.array, Array):
                        need = min(need, op.array.address_bits)
                    if need > demand[arg]:
                        demand[arg], changed = need, True
    return demand


def narrow(function: Function, highest: dict[Op, int]) -> None:
    """Sets `bits` of all values."""
    bound = forward(function, highest)
    demand = backward(function, bound)
    for op in bound:
        full = op.kind == "call" or (op.kind == "load" and demand[op] > 0)
        op.bits = max(1, op.width if full else min(bound[op], demand[op], op.width))
    for argument in function.arguments:
        if isinstance(argument, Param):
            argument.bits = argument.width
