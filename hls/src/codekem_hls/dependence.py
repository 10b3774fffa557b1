# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which accesses to an array must keep their order.

Addresses that counters decide are compared number by number, as the walk saw them. All others may
be any element of the array.
"""

from __future__ import annotations

import dataclasses

from .control import Walk
from .ir import Block, Const, Op


@dataclasses.dataclass(frozen=True)
class Order:
    """`later` comes `distance` turns of a pipelined loop after `earlier`, on the same element.

    later.step + distance * interval >= earlier.step + wait.
    """

    earlier: Op
    later: Op
    distance: int
    wait: int


def wait_between(earlier: Op, later: Op) -> int | None:
    """Returns the cycles between two accesses to an element; None if they may be in any order."""
    assert earlier.array is not None
    if earlier.kind == "load":
        if later.kind == "load":
            return None
        # A word is never read from a block RAM in the cycle in which it is written: what comes
        # then depends on the kind of memory.
        return earlier.array.read_latency
    return 1


def same_element(x: Op, y: Op) -> bool | None:
    """Compares addresses that are constants; None if they are not."""
    first, second = x.args[0], y.args[0]
    if isinstance(first, Const) and isinstance(second, Const):
        return first.value == second.value
    return None


def closest(walk: Walk | None, block: Block, x: Op, y: Op, least: int) -> int | None:
    """Returns the smallest distance, from `least` on, at which y meets the element of x.

    None if it never does.
    """
    if walk is None:
        return least
    accesses = walk.accesses[block.name]
    if x not in accesses or y not in accesses:
        return least
    first, second = accesses.index(x), accesses.index(y)
    best: int | None = None
    for run in walk.addresses[block.name]:
        last: dict[int, int] = {}
        for turn, addresses in enumerate(run):
            if turn >= least:
                past = turn - least
                last[run[past][first]] = past
            seen = last.get(addresses[second])
            if seen is not None and (best is None or turn - seen < best):
                best = turn - seen
                if best == least:
                    return best
    return best


def orders(block: Block, walk: Walk | None) -> list[Order]:
    """Returns what the accesses of a block must keep."""
    found = []
    by_array: dict[object, list[Op]] = {}
    for op in block.ops:
        if op.is_memory:
            by_array.setdefault(op.array, []).append(op)
    for accesses in by_array.values():
        if not any(op.kind == "store" for op in accesses):
            continue
        for i, x in enumerate(accesses):
            for j, y in enumerate(accesses):
                wait = wait_between(x, y)
                if wait is None or x is y or (j < i and not block.pipelined):
                    continue
                if same_element(x, y) is False:
                    continue
                distance = closest(walk, block, x, y, 0 if i < j else 1)
                if distance is not None and (distance == 0 or block.pipelined):
                    found.append(Order(x, y, distance, wait))
    return found
