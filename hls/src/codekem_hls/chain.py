# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts the blocks of sides or turns behind each other, where data decide which of them run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection

from .choices import Choices
from .graph import Graph, Loop
from .ir import Block, Const, Function, Op, Operand

TRUE, FALSE = Const(1, 1), Const(0, 1)


class Parts:
    """A function whose control flow is changed, part by part."""

    def __init__(self, function: Function, choices: Choices) -> None:
        self.function, self.choices = function, choices
        self.graph = Graph(function)

    def new_name(self) -> str:
        self.choices.made += 1
        return f"flat{self.choices.made}"

    def is_data(self, block: Block, level: dict[Op, int]) -> bool:
        return block.end == "branch" and Choices.is_data(block.condition, level)

    def finish(self, chain: Chain) -> None:
        for name in chain.removed:
            del self.function.blocks[name]
        names = Graph(self.function).order
        self.function.blocks = {name: self.function.blocks[name] for name in names}


@dataclasses.dataclass
class Incoming:
    """A way into a block: when it is taken, and the values it gives to the block's phis."""

    taken: Operand
    source: str
    values: dict[Op, Operand]


class Chain:
    """Puts blocks behind each other; each has a condition, for what it stores."""

    def __init__(
        self, flat: Parts, first: Block, inside: set[str], level: dict[Op, int], end: str = ""
    ) -> None:
        self.flat, self.function, self.graph = flat, flat.function, flat.graph
        self.current = first
        self.inside = inside
        self.end = end  # where a branch meets again
        self.level = level
        self.guards: dict[str, Operand] = {}
        self.incoming: dict[str, list[Incoming]] = {}
        self.removed: set[str] = set()
        self.now: dict[Op, Operand] = {}  # what has taken the place of phis
        self.always = self.graph.always_within({first.name, *inside})

    def replace(self, old: Op, new: Operand) -> None:
        """Puts a value in the place of a phi, also where a way has been noted."""
        self.flat.choices.replace(old, new)
        self.now = {phi: new if one is old else one for phi, one in self.now.items()} | {old: new}
        for name, guard in self.guards.items():
            if guard is old:
                self.guards[name] = new
        for ways in self.incoming.values():
            for way in ways:
                way.taken = new if way.taken is old else way.taken
                way.values = {phi: new if one is old else one for phi, one in way.values.items()}

    def walk(self, names: Collection[str], hook: Callable[[str], None] | None = None) -> None:
        """Adds blocks, in their order."""
        skipped: set[str] = set()
        loops = {loop.head: loop for loop in self.graph.loops if loop.blocks <= set(names)}
        for name in [one for one in self.graph.order if one in names]:
            if name in skipped:
                continue
            self.guards[name] = self.guard_of(name)
            if name in loops:
                skipped |= loops[name].blocks
                self.keep_loop(loops[name])
                continue
            self.take(name)
            join = self.kept_join(name)
            if join is not None:
                skipped |= self.graph.between(name, join)
                self.keep_branch(name, join)
            elif hook is not None:
                hook(name)
            else:
                self.end_of(name)

    # Conditions

    def emit(self, kind: str, width: int, args: list[Operand], predicate: str = "") -> Op:
        op = self.flat.choices.emit(self.current, kind, width, args)
        op.predicate = predicate
        return op

    def both(self, a: Operand, b: Operand) -> Operand:
        if TRUE in (a, b):
            return b if a == TRUE else a
        return FALSE if FALSE in (a, b) else self.emit("and", 1, [a, b])

    def either(self, a: Operand, b: Operand) -> Operand:
        if FALSE in (a, b):
            return b if a == FALSE else a
        return TRUE if TRUE in (a, b) else self.emit("or", 1, [a, b])

    def opposite(self, a: Operand) -> Operand:
        if isinstance(a, Const):
            return FALSE if a.value else TRUE
        return self.emit("xor", 1, [a, TRUE])

    def guard_of(self, name: str) -> Operand:
        """Returns when a block runs."""
        over = self.graph.nearest_over(name)
        if over in self.guards and name in self.always[over]:
            return self.guards[over]
        found: Operand = FALSE
        for way in self.incoming.get(name, []):
            found = self.either(found, way.taken)
        return found

    def merged(self, phi: Op, ways: list[Incoming], otherwise: Operand | None = None) -> Operand:
        """Returns the value of a phi: that of the way that is taken."""
        value = otherwise
        for way in ways:
            one = way.values[phi]
            if value is None or value is one:
                value = one
            else:
                value = self.emit("select", phi.width, [way.taken, one, value])
        assert value is not None
        return value

    def leave(self, source: str, target: str, taken: Operand, name: str = "") -> None:
        """Notes a way from a block to another."""
        phis = self.function.blocks[target].phis
        values = {phi: phi.args[phi.sources.index(source)] for phi in phis}
        way = Incoming(taken, name or self.current.name, values)
        self.incoming.setdefault(target, []).append(way)

    # Blocks

    def guarded(self, op: Op, guard: Operand) -> list[Op]:
        """Returns what takes the place of an operation that runs under a condition."""
        if op.kind == "load":
            op.guarded = True
        if op.kind != "store" or guard == TRUE:
            return [op]
        op.guarded = True
        if len(op.args) < 3:
            op.args = [*op.args, guard]
            return [op]
        whole = self.emit("and", 1, [op.args[2], guard])
        self.current.ops.pop()
        whole.block, whole.line = op.block, op.line
        op.args = [*op.args[:2], whole]
        return [whole, op]

    def take(self, name: str) -> None:
        """Adds a block without its loops to the chain."""
        block, guard = self.function.blocks[name], self.guards[name]
        for phi in block.phis:
            self.replace(phi, self.merged(phi, self.incoming[name]))
        self.add_operations(block, guard)
        self.current.line = block.line or self.current.line
        self.removed.add(name)

    def add_operations(self, block: Block, guard: Operand) -> None:
        for op in block.ops:
            op.block = self.current.name
            self.current.ops += self.guarded(op, guard)

    def end_of(self, name: str) -> None:
        """Notes the ways out of a block that was taken."""
        block, guard = self.function.blocks[name], self.guards[name]
        targets = self.graph.after[name]
        if len(targets) == 1:
            self.leave(name, targets[0], guard)
            return
        assert block.condition is not None
        self.leave(name, block.targets[0], self.both(guard, block.condition))
        self.leave(name, block.targets[1], self.both(guard, self.opposite(block.condition)))

    def start(self, line: int) -> Block:
        """Begins a new block behind the current one."""
        block = Block(self.flat.new_name(), line=line)
        self.function.blocks[block.name] = block
        self.current = block
        return block

    def keep(self, names: Collection[str], guard: Operand) -> None:
        """Leaves blocks as they are, but for a condition."""
        for name in names:
            block = self.function.blocks[name]
            block.ops = [one for op in block.ops for one in self.guarded(op, guard)]

    def keep_loop(self, loop: Loop) -> None:
        """Puts a loop as it is behind the chain."""
        head = self.function.blocks[loop.head]
        guard = self.guards[loop.head]
        self.keep(loop.blocks, guard)
        for phi in head.phis:
            first = self.merged(phi, self.incoming[loop.head])
            pairs = [
                (arg, source)
                for arg, source in zip(phi.args, phi.sources, strict=True)
                if source in loop.blocks
            ]
            phi.args = [first, *(arg for arg, _ in pairs)]
            phi.sources = [self.current.name, *(source for _, source in pairs)]
        self.current.end, self.current.condition = "jump", None
        self.current.targets = [loop.head]
        ((name, to),) = self.graph.exits(loop)
        last = self.function.blocks[name]
        following = self.start(last.line)
        last.targets = [following.name if one == to else one for one in last.targets]
        self.leave(name, to, guard, following.name)

    def keep_branch(self, name: str, join: str) -> None:
        """Leaves a branch that is the same for any data, with the loops on its sides."""
        block, guard = self.function.blocks[name], self.guards[name]
        sides = self.graph.between(name, join)
        self.keep(sides, guard)
        before = self.current
        for side in sides:
            for phi in self.function.blocks[side].phis:
                phi.sources = [before.name if one == name else one for one in phi.sources]
        before.end, before.condition = "branch", block.condition
        following = self.start(block.line)
        before.targets = [following.name if one == join else one for one in block.targets]
        ends = [one for one in [*sides, name] if join in self.graph.after[one]]
        values: dict[Op, Operand] = {}
        for phi in self.function.blocks[join].phis:
            new = Op(f"{phi.name}.{following.name}", "phi", phi.width, [], line=phi.line)
            new.block = following.name
            new.args = [phi.args[phi.sources.index(one)] for one in ends]
            new.sources = [before.name if one == name else one for one in ends]
            following.phis.append(new)
            values[phi] = new
        for one in ends:
            if one != name:
                end = self.function.blocks[one]
                end.targets = [following.name if to == join else to for to in end.targets]
        self.incoming.setdefault(join, []).append(Incoming(guard, following.name, values))

    def kept_join(self, name: str) -> str | None:
        """Returns where a branch ends that stays a branch, as loops depend on it."""
        block = self.function.blocks[name]
        join = self.graph.join(name)
        if block.end != "branch" or join is None or self.flat.is_data(block, self.level):
            return None
        sides = self.graph.between(name, join)
        if not sides <= self.inside or join in sides or name in sides:
            return None
        if join not in self.inside and join != self.end:
            return None
        if not any(loop.head in sides for loop in self.graph.loops):
            return None
        if any(self.flat.is_data(self.function.blocks[one], self.level) for one in sides):
            return None
        alone = all(set(self.graph.before[one]) <= sides | {name} for one in sides)
        return join if alone else None
