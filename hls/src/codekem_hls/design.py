# SPDX-License-Identifier: Apache-2.0 OR MIT
"""From a file of directives to modules: all steps of the tool, and the latency."""

from __future__ import annotations

import dataclasses
import pathlib

from . import (
    binding,
    control,
    delays,
    directives,
    frontend,
    prepare,
    reader,
    rtl,
    schedule,
    widths,
    wrapper,
)
from .control import Walk
from .directives import Directives
from .errors import Refused
from .ir import Array, Block, Function
from .names import module_called
from .runs import Key, Runs, public_scalars, run_all


@dataclasses.dataclass
class Part:
    """One function of a design."""

    function: Function
    walk: Walk | None  # all its runs; None if the way through it depends on unknown values
    latency: int | None  # None if it depends on PUBLIC scalars
    text: str = ""
    latencies: dict[Key, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Design:
    directives: Directives
    source: frontend.Source
    parts: dict[str, Part]  # callees before callers
    whole: str = ""  # the module around the parts, if there are several

    @property
    def top(self) -> Part:
        return self.parts[self.directives.top]

    @property
    def module(self) -> str:
        """The name of the module on top."""
        return module_called(self.directives.top)

    @property
    def text(self) -> str:
        texts = [part.text for part in self.parts.values()]
        return "\n".join([*texts, self.whole] if self.whole else texts)

    @property
    def listed(self) -> list[Key]:
        """The values of the top's PUBLIC scalars that the directives list, in their order."""
        return [key for key in self.top.latencies if key]

    def latency(self, values: dict[str, int] | None = None) -> int:
        """Returns the cycles from start_i to done_o; values: those of PUBLIC scalars."""
        if self.top.latency is not None and (values is None or not self.listed):
            return self.top.latency
        function = self.top.function
        public = {argument.name: argument.width for argument in public_scalars(function)}
        missing = sorted(set(public) - set(values or {}))
        if missing:
            raise Refused(f"the latency depends on {', '.join(missing)}: give --set NAME=VALUE")
        known = {name: (values or {})[name] % (1 << bits) for name, bits in public.items()}
        key = tuple(known.values())
        if key in self.top.latencies:
            return self.top.latencies[key]
        if self.listed:
            raise Refused(f"{known} is not among the values that the directives list")
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
        called = [parts[op.callee] for op in block.ops]
        return sum(
            times
            * max(
                (part.latency if part.latency is not None else part.latencies[key]) + 1
                for part, key in zip(called, keys, strict=True)
            )
            for keys, times in walk.calls[block.name].items()
        )
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
    for argument, known in zip(function.arguments, source.functions[function.name], strict=False):
        if isinstance(argument, Array) and known.constant and argument.used_writes:
            raise Refused(
                f"{argument.name} is const, but it is written", function.file, function.line
            )


def compile_part(
    function: Function, runs: Runs, parts: dict[str, Part], chosen: Directives
) -> Part:
    """Schedules a function; those that it calls are in parts."""
    walk = runs.merged
    widths.narrow(function, walk.highest if walk is not None else {})
    pass_ports_on(function, parts)
    schedule.schedule(function, walk, chosen)
    part = Part(function, walk, None)
    part.latencies = {key: latency_of(function, one, parts) for key, one in runs.walks.items()}
    if len(set(part.latencies.values())) == 1:
        part.latency = next(iter(part.latencies.values()))
    return part


def told_latency(part: Part) -> str:
    if part.latency is not None:
        return f"{part.latency} cycles"
    names = ", ".join(one.name for one in public_scalars(part.function))
    if not part.latencies:
        return f"by {names}"
    return ", ".join(f"{n} cycles" for n in sorted(set(part.latencies.values()))) + f" by {names}"


def build_source(chosen: Directives, source: frontend.Source) -> Design:
    functions = reader.read(source, chosen.top)
    prepare.apply(functions, chosen)
    found = run_all(functions, chosen)
    parts: dict[str, Part] = {}
    for name, function in functions.items():
        parts[name] = compile_part(function, found[name], parts, chosen)
        check_constants(function, source)
    prepare.check_ports_used(functions, chosen)
    control_name = f"{chosen.top}_control" if len(parts) > 1 else module_called(chosen.top)
    alone = wrapper.without_rivals(functions, chosen)
    for name, part in parts.items():
        module = control_name if name == chosen.top else module_called(name)
        bound = binding.bind(part.function)
        latency = told_latency(part)
        part.text = rtl.Module(part.function, bound, functions, latency, module, alone).text()
    whole = wrapper.text(functions, chosen, control_name) if len(parts) > 1 else ""
    return Design(chosen, source, parts, whole)


def build(chosen: Directives) -> Design:
    """Compiles a kernel."""
    source = frontend.read(chosen)
    try:
        with delays.using(chosen.delays):
            return build_source(chosen, source)
    except Refused as refused:
        if refused.file == source.file and refused.line:
            raise source.combined.refused(refused) from None
        raise


def build_file(path: pathlib.Path) -> Design:
    return build(directives.read(path))
