# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The module around the functions of a design: one instance of each function that is shared, one
for each caller of a function that is instantiated, and the wires between callers and callees.
"""

from __future__ import annotations

import dataclasses

from . import calls
from .directives import Directives
from .errors import Refused
from .ir import Function, Param
from .memories import Memories
from .names import module_called, repeated


@dataclasses.dataclass(eq=False)
class Instance:
    name: str
    function: Function
    callees: dict[str, Instance] = dataclasses.field(default_factory=dict)


def called(function: Function) -> list[str]:
    return list(dict.fromkeys(op.callee for op in function.ops if op.kind == "call"))


def without_rivals(functions: dict[str, Function], chosen: Directives) -> set[str]:
    """Returns the functions whose module has one caller."""
    made = instances(functions, chosen)
    found = set()
    for name in functions:
        several = [one for one in made if one.function.name == name]
        if all(sum(one in two.callees.values() for two in made) == 1 for one in several):
            found.add(name)
    return found


def instances(functions: dict[str, Function], chosen: Directives) -> list[Instance]:
    """Returns all instances; the first is the top's."""
    found: list[Instance] = []
    shared: dict[str, Instance] = {}

    def make(name: str, caller: str) -> Instance:
        if name in shared:
            return shared[name]
        one = Instance(f"{caller}_{name}" if caller else f"u_{name}", functions[name])
        found.append(one)
        alone = chosen.functions.get(name) == "instantiate"
        if not alone:
            one.name = f"u_{name}"
            shared[name] = one
        for callee in called(one.function):
            one.callees[callee] = make(callee, one.name)
        return one

    make(chosen.top, "")
    return found


def declaration(bits: int, name: str) -> str:
    return f"  logic [{bits - 1}:0] {name};" if bits > 1 else f"  logic {name};"


def ports(function: Function) -> list[tuple[str, str, int]]:
    """Returns the ports of the function on top: direction, name, bits."""
    found = [("input", "clk_i", 1), ("input", "clear_i", 1), ("input", "start_i", 1)]
    found += [("output", "busy_o", 1), ("output", "done_o", 1)]
    if function.return_width:
        found.append(("output", "result_o", function.return_width))
    for argument in function.arguments:
        if isinstance(argument, Param):
            found.append(("input", f"{argument.name}_i", argument.width))
            continue
        for pin, bits in Memories.pins(argument):
            found.append(("input" if pin.endswith("_i") else "output", pin, bits))
    return found


def text(functions: dict[str, Function], chosen: Directives, control_name: str) -> str:
    """Returns the module around the functions; control_name: the module of the one on top."""
    made = instances(functions, chosen)
    top = made[0]
    wires: list[str] = []
    joins: list[str] = []
    bound: dict[Instance, list[str]] = {one: [".clk_i", ".clear_i"] for one in made}
    outside = ports(top.function)
    bound[top] += [f".{name}" for _, name, _ in outside[2:]]
    for one in made:
        callers = [caller for caller in made if one in caller.callees.values()]
        if not callers:
            continue
        bound[one].append(".busy_o()")
        for (pin, bits, kind), inner in calls.pins(one.function):
            wire = f"{one.name}_{inner}"
            wires.append(declaration(bits, wire))
            bound[one].append(f".{inner}({wire})")
            if kind == "input":
                for caller in callers:
                    bound[caller].append(f".{pin}({wire})")
                continue
            given = []
            for caller in callers:
                given.append(f"{caller.name}_{pin}")
                wires.append(declaration(bits, given[-1]))
                bound[caller].append(f".{pin}({given[-1]})")
            joins.append(f"  assign {wire} = {' | '.join(given)};")
    signals = [line.split()[-1].strip(";") for line in wires] + [name for _, name, _ in outside]
    modules = [control_name, *{module_called(one.function.name) for one in made[1:]}]
    for name in repeated([*signals, *modules, module_called(top.function.name)]):
        raise Refused(
            f"two parts of {top.function.name} would be called {name}: give a function another "
            "name",
            top.function.file,
            top.function.line,
        )
    lines = [
        f"// All functions of {top.function.name}, each one running at a time.",
        f"module {module_called(top.function.name)} (",
    ]
    heads = [
        f"    {kind} logic {f'[{bits - 1}:0] ' if bits > 1 else ''}{name}"
        for kind, name, bits in outside
    ]
    lines += [",\n".join(heads), ");", *wires, *joins]
    for one in made:
        module = control_name if one is top else module_called(one.function.name)
        inside = ",\n".join(f"      {pin}" for pin in bound[one])
        lines.append(f"  {module} {one.name} (\n{inside}\n  );")
    return "\n".join([*lines, "endmodule", ""])
