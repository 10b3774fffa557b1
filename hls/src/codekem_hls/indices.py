# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which arguments of a kernel decide about indices, so that inputs are elements of its arrays."""

from __future__ import annotations

from .design import Design
from .ir import Array, Function, Op, Operand, Param
from .runs import public_scalars

# For each argument that decides about an index, the least depth of the arrays whose index it is as
# it stands; None if something is calculated from it.
Bounds = dict[Array | Param, int | None]


def as_it_stands(index: Operand) -> tuple[Operand | Array | None, int]:
    """Returns the array or scalar whose value is an index unchanged, and below what it must be."""
    bits = index.width
    while isinstance(index, Op) and index.kind in ("zext", "sext", "copy"):
        bits = min(bits, index.args[0].width - (index.kind == "sext"))
        index = index.args[0]
    return (index.array if isinstance(index, Op) and index.kind == "load" else index), 1 << bits


def sources(function: Function, first: Operand | Array) -> set[Array | Param]:
    """Returns all arguments that a value depends on, also by way of local arrays and calls."""
    seen: set[Operand | Array] = set()
    work: list[Operand | Array | None] = [first]
    while work:
        one = work.pop()
        if one is None or one in seen:
            continue
        seen.add(one)
        if isinstance(one, Op):
            work += [*one.args, one.array, *one.passed]
        elif isinstance(one, Array):
            work += [op for op in function.ops if op.kind == "store" and op.array is one]
            work += [op for op in function.ops if op.kind == "call" and one in op.passed]
    return {one for one in function.arguments if one in seen}


def note(bounds: Bounds, function: Function, first: Operand | Array, depth: int | None) -> None:
    """Notes an index, or an array of indices, of an array that has `depth` elements."""
    same, limit = (first, depth) if isinstance(first, Array) else as_it_stands(first)
    for one in sources(function, first):
        found = [bounds.get(one), *([depth, limit] if one is same and depth is not None else [])]
        bounds[one] = min((n for n in found if n is not None), default=None)


def bounds_of(design: Design) -> Bounds:
    """Returns the arguments of the function on top that decide about indices."""
    known: dict[str, Bounds] = {}
    for name, part in design.parts.items():  # callees before callers
        bounds = known[name] = {}
        for op in part.function.ops:
            if op.array is not None:
                note(bounds, part.function, op.args[0], op.array.depth)
            elif op.kind == "call":
                arguments = design.parts[op.callee].function.arguments
                for argument, array, value in zip(arguments, op.passed, op.args, strict=True):
                    if argument in known[op.callee]:
                        note(bounds, part.function, array or value, known[op.callee][argument])
    return known[design.directives.top]


def advice(design: Design) -> str:
    """Says what to do if a kernel gets indices from outside of its arrays."""
    bounds = bounds_of(design)
    if not design.listed:
        bounds |= {one: bounds.get(one) for one in public_scalars(design.top.function)}
    told = " ".join(f"--set '{one.name}<{n or 'BOUND'}'" for one, n in bounds.items())
    if not told:
        return "no input decides about them"
    return f"give what decides about indices a range, as by {told}"
