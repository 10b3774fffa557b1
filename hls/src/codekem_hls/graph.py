# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The control flow of a function as a graph: dominators, what joins branches, and loops.

Sets of blocks are the bits of a number, by the place of a block in the order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from .ir import Block, Function


def successors(block: Block) -> list[str]:
    """Returns the blocks that may come next, each once."""
    return [] if block.end == "return" else list(dict.fromkeys(block.targets))


def reverse_postorder(first: str, after: Callable[[str], list[str]]) -> list[str]:
    """Returns the blocks so that each comes after those that lead to it, but for loops.

    after: says which blocks may come next.
    """
    done: list[str] = []
    seen = {first}
    stack = [(first, iter(after(first)))]
    while stack:
        name, left = stack[-1]
        following = next(left, None)
        if following is None:
            done.append(name)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(after(following))))
    return done[::-1]


def dominators(order: list[str], before: dict[str, list[str]]) -> dict[str, int]:
    """Returns for each block those that every way from the first one to it passes."""
    place = {name: i for i, name in enumerate(order)}
    whole = (1 << len(order)) - 1
    found = dict.fromkeys(order, whole)
    found[order[0]] = 1
    changed = True
    while changed:
        changed = False
        for name in order[1:]:
            new = whole
            for one in before[name]:
                new &= found[one]
            new |= 1 << place[name]
            if new != found[name]:
                found[name], changed = new, True
    return found


@dataclasses.dataclass
class Loop:
    """A loop whose blocks are reached through its head alone."""

    head: str
    blocks: set[str]


class Graph:
    """What a function's control flow is at the moment."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.order = reverse_postorder(
            function.entry.name, lambda name: successors(function.blocks[name])
        )
        self.place = {name: i for i, name in enumerate(self.order)}
        self.after = {name: successors(function.blocks[name]) for name in self.order}
        self.before: dict[str, list[str]] = {name: [] for name in self.order}
        for name, targets in self.after.items():
            for target in targets:
                self.before[target].append(name)
        self.over = dominators(self.order, self.before)
        self.joins = self.postdominators()
        self.loops = self.find_loops()

    def postdominators(self) -> dict[str, int]:
        """Returns for each block those that every way from it to the end passes."""
        end = ""  # all returns lead to it
        backwards = [end, *reversed(self.order)]
        before = {name: [*self.after[name]] or [end] for name in self.order}
        found = dominators(backwards, before | {end: []})
        place = {name: i for i, name in enumerate(backwards)}
        return {
            name: sum(1 << self.place[one] for one in self.order if bits >> place[one] & 1)
            for name, bits in found.items()
            if name
        }

    def dominates(self, first: str, second: str) -> bool:
        return bool(self.over[second] >> self.place[first] & 1)

    def always_within(self, names: set[str]) -> dict[str, set[str]]:
        """Returns for each of some blocks those that always follow it before the others, or before
        one of these runs again.
        """
        order = [name for name in self.order if name in names]
        after = {
            name: [
                one if one in names and self.place[one] > self.place[name] else ""
                for one in self.after[name]
            ]
            for name in order
        }
        backwards = ["", *reversed(order)]
        found = dominators(backwards, after | {"": []})
        return {
            name: {one for i, one in enumerate(backwards) if one and found[name] >> i & 1}
            for name in order
        }

    def exits(self, loop: Loop) -> list[tuple[str, str]]:
        """Returns the ways out of a loop, in order."""
        return [
            (name, to)
            for name in self.order
            if name in loop.blocks
            for to in self.after[name]
            if to not in loop.blocks
        ]

    def latches(self, loop: Loop) -> list[str]:
        return [name for name in loop.blocks if loop.head in self.after[name]]

    def nearest_over(self, name: str) -> str | None:
        """Returns the last block that every way to this one passes."""
        bits = self.over[name] & ~(1 << self.place[name])
        several = [one for one in self.order if bits >> self.place[one] & 1]
        return max(several, key=lambda one: self.over[one].bit_count(), default=None)

    def join(self, name: str) -> str | None:
        """Returns the first block that every way from this one passes."""
        bits = self.joins[name] & ~(1 << self.place[name])
        several = [one for one in self.order if bits >> self.place[one] & 1]
        return max(several, key=lambda one: self.joins[one].bit_count(), default=None)

    def find_loops(self) -> list[Loop]:
        found: dict[str, Loop] = {}
        for name in self.order:
            for head in self.after[name]:
                if not self.dominates(head, name):
                    continue
                loop = found.setdefault(head, Loop(head, {head}))
                work = [name]
                while work:
                    one = work.pop()
                    if one not in loop.blocks:
                        loop.blocks.add(one)
                        work += self.before[one]
        return sorted(found.values(), key=lambda loop: len(loop.blocks))

    def between(self, first: str, last: str) -> set[str]:
        """Returns the blocks on all ways from a block to another, without these two."""
        found: set[str] = set()
        work = [one for one in self.after[first] if one != last]
        while work:
            one = work.pop()
            if one not in found:
                found.add(one)
                work += [other for other in self.after[one] if other != last]
        return found

    def innermost(self, name: str) -> Loop | None:
        return next((loop for loop in self.loops if name in loop.blocks), None)
