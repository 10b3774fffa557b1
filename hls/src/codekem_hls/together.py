# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls that run at the same time: `together` names a function and those whose calls follow it.

Their blocks become one, which waits until the last call is done. Nothing decides between them, so
they may share nothing: no array, no module, and none takes the result of another one.
"""

from __future__ import annotations

from .directives import Directives
from .errors import Refused
from .ir import Array, Block, Function, Op


def modules_of(name: str, functions: dict[str, Function]) -> set[str]:
    """Returns a function and all that it calls, also by others."""
    found: set[str] = set()
    work = [name]
    while work:
        one = work.pop()
        if one not in found:
            found.add(one)
            work += [op.callee for op in functions[one].ops if op.kind == "call"]
    return found


def arrays_of(op: Op, functions: dict[str, Function]) -> dict[Array, str]:
    """Returns the arrays that a call passes and its function accesses, with their names there."""
    callee = functions[op.callee]
    return {
        array: argument.name
        for array, argument in zip(op.passed, callee.arguments, strict=True)
        if array is not None
        and isinstance(argument, Array)
        and any(one.array is argument or argument in one.passed for one in callee.ops)
    }


def check_apart(
    first: Op, second: Op, caller: Function, functions: dict[str, Function], chosen: Directives
) -> None:
    """Refuses two calls at the same time that are not independent."""

    def refuse(message: str) -> Refused:
        said = f"{first.callee} and {second.callee} cannot run together: {message}"
        return Refused(said, caller.file, second.line)

    if first in second.args:
        raise refuse(f"{second.callee} takes the result of {first.callee}")
    mine, other = arrays_of(first, functions), arrays_of(second, functions)
    for array in mine:
        if array in other:
            raise refuse(
                f"{array.name} goes to both, as {mine[array]} and as {other[array]}; give each "
                "arrays of its own"
            )
    both = modules_of(first.callee, functions) & modules_of(second.callee, functions)
    for name in sorted(both):
        if chosen.functions.get(name) != "instantiate" or name in (first.callee, second.callee):
            raise refuse(f"both need the module {name}; instantiate or inline it")


def following(block: Block, function: Function) -> tuple[Block | None, list[Block]]:
    """Returns the call that comes directly after one, and the empty blocks in between."""
    between: list[Block] = []
    while True:
        one = function.blocks[block.targets[0]]
        if one.phis or function.predecessors(one.name) != [block]:
            return None, []
        if one.is_call:
            return one, between
        if one.ops or one.end != "jump":
            return None, []
        between.append(one)
        block = one


def join(
    group: list[str], caller: Function, functions: dict[str, Function], chosen: Directives
) -> set[str]:
    """Makes one block of a call of the group's first function and of the calls of others that come
    directly after it; returns what has been joined.
    """
    joined: set[str] = set()
    for block in list(caller.blocks.values()):
        if not block.is_call or block.ops[0].callee != group[0]:
            continue
        left = set(group[1:])
        while True:
            after, between = following(block, caller)
            if after is None or after.ops[0].callee not in left:
                break
            left.discard(after.ops[0].callee)
            for op in block.ops:
                check_apart(op, after.ops[0], caller, functions, chosen)
            joined |= {op.callee for op in [*block.ops, *after.ops]}
            for op in after.ops:
                op.block = block.name
            block.ops += after.ops
            block.targets = after.targets
            for gone in [*between, after]:
                del caller.blocks[gone.name]
            for other in caller.blocks.values():
                for phi in other.phis:
                    phi.sources = [block.name if n == after.name else n for n in phi.sources]
    return joined


def apply(functions: dict[str, Function], chosen: Directives) -> None:
    """Applies the directive `together`."""
    for group in chosen.together:
        joined: set[str] = set()
        for function in functions.values():
            joined |= join(group, function, functions, chosen)
        for name in group[1:]:
            if name not in joined and name not in chosen.inherited:
                raise chosen.refuse(
                    name,
                    f"together: no calls of {group[0]} and {name} as modules come directly one "
                    "after the other",
                )
