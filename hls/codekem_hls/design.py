# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From a file of directives to modules: all steps of the tool, and the latency."""

from __future__ import annotations

import dataclasses
import pathlib

from . import binding, control, directives, frontend, prepare, reader, rtl, schedule, widths
from .control import Walk
from .directives import Directives
from .errors import Refused
from .ir import Array, Block, Function, Param


@dataclasses.dataclass
class Part:
    """One function of a design."""

    function: Function
    walk: Walk | None  # None if the way through it depends on PUBLIC scalars
    latency: int | None
    text: str = ""


@dataclasses.dataclass
class Design:
    directives: Directives
    source: frontend.Source
    parts: dict[str, Part]  # callees before callers

    @property
    def top(self) -> Part:
        return self.parts[self.directives.top]

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts.values())

    def latency(self, values: dict[str, int] | None = None) -> int:
        """Returns the cycles from start_i to done_o; values: those of PUBLIC scalars."""
        if self.top.latency is not None:
            return self.top.latency
        function = self.top.function
        public = {
            argument.name: argument.width
            for argument in function.arguments
            if isinstance(argument, Param) and argument.public
        }
        missing = sorted(set(public) - set(values or {}))
        if missing:
            raise Refused(f"the latency depends on {', '.join(missing)}: give --set NAME=VALUE")
        known = {name: (values or {})[name] % (1 << bits) for name, bits in public.items()}
        walk = control.walk(function, control.levels(function), known)
        return latency_of(function, walk, self.parts)


def block_cycles(block: Block, walk: Walk, parts: dict[str, Part]) -> int:
    """Returns all cycles that a function spends in a block."""
    if block.interval:
        return sum(
            runs * (block.interval * (turns - 1) + block.steps)
            for turns, runs in walk.trips.get(block.name, {}).items()
        )
    if block.is_call:
        latency = parts[block.ops[0].callee].latency
        assert latency is not None
        return walk.visits[block.name] * (latency + 1)
    return walk.visits[block.name] * block.steps


def latency_of(function: Function, walk: Walk, parts: dict[str, Part]) -> int:
    return sum(block_cycles(block, walk, parts) for block in function.blocks.values())


def pass_ports_on(function: Function, parts: dict[str, Part]) -> None:
    """An array needs as many ports as the shared functions that get it."""
    for op in function.ops:
        if op.kind != "call":
            continue
        callee = parts[op.callee].function
        for array, argument in zip(op.passed, callee.arguments, strict=True):
            if array is not None and isinstance(argument, Array):
                array.used_reads = max(array.used_reads, argument.used_reads)
                array.used_writes = max(array.used_writes, argument.used_writes)
                array.written = array.written or argument.written
                if array.used_writes > 1 and array.kind == "local":
                    raise Refused(
                        f"{array.name} would need {array.used_writes} write ports for {op.callee}",
                        function.file,
                        op.line,
                    )


def check_constants(function: Function, source: frontend.Source) -> None:
    """Arrays that the C declares const are not written."""
    for argument, known in zip(function.arguments, source.functions[function.name], strict=True):
        if isinstance(argument, Array) and known.constant and argument.used_writes:
            raise Refused(
                f"{argument.name} is const, but it is written", function.file, function.line
            )


def build(chosen: Directives) -> Design:
    """Compiles a kernel."""
    source = frontend.read(chosen)
    functions = reader.read(source, chosen.top)
    prepare.apply(functions, chosen)
    parts: dict[str, Part] = {}
    for name, function in functions.items():
        level = control.levels(function)
        public = control.check_branches(function, level)
        if public and name != chosen.top:
            raise Refused(
                f"the trip counts of {name} depend on a PUBLIC scalar, so it cannot be shared; "
                "inline it",
                function.file,
                function.line,
            )
        walk = None if public else control.walk(function, level, {})
        if walk is not None:
            control.check_addresses(function, walk)
        widths.narrow(function, walk.highest if walk is not None else {})
        pass_ports_on(function, parts)
        schedule.schedule(function, walk, chosen)
        check_constants(function, source)
        parts[name] = Part(function, walk, None)
        if walk is not None:
            parts[name].latency = latency_of(function, walk, parts)
    prepare.check_ports_used(functions, chosen)
    for part in parts.values():
        bound = binding.bind(part.function)
        cycles = f"{part.latency} cycles" if part.latency is not None else "by PUBLIC scalars"
        part.text = rtl.Module(part.function, bound, functions, cycles).text()
    return Design(chosen, source, parts)


def build_file(path: pathlib.Path) -> Design:
    return build(directives.read(path))
