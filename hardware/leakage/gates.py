# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A small module of one clock as gates and registers, as it is written or as it is built."""

import dataclasses
import json
import pathlib

from tools.flow import run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
# Inputs of the simple gates of Yosys; the output is Y.
SIMPLE = {
    "$_NOT_": "A",
    "$_BUF_": "A",
    "$_AND_": "AB",
    "$_NAND_": "AB",
    "$_OR_": "AB",
    "$_NOR_": "AB",
    "$_XOR_": "AB",
    "$_XNOR_": "AB",
    "$_ANDNOT_": "AB",
    "$_ORNOT_": "AB",
    "$_MUX_": "ABS",
}
CLOCK = "clk_i"
# Registers of Xilinx with reset and enable (CE): the pin of the reset, and what it makes of them.
REGISTERS = {"FDRE": ("R", 0), "FDSE": ("S", 1)}
# What they take, by reset, enable, D and Q: a truth table for each value after a reset.
TAKES = [
    sum((first if n & 1 else n >> 2 & 1 if n & 2 else n >> 3 & 1) << n for n in range(16))
    for first in (0, 1)
]
# How a module becomes gates: as it is written, and for Xilinx 7-series as the cores are built.
BUILDS = {
    "written": "proc; chformal -remove; {flat}; opt_expr; opt_clean; dffunmap; simplemap; techmap; "
    "opt_clean",
    "xc7": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}; {flat}; opt_clean",
}
# Modules that keep their boundary in synthesis are opened behind it.
FLAT = "setattr -mod -unset keep_hierarchy *; flatten -noscopeinfo"


class GateError(Exception):
    """The module is no circuit of known gates and registers of one clock."""


@dataclasses.dataclass
class Gates:
    """Wires are numbers; 0 and 1 are the constants.

    inputs, outputs: {port: wires}, the lowest bit first, without the clock; gates: {wire: (truth
    table of its inputs as an integer, inputs)}, the table's bit i for inputs whose bits are those
    of i;
    registers: {wire: the wire that it takes at each edge}; names: {wire: name in the source}.
    """

    inputs: dict[str, list[int]]
    outputs: dict[str, list[int]]
    gates: dict[int, tuple[int, list[int]]]
    registers: dict[int, int]
    names: dict[int, str]

    def sources(self):
        """Returns {wire: the inputs and registers behind it}: what a probe on it sees, whatever
        the gates' delays."""
        found = {0: frozenset(), 1: frozenset()}
        stable = [wire for wires in self.inputs.values() for wire in wires]
        for wire in (*stable, *self.registers):
            found[wire] = frozenset([wire])
        left = dict(self.gates)
        while left:
            ready = [w for w, (_, pins) in left.items() if all(pin in found for pin in pins)]
            if not ready:
                raise GateError("gates in a loop, or a wire that nothing drives")
            for wire in ready:
                found[wire] = frozenset().union(*(found[pin] for pin in left.pop(wire)[1]))
        return found


def fixed(net, values):
    """Returns the Gates of which some inputs have one value, {port: integer}: of what is chosen by
    them only that which is chosen."""
    known = {0: 0, 1: 1}
    for port, value in values.items():
        known |= {wire: value >> i & 1 for i, wire in enumerate(net.inputs[port])}
    gates, left = {}, dict(net.gates)
    while left:
        again = {}
        for wire, (table, pins) in left.items():
            if any(pin in left for pin in pins):
                again[wire] = table, pins
                continue
            if any(pin in known for pin in pins):
                table, pins = reduced(table, pins, known)
            if pins:
                gates[wire] = table, pins
            else:
                known[wire] = table & 1
        if len(again) == len(left):
            raise GateError("gates in a loop, or a wire that nothing drives")
        left = again
    inputs = {port: wires for port, wires in net.inputs.items() if port not in values}
    constant = {wire: value for wire, value in known.items() if wire > 1}
    registers = {q: constant.get(d, d) for q, d in net.registers.items()}
    outputs = {
        port: [constant.get(wire, wire) for wire in wires] for port, wires in net.outputs.items()
    }
    return Gates(inputs, outputs, gates, registers, net.names)


def reduced(table, pins, known):
    """Returns the truth table and the inputs of a gate of which some inputs are known: without
    those that then count no more."""
    for pin in sorted(pins, key=lambda one: one not in known):
        at, half = pins.index(pin), 1 << (len(pins) - 1)
        zero, one = (
            sum(
                (table >> (n >> at << (at + 1) | value << at | n & ((1 << at) - 1)) & 1) << n
                for n in range(half)
            )
            for value in (0, 1)
        )
        if pin in known or zero == one:
            table = one if known.get(pin) else zero
            pins = pins[:at] + pins[at + 1 :]
    return table, pins


