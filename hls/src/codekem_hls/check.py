# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Looks at a finished schedule again, without the constraints that it was made from.

A mistake here is one of the tool, so it is no Refused but a ScheduleMistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import delays
from .control import Walk
from .ir import Array, Block, Const, Op


class ScheduleMistake(AssertionError):
    """A schedule would compute something wrong, or too slowly."""


def demand(good: bool, block: Block, text: str) -> None:
    if not good:
        raise ScheduleMistake(f"block {block.name}: {text}")


def check_values(block: Block) -> None:
    """Values are used when they are there."""
    for op in block.ops:
        demand(op.step >= 0 and op.result_step < block.steps, block, f"{op.name} ends too late")
        for arg in op.args:
            if not isinstance(arg, Op) or arg.block != block.name:
                continue
            if arg.kind != "phi":
                demand(op.step >= arg.result_step, block, f"{op.name} uses {arg.name} too early")
            elif block.interval:
                value = arg.args[arg.sources.index(block.name)]
                assert isinstance(value, Op)
                ready = value.result_step + 1 - block.interval
                demand(op.step >= ready, block, f"{op.name} uses {arg.name} too early")
    condition = block.condition
    if block.interval and isinstance(condition, Op):
        demand(condition.result_step < block.interval, block, "the loop's test comes too late")


def chains(block: Block) -> Iterator[tuple[Op, float, bool]]:
    """Yields each operation, when in its cycle it ends, and whether others come before it."""
    arrival: dict[Op, float] = {}
    for op in block.ops:
        before = 0.0
        chained = False
        for arg in op.args:
            if isinstance(arg, Op) and arg in arrival and arg.result_step == op.step:
                before, chained = max(before, arrival[arg]), True
        if op.kind == "store" or op.latency:
            arrival[op] = delays.delay_of(op)
            total = before + delays.input_delay(op)
        else:
            total = arrival[op] = before + delays.delay_of(op)
        yield op, total, chained


def check_times(block: Block, clock: float) -> None:
    """No chain of operations takes longer than a cycle, but for one that does so alone."""
    for op, total, chained in chains(block):
        late = total > clock - delays.model().register + 1e-9
        demand(not (late and chained), block, f"{op.name} ends {total:.1f} ns after the clock")


def check_ports(block: Block) -> None:
    """No port has two accesses at once."""
    taken: set[tuple[Array, str, int, int]] = set()
    for op in block.ops:
        if not op.is_memory or op.array is None or op.array.bind == "registers":
            continue
        slot = op.step % block.interval if block.interval else op.step
        key = (op.array, op.kind, op.port, slot)
        ports = op.array.reads if op.kind == "load" else op.array.writes
        demand(key not in taken and op.port < ports, block, f"two accesses of {op.array.name}")
        taken.add(key)


def addresses(block: Block, walk: Walk | None, op: Op) -> list[list[int]] | None:
    """Returns an access's addresses in each run, by turn; None if they are not known."""
    if walk is None or op not in walk.accesses[block.name]:
        return None
    position = walk.accesses[block.name].index(op)
    return [[turn[position] for turn in run] for run in walk.addresses[block.name]]


def check_pair(block: Block, walk: Walk | None, order: dict[Op, int], x: Op, y: Op) -> None:
    """In program order, x comes before y; also in later turns of the loop."""
    assert x.array is not None
    first, second = addresses(block, walk, x), addresses(block, walk, y)
    always = [op.args[0].value for op in (x, y) if isinstance(op.args[0], Const)]
    gap = x.array.read_latency if x.kind == "load" else 1
    turns = -(-block.steps // block.interval) + 1 if block.interval else 1
    for distance in range(turns):
        if distance == 0 and order[x] >= order[y]:
            continue
        meet = len(set(always)) < 2  # two constants that differ are two elements
        if meet and first is not None and second is not None:
            meet = any(
                a == b
                for run, other in zip(first, second, strict=True)
                for a, b in zip(run, other[distance:], strict=False)
            )
        if meet:
            demand(
                y.step + distance * block.interval >= x.step + gap,
                block,
                f"{x.name} and {y.name} access {x.array.name} in the wrong order",
            )


def check_block(block: Block, walk: Walk | None, clock: float) -> None:
    """Raises ScheduleMistake if the schedule of a block is wrong."""
    check_values(block)
    check_times(block, clock)
    check_ports(block)
    accesses = [op for op in block.ops if op.is_memory]
    order = {op: place for place, op in enumerate(block.ops)}
    for x in accesses:
        for y in accesses:
            if x.array is y.array and "store" in (x.kind, y.kind) and x is not y:
                check_pair(block, walk, order, x, y)
