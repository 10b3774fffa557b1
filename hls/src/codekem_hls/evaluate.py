# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of operations on numbers; values are not negative, below 2**width."""

from __future__ import annotations

from .ir import Const, Op, Operand


def signed(value: int, width: int) -> int:
    return value - (value >> (width - 1) << width)


def width_of(operand: Operand) -> int:
    return operand.width


def compare(predicate: str, a: int, b: int, width: int) -> int:
    if predicate[0] == "s":
        a, b = signed(a, width), signed(b, width)
    order = predicate if predicate in ("eq", "ne") else predicate[1:]
    results = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}
    return int(results[order])


def shifted(kind: str, a: int, amount: int, width: int) -> int:
    if amount >= width:
        amount = width - 1 if kind == "ashr" else width
    if kind == "shl":
        return a << amount
    return a >> amount if kind == "lshr" else signed(a, width) >> amount


def funnel(kind: str, args: list[int], width: int) -> int:
    amount = args[2] % width
    both = args[0] << width | args[1]
    return both >> (width - amount) if kind == "fshl" else both >> amount


def chosen(kind: str, a: int, b: int, width: int) -> int:
    if kind[0] == "s":
        a, b = signed(a, width), signed(b, width)
    return min(a, b) if kind.endswith("min") else max(a, b)


def arithmetic(kind: str, args: list[int], width: int) -> int | None:
    a, b = args[0], args[-1]
    simple = {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b}
    if kind in simple:
        return simple[kind]
    if kind in ("usub.sat", "uadd.sat"):
        return max(0, a - b) if kind == "usub.sat" else min(a + b, (1 << width) - 1)
    if kind == "abs":
        return abs(signed(a, width))
    if kind == "ctpop":
        return a.bit_count()
    if kind == "ctlz":
        return width - a.bit_length()
    if kind == "cttz":
        return (a & -a).bit_length() - 1 if a else width
    if kind == "udiv":
        return a // b
    if kind == "bitreverse":
        return int(f"{a:0{width}b}"[::-1], 2)
    if kind == "bswap":
        return int.from_bytes(a.to_bytes(width // 8, "little"), "big")
    return None


def value_of(op: Op, args: list[int]) -> int:
    """Returns the value of an operation that is no phi, load, store or call."""
    kind, width = op.kind, op.width
    if kind in ("zext", "trunc", "copy"):
        result = args[0]
    elif kind == "sext":
        result = signed(args[0], width_of(op.args[0]))
    elif kind == "select":
        result = args[1] if args[0] else args[2]
    elif kind == "icmp":
        result = compare(op.predicate, args[0], args[1], width_of(op.args[0]))
    elif kind in ("shl", "lshr", "ashr"):
        result = shifted(kind, args[0], args[1], width)
    elif kind in ("fshl", "fshr"):
        result = funnel(kind, args, width)
    elif kind in ("umin", "umax", "smin", "smax"):
        result = chosen(kind, args[0], args[1], width)
    elif kind == "table":
        assert op.array is not None
        result = op.array.contents[args[0]] if args[0] < op.array.depth else 0
    else:
        known = arithmetic(kind, args, width)
        assert known is not None, kind
        result = known
    return result % (1 << width)


def constant(operand: Operand) -> int | None:
    return operand.value if isinstance(operand, Const) else None
