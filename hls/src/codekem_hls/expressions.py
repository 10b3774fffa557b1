# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations as SystemVerilog: each operand is a name or a number of exactly the bits wanted."""

from __future__ import annotations

from collections.abc import Callable

from .ir import Const, Op, Operand

# read(operand, bits) returns an operand as text; helper(name, bits, text) makes a wire.
Read = Callable[[Operand, int], str]
Helper = Callable[[str, int, str], str]

SIGNS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def number(value: int, bits: int) -> str:
    return f"{bits}'h{value % (1 << bits):x}"


def resized(name: str, have: int, want: int) -> str:
    """Returns a name's low bits, or zeros before them; `name` is an identifier."""
    if have == want:
        return name
    if have > want:
        return f"{name}[{want - 1}:0]" if want > 1 else f"{name}[0]"
    return f"{{{want - have}'h0, {name}}}"


def bits_of(operand: Operand) -> int:
    if isinstance(operand, Const):
        return max(1, operand.value.bit_length())
    return operand.bits


def part(name: str, high: int, low: int, bits: int) -> str:
    """Returns bits high..low of a name of `bits` bits."""
    if bits == 1:
        return name
    return f"{name}[{high}:{low}]" if high > low else f"{name}[{high}]"


def shift(op: Op, read: Read, helper: Helper) -> str:
    bits, amount = op.bits, op.args[1]
    if op.kind == "shl":
        if isinstance(amount, Const):
            places = amount.value
            if places >= bits:
                return number(0, bits)
            low = helper("s", bits - places, read(op.args[0], bits - places))
            return f"{{{low}, {places}'h0}}" if places else low
        return f"{helper('s', bits, read(op.args[0], bits))} << {read(amount, bits_of(amount))}"
    if op.kind == "ashr":
        width = op.width
        source = helper("s", width, read(op.args[0], width))
        moved = f"$unsigned($signed({source}) >>> {read(amount, bits_of(amount))})"
        return resized(helper("m", width, moved), width, bits)
    have = bits_of(op.args[0])
    source = helper("s", have, read(op.args[0], have))
    if isinstance(amount, Const):
        if amount.value >= have:
            return number(0, bits)
        rest = have - amount.value
        return resized(helper("m", rest, part(source, have - 1, amount.value, have)), rest, bits)
    return resized(helper("m", have, f"{source} >> {read(amount, bits_of(amount))}"), have, bits)


def funnel(op: Op, read: Read, helper: Helper) -> str:
    width, amount = op.width, op.args[2]
    both = f"{{{read(op.args[0], width)}, {read(op.args[1], width)}}}"
    both = helper("s", 2 * width, both)
    if isinstance(amount, Const):
        places = amount.value % width
        low = width - places if op.kind == "fshl" else places
        moved = helper("m", width, part(both, low + width - 1, low, 2 * width))
        return resized(moved, width, op.bits)
    log = max(1, (width - 1).bit_length())
    places_text = read(amount, log)
    if width & (width - 1):
        places_text = f"({read(amount, amount.width)} % {amount.width}'d{width})"
    if width & (width - 1) or width == 1:
        sign = "<<" if op.kind == "fshl" else ">>"
        moved = helper("m", 2 * width, f"{both} {sign} {places_text}")
        low = width if op.kind == "fshl" else 0
        found = helper("o", width, part(moved, low + width - 1, low, 2 * width))
        return resized(found, width, op.bits)
    # To the right by the highest bit of the distance first: each step then needs fewer bits, 441
    # choices for 64 bits instead of 642. To the left by s is by 1 and by width - 1 - s.
    start = 1 if op.kind == "fshl" else 0
    distance = helper("d", log, f"{'~' if start else ''}{places_text}")
    moved = helper("w", 2 * width - 1, part(both, start + 2 * width - 2, start, 2 * width))
    for place in reversed(range(log)):
        rest, step = width + (1 << place) - 1, 1 << place
        chosen = f"{moved}[{step + rest - 1}:{step}] : {moved}[{rest - 1}:0]"
        bit = f"{distance}[{place}]" if log > 1 else distance
        moved = helper(f"w{place}", rest, f"{bit} ? {chosen}")
    return resized(moved, width, op.bits)


def range_of(operand: Operand, signed: bool) -> tuple[int, int]:
    """Returns the least and the greatest value that an operand's bits can have."""
    if isinstance(operand, Const):
        value = operand.value
        if signed and value >> (operand.width - 1):
            value -= 1 << operand.width
        return value, value
    bits, width = bits_of(operand), operand.width
    if signed and bits >= width:
        return -(1 << width - 1), (1 << width - 1) - 1
    return 0, (1 << bits) - 1


def decided(op: Op, order: str) -> bool | None:
    """Returns a comparison's result if the bits that are kept decide it, else None."""
    (a, b), (c, d) = (range_of(one, op.predicate[0] == "s") for one in op.args)
    if b < c or d < a:  # they do not overlap
        return {"eq": False, "ne": True}.get(order, (order[0] == "l") == (b < c))
    if b == c and order in ("le", "gt"):
        return order == "le"
    if d == a and order in ("ge", "lt"):
        return order == "ge"
    return None


