# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control on data becomes control that is the same for any data.

Both sides of a branch on data run, with loops inside of them, one after the other; a loop that data
end takes all turns that it may take. What is stored on a way that is not taken is not stored, and
what is read there is not used. choices.py does the same for branches without loops, in one block.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping

from . import control
from .choices import Choices
from .errors import Refused
from .graph import Graph, Loop
from .ir import Block, Const, Function, Op, Operand

TRUE, FALSE = Const(1, 1), Const(0, 1)
Key = tuple[str, Op] | Op | str


@dataclasses.dataclass
class Incoming:
    """A way into a block: when it is taken, and the values it gives to the block's phis."""

    taken: Operand
    source: str
    values: dict[Op, Operand]


@dataclasses.dataclass
class Bound:
    """Where a loop ends by counters: if a condition has a value."""

    block: str
    condition: Operand
    value: bool
    alone: bool  # whether nothing else ends the loop there


def enough(
    condition: Operand, value: bool, level: dict[Op, int]
) -> Iterator[tuple[Operand, bool]]:
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


class Chain:
    """Puts blocks behind each other; each has a condition, for what it stores."""

    def __init__(
        self, flat: Flattening, first: Block, inside: set[str], level: dict[Op, int], end: str = ""
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


class Flattening:
    """Changes the control flow of one function, part by part."""

    def __init__(self, function: Function, choices: Choices, turns: Mapping[str, int]) -> None:
        self.function, self.choices, self.turns = function, choices, turns
        self.graph = Graph(function)
        self.bounded: set[str] = set()  # loops that take the turns of a directive

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

    def fits(self, names: Collection[str], level: dict[Op, int]) -> bool:
        """Whether blocks can be put behind each other."""
        for name in names:
            block = self.function.blocks[name]
            if block.end == "return" or any(op.kind == "call" for op in block.ops):
                return False
        inner = [loop for loop in self.graph.loops if loop.blocks <= set(names)]
        return all(
            len(self.graph.exits(loop)) == 1
            and not any(self.is_data(self.function.blocks[one], level) for one in loop.blocks)
            for loop in inner
        )

    def step(self) -> bool:
        """Changes one part, those inside of others first; returns whether there was one."""
        level = control.levels(self.function)
        graph = self.graph = Graph(self.function)
        found: list[tuple[int, str, Loop | str]] = []
        for loop in graph.loops:
            if any(self.is_data(self.function.blocks[one], level) for one, _ in graph.exits(loop)):
                found.append((len(loop.blocks), loop.head, loop))
        for name in graph.order:
            join = graph.join(name)
            if self.is_data(self.function.blocks[name], level) and join is not None:
                found.append((len(graph.between(name, join)), name, join))
        for _, name, where in sorted(found, key=lambda one: one[:2]):
            if isinstance(where, Loop):
                changed = self.flatten_loop(where, level)
            else:
                changed = self.flatten_branch(name, where, level)
            if changed:
                return True
        return False

    def flatten_branch(self, name: str, join: str, level: dict[Op, int]) -> bool:
        """Puts the sides of a branch behind each other."""
        block = self.function.blocks[name]
        sides = self.graph.between(name, join)
        alone = all(set(self.graph.before[one]) <= sides | {name} for one in sides)
        if name in sides or join == name or not alone or not self.fits(sides, level):
            return False
        chain = Chain(self, block, sides, level, join)
        chain.guards[name] = TRUE
        chain.end_of(name)
        block.end, block.condition, block.targets = "jump", None, []
        chain.walk(sides)
        ways = chain.incoming[join]
        gone = sides | {name} | {way.source for way in ways}
        for phi in self.function.blocks[join].phis:
            value = chain.merged(phi, ways)
            kept = [
                (arg, source)
                for arg, source in zip(phi.args, phi.sources, strict=True)
                if source not in gone
            ]
            phi.args = [*(arg for arg, _ in kept), value]
            phi.sources = [*(source for _, source in kept), chain.current.name]
        chain.current.end, chain.current.condition = "jump", None
        chain.current.targets = [join]
        if self.graph.place[join] <= self.graph.place[name]:  # it ends the turns of a loop
            ends = (self.function.blocks[one].loop for one in chain.removed)
            chain.current.loop = next((label for label in ends if label), block.loop)
        self.finish(chain)
        return True

    def label(self, loop: Loop) -> str:
        names = [self.function.blocks[name].loop for name in self.graph.latches(loop)]
        return next((name for name in names if name), "")

    def bounding_exit(self, loop: Loop, level: dict[Op, int]) -> Bound | None:
        """Returns an exit that every turn passes and that counters decide."""
        for name, to in reversed(self.graph.exits(loop)):
            block, inner = self.function.blocks[name], self.graph.innermost(name)
            if block.end != "branch" or block.condition is None or inner is None:
                continue
            passed = all(self.graph.dominates(name, one) for one in self.graph.latches(loop))
            if inner.head != loop.head or not passed:
                continue
            for condition, value in enough(block.condition, block.targets[0] == to, level):
                return Bound(name, condition, value, condition is block.condition)
        return None

    def fits_loop(self, loop: Loop, level: dict[Op, int]) -> bool:
        head = self.function.blocks[loop.head]
        calls = any(op.kind == "call" for op in head.ops)
        return head.end != "return" and not calls and self.fits(loop.blocks - {loop.head}, level)

    def flatten_loop(self, loop: Loop, level: dict[Op, int]) -> bool:
        """Makes a loop take all its turns."""
        label = self.label(loop)
        count = self.turns.get(label)
        bound = None if count else self.bounding_exit(loop, level)
        if (count is None and bound is None) or not self.fits_loop(loop, level):
            return False
        LoopEnd(self, loop, level, label, count, bound).run()
        self.bounded |= {label} if count else set()
        return True

    def refuse(self) -> None:
        """Says which loop needs a number of turns, if one does."""
        level = control.levels(self.function)
        self.graph = Graph(self.function)
        for loop in self.graph.loops:
            exits = [self.function.blocks[name] for name, _ in self.graph.exits(loop)]
            data = [block for block in exits if self.is_data(block, level)]
            if not data or self.bounding_exit(loop, level) is not None:
                continue
            if not self.fits_loop(loop, level):
                continue
            assert data[0].condition is not None
            label, line = self.label(loop), data[0].line
            how = f"[turns] {label} = NUMBER"
            if not label or label.startswith("line_"):
                how = "[turns] LABEL = NUMBER, and put LABEL: in front of it"
            raise Refused(
                "how often this loop turns depends on "
                f"{control.origin(data[0].condition, level)}; say how often at most, for any data, "
                f"by {how}",
                self.function.file,
                line,
            )


class LoopEnd:
    """Makes a loop take all its turns, where data end it earlier."""

    def __init__(
        self,
        flat: Flattening,
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
        self.block_of: dict[Op, str] = {}
        for to in self.targets:
            for phi in self.function.blocks[to].phis:
                self.carry((to, phi), phi.width)
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
            phi.args = [*(arg for arg, _ in others), self.kept[(to, phi)]]
            phi.sources = [*(one for _, one in others), source.name]


def convert(
    function: Function, pipelined: Collection[str] = (), turns: Mapping[str, int] | None = None
) -> set[str]:
    """Makes control on data the same for any data; all branches go in loops to be pipelined.

    turns: how often loops may turn that data end, by their names. Returns those that do.
    """
    choices = Choices(function, pipelined)
    flat = Flattening(function, choices, turns or {})
    choices.run()
    while flat.step():
        choices.run()
    flat.refuse()
    return flat.bounded
