# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The memories of a module: ports for arrays that are arguments, RAM and registers for local ones.

The data of a block RAM come in the cycle after the address, those of LUT RAM in the same cycle.
"""

from __future__ import annotations

import dataclasses
from typing import Protocol

from . import delays
from .expressions import resized
from .ir import Array, Function


class Unique(Protocol):
    def new(self, prefix: str, name: str) -> str: ...


@dataclasses.dataclass
class Lines:
    declared: list[str]
    assigned: list[str]


def joined(requests: list[tuple[str, ...]], place: int, bits: int) -> str:
    """Returns one of several values: that whose request is active."""
    by_value: dict[str, list[str]] = {}
    for request in requests:
        by_value.setdefault(request[place], []).append(request[0])
    if len(by_value) == 1:
        return requests[0][place]
    return " | ".join(
        f"({{{bits}{{{' || '.join(when)}}}}} & {value})" for value, when in by_value.items()
    )


class Memories:
    def __init__(self, names: Unique) -> None:
        self.names = names
        self.reads: dict[tuple[Array, int], list[tuple[str, ...]]] = {}
        self.writes: dict[tuple[Array, int], list[tuple[str, ...]]] = {}
        self.registers: dict[Array, list[str]] = {}

    def read(self, array: Array, port: int, enable: str, index: str) -> str:
        """Notes a request; returns the name of the port's data."""
        self.reads.setdefault((array, port), []).append((enable, index))
        return self.data(array, port)

    @staticmethod
    def data(array: Array, port: int) -> str:
        return f"{array.name}_rdata{port}" + ("_i" if array.kind == "argument" else "")

    def write(self, array: Array, port: int, enable: str, index: str, data: str) -> None:
        self.writes.setdefault((array, port), []).append((enable, index, data))

    def elements(self, array: Array) -> list[str]:
        """Returns the registers of an array that is bound to registers."""
        if array not in self.registers:
            self.registers[array] = [
                self.names.new("", f"{array.name}_{i}_q") for i in range(array.depth)
            ]
        return self.registers[array]

    @staticmethod
    def pins(array: Array) -> list[tuple[str, int]]:
        """Returns the ports of an array that is an argument: names and bits."""
        found = []
        for port in range(array.used_reads):
            found += [(f"{array.name}_re{port}_o", 1)]
            found += [(f"{array.name}_raddr{port}_o", array.address_bits)]
            found += [(f"{array.name}_rdata{port}_i", array.width)]
        for port in range(array.used_writes):
            found += [(f"{array.name}_we{port}_o", 1)]
            found += [(f"{array.name}_waddr{port}_o", array.address_bits)]
            found += [(f"{array.name}_wdata{port}_o", array.width)]
        return found

    def argument(self, array: Array, lines: Lines) -> None:
        for port in range(array.used_reads):
            requests = self.reads.get((array, port), [("1'h0", "'0")])
            enable = " || ".join(f"({one[0]})" for one in requests)
            lines.assigned.append(f"  assign {array.name}_re{port}_o = {enable};")
            index = joined(requests, 1, array.address_bits)
            lines.assigned.append(f"  assign {array.name}_raddr{port}_o = {index};")
        for port in range(array.used_writes):
            requests = self.writes.get((array, port), [("1'h0", "'0", "'0")])
            enable = " || ".join(f"({one[0]})" for one in requests)
            lines.assigned.append(f"  assign {array.name}_we{port}_o = {enable};")
            index = joined(requests, 1, array.address_bits)
            lines.assigned.append(f"  assign {array.name}_waddr{port}_o = {index};")
            data = joined(requests, 2, array.width)
            lines.assigned.append(f"  assign {array.name}_wdata{port}_o = {data};")

    def local(self, array: Array, lines: Lines) -> None:
        name, bits, last = array.name, array.address_bits, array.width - 1
        styles = {"block": "block", "lutram": "distributed"}
        attributes = [f'ram_style = "{styles[array.bind]}"'] if array.bind in styles else []
        if not delays.model().old_data:
            # No word is read while it is written, so Yosys need not make up for that.
            attributes.append("no_rw_check")
        style = f"(* {', '.join(attributes)} *) " if attributes else ""
        lines.declared.append(f"  {style}logic [{last}:0] m_{name}[{array.depth}];")
        always = []
        collisions = []
        for port in range(array.used_writes):
            requests = self.writes.get((array, port), [("1'h0", "'0", "'0")])
            enable = " || ".join(f"({one[0]})" for one in requests)
            lines.declared += [
                f"  logic {name}_we{port};",
                f"  logic [{bits - 1}:0] {name}_waddr{port};",
                f"  logic [{last}:0] {name}_wdata{port};",
            ]
            lines.assigned += [
                f"  assign {name}_we{port} = {enable};",
                f"  assign {name}_waddr{port} = {joined(requests, 1, bits)};",
                f"  assign {name}_wdata{port} = {joined(requests, 2, array.width)};",
            ]
            always.append(
                f"    if ({name}_we{port}) m_{name}[{name}_waddr{port}] <= {name}_wdata{port};"
            )
            collisions.append(f"({name}_we{port} && {name}_waddr{port} == %s)")
        for port in range(array.used_reads):
            requests = self.reads.get((array, port), [("1'h0", "'0")])
            address = f"{name}_raddr{port}"
            lines.declared += [
                f"  logic [{bits - 1}:0] {address};",
                f"  logic [{last}:0] {name}_rdata{port};",
            ]
            lines.assigned.append(f"  assign {address} = {joined(requests, 1, bits)};")
            if array.read_latency == 0:
                lines.assigned.append(f"  assign {name}_rdata{port} = m_{name}[{address}];")
                continue
            wrong = " || ".join(text % address for text in collisions) or "1'h0"
            always += [
                "`ifdef KEM_WRONG_ON_COLLISION",
                f"    {name}_rdata{port} <= m_{name}[{address}] ^ {{{array.width}{{{wrong}}}}};",
                "`else",
                f"    {name}_rdata{port} <= m_{name}[{address}];",
                "`endif",
            ]
        lines.assigned.append("\n".join(["  always_ff @(posedge clk_i) begin", *always, "  end"]))

    def text(self, function: Function) -> Lines:
        lines = Lines([], [])
        for array in function.arrays.values():
            if array.kind == "argument":
                self.argument(array, lines)
            elif array in self.registers:
                names = ", ".join(self.registers[array])
                lines.declared.append(f"  logic [{array.width - 1}:0] {names};")
            elif array.kind == "local":
                self.local(array, lines)
        return lines


__all__ = ["Lines", "Memories", "joined", "resized"]
