# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Branches on data become choices: both sides run, in the same cycles for any data. So do all
branches in a loop that is pipelined, which is one block.

What a side reads may be outside of an array, and is not taken then; what it stores is stored if the
side is chosen. A branch whose sides loop, call or leave is left, and refused later.
"""

from __future__ import annotations

from collections.abc import Collection

from . import control
from .control import DATA
from .ir import Block, Const, Function, Op, Operand, Param


class Choices:
    """Converts the branches on data of a function."""

    def __init__(self, function: Function, pipelined: Collection[str]) -> None:
        self.function = function
        self.pipelined = pipelined
        self.made = 0

    def emit(self, block: Block, kind: str, width: int, args: list[Operand]) -> Op:
        self.made += 1
        line = block.ops[-1].line if block.ops else block.line
        op = Op(f"choice{self.made}", kind, width, args, line=line, block=block.name)
        block.ops.append(op)
        return op

    def replace(self, old: Op, new: Operand) -> None:
        """Puts a value in the place of another one, wherever that is used."""
        for op in self.function.ops:
            op.args = [new if arg is old else arg for arg in op.args]
        for block in self.function.blocks.values():
            if block.condition is old:
                block.condition = new

    def is_side(self, name: str, before: Block) -> bool:
        """Whether a block can be a side: it comes from one block, and only goes on."""
        block = self.function.blocks[name]
        return (
            block.end == "jump"
            and not block.is_call
            and block.targets != [name]
            and self.function.predecessors(name) == [before]
            and not any(op.kind == "call" for op in block.ops)
            and not block.loop
        )

    def joined(self, block: Block) -> str | None:
        """Returns where both sides of a branch meet; None if they do not."""
        sides = [name for name in block.targets if self.is_side(name, block)]
        ends = {self.function.blocks[name].targets[0] for name in sides}
        ends |= {name for name in block.targets if name not in sides}
        met = next(iter(ends)) if len(ends) == 1 else None
        return met if sides and met != block.name else None

    def take_side(self, block: Block, name: str, guard: Operand) -> None:
        """Adds the operations of a side to the block in front of it."""
        side = self.function.blocks[name]
        for phi in side.phis:  # it has one value
            self.replace(phi, phi.args[0])
        for op in side.ops:
            op.block = block.name
            block.ops.append(op)
            if op.kind == "load":
                op.guarded = True
            elif op.kind == "store":
                op.guarded = True
                both = [op.args[2], guard] if len(op.args) > 2 else []
                block.ops.pop()
                whole = self.emit(block, "and", 1, both) if both else guard
                op.args = [*op.args[:2], whole]
                block.ops.append(op)
        del self.function.blocks[name]

    def make_choice(self, block: Block, met: str) -> None:
        condition = block.condition
        assert condition is not None
        names = block.targets
        opposite: Operand | None = None
        for number, name in enumerate(names):
            if name == met:
                continue
            guard = condition
            if number:
                opposite = opposite or self.emit(block, "xor", 1, [condition, Const(1, 1)])
                guard = opposite
            self.take_side(block, name, guard)
        came = [block.name if name == met else name for name in names]
        for phi in self.function.blocks[met].phis:
            values = [phi.args[phi.sources.index(name)] for name in came]
            kept = [
                (arg, name)
                for arg, name in zip(phi.args, phi.sources, strict=True)
                if name not in came
            ]
            value = values[0]
            if values[0] is not values[1]:
                value = self.emit(block, "select", phi.width, [condition, *values])
            phi.args = [*(arg for arg, _ in kept), value]
            phi.sources = [*(name for _, name in kept), block.name]
        block.end, block.condition, block.targets = "jump", None, [met]

    def merge(self, block: Block) -> bool:
        """Joins a block with the only one that follows, if nothing else leads there."""
        name = block.targets[0]
        following = self.function.blocks[name]
        if name == block.name or following.is_call or block.is_call or block.loop:
            return False
        if self.function.predecessors(name) != [block]:
            return False
        for phi in following.phis:
            self.replace(phi, phi.args[0])
        for op in following.ops:
            op.block = block.name
        block.ops += following.ops
        block.end, block.condition = following.end, following.condition
        block.targets, block.line, block.loop = following.targets, following.line, following.loop
        for other in self.function.blocks.values():
            for phi in other.phis:
                phi.sources = [block.name if one == name else one for one in phi.sources]
        del self.function.blocks[name]
        return True

    @staticmethod
    def is_data(condition: Operand | None, level: dict[Op, int]) -> bool:
        if isinstance(condition, Op):
            return level[condition] == DATA
        return isinstance(condition, Param) and not condition.public

    def in_pipelined(self) -> set[str]:
        """Returns the blocks of loops that are to be pipelined, but for those that end a loop."""
        found = set()
        for latch in self.function.blocks.values():
            if latch.loop in self.pipelined:
                found |= {one.name for one in self.function.loop_blocks(latch) if not one.loop}
        return found

    def step(self) -> bool:
        """Converts one branch; returns whether there was one."""
        level = control.levels(self.function)
        inside = self.in_pipelined()
        for block in self.function.blocks.values():
            condition = block.condition
            if block.end != "branch":
                continue
            if block.name not in inside and not self.is_data(condition, level):
                continue
            met = self.joined(block)
            if met is not None:
                self.make_choice(block, met)
                while block.end == "jump" and self.merge(block):
                    pass
                return True
        return False

    def run(self) -> None:
        """Converts all that can be, those inside first."""
        while self.step():
            pass
