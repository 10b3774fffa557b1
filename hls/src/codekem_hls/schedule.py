# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Gives each operation its step.

First come the accesses to memories, one after the other where a port is free (in a pipelined loop:
free in all steps that are equal modulo the interval); then a linear program over the difference
constraints places the rest, for few steps first and few register bits second. Its matrix is totally
unimodular, so the solution is whole. check.py looks at the result again, by other code.
"""

from __future__ import annotations

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_array

from .check import check_block
from .constraints import Edge, Problem, earliest, problem_of
from .control import Walk
from .directives import Directives
from .errors import Refused
from .ir import Array, Block, Function, Op

LARGEST_INTERVAL = 512


def port_groups(problem: Problem) -> dict[tuple[Array, str], list[Op]]:
    """Returns the accesses that need a port, by array and kind."""
    groups: dict[tuple[Array, str], list[Op]] = {}
    for op in problem.ops:
        if op.is_memory and op.array is not None and op.array.bind != "registers":
            groups.setdefault((op.array, op.kind), []).append(op)
    return groups


def ports_of(array: Array, kind: str) -> int:
    return array.reads if kind == "load" else array.writes


def port_limit(problem: Problem, interval: int) -> str:
    """Says which memory has too few ports for an interval, if one has."""
    for (array, kind), ops in port_groups(problem).items():
        ports = ports_of(array, kind)
        if len(ops) > interval * ports:
            kinds = {"load": "reads", "store": "writes"}
            return f"{len(ops)} {kinds[kind]} of {array.name} at {ports} port(s)"
    return ""


def place_accesses(problem: Problem, interval: int) -> tuple[dict[int, int] | None, str]:
    """Returns the steps of accesses that need ports, or None and what forbids them.

    interval: 0 for what is not pipelined.
    """
    count = len(problem.ops)
    steps, edge = earliest(count, problem.edges, interval)
    if steps is None:
        return None, edge.why if edge else ""
    left = {op for ops in port_groups(problem).values() for op in ops}
    taken: dict[tuple[Array, str, int], int] = {}
    fixed: dict[int, int] = {}
    while left:
        now = steps
        op = min(left, key=lambda one: (now[problem.number[one]], problem.number[one]))
        left.discard(op)
        node = problem.number[op]
        assert op.array is not None
        tries = range(steps[node], steps[node] + (interval or count + 1))
        why = ""
        for step in tries:
            slot = (op.array, op.kind, step % interval if interval else step)
            if taken.get(slot, 0) >= ports_of(op.array, op.kind):
                continue
            if step == steps[node]:
                fixed[node] = step
                break
            moved, edge = earliest(count, problem.edges, interval, {**fixed, node: step})
            if moved is not None:
                steps, fixed[node] = moved, step
                break
            why = edge.why if edge else ""
        else:
            return None, why or f"the ports of {op.array.name}"
        taken[slot] = taken.get(slot, 0) + 1
    return fixed, ""


def solve(problem: Problem, interval: int, fixed: dict[int, int]) -> list[int]:
    """Returns the steps that the linear program gives, the last number is the count of steps."""
    count = len(problem.ops)
    rows: list[tuple[int, int, float]] = []  # earlier - later <= bound
    for edge in problem.edges:
        if edge.earlier != edge.later:
            rows.append((edge.earlier, edge.later, edge.turns * interval - edge.least))
    last = count + 1  # the node of the end
    cost = [0.0] * (count + 2)
    bits = [0, *[op.bits if op.kind != "store" else 0 for op in problem.ops]]
    ends: dict[int, int] = {}
    for op in problem.ops:
        rows.append((problem.number[op], last, -(op.latency + 1)))
        for arg in op.args:
            if isinstance(arg, Op) and arg in problem.number:
                source = problem.number[arg]
                if source not in ends:
                    ends[source] = len(cost)
                    cost.append(float(bits[source]))
                    cost[source] -= bits[source]
                rows.append((problem.number[op], ends[source], 0))
    cost[last] = float(sum(bits) + 1)
    matrix = coo_array(
        (
            numpy.tile([1.0, -1.0], len(rows)),
            (
                numpy.repeat(numpy.arange(len(rows)), 2),
                numpy.array([node for row in rows for node in row[:2]]),
            ),
        ),
        shape=(len(rows), len(cost)),
    ).tocsr()
    bounds = [(0, 0), *[(fixed.get(node, 0), fixed.get(node)) for node in range(1, len(cost))]]
    found = linprog(cost, matrix, [row[2] for row in rows], bounds=bounds, method="highs-ds")
    if found.status != 0:
        raise AssertionError(f"the linear program has no solution: {found.message}")
    return [round(value) for value in found.x[: count + 2]]


def with_condition(problem: Problem) -> list[Edge]:
    """A pipelined loop decides about its next turn before that begins."""
    condition = problem.block.condition
    if isinstance(condition, Op) and condition in problem.number:
        return [Edge(problem.number[condition], 0, 1, 1, "the test that ends the loop")]
    return []


def choose_interval(
    function: Function, problem: Problem, directives: Directives
) -> tuple[int, dict[int, int]]:
    """Returns the interval of a pipelined loop and the steps of accesses."""
    block = problem.block
    problem.edges += with_condition(problem)
    why = block.limits
    for interval in range(1, LARGEST_INTERVAL):
        limit = port_limit(problem, interval)
        if not limit:
            fixed, limit = place_accesses(problem, interval)
            if fixed is not None:
                if block.wanted_interval and interval > block.wanted_interval:
                    raise directives.refuse(
                        block.loop,
                        f"loop {block.loop}: interval {block.wanted_interval} is too small for "
                        f"{why}; the smallest is {interval}",
                    )
                if interval < (block.wanted_interval or 0):
                    continue
                block.limits = why
                return interval, fixed
        why = limit
    raise Refused(f"loop {block.loop} has no schedule: {why}", function.file, block.line)


def assign_ports(problem: Problem) -> None:
    block = problem.block
    for (array, kind), ops in port_groups(problem).items():
        taken: dict[int, int] = {}
        for op in sorted(ops, key=lambda one: problem.number[one]):
            slot = op.step % block.interval if block.interval else op.step
            op.port = taken.get(slot, 0)
            taken[slot] = op.port + 1
        most = max(taken.values())
        if kind == "load":
            array.used_reads = max(array.used_reads, most)
        else:
            array.used_writes = max(array.used_writes, most)


def schedule_block(
    function: Function, block: Block, walk: Walk | None, directives: Directives
) -> None:
    if block.is_call or not block.ops:
        block.steps = 1
        return
    problem = problem_of(function, block, walk, directives.clock)
    fixed: dict[int, int] | None
    if block.pipelined:
        block.interval, fixed = choose_interval(function, problem, directives)
    else:
        fixed, why = place_accesses(problem, 0)
        assert fixed is not None, why
    steps = solve(problem, block.interval, fixed)
    for op in problem.ops:
        op.step = steps[problem.number[op]]
    block.steps = steps[-1]
    assign_ports(problem)
    check_block(block, walk, directives.clock)


def count_requests(function: Function) -> None:
    """Notes how many accesses, or calls with accesses, a memory serves."""
    for array in function.arrays.values():
        passed = sum(array in op.passed for op in function.ops)
        for kind in ("load", "store"):
            own = sum(op.array is array and op.kind == kind for op in function.ops)
            array.requests[kind] = own + passed


def schedule(function: Function, walk: Walk | None, directives: Directives) -> None:
    """Schedules all blocks of a function."""
    count_requests(function)
    for block in function.blocks.values():
        schedule_block(function, block, walk, directives)
