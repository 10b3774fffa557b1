# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of functions that are modules of their own: the caller's side, as ports.

A caller starts the callee and waits in one state. While it waits, the callee's requests to arrays
go to the memories that the caller passes, which may be its own or its caller's. One function runs
at a time, so callers share a module without an arbiter: what a caller gives is 0 when it does not
wait for it, and the module around all joins callers by OR (wrapper.py).
"""

from __future__ import annotations

from collections.abc import Callable

from .expressions import resized
from .ir import Array, Function, Op, Param
from .memories import Memories

Site = tuple[Op, str]  # a call, and the state in which it waits
Pin = tuple[str, int, str]  # name, bits, "input" or "output"


def array_pins(callee: str, array: Array) -> list[tuple[Pin, str]]:
    """Returns the ports of a caller for an array of the callee, with those of the callee."""
    found: list[tuple[Pin, str]] = []
    for pin, bits in Memories.pins(array):
        base, end = pin[:-2], pin[-2:]
        kind = "input" if end == "_o" else "output"
        found.append(((f"u_{callee}_{base}_{'i' if end == '_o' else 'o'}", bits, kind), pin))
    return found


def pins(callee: Function) -> list[tuple[Pin, str]]:
    """Returns the ports of a caller for a callee, each with the callee's port."""
    name = callee.name
    found: list[tuple[Pin, str]] = [
        ((f"u_{name}_start_o", 1, "output"), "start_i"),
        ((f"u_{name}_done_i", 1, "input"), "done_o"),
    ]
    if callee.return_width:
        found.append(((f"u_{name}_result_i", callee.return_width, "input"), "result_o"))
    for argument in callee.arguments:
        if isinstance(argument, Param):
            pin = (f"u_{name}_{argument.name}_o", argument.width, "output")
            found.append((pin, f"{argument.name}_i"))
        else:
            found += array_pins(name, argument)
    return found


def chosen(sites: list[tuple[str, str]], bits: int, alone: bool) -> str:
    """Returns the value of the site that waits; sites: (state, value).

    0 if none does, but for a callee with no other caller: alone.
    """
    by_value: dict[str, list[str]] = {}
    for state, value in sites:
        by_value.setdefault(value, []).append(state)
    if alone and len(by_value) == 1:
        return sites[0][1]
    return " | ".join(
        f"({{{bits}{{{' || '.join(states)}}}}} & {value})" for value, states in by_value.items()
    )


def connect_memories(
    memories: Memories, callee: Function, sites: list[Site], alone: bool
) -> list[str]:
    """Passes a callee's requests on to the arrays of each call; returns the data's assignments."""
    lines = []
    for place, argument in enumerate(callee.arguments):
        if not isinstance(argument, Array):
            continue
        base, bits = f"u_{callee.name}_{argument.name}", argument.address_bits
        back: dict[int, list[tuple[str, str]]] = {}
        for op, state in sites:
            array = op.passed[place]
            if array is None:
                continue  # not used by the callee
            for port in range(argument.used_reads):
                index = resized(f"{base}_raddr{port}_i", bits, array.address_bits)
                data = memories.read(array, port, f"{state} && {base}_re{port}_i", index)
                back.setdefault(port, []).append((state, data))
            for port in range(argument.used_writes):
                index = resized(f"{base}_waddr{port}_i", bits, array.address_bits)
                enable = f"{state} && {base}_we{port}_i"
                memories.write(array, port, enable, index, f"{base}_wdata{port}_i")
        for port, data_of in back.items():
            text = chosen(data_of, argument.width, alone)
            lines.append(f"  assign {base}_rdata{port}_o = {text};")
    return lines


def scalars(
    callee: Function, sites: list[Site], value: Callable[[Op, int, int], str], alone: bool
) -> list[str]:
    """Returns the assignments of scalar arguments; value(call, place, bits) is one's text."""
    lines = []
    for place, argument in enumerate(callee.arguments):
        if isinstance(argument, Param):
            given = [(state, value(op, place, argument.width)) for op, state in sites]
            text = chosen(given, argument.width, alone)
            lines.append(f"  assign u_{callee.name}_{argument.name}_o = {text};")
    return lines
