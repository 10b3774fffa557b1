# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Difference constraints on the steps of a block's operations.

later.step - earlier.step >= least - turns * interval, where `turns` is 0 but for what reaches over
turns of a pipelined loop. Node 0 is the beginning of the block.
"""

from __future__ import annotations

import dataclasses
import heapq

from . import delays
from .control import Walk
from .dependence import orders
from .ir import Block, Function, Op


@dataclasses.dataclass(frozen=True)
class Edge:
    earlier: int
    later: int
    least: int
    turns: int
    why: str


@dataclasses.dataclass
class Problem:
    """A block's operations as numbers from 1 on, and what their steps must satisfy."""

    block: Block
    ops: list[Op]
    number: dict[Op, int]
    edges: list[Edge]
    clock: float


def set_latencies(block: Block) -> None:
    for op in block.ops:
        op.latency = op.array.read_latency if op.kind == "load" and op.array is not None else 0


def back_value(block: Block, phi: Op) -> Op | None:
    """Returns the operation of this block that gives a loop's phi its next value."""
    value = phi.args[phi.sources.index(block.name)] if block.name in phi.sources else None
    return value if isinstance(value, Op) and value.block == block.name else None


def data_edges(problem: Problem) -> None:
    block, number = problem.block, problem.number
    for op in problem.ops:
        for arg in op.args:
            if not isinstance(arg, Op) or arg.block != block.name:
                continue
            if arg.kind != "phi":
                problem.edges.append(Edge(number[arg], number[op], arg.latency, 0, "data"))
            elif block.pipelined:
                # The phi's register has the value in the cycle after its result.
                value = back_value(block, arg)
                assert value is not None
                why = f"the value that line {value.line} carries to the next turn"
                problem.edges.append(Edge(number[value], number[op], value.latency + 1, 1, why))


def chain_edges(problem: Problem) -> None:
    """Separates operations that together take longer than a cycle."""
    users: dict[Op, list[Op]] = {op: [] for op in problem.ops}
    for op in problem.ops:
        for arg in op.args:
            if isinstance(arg, Op) and arg in users and op not in users[arg]:
                users[arg].append(op)
    room = problem.clock - delays.model().register
    number = problem.number
    delay = {op: delays.delay_of(op) for op in problem.ops}
    for source in problem.ops:
        arrival = {source: delay[source]}
        queue = [number[source]]
        while queue:
            op = problem.ops[heapq.heappop(queue) - 1]
            for user in users[op]:
                ends = user.kind == "store" or (user.kind == "load" and user.latency > 0)
                here = arrival[op] + (delays.input_delay(user) if ends else delay[user])
                if here > room:
                    problem.edges.append(
                        Edge(number[source], number[user], source.latency + 1, 0, "chain")
                    )
                elif not ends and here > arrival.get(user, -1.0):
                    if user not in arrival:
                        heapq.heappush(queue, number[user])
                    arrival[user] = here


def order_edges(problem: Problem, walk: Walk | None) -> None:
    for order in orders(problem.block, walk):
        array = order.earlier.array
        assert array is not None
        why = f"the order of accesses to {array.name} (lines {order.earlier.line}, "
        why += f"{order.later.line})"
        problem.edges.append(
            Edge(
                problem.number[order.earlier],
                problem.number[order.later],
                order.wait,
                order.distance,
                why,
            )
        )


def problem_of(function: Function, block: Block, walk: Walk | None, clock: float) -> Problem:
    """Returns the constraints of a block, without those of ports."""
    set_latencies(block)
    ops = list(block.ops)
    problem = Problem(block, ops, {op: i for i, op in enumerate(ops, 1)}, [], clock)
    for op in ops:
        problem.edges.append(Edge(0, problem.number[op], 0, 0, "begin"))
    data_edges(problem)
    chain_edges(problem)
    order_edges(problem, walk)
    problem.edges = strongest(problem.edges)
    return problem


def strongest(edges: list[Edge]) -> list[Edge]:
    """Drops edges that another one implies."""
    best: dict[tuple[int, int, int], Edge] = {}
    for edge in edges:
        key = (edge.earlier, edge.later, edge.turns)
        if key not in best or best[key].least < edge.least:
            best[key] = edge
    return list(best.values())


def earliest(
    count: int, edges: list[Edge], interval: int, fixed: dict[int, int] | None = None
) -> tuple[list[int] | None, Edge | None]:
    """Returns the earliest steps (longest paths), or None and an edge of a cycle that forbids them.

    fixed: steps that are decided already.
    """
    steps = [0] * (count + 1)
    for node, step in (fixed or {}).items():
        steps[node] = step
    out: list[list[Edge]] = [[] for _ in steps]
    for edge in edges:
        out[edge.earlier].append(edge)
    queue = list(range(count + 1))
    waiting = set(queue)
    times = [0] * (count + 1)
    while queue:
        later: list[int] = []
        for node in queue:
            waiting.discard(node)
            for edge in out[node]:
                least = steps[node] + edge.least - edge.turns * interval
                if least <= steps[edge.later]:
                    continue
                if edge.later in (fixed or {}) or edge.later == 0:
                    return None, edge
                steps[edge.later] = least
                times[edge.later] += 1
                if times[edge.later] > count + 1:
                    return None, edge
                if edge.later not in waiting:
                    waiting.add(edge.later)
                    later.append(edge.later)
        queue = later
    return steps, None
