# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control on data becomes control that is the same for any data.

Both sides of a branch on data run, with loops inside of them, one after the other; a loop that data
end takes all turns that it may take. What is stored on a way that is not taken is not stored, and
what is read there is not used. choices.py does the same for branches without loops, in one block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from . import control
from .chain import TRUE, Chain, Parts
from .choices import Choices
from .errors import Refused
from .graph import Graph, Loop
from .ir import Function, Op
from .loop_end import Bound, LoopEnd, enough


class Flattening(Parts):
    """Changes the control flow of one function, part by part."""

    def __init__(self, function: Function, choices: Choices, turns: Mapping[str, int]) -> None:
        super().__init__(function, choices)
        self.turns = turns
        self.bounded: set[str] = set()  # loops that take the turns of a directive

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