def table_of(kind):
    """Returns the truth table of a simple gate."""
    names, table = SIMPLE[kind], 0
    for number in range(1 << len(names)):
        a, b, s = (number >> i & 1 for i in range(3))
        value = {
            "NOT": 1 - a,
            "BUF": a,
            "AND": a & b,
            "NAND": 1 - (a & b),
            "OR": a | b,
            "NOR": 1 - (a | b),
            "XOR": a ^ b,
            "XNOR": 1 - (a ^ b),
            "ANDNOT": a & (1 - b),
            "ORNOT": a | (1 - b),
            "MUX": b if s else a,
        }[kind.strip("$_")]
        table |= value << number
    return table


def wire_of(bit):
    """Returns the number of a bit of Yosys' netlist; numbers of wires begin with 2 there."""
    return bit if isinstance(bit, int) else int(bit == "1")


def names_of(module):
    """Returns {wire: a name in the source}, of a register its own."""
    names = {}
    for name, net in sorted(module["netnames"].items(), key=lambda one: not one[0].endswith("_q")):
        for index, bit in enumerate(net["bits"]):
            names.setdefault(wire_of(bit), f"{name}[{index}]" if len(net["bits"]) > 1 else name)
    return names


def gate_of(cell):
    """Returns of a cell that is one gate: its output, its table, and its inputs in that order."""
    kind = cell["type"]
    if kind in SIMPLE:
        return "Y", table_of(kind), SIMPLE[kind]
    if kind == "INV":
        return "O", 0b01, ["I"]
    if kind.startswith("LUT"):
        inputs = [f"I{i}" for i in range(int(kind[3:]))]
        return "O", int(cell["parameters"]["INIT"], 2), inputs
    if kind in ("MUXF7", "MUXF8"):
        return "O", table_of("$_MUX_"), ["I0", "I1", "S"]
    raise GateError(f"a cell that is neither a gate nor a register of this kind: {kind}")


def gates_of(module):
    """Returns the Gates of a module as Yosys' write_json has it; raises GateError."""
    inputs, outputs, gates, registers = {}, {}, {}, {}
    for name, port in module["ports"].items():
        if name != CLOCK:
            side = inputs if port["direction"] == "input" else outputs
            side[name] = [wire_of(bit) for bit in port["bits"]]
    clock = wire_of(module["ports"][CLOCK]["bits"][0])
    used = [bits for one in module["cells"].values() for bits in one["connections"].values()]
    used += [port["bits"] for port in module["ports"].values()]
    new = max(wire_of(bit) for bits in used for bit in bits)  # the last wire
    for cell in module["cells"].values():
        kind = cell["type"]
        if kind == "$scopeinfo":  # where a module was
            continue
        pins = {pin: wire_of(bits[0]) for pin, bits in cell["connections"].items()}
        if kind == "CARRY4":
            new = carry(gates, cell["connections"], new)
        elif kind == "$_DFF_P_" or kind in REGISTERS:
            if pins["C"] != clock:
                raise GateError(f"a register of another clock than {CLOCK}")
            registers[pins["Q"]] = pins["D"]
            reset, first = REGISTERS.get(kind, ("", 0))
            if reset and (pins[reset], pins["CE"]) != (0, 1):
                new += 1
                registers[pins["Q"]] = new
                gates[new] = TAKES[first], [pins[pin] for pin in (reset, "CE", "D", "Q")]
        else:
            output, table, names = gate_of(cell)
            gates[pins[output]] = table, [pins[name] for name in names]
    return Gates(inputs, outputs, gates, registers, names_of(module))


def carry(gates, ports, new):
    """Adds the gates of a CARRY4 of Xilinx, whose ports have these bits; new is the last wire.
    Returns what then is the last one."""
    bits = {port: [wire_of(bit) for bit in some] for port, some in ports.items()}
    new += 1
    gates[new] = 0b1110, [bits["CI"][0], bits["CYINIT"][0]]
    carried = new
    for i in range(4):
        s, d, out = (bits[port][i] for port in ("S", "DI", "CO"))
        gates[bits["O"][i]] = 0b0110, [s, carried]
        gates[out] = table_of("$_MUX_"), [d, carried, s]
        carried = out
    return new


def read(top, files, build="written", folder=None, **parameters):
    """Returns the Gates of a module; Yosys works in a folder below hardware/."""
    folder = folder or HARDWARE / "build" / f"gates-{top}"
    folder.mkdir(parents=True, exist_ok=True)
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    options = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    path = folder.relative_to(HARDWARE) / f"{build}.json"
    script = (
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top {top}; "
        f"{BUILDS[build].format(top=top, flat=FLAT)}; write_json {path}"
    )
    run_tool.run("Yosys", [*run_tool.YOSYS, "-q", "-p", script])
    modules = json.loads((HARDWARE / path).read_text(encoding="utf-8"))["modules"]
    (found,) = (one for one in modules.values() if "top" in one["attributes"])
    return gates_of(found)
