# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Applies directives to what was read, and brings pipelined loops into the form that is scheduled.

Each directive is shown to have an effect here or in the schedule, or is refused.
"""

from __future__ import annotations

from . import flatten, shifts, together
from .directives import Directives
from .errors import Refused
from .ir import Array, Block, Function, Op, Operand


def remove_unused(function: Function) -> None:
    """Drops operations whose results nobody uses."""
    used: set[Op] = set()
    work: list[Operand | None] = [block.condition for block in function.blocks.values()]
    for op in function.ops:
        if op.kind in ("store", "call"):
            used.add(op)
            work += op.args
    while work:
        one = work.pop()
        if isinstance(one, Op) and one not in used:
            used.add(one)
            work += one.args
    for block in function.blocks.values():
        block.phis = [op for op in block.phis if op in used]
        block.ops = [op for op in block.ops if op in used]
    needed: set[Array | None] = {op.array for op in function.ops}
    needed |= {array for op in function.ops for array in op.passed}
    function.arrays = {
        name: array
        for name, array in function.arrays.items()
        if array in needed or array.kind == "argument"
    }


def copy_of(block: Block, value: Operand, name: str, line: int) -> Op:
    op = Op(name, "copy", value.width, [value], line=line, block=block.name)
    block.ops.append(op)
    return op


def prepare_pipelined(function: Function, block: Block) -> None:
    """Gives each phi of a pipelined loop an operation of its own that makes its next value.

    A phi that is used outside the loop is copied for that use: its register goes on to the value of
    a turn that never comes.
    """
    copies: dict[Operand, Op] = {}
    for phi in block.phis:
        position = phi.sources.index(block.name)
        value = phi.args[position]
        if not isinstance(value, Op) or value.block != block.name or value.kind == "phi":
            copy = copy_of(block, value, f"{phi.name}.next", phi.line)
            phi.args[position] = copies[value] = copy
    for phi in list(block.phis):
        # In a queue it is what the register before it takes over, too.
        outside = copies.get(phi)
        for other in function.blocks.values():
            if other is block:
                continue
            for op in other.all_ops:
                if phi in op.args:
                    outside = outside or copy_of(block, phi, f"{phi.name}.last", phi.line)
                    op.args = [outside if arg is phi else arg for arg in op.args]
            if other.condition is phi:
                outside = outside or copy_of(block, phi, f"{phi.name}.last", phi.line)
                other.condition = outside


def loops_inside(function: Function, label: str) -> str:
    """Says why a loop is no single block."""
    lines = set()
    for latch in function.blocks.values():
        if latch.loop != label:
            continue
        for block in function.loop_blocks(latch):
            if block.end == "branch" and block is not latch:
                lines.add(block.line)
            if block.is_call:
                return f"it calls {block.ops[0].callee}: inline that"
            if block.loop and block.loop != label:
                return f"it contains the loop {block.loop}: unroll that, or pipeline that instead"
    where = f" on line {min(lines)}" if lines else ""
    return f"a branch{where} remains in it: choose by c ? a : b, also between what is stored"


def check_unrolled(functions: dict[str, Function], directives: Directives) -> None:
    for label, factor in directives.unroll.items():
        for function in functions.values():
            if not factor and any(block.loop == label for block in function.blocks.values()):
                raise directives.refuse(
                    label, f"loop {label} cannot be unrolled: its trip count is not a constant"
                )


def apply_pipeline(functions: dict[str, Function], directives: Directives) -> None:
    for label, interval in directives.pipeline.items():
        found = False
        for function in functions.values():
            for block in function.blocks.values():
                if block.loop == label and block.name in block.targets:
                    block.wanted_interval, found = interval, True
        if found:
            continue
        for function in functions.values():
            if any(block.loop == label for block in function.blocks.values()):
                why = loops_inside(function, label)
                raise directives.refuse(label, f"loop {label} cannot be pipelined: {why}")
        if label in directives.inherited:
            continue
        raise directives.refuse(
            label,
            f"loop {label} is not there any more: it has one turn, or is part of a loop "
            "that is unrolled",
        )


def arrays_called(functions: dict[str, Function], name: str) -> list[Array]:
    return [
        array
        for function in functions.values()
        for array in function.arrays.values()
        if name in (array.declared, f"{function.name}.{array.declared}")
    ]


def apply_arrays(functions: dict[str, Function], directives: Directives) -> None:
    for name, how in directives.bind.items():
        found = arrays_called(functions, name)
        local = [array for array in found if array.kind == "local"]
        if not found and name in directives.inherited:
            continue
        if not local:
            why = "is no memory: there is no such array, or the compiler has made scalars of it"
            if found:
                why = "is an argument: its memory is outside"
            raise directives.refuse(name, f"bind: {name} {why}")
        for array in local:
            array.bind = how
    for name, (reads, writes) in directives.ports.items():
        found = [array for array in arrays_called(functions, name) if array.kind != "table"]
        if not found and name in directives.inherited:
            continue
        if not found:
            raise directives.refuse(name, f"ports: there is no memory {name}")
        for array in found:
            if array.bind == "registers":
                raise directives.refuse(name, f"ports: {name} is in registers, which need none")
            if array.kind == "local" and writes > 1:
                raise directives.refuse(name, f"ports: {name} is a block RAM with one write port")
            array.reads, array.writes = reads, writes


def accesses(function: Function, array: Array) -> bool:
    return any(op.array is array or array in op.passed for op in function.ops)


def check_separate(op: Op, caller: Function, callee: Function) -> None:
    """Refuses a memory that a call passes twice: a module has a port for each of its arrays, and
    takes them for different memories.
    """
    names: dict[Array, str] = {}
    for array, argument in zip(op.passed, callee.arguments, strict=True):
        if array is None or not isinstance(argument, Array) or not accesses(callee, argument):
            continue
        if array in names:
            raise Refused(
                f"{array.name} goes to the shared function {op.callee} twice, as {names[array]} "
                f"and as {argument.name}, which are two memories there; inline {op.callee}, or "
                "pass one array",
                caller.file,
                op.line,
            )
        names[array] = argument.name


def check_functions(functions: dict[str, Function], directives: Directives) -> None:
    for name, how in directives.functions.items():
        if name in directives.inherited:
            continue
        if how != "inline" and name not in functions:
            raise directives.refuse(name, f"{name} is not called by {directives.top}")
    for function in functions.values():
        for op in function.ops:
            if op.kind != "call":
                continue
            check_separate(op, function, functions[op.callee])
            for array, argument in zip(op.passed, functions[op.callee].arguments, strict=True):
                if array is None or not isinstance(argument, Array):
                    continue
                if array.bind in ("registers", "lutram"):
                    raise Refused(
                        f"{array.name} goes to the shared function {op.callee}, so it must be a "
                        "memory; copy it, or inline the function",
                        function.file,
                        op.line,
                    )
                if array.width != argument.width or array.depth < argument.depth:
                    raise Refused(
                        f"{op.callee} has {argument.depth} elements of {argument.width} bits as "
                        f"{argument.name}, {array.name} is {array.depth} of {array.width}",
                        function.file,
                        op.line,
                    )


def apply(functions: dict[str, Function], directives: Directives) -> None:
    """Applies what the front end has not applied."""
    bounded: set[str] = set()
    for function in functions.values():
        bounded |= flatten.convert(function, directives.pipeline, directives.turns)
        remove_unused(function)
        shifts.part(function, directives.clock)
    for label in directives.turns:
        if label not in bounded and label not in directives.inherited:
            raise directives.refuse(
                label, f"turns: how often loop {label} turns does not depend on data"
            )
    apply_arrays(functions, directives)
    check_functions(functions, directives)
    together.apply(functions, directives)
    check_unrolled(functions, directives)
    apply_pipeline(functions, directives)
    for function in functions.values():
        for block in function.blocks.values():
            if block.pipelined:
                prepare_pipelined(function, block)


def check_ports_used(functions: dict[str, Function], directives: Directives) -> None:
    """Refuses more ports than the schedule uses."""
    for name, (reads, writes) in directives.ports.items():
        found = arrays_called(functions, name)
        if not found:
            continue
        most_reads = max(array.used_reads for array in found)
        most_writes = max(array.used_writes for array in found)
        if most_reads < reads and reads > 1:
            raise directives.refuse(
                name, f"ports: {name} has {reads} read ports, but the schedule uses {most_reads}"
            )
        if most_writes < writes and writes > 1:
            raise directives.refuse(
                name, f"ports: {name} has {writes} write ports, but the schedule uses {most_writes}"
            )
