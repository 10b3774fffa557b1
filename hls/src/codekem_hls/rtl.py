# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes a scheduled and bound function as a SystemVerilog module.

One state bit for each step of a block, one for a pipelined loop or a call. Each operation is a wire
with the operation's expression; it reads wires of the same cycle, and registers for the rest.
"""

from __future__ import annotations

import itertools
import re

from . import calls
from .binding import Binding, first_cycle
from .errors import Refused
from .expressions import expression, number, resized
from .ir import Array, Block, Const, Function, Op, Operand, Param
from .memories import Memories
from .names import Names, repeated


def logic(bits: int, name: str) -> str:
    return f"logic [{bits - 1}:0] {name}" if bits > 1 else f"logic {name}"


class Module:
    """Makes the text of one module."""

    def __init__(
        self,
        function: Function,
        binding: Binding,
        callees: dict[str, Function],
        latency: str,
        name: str,
        alone: set[str],
    ) -> None:
        self.function, self.binding, self.callees = function, binding, callees
        self.latency, self.name, self.alone = latency, name, alone
        self.names = Names()
        self.wires: dict[Op, str] = {}
        self.registers: dict[Op, str] = {}
        self.chains: dict[tuple[Op, int], str] = {}
        self.active: dict[tuple[str, int], str] = {}
        self.declared: list[str] = []
        self.assigned: list[str] = []
        self.clocked: list[str] = []
        self.reset: list[str] = []
        self.states: dict[tuple[str, int], int] = {}
        self.next: dict[int, list[str]] = {}
        self.memories = Memories(self.names)
        self.calls: dict[str, list[calls.Site]] = {}
        # Of calls at the same time: by block, the wire that says that all are done; and what it is.
        self.ended: dict[str, str] = {}
        self.endings: dict[str, list[str]] = {}
        self.enters: list[tuple[str, int]] = []
        self.stays: list[tuple[int, str]] = []

    # Values

    def declare(self, bits: int, name: str) -> str:
        self.declared.append(f"  {logic(bits, name)};")
        return name

    def wire(self, bits: int, name: str, text: str) -> str:
        self.declare(bits, name)
        self.assigned.append(f"  assign {name} = {text};")
        return name

    def place(self, op: Op, block: Block, step: int) -> tuple[str, int]:
        """Returns the name and the bits of what has a value at a step of a block."""
        inside = op.block == block.name
        if inside and op.kind != "phi" and op.result_step == step:
            return self.wires[op], op.bits
        if inside and block.interval:
            chain = (step - first_cycle(op, block)) // block.interval
            if chain:
                return self.chains[op, chain], op.bits
        return self.registers[op], self.binding.register_of[op].bits

    def read(self, operand: Operand, block: Block, step: int, bits: int) -> str:
        if isinstance(operand, Const):
            return number(operand.value, bits)
        if isinstance(operand, Param):
            return resized(f"{operand.name}_i", operand.width, bits)
        name, have = self.place(operand, block, step)
        if have > operand.bits and bits > operand.bits:
            return f"{{{bits - operand.bits}'h0, {resized(name, have, operand.bits)}}}"
        return resized(name, have, bits)

    def value(self, op: Op, block: Block) -> None:
        """Makes the wire of an operation."""
        if op.kind in ("load", "store"):
            return
        name = self.wires[op]
        self.declare(op.bits, name)

        def read(operand: Operand, bits: int) -> str:
            return self.read(operand, block, op.step, bits)

        def helper(suffix: str, bits: int, text: str) -> str:
            return self.wire(bits, self.names.new("", f"{name}_{suffix}"), text)

        if op.kind == "table":
            assert op.array is not None
            index = read(op.args[0], op.array.address_bits)
            choices = {i: number(n, op.bits) for i, n in enumerate(op.array.contents)}
            self.choose(name, index, op.array.address_bits, choices, number(0, op.bits))
            return
        self.assigned.append(f"  assign {name} = {expression(op, read, helper)};")

    def choose(
        self, name: str, index: str, bits: int, choices: dict[int, str], otherwise: str
    ) -> None:
        lines = ["  always_comb begin", f"    case ({index})"]
        lines += [f"      {number(i, bits)}: {name} = {text};" for i, text in choices.items()]
        lines += [f"      default: {name} = {otherwise};", "    endcase", "  end"]
        self.assigned.append("\n".join(lines))

    def access(self, op: Op, block: Block) -> None:
        """Makes the request of a load or store, and the wire of a load's data."""
        array = op.array
        assert array is not None
        enable = self.active[block.name, op.step]
        index = self.read(op.args[0], block, op.step, array.address_bits)
        if op.kind == "store":
            data = self.read(op.args[1], block, op.step, array.width)
            if len(op.args) > 2:  # whether it is stored
                enable = f"{enable} && {self.read(op.args[2], block, op.step, 1)}"
            if array.bind == "registers":
                self.store_element(op, array, enable, index, data)
            else:
                self.memories.write(array, op.port, enable, index, data)
            return
        name = self.declare(op.bits, self.wires[op])
        if array.bind != "registers":
            data = self.memories.read(array, op.port, enable, index)
            self.assigned.append(f"  assign {name} = {resized(data, array.width, op.bits)};")
            return
        elements = self.memories.elements(array)
        if isinstance(op.args[0], Const):
            text = resized(elements[op.args[0].value], array.width, op.bits)
            self.assigned.append(f"  assign {name} = {text};")
            return
        choices = {i: resized(text, array.width, op.bits) for i, text in enumerate(elements)}
        self.choose(name, index, array.address_bits, choices, number(0, op.bits))

    def store_element(self, op: Op, array: Array, enable: str, index: str, data: str) -> None:
        for i, element in enumerate(self.memories.elements(array)):
            if isinstance(op.args[0], Const):
                if op.args[0].value == i:
                    self.clocked.append(f"    if ({enable}) {element} <= {data};")
                continue
            chosen = f"{enable} && {index} == {number(i, array.address_bits)}"
            self.clocked.append(f"    if ({chosen}) {element} <= {data};")

    def at_end(self, operand: Operand, block: Block, bits: int) -> str:
        """Returns a value as it is when a block is left."""
        last = block.steps - 1
        inside = isinstance(operand, Op) and block.interval and operand.block == block.name
        if inside and isinstance(operand, Op) and operand.result_step != last:
            # That of the last turn is in the first register.
            have = self.binding.register_of[operand].bits
            return resized(self.registers[operand], have, bits)
        return self.read(operand, block, last, bits)

    # Registers

    def write(self, enable: str, op: Op, block: Block, step: int, target: Op) -> None:
        """Writes a value, as it is at a step, into the register of another one."""
        register = self.binding.register_of[target]
        text = self.read(op, block, step, register.bits)
        self.clocked.append(f"    if ({enable}) {self.registers[target]} <= {text};")

    def make_registers(self) -> None:
        for register in self.binding.registers:
            name = self.declare(register.bits, self.names.new("r_", register.name))
            for op in register.members:
                self.registers[op] = name
        for op, length in self.binding.chains.items():
            for place in range(1, length + 1):
                name = self.names.new("c_", f"{op.name}_{place}")
                self.chains[op, place] = self.declare(op.bits, name)

    def write_registers(self) -> None:
        for register in self.binding.registers:
            for op in register.members:
                if op.kind != "phi":
                    block = self.function.blocks[op.block]
                    enable = self.active[op.block, 0 if block.is_call else op.result_step]
                    if block.is_call:
                        enable = f"{enable} && {self.ends_of_calls(block)}"
                    self.write(enable, op, block, op.result_step, op)
        for (op, place), name in self.chains.items():
            block = self.function.blocks[op.block]
            step = first_cycle(op, block) + place * block.interval - 1
            before, have = self.registers[op], self.binding.register_of[op].bits
            if place > 1:
                before, have = self.chains[op, place - 1], op.bits
            text = resized(before, have, op.bits)
            self.clocked.append(f"    if ({self.active[op.block, step]}) {name} <= {text};")

    def write_phis(self, block: Block, condition: str, target: Block) -> None:
        """What comes into phis when control goes from a block to another one."""
        of = self.binding.register_of
        for phi in target.phis:
            value = phi.args[phi.sources.index(block.name)]
            if isinstance(value, Op):
                if of.get(value) is of[phi]:
                    continue
                if block is target and block.interval:
                    enable = self.active[block.name, value.result_step]
                    self.write(enable, value, block, value.result_step, phi)
                    continue
            bits = of[phi].bits
            text = self.at_end(value, block, bits)
            self.clocked.append(f"    if ({condition}) {self.registers[phi]} <= {text};")

    # Control

    def make_states(self) -> None:
        for block in self.function.blocks.values():
            for step in range(1 if block.interval else block.steps):
                state = self.states[block.name, step] = len(self.states)
                self.active[block.name, step] = f"state_q[{state}]"
                self.next[state] = []
            if block.interval:
                valid = self.names.base("p", block.loop or block.name)
                self.active[block.name, 0] = f"{valid}_0"
                for step in range(1, block.steps):
                    self.active[block.name, step] = f"{valid}_{step}"

    def go(self, condition: str, block: Block, target: str) -> None:
        self.next[self.states[target, 0]].append(condition)
        self.write_phis(block, condition, self.function.blocks[target])

    def control(self, block: Block) -> str | None:
        """Makes the transitions of a block; returns when it ends the function, if it does."""
        if block.interval:
            self.control_pipelined(block)
            return None
        last = block.steps - 1
        state = f"state_q[{self.states[block.name, last]}]"
        for step in range(last):
            self.next[self.states[block.name, step + 1]].append(self.active[block.name, step])
        if block.is_call:
            done = self.ends_of_calls(block)
            self.next[self.states[block.name, 0]].append(f"({state} && !{done})")
            self.go(f"({state} && {done})", block, block.targets[0])
        elif block.end == "return":
            return state
        elif block.end == "jump":
            self.go(state, block, block.targets[0])
        else:
            assert block.condition is not None
            test = self.read(block.condition, block, last, 1)
            self.go(f"({state} && {test})", block, block.targets[0])
            self.go(f"({state} && !{test})", block, block.targets[1])
        return None

    def control_pipelined(self, block: Block) -> None:
        state = f"state_q[{self.states[block.name, 0]}]"
        condition = block.condition
        assert condition is not None
        step = condition.result_step if isinstance(condition, Op) else 0
        test = self.read(condition, block, step, 1)
        stays = block.targets[0] == block.name
        outside = block.targets[1 if stays else 0]
        valid = [self.active[block.name, one] for one in range(block.steps)]
        base = valid[0][:-2]
        run, slot = f"{base}_run", f"{base}_slot"
        self.declare(1, run)
        first = run
        if block.interval > 1:
            bits = (block.interval - 1).bit_length()
            self.declare(bits, slot)
            first = f"{run} && {slot} == {bits}'h0"
            more = f"{state} && {slot} != {number(block.interval - 1, bits)}"
            self.clocked.append(f"    {slot} <= {more} ? {slot} + {bits}'h1 : {bits}'h0;")
            self.reset.append(f"      {slot} <= {bits}'h0;")
        self.wire(1, valid[0], first)
        for before, after in itertools.pairwise(valid):
            self.declare(1, after)
            self.clocked.append(f"    {after} <= {before};")
            self.reset.append(f"      {after} <= 1'h0;")
        ends = f"{base}_end_{step}"
        self.wire(1, ends, f"{valid[step]} && {'!' if stays else ''}{test}")
        stop = ends
        for one in range(step + 1, block.steps):
            after = self.declare(1, f"{base}_end_{one}")
            self.clocked.append(f"    {after} <= {ends};")
            self.reset.append(f"      {after} <= 1'h0;")
            ends = after
        self.write_phis(block, ends, block)
        # Blocks that come later may lead here, too: a wire for all that does (text()).
        enter = f"{base}_enter"
        self.declare(1, enter)
        self.clocked.append(f"    {run} <= {enter} || ({run} && !{stop});")
        self.reset.append(f"      {run} <= 1'h0;")
        self.enters.append((enter, self.states[block.name, 0]))
        self.stays.append((self.states[block.name, 0], f"({state} && !{ends})"))
        self.go(ends, block, outside)

    # Calls

    def ends_of_calls(self, block: Block) -> str:
        """Returns when all calls of a block are done."""
        return self.ended.get(block.name) or f"u_{block.ops[0].callee}_done_i"

    def call(self, op: Op, block: Block) -> None:
        active = self.active[block.name, 0]
        result = resized(f"u_{op.callee}_result_i", op.width, op.bits) if op.width else ""
        if len(block.ops) > 1:
            active, result = self.call_beside(op, block, result)
        self.calls.setdefault(op.callee, []).append((op, active))
        if op.width:
            self.wire(op.bits, self.wires[op], result)

    def call_beside(self, op: Op, block: Block, result: str) -> tuple[str, str]:
        """A call that runs at the same time as others; returns when it runs, and its result.

        The result is kept until the last one is done.
        """
        base = self.names.new("j_", op.callee)
        state, done = self.active[block.name, 0], f"u_{op.callee}_done_i"
        past = self.declare(1, f"{base}_past")
        ended = self.wire(1, f"{base}_ended", f"{past} || {done}")
        active = self.wire(1, f"{base}_active", f"{state} && !{past}")
        if block.ops[0] is op:
            self.ended[block.name] = self.declare(1, f"{base}_all")
        every = self.ended[block.name]
        self.endings.setdefault(every, []).append(ended)
        self.clocked.append(f"    {past} <= {state} && {ended} && !{every};")
        self.reset.append(f"      {past} <= 1'h0;")
        if op.width:
            kept = self.declare(op.bits, f"{base}_kept")
            self.clocked.append(f"    if ({active} && {done}) {kept} <= {result};")
            result = f"{past} ? {kept} : {result}"
        return active, result

    def connect(self, name: str, sites: list[calls.Site]) -> None:
        """Makes what goes to the ports of a callee."""
        callee = self.callees[name]
        busy = self.declare(1, f"u_{name}_called")
        called = " || ".join(state for _, state in sites)
        self.clocked.append(f"    {busy} <= ({called}) && !u_{name}_done_i;")
        self.reset.append(f"      {busy} <= 1'h0;")
        self.assigned.append(f"  assign u_{name}_start_o = ({called}) && !{busy};")

        def value(op: Op, place: int, bits: int) -> str:
            return self.read(op.args[place], self.function.blocks[op.block], 0, bits)

        alone = name in self.alone
        self.assigned += calls.scalars(callee, sites, value, alone)
        self.assigned += calls.connect_memories(self.memories, callee, sites, alone)

    # The whole

    def make_values(self) -> None:
        for op in self.function.ops:
            if op.kind not in ("phi", "store"):
                self.wires[op] = self.names.new("v_", op.name)
        for block in self.function.blocks.values():
            for op in block.ops:
                if op.kind == "call":
                    self.call(op, block)
                elif op.is_memory:
                    self.access(op, block)
                else:
                    self.value(op, block)

    def text(self) -> str:
        function = self.function
        for argument in function.arguments:
            self.names.taken.add(argument.name)
        self.make_states()
        self.make_registers()
        self.make_values()
        for name, sites in self.calls.items():
            self.connect(name, sites)
        for name, ended in self.endings.items():
            self.assigned.append(f"  assign {name} = {' && '.join(ended)};")
        self.write_registers()
        finals = []
        result = ""
        for block in function.blocks.values():
            state = self.control(block)
            if state is not None:
                finals.append(state)
                if function.return_width and block.condition is not None:
                    last = block.steps - 1
                    result = self.read(block.condition, block, last, function.return_width)
        first = self.states[function.entry.name, 0]
        self.next[first].append("(start_i && !busy_o)")
        for enter, place in self.enters:
            self.assigned.append(f"  assign {enter} = {' || '.join(self.next[place])};")
        for place, stay in self.stays:
            self.next[place].append(stay)
        text = self.assemble(finals, result)
        declared = r"^ +(?:\(\*.*\*\) )?(?:(?:in|out)put )?logic (?:\[[^\]]*\] )?([\w, ]+)"
        several = [
            name for line in re.findall(declared, text, re.M) for name in re.findall(r"\w+", line)
        ]
        for name in repeated(several):
            raise Refused(
                f"two signals of {function.name} would be called {name}: give an argument, an "
                "array or a function another name",
                function.file,
                function.line,
            )
        return text

    def ports(self) -> list[str]:
        lines = ["input logic clk_i", "input logic clear_i", "input logic start_i"]
        lines += ["output logic busy_o", "output logic done_o"]
        if self.function.return_width:
            lines.append(f"output {logic(self.function.return_width, 'result_o')}")
        for argument in self.function.arguments:
            if isinstance(argument, Param):
                lines.append(f"input {logic(argument.width, argument.name + '_i')}")
                continue
            for pin, bits in self.memories.pins(argument):
                kind = "input" if pin.endswith("_i") else "output"
                lines.append(f"{kind} {logic(bits, pin)}")
        for name in self.calls:
            for (pin, bits, kind), _ in calls.pins(self.callees[name]):
                lines.append(f"{kind} {logic(bits, pin)}")
        return lines

    def assemble(self, finals: list[str], result: str) -> str:
        count = len(self.states)
        memories = self.memories.text(self.function)
        ports = ",\n".join(f"    {line}" for line in self.ports())
        out = [
            "// Generated by codekem-hls; do not edit.",
            f"// {self.function.place} {self.function.name}. Latency: {self.latency}.",
            "// Independent of data. clear_i ends what is running; it clears control, not data.",
            f"module {self.name} (\n{ports}\n);",
            f"  logic [{count - 1}:0] state_q;",
            "  assign busy_o = |state_q;",
            f"  assign done_o = {' || '.join(finals)};",
        ]
        if result:
            out.append(f"  assign result_o = {result};")
        out += [*self.declared, *memories.declared, *self.assigned, *memories.assigned]
        out += ["  always_ff @(posedge clk_i) begin"]
        for state, conditions in self.next.items():
            entered = " || ".join(conditions) or "1'h0"
            out.append(f"    state_q[{state}] <= {entered};")
        out += [*self.clocked, "    if (clear_i) begin", "      state_q <= '0;"]
        out += [*self.reset, "    end", "  end", "endmodule", ""]
        return "\n".join(out)
