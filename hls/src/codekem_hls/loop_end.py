# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Loops that data end take all their turns; those behind the end change nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from .chain import FALSE, TRUE, Chain, Parts
from .choices import Choices
from .graph import Loop
from .ir import Block, Const, Op, Operand

Key = tuple[str, Op] | Op | str


@dataclasses.dataclass
class Bound:
    """Where a loop ends by counters: if a condition has a value."""

    block: str
    condition: Operand
    value: bool
    alone: bool  # whether nothing else ends the loop there


def enough(condition: Operand, value: bool, level: dict[Op, int]) -> Iterator[tuple[Operand, bool]]:
    """Returns what counters decide, and which values of it give a condition this value."""
    if not Choices.is_data(condition, level):
        yield condition, value
        return
    if not isinstance(condition, Op):
        return
    kind, args = condition.kind, condition.args
    if kind == "xor" and args[1] == TRUE:
        yield from enough(args[0], not value, level)
    if kind == "select" and args[1 if value else 2] == (TRUE if value else FALSE):
        kind, args = "or" if value else "and", [args[0], args[2 if value else 1]]
    if kind == ("or" if value else "and"):
        for arg in args:
            yield from enough(arg, value, level)


class LoopEnd:
    """Makes a loop take all its turns, where data end it earlier."""

    def __init__(
        self,
        flat: Parts,
        loop: Loop,
        level: dict[Op, int],
        label: str,
        count: int | None,
        bound: Bound | None,
    ) -> None:
        self.flat, self.loop, self.label, self.count, self.bound = flat, loop, label, count, bound
        self.function, self.graph = flat.function, flat.graph
        self.head = self.function.blocks[loop.head]
        self.outside = [block for block in self.function.blocks if block not in loop.blocks]
        self.chain = Chain(flat, self.head, loop.blocks - {loop.head}, level)
        self.targets = list(dict.fromkeys(to for _, to in self.graph.exits(loop)))
        self.line = self.head.line or next(
            (self.function.blocks[one].line for one in self.graph.latches(loop)), 0
        )
        # Values that are used behind the loop, as turns pass them on: those of phis there, by the
        # way out; others; and by which way the loop was left.
        self.carried: dict[Key, Op] = {}
        self.fixed: dict[Key, Operand] = {}  # those that are the same by each way
        self.block_of: dict[Op, str] = {}
        for to in self.targets:
            for phi in self.function.blocks[to].phis:
                same = self.same_from_inside(phi)
                if same is None:
                    self.carry((to, phi), phi.width)
                else:
                    self.fixed[(to, phi)] = same
        self.used_behind: dict[Op, Op] = {}
        for op in self.used_outside():
            self.block_of[op] = op.block
            self.carry(op, op.width)
            self.used_behind[op] = self.in_place_of(op)
        for to in self.targets[1:]:
            self.carry(to, 1)
        self.running: dict[Key, Operand] = dict(self.carried)
        self.kept: dict[Key, Operand] = {}
        self.after = Block(flat.new_name(), line=self.line)
        # How the last block of a turn ends, if counters decide.
        self.last: Bound | None = None

    def used_outside(self) -> list[Op]:
        inside = self.loop.blocks
        found: dict[Op, None] = {}
        for name in self.outside:
            block = self.function.blocks[name]
            used = [arg for op in block.ops for arg in op.args]
            for phi in block.phis:
                pairs = zip(phi.args, phi.sources, strict=True)
                used += [arg for arg, source in pairs if source not in inside]
            for arg in [*used, block.condition]:
                if isinstance(arg, Op) and arg.block in inside:
                    found[arg] = None
        return list(found)

    def in_place_of(self, op: Op) -> Op:
        """Returns what takes the place of a value behind the loop, until that is known."""
        new = Op(self.flat.new_name(), "copy", op.width, [])
        inside = self.loop.blocks
        for name in self.outside:
            block = self.function.blocks[name]
            for user in block.ops:
                user.args = [new if arg is op else arg for arg in user.args]
            for phi in block.phis:
                pairs = zip(phi.args, phi.sources, strict=True)
                phi.args = [new if a is op and b not in inside else a for a, b in pairs]
            if block.condition is op:
                block.condition = new
        return new

    def same_from_inside(self, phi: Op) -> Operand | None:
        """Returns the value of a phi by all ways out of the loop, if turns do not change it."""
        pairs = zip(phi.args, phi.sources, strict=True)
        several = [arg for arg, source in pairs if source in self.loop.blocks]
        first = several[0]
        if isinstance(first, Op) and first.block in self.loop.blocks:
            return None
        return first if all(arg is first or arg == first for arg in several) else None

    def new_phi(self, width: int) -> Op:
        name = self.flat.new_name()
        return Op(name, "phi", width, [], line=self.line, block=self.head.name)

    def carry(self, key: Key, width: int) -> None:
        self.carried[key] = self.new_phi(width)

    def run(self) -> None:
        chain, head, before = self.chain, self.head, list(self.head.phis)
        on = self.new_phi(1)
        chain.guards[head.name] = on
        head.ops = [one for op in head.ops for one in chain.guarded(op, on)]
        self.function.blocks[self.after.name] = self.after
        self.leave(head.name)
        chain.walk(self.loop.blocks - {head.name}, self.leave)
        self.close(before, on)
        self.lead_on()
        self.flat.finish(chain)

    def leave(self, name: str) -> None:
        """Notes the ways out of a block; one of them may be the end of the loop."""
        chain, block = self.chain, self.function.blocks[name]
        guard, condition, targets = chain.guards[name], block.condition, block.targets
        ways: list[tuple[str, Operand]] = [(targets[0], guard)]
        if block.end == "branch" and targets[0] != targets[1]:
            assert condition is not None
            ways = [(targets[0], chain.both(guard, condition))]
            ways.append((targets[1], chain.both(guard, chain.opposite(condition))))
        for to, taken in ways:
            if to not in self.loop.blocks:
                self.note_exit(name, to, taken)
        bound = self.bound if self.bound is not None and name == self.bound.block else None
        for to, taken in ways:
            if to in self.loop.blocks:
                # Behind the end by counters, the loop has not ended by these.
                chain.leave(name, to, guard if bound is not None and bound.alone else taken)
        if bound is None:
            return
        self.kept = dict(self.running)
        if [one for one in self.graph.order if one in self.loop.blocks][-1] == name:
            self.last = bound
            return
        before = chain.current
        before.line = before.line or self.line
        following = chain.start(before.line)
        self.end_by(bound, before, following.name)

    def end_by(self, bound: Bound, block: Block, following: str) -> None:
        """Ends a block by what counters decide."""
        block.end, block.condition = "branch", bound.condition
        ways = [self.after.name, following]
        block.targets = ways if bound.value else ways[::-1]

    def note_exit(self, name: str, to: str, taken: Operand) -> None:
        """Keeps the values with which the loop is left, if it is."""
        chain = self.chain
        for key, before in list(self.running.items()):
            value: Operand
            if isinstance(key, tuple):
                if key[0] != to:
                    continue
                value = key[1].args[key[1].sources.index(name)]
            elif isinstance(key, Op):
                if not self.graph.dominates(self.block_of[key], name):
                    continue
                value = chain.now.get(key, key)
            else:
                if key != to:
                    continue
                value = TRUE
            self.running[key] = chain.emit("select", before.width, [taken, value, before])

    def close(self, phis: list[Op], on: Op) -> None:
        """Leads from the end of a turn to the next one."""
        chain, head = self.chain, self.head
        ways = chain.incoming.get(head.name, [])
        following: dict[Op, Operand] = {phi: chain.merged(phi, ways) for phi in phis}
        going: Operand = FALSE
        for way in ways:
            going = chain.either(going, way.taken)
        following[on] = going
        first: dict[Op, Operand] = {on: TRUE}
        for key, phi in self.carried.items():
            following[phi] = self.running[key]
        last = chain.current
        if self.count is not None:
            count = self.new_phi(64)
            one = chain.emit("add", 64, [count, Const(1, 64)])
            following[count] = one
            more = chain.emit("icmp", 1, [one, Const(self.count, 64)], "ne")
            last.end, last.condition = "branch", more
            last.targets = [head.name, self.after.name]
            self.kept = dict(self.running)
        elif self.last is not None:
            self.end_by(self.last, last, head.name)
        else:
            last.end, last.condition, last.targets = "jump", None, [head.name]
        last.loop, last.line = self.label or f"line_{self.line}", last.line or self.line
        before = [one for one in self.graph.before[head.name] if one not in self.loop.blocks]
        for phi, value in following.items():
            if phi in phis:
                pairs = zip(phi.args, phi.sources, strict=True)
                outer = [(arg, source) for arg, source in pairs if source not in self.loop.blocks]
            else:
                outer = [(first.get(phi, Const(0, phi.width)), source) for source in before]
                head.phis.append(phi)
            phi.args = [*(arg for arg, _ in outer), value]
            phi.sources = [*(source for _, source in outer), last.name]

    def lead_on(self) -> None:
        """Leads from the end of the loop to where the C goes on."""
        block = self.after
        for to in self.targets[:0:-1]:
            block.end, block.condition = "branch", self.kept[to]
            rest = Block(self.flat.new_name(), line=self.line)
            self.function.blocks[rest.name] = rest
            block.targets = [to, rest.name]
            self.enter(to, block)
            block = rest
        block.end, block.targets = "jump", [self.targets[0]]
        self.enter(self.targets[0], block)
        for op, new in self.used_behind.items():
            self.flat.choices.replace(new, self.kept[op])

    def enter(self, to: str, source: Block) -> None:
        for phi in self.function.blocks[to].phis:
            pairs = zip(phi.args, phi.sources, strict=True)
            others = [(arg, one) for arg, one in pairs if one not in self.loop.blocks]
            value = self.fixed[(to, phi)] if (to, phi) in self.fixed else self.kept[(to, phi)]
            phi.args = [*(arg for arg, _ in others), value]
            phi.sources = [*(one for _, one in others), source.name]