def comparison(op: Op, read: Read) -> str:
    left, right = op.args
    if op.predicate[0] == "s":
        width = left.width
        a, b = (f"$signed({read(one, width)})" for one in (left, right))
    else:
        width = max(bits_of(left), bits_of(right))
        a, b = (read(one, width) for one in (left, right))
    order = op.predicate if op.predicate in ("eq", "ne") else op.predicate[1:]
    always = decided(op, order)
    if always is not None:
        return number(int(always), 1)
    return f"{a} {RELATIONS[order]} {b}"


def reciprocal(number: int, bits: int) -> tuple[int, int]:
    """Returns a factor and a shift that divide all numbers of `bits` bits by a constant.

    (x * factor) >> shift is x // number if 2^shift <= factor * number <= 2^shift + 2^(shift - bits)
    [GM94]; the smallest such shift.
    """
    for shift in range(bits + number.bit_length() + 1):
        factor = -(-(1 << shift) // number)
        if (factor * number - (1 << shift)) << bits <= 1 << shift:
            return factor, shift
    raise AssertionError(f"no reciprocal of {number} for {bits} bits")


def quotient(op: Op, read: Read, helper: Helper) -> str:
    """Division by a constant: a product with its reciprocal, all bits of it."""
    by = op.args[1]
    assert isinstance(by, Const)
    have = bits_of(op.args[0])
    factor, places = reciprocal(by.value, have)
    wide = max(have + factor.bit_length(), places + 1)
    product = helper("q", wide, f"{read(op.args[0], wide)} * {number(factor, wide)}")
    rest = helper("m", wide - places, part(product, wide - 1, places, wide))
    return resized(rest, wide - places, op.bits)


def first_one(name: str, width: int, bits: int, from_top: bool) -> str:
    """Returns how many zeros are in front of the first one: a choice by each bit."""
    order = range(width - 1, -1, -1) if from_top else range(width)
    chosen = [
        f"{name if width == 1 else f'{name}[{i}]'} ? {number(n, bits)} : "
        for n, i in enumerate(order)
    ]
    return "".join(chosen) + number(width, bits)


def special(op: Op, read: Read, helper: Helper) -> str:
    """Minimum, maximum, absolute value, saturating sums, count of ones, bytes or bits reversed."""
    width, bits, kind = op.width, op.bits, op.kind
    a = helper("a", width, read(op.args[0], width))
    if width == 1 and kind in ("abs", "ctpop", "bitreverse", "ctlz", "cttz"):
        # A single bit has no parts in Verilog.
        return f"!{a}" if kind in ("ctlz", "cttz") else a
    if kind == "abs":
        size = helper("m", width, f"{a}[{width - 1}] ? -{a} : {a}")
        return resized(size, width, bits)
    if kind == "ctpop":
        count = width.bit_length()
        terms = " + ".join(f"{{{count - 1}'h0, {a}[{i}]}}" for i in range(width))
        return resized(helper("m", count, terms), count, bits)
    if kind in ("ctlz", "cttz"):
        count = width.bit_length()
        return resized(helper("m", count, first_one(a, width, count, kind == "ctlz")), count, bits)
    if kind == "bitreverse":
        turned = ", ".join(f"{a}[{i}]" for i in range(width))
        return resized(helper("m", width, f"{{{turned}}}"), width, bits)
    if kind == "bswap":
        turned = ", ".join(f"{a}[{8 * i + 7}:{8 * i}]" for i in range(width // 8))
        return resized(helper("m", width, f"{{{turned}}}"), width, bits)
    b = helper("b", width, read(op.args[1], width))
    if kind == "usub.sat":
        result = f"{a} < {b} ? {width}'h0 : {a} - {b}"
    elif kind == "uadd.sat":
        total = helper("t", width + 1, f"{{1'h0, {a}}} + {{1'h0, {b}}}")
        result = f"{total}[{width}] ? {{{width}{{1'h1}}}} : {total}[{width - 1}:0]"
    else:
        sign = "<" if kind.endswith("min") else ">"
        order = f"$signed({a}) {sign} $signed({b})" if kind[0] == "s" else f"{a} {sign} {b}"
        result = f"({order}) ? {a} : {b}"
    return resized(helper("m", width, result), width, bits)


def expression(op: Op, read: Read, helper: Helper) -> str:
    """Returns the right side of the assignment to an operation's wire."""
    kind, bits = op.kind, op.bits
    if kind in SIGNS:
        return f"{read(op.args[0], bits)} {SIGNS[kind]} {read(op.args[1], bits)}"
    if kind in ("zext", "trunc", "copy"):
        return read(op.args[0], bits)
    if kind == "sext":
        have = op.args[0].width
        if bits <= have:
            return read(op.args[0], bits)
        source = helper("s", have, read(op.args[0], have))
        sign = f"{source}[{have - 1}]" if have > 1 else source
        return f"{{{{{bits - have}{{{sign}}}}}, {source}}}"
    if kind == "select":
        first, second = read(op.args[1], bits), read(op.args[2], bits)
        return f"{read(op.args[0], 1)} ? {first} : {second}"
    if kind == "icmp":
        return comparison(op, read)
    if kind in ("shl", "lshr", "ashr"):
        return shift(op, read, helper)
    if kind == "udiv":
        return quotient(op, read, helper)
    if kind in ("fshl", "fshr"):
        return funnel(op, read, helper)
    return special(op, read, helper)
