# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Control that does not depend on data: which values it is made of, and a walk through it.

A value is STATIC if it is computed from constants and loop counters, PUBLIC if it also depends on
scalars that are declared PUBLIC, and DATA otherwise. Branches on DATA are refused, so the way
through a function is known before anything is simulated: the walk follows it, and gives trip
counts, the range of each counter, and the addresses that counters decide.
"""

from __future__ import annotations

import collections
import dataclasses

from .errors import Refused
from .evaluate import value_of
from .ir import Block, Const, Function, Op, Operand, Param

STATIC, PUBLIC, DATA = 0, 1, 2
MOST_STEPS = 12_000_000


@dataclasses.dataclass
class Walk:
    """How a function runs: counts, ranges and addresses."""

    # How often each block runs; loops of one block: how often with which trip count.
    visits: collections.Counter[str]
    trips: dict[str, collections.Counter[int]]
    highest: dict[Op, int]
    # For each block, the addresses of `accesses` in each turn; the same sequence only once.
    accesses: dict[str, list[Op]]
    addresses: dict[str, set[tuple[tuple[int, ...], ...]]]
    # For each block with calls, how often it gives which values as PUBLIC scalars, by call.
    calls: dict[str, collections.Counter[tuple[tuple[int, ...], ...]]] = dataclasses.field(
        default_factory=dict
    )


def levels(function: Function) -> dict[Op, int]:
    """Returns STATIC, PUBLIC or DATA for each operation."""
    level = dict.fromkeys(function.ops, STATIC)

    def of(operand: Operand) -> int:
        if isinstance(operand, Op):
            return level[operand]
        if isinstance(operand, Param):
            return PUBLIC if operand.public else DATA
        return STATIC

    changed = True
    while changed:
        changed = False
        for op in level:
            if op.kind in ("load", "call", "store"):
                new = DATA
            else:
                new = max((of(arg) for arg in op.args), default=STATIC)
            if new > level[op]:
                level[op], changed = new, True
    return level


def origin(operand: Operand, level: dict[Op, int]) -> str:
    """Says where the data comes from that an operand depends on."""
    seen: set[Op] = set()
    work = [operand]
    while work:
        one = work.pop()
        if isinstance(one, Param) and not one.public:
            return f"the argument {one.name}, which is not PUBLIC"
        if not isinstance(one, Op) or one in seen or level[one] < DATA:
            continue
        seen.add(one)
        if one.kind == "load" and one.array is not None:
            return f"what line {one.line} reads from {one.array.name}"
        if one.kind == "call":
            return f"the result of {one.callee}"
        work += one.args
    return "data"


def check_branches(function: Function, level: dict[Op, int]) -> bool:
    """Refuses branches on data; returns whether any depends on PUBLIC scalars."""
    public = False
    for block in function.blocks.values():
        if block.end != "branch" or block.condition is None:
            continue
        condition = block.condition
        if isinstance(condition, Op):
            found = level[condition]
        elif isinstance(condition, Param):
            found = PUBLIC if condition.public else DATA
        else:
            found = STATIC
        if found == DATA:
            raise Refused(
                f"a branch or trip count depends on {origin(condition, level)}; choose by "
                "c ? a : b on scalars, and let loops run as often as for any data",
                function.file,
                block.line,
            )
        public = public or found == PUBLIC
    return public


class Walker:
    """Follows a function through its blocks."""

    def __init__(self, function: Function, level: dict[Op, int], values: dict[str, int]) -> None:
        self.function, self.values = function, values
        limit = PUBLIC if values else STATIC
        self.known = {op for op, found in level.items() if found <= limit}
        self.env: dict[Op, int] = {}
        self.ops: dict[str, list[Op]] = {}  # those that are known, by block
        self.walk = Walk(collections.Counter(), {}, dict.fromkeys(self.known, 0), {}, {})
        for name, block in function.blocks.items():
            accesses = [op for op in block.ops if op.is_memory and self.is_known(op.args[0])]
            self.walk.accesses[name] = accesses
            self.ops[name] = [op for op in block.ops if op in self.known]
            self.walk.addresses[name] = set()
            if block.is_call:
                self.walk.calls[name] = collections.Counter()

    def is_known(self, operand: Operand) -> bool:
        if isinstance(operand, Op):
            return operand in self.known
        return isinstance(operand, Const) or operand.name in self.values

    def value(self, operand: Operand) -> int:
        if isinstance(operand, Op):
            return self.env[operand]
        return operand.value if isinstance(operand, Const) else self.values[operand.name]

    def note(self, op: Op, value: int) -> None:
        self.env[op] = value
        self.walk.highest[op] = max(value, self.walk.highest[op])

    def enter(self, block: Block, before: str) -> tuple[int, ...]:
        """Runs a block once; returns the addresses of its accesses."""
        new = [
            (phi, self.value(phi.args[phi.sources.index(before)]))
            for phi in block.phis
            if phi in self.known
        ]
        for phi, value in new:
            self.note(phi, value)
        if block.is_call:
            given = tuple(
                tuple(self.value(op.args[place]) for place in op.public) for op in block.ops
            )
            self.walk.calls[block.name][given] += 1
        for op in self.ops[block.name]:
            self.note(op, value_of(op, [self.value(arg) for arg in op.args]))
        return tuple(self.value(op.args[0]) for op in self.walk.accesses[block.name])

    def successor(self, block: Block) -> str:
        if block.end == "jump":
            return block.targets[0]
        assert block.condition is not None
        return block.targets[0 if self.value(block.condition) else 1]

    def run(self) -> Walk:
        block, before, steps = self.function.entry, "", 0
        while True:
            turns = [self.enter(block, before)]
            self.walk.visits[block.name] += 1
            while block.end != "return" and self.successor(block) == block.name:
                turns.append(self.enter(block, block.name))
                self.walk.visits[block.name] += 1
                if len(turns) * (len(self.ops[block.name]) + 1) > MOST_STEPS:
                    break
            if block.name in block.targets:
                counts = self.walk.trips.setdefault(block.name, collections.Counter())
                counts[len(turns)] += 1
            if self.walk.accesses[block.name]:
                # In a loop that is not pipelined, turns do not overlap.
                runs = [tuple(turns)] if block.pipelined else [(turn,) for turn in turns]
                self.walk.addresses[block.name].update(runs)
            steps += len(turns) * (len(self.ops[block.name]) + 1)
            if steps > MOST_STEPS:
                raise Refused(
                    "this does not end, or takes more than 12 million operations",
                    self.function.file,
                    block.line,
                )
            if block.end == "return":
                return self.walk
            block, before = self.function.blocks[self.successor(block)], block.name


def walk(function: Function, level: dict[Op, int], values: dict[str, int]) -> Walk:
    """Follows a function; values: those of PUBLIC scalars, if branches depend on them."""
    return Walker(function, level, values).run()


def check_addresses(function: Function, found: Walk) -> None:
    """Refuses accesses outside an array, where counters decide about the address."""
    for name, runs in found.addresses.items():
        for position, op in enumerate(found.accesses[name]):
            assert op.array is not None
            for run in runs:
                for turn in run:
                    if turn[position] >= op.array.depth and not op.guarded:
                        raise Refused(
                            f"element {turn[position]} of {op.array.name}, which has "
                            f"{op.array.depth} elements",
                            function.file,
                            op.line,
                        )
