# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How functions run: their walks for all values that callers give as PUBLIC scalars.

The trip counts of a function may depend on its PUBLIC scalars. Those of the function on top have
the values that the directives list; those of other functions have what the callers' walks give.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools

from . import control
from .control import PUBLIC, Walk
from .directives import Directives
from .errors import Refused
from .ir import Const, Function, Op, Operand, Param

Key = tuple[int, ...]  # the values of PUBLIC scalars, in the order of arguments


@dataclasses.dataclass
class Runs:
    """The walks of a function; `merged` is what all of them do, None if values are not known."""

    merged: Walk | None
    walks: dict[Key, Walk]


def public_scalars(function: Function) -> list[Param]:
    return [one for one in function.arguments if isinstance(one, Param) and one.public]


def note_public(function: Function, functions: dict[str, Function], level: dict[Op, int]) -> None:
    """Notes which arguments of calls are PUBLIC scalars, and refuses data there."""

    def level_of(operand: Operand) -> int:
        if isinstance(operand, Op):
            return level[operand]
        return control.STATIC if isinstance(operand, Const) or operand.public else control.DATA

    for op in function.ops:
        if op.kind != "call":
            continue
        for place, argument in enumerate(functions[op.callee].arguments):
            if not isinstance(argument, Param) or not argument.public:
                continue
            if level_of(op.args[place]) > PUBLIC:
                raise Refused(
                    f"{argument.name} of {op.callee} is PUBLIC, but it depends on "
                    f"{control.origin(op.args[place], level)}",
                    function.file,
                    op.line,
                )
            op.public.append(place)


def merge(walks: list[Walk]) -> Walk:
    first = walks[0]
    if len(walks) == 1:
        return first
    whole = Walk(collections.Counter(), {}, {}, first.accesses, {}, {})
    for walk in walks:
        whole.visits.update(walk.visits)
        for name, trips in walk.trips.items():
            whole.trips.setdefault(name, collections.Counter()).update(trips)
        for op, value in walk.highest.items():
            whole.highest[op] = max(value, whole.highest.get(op, 0))
        for name, runs in walk.addresses.items():
            whole.addresses.setdefault(name, set()).update(runs)
        for name, calls in walk.calls.items():
            whole.calls.setdefault(name, collections.Counter()).update(calls)
    return whole


def top_values(top: Function, directives: Directives) -> list[Key] | None:
    """Returns the values of the top's PUBLIC scalars that the directives give; None if none."""
    names = [one.name for one in public_scalars(top)]
    for name in directives.values:
        if name not in names and name not in directives.inherited:
            raise directives.refuse(name, f"values: {top.name} has no PUBLIC scalar {name}")
    if not names or not directives.values:
        return None
    for name in names:
        if name not in directives.values:
            raise directives.refuse("values", f"values: those of {name} are missing")
    for one in public_scalars(top):
        for value in directives.values[one.name]:
            least = -(1 << one.width - 1) if one.signed else 0
            if not least <= value < 1 << one.width:
                raise directives.refuse(
                    one.name,
                    f"values: {one.name} is from {least} to 2^{one.width} - 1, "
                    f"which {value} is not",
                )
    # In the core, a negative number is that modulo 2^width.
    lists = [
        list(dict.fromkeys(value % (1 << one.width) for value in directives.values[one.name]))
        for one in public_scalars(top)
    ]
    return list(itertools.product(*lists))


def run_function(function: Function, level: dict[Op, int], keys: list[Key] | None) -> Runs:
    """keys: the values of PUBLIC scalars; None if they are not known."""
    needs = control.check_branches(function, level)
    if keys is None:
        if needs:
            return Runs(None, {})
        found = control.walk(function, level, {})
        return Runs(found, {(): found})
    names = [one.name for one in public_scalars(function)]
    walks = {key: control.walk(function, level, dict(zip(names, key, strict=True))) for key in keys}
    return Runs(merge(list(walks.values())), walks)


def keys_of(name: str, functions: dict[str, Function], found: dict[str, Runs]) -> list[Key] | None:
    """Returns the values that all calls of a function give; None if they are not known."""
    keys: dict[Key, None] = {}
    for caller, function in functions.items():
        for block in function.blocks.values():
            for number, op in enumerate(block.ops):
                if op.kind != "call" or op.callee != name:
                    continue
                walk = found[caller].merged
                given = [op.args[place] for place in op.public]
                if walk is None and all(isinstance(one, Const) for one in given):
                    keys[tuple(one.value for one in given if isinstance(one, Const))] = None
                elif walk is None:
                    return None
                else:
                    keys.update(dict.fromkeys(one[number] for one in walk.calls[block.name]))
    return list(keys)


def run_all(functions: dict[str, Function], chosen: Directives) -> dict[str, Runs]:
    """Follows all functions, callers before callees."""
    levels = {name: control.levels(function) for name, function in functions.items()}
    for name, function in functions.items():
        note_public(function, functions, levels[name])
    found: dict[str, Runs] = {}
    for name, function in reversed(functions.items()):
        if name == chosen.top:
            found[name] = run_function(function, levels[name], top_values(function, chosen))
            continue
        runs = run_function(function, levels[name], keys_of(name, functions, found))
        if runs.merged is None:
            raise Refused(
                f"the trip counts of {name} depend on a PUBLIC scalar whose values are not known; "
                f"list those of {chosen.top} in [values], or inline {name}",
                function.file,
                function.line,
            )
        found[name] = runs
    for name, function in functions.items():
        merged = found[name].merged
        if merged is not None:
            control.check_addresses(function, merged)
    return found
