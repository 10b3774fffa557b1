# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which register holds a value, and when.

A value that is used in a later cycle than that of its result needs a register. A phi and the values
that come into it share one, if none of them is overwritten while it is still needed: then nothing
is copied at the end of a block. In a pipelined loop turns overlap, and a value that is needed for
longer than the interval moves on through a chain of registers.

Points are the cycles of a block: (block, step), and a single one for a pipelined loop or a call.
A register is live at a point if it may be read there.
"""

from __future__ import annotations

import dataclasses

from .ir import Block, Function, Op

Point = tuple[str, int]


@dataclasses.dataclass(eq=False)
class Register:
    members: list[Op]

    @property
    def bits(self) -> int:
        return max(op.bits for op in self.members)

    @property
    def name(self) -> str:
        phis = [op for op in self.members if op.kind == "phi"]
        return (phis or self.members)[0].name


@dataclasses.dataclass
class Binding:
    registers: list[Register]
    register_of: dict[Op, Register]
    chains: dict[Op, int]  # registers after the first, in pipelined loops


def first_cycle(op: Op, block: Block) -> int:
    """Returns the first step at which the register of a value of a pipelined loop has it."""
    if op.kind == "phi":
        value = op.args[op.sources.index(block.name)]
        assert isinstance(value, Op)
        return value.result_step + 1 - block.interval
    return op.result_step + 1


class Binder:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.live: dict[Op, set[Point]] = {}
        self.kept: set[Op] = set()  # values that need a register
        self.chains: dict[Op, int] = {}
        self.of: dict[Op, Register] = {}
        self.before: dict[Point, list[Point]] = {}
        for block in function.blocks.values():
            for step in range(1, self.cycles(block)):
                self.before[block.name, step] = [(block.name, step - 1)]
            self.before[block.name, 0] = [
                self.end(other) for other in function.predecessors(block.name) if other is not block
            ]
            if block.name in block.targets and not block.interval:
                self.before[block.name, 0].append(self.end(block))
        self.mate: dict[Op, Op] = {}  # the value that a pipelined phi takes over, and the phi

    @staticmethod
    def cycles(block: Block) -> int:
        return 1 if block.interval else block.steps

    def end(self, block: Block) -> Point:
        return (block.name, self.cycles(block) - 1)

    def defined_at(self, op: Op) -> Point:
        block = self.function.blocks[op.block]
        return (op.block, 0 if block.interval or block.is_call else op.result_step)

    def use(self, op: Op, point: Point) -> None:
        """Notes that the register of a value is read at a point."""
        self.kept.add(op)
        live = self.live.setdefault(op, set())
        inside = self.function.blocks[op.block].interval > 0
        if inside:
            live.add((op.block, 0))
        written = self.defined_at(op)
        work = [point]
        while work:
            here = work.pop()
            if inside and here[0] == op.block:
                continue
            if here in live:
                continue
            live.add(here)
            if op.kind == "phi" and here == (op.block, 0):
                continue
            work += [one for one in self.before[here] if op.kind == "phi" or one != written]

    def use_in_block(self, value: Op, step: int, block: Block) -> None:
        """A use by an operation of the block, at a step."""
        if value.block != block.name:
            self.use(value, (block.name, 0 if block.interval or block.is_call else step))
        elif block.interval:
            if value.kind != "phi" and value.result_step == step:
                return
            place = (step - first_cycle(value, block)) // block.interval
            self.chains[value] = max(self.chains.get(value, 0), place)
            self.use(value, (block.name, 0))
        elif value.kind == "phi" or value.result_step != step:
            self.use(value, (block.name, step))

    def use_at_end(self, value: Op, block: Block) -> None:
        """A use when a block is left."""
        last = block.steps - 1
        if value.block == block.name and value.kind != "phi" and value.result_step == last:
            return
        self.use(value, self.end(block))

    def collect_phi(self, phi: Op, block: Block) -> None:
        self.kept.add(phi)
        self.live.setdefault(phi, set())
        for arg, name in zip(phi.args, phi.sources, strict=True):
            source = self.function.blocks[name]
            # In a pipelined loop the next value is written as soon as it is there.
            if isinstance(arg, Op) and not (source is block and block.interval):
                self.use_at_end(arg, source)

    def collect(self) -> None:
        for block in self.function.blocks.values():
            for op in block.ops:
                for arg in op.args:
                    if isinstance(arg, Op):
                        self.use_in_block(arg, op.step, block)
            for phi in block.phis:
                self.collect_phi(phi, block)
            if isinstance(block.condition, Op) and not block.interval:
                self.use_at_end(block.condition, block)
            elif isinstance(block.condition, Op) and block.condition.block != block.name:
                self.use(block.condition, (block.name, 0))

    def after(self, block: Block) -> set[Point]:
        return {(name, 0) for name in block.targets if name != block.name}

    def overwritten(self, op: Op) -> set[Point]:
        """Returns the points from which on a register has this value instead of another one."""
        block = self.function.blocks[op.block]
        if op.kind == "phi":
            return {(block.name, 0)}
        if block.interval:
            return {(block.name, 0)} | self.after(block)
        name, step = self.defined_at(op)
        if step + 1 < self.cycles(block):
            return {(name, step + 1)}
        return {(target, 0) for target in block.targets}

    def flows_into(self, value: Op, other: Op) -> set[Point]:
        """Returns the points where `other` takes over from `value`, which is no conflict there."""
        phi = other if other.kind == "phi" else self.mate.get(other)
        if phi is None or value.block not in phi.sources:
            return set()
        if phi.args[phi.sources.index(value.block)] is not value:
            return set()
        return {(phi.block, 0)}

    def conflict(self, x: Op, y: Op) -> bool:
        if x is y:
            return False
        x_over = self.overwritten(x) - self.flows_into(x, y)
        y_over = self.overwritten(y) - self.flows_into(y, x)
        empty: set[Point] = set()
        return bool(x_over & self.live.get(y, empty) or y_over & self.live.get(x, empty))

    def join(self, first: Op, second: Op) -> None:
        """Gives two values one register."""
        kept, gone = self.of[first], self.of[second]
        kept.members += gone.members
        for member in gone.members:
            self.of[member] = kept

    def join_turns(self, block: Block) -> None:
        """In a pipelined loop, a phi and its next value are written together."""
        for phi in block.phis:
            value = phi.args[phi.sources.index(block.name)]
            assert isinstance(value, Op)
            if value in self.kept and value not in self.mate:
                self.mate[value] = phi
                self.join(phi, value)

    def join_incoming(self, phi: Op) -> None:
        """A phi and what comes into it share a register, if nothing is lost by it."""
        for arg in phi.args:
            if not isinstance(arg, Op) or arg not in self.of or self.of[arg] is self.of[phi]:
                continue
            pairs = [(x, y) for x in self.of[phi].members for y in self.of[arg].members]
            if not any(self.conflict(x, y) for x, y in pairs):
                self.join(phi, arg)

    def run(self) -> Binding:
        self.collect()
        self.of = {op: Register([op]) for op in self.function.ops if op in self.kept}
        for block in self.function.blocks.values():
            if block.interval:
                self.join_turns(block)
        for block in self.function.blocks.values():
            for phi in block.phis:
                self.join_incoming(phi)
        return Binding(list(dict.fromkeys(self.of.values())), self.of, self.chains)


def bind(function: Function) -> Binding:
    """Returns the registers of a scheduled function."""
    return Binder(function).run()
