# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs functions of an ir.Module on values whose bits belong to a domain (bits.py).

Control flow, addresses and lengths must be known: they depend on public parameters only, or the
interpreter stops with Undecided. So one run covers all operands. Undefined behaviour is not looked
for (docs/soundness.md has other proofs for that), but accesses stay inside their objects, and
memory that was not written reads as unknown.
"""

import numpy as np

from proofs.kernels.engine.bits import Code, Memory, Pointer, Undecided, concrete, joined, known
from proofs.kernels.engine.ir import BINARY, CASTS, Constant, Global, Local, Unsupported
from proofs.kernels.engine.operations import operation

# Functions that only compute: run once for equal arguments.
PURE = BINARY | CASTS | {
    "icmp", "select", "shufflevector", "insertelement", "extractelement", "phi", "br", "ret",
    "switch", "freeze",
}  # fmt: skip


class Machine:
    """A module with memory for its global variables, ready to run in a domain.

    contracts: for functions that were proved before, what the model makes of their arguments.
    """

    def __new__(cls, module, *arguments, **options):
        """What is no module of LLVM may have a machine of its own."""
        del arguments, options
        return super().__new__(getattr(module, "machine", cls))

    def __init__(self, module, domain, contracts=None):
        self.module = module
        self.domain = domain
        self.contracts = contracts or {}  # function -> what computes its value instead of it
        self.steps = 0
        self.instructions = set()  # opcodes and intrinsics that ran
        self._globals = {}
        self._compiled = {}
        self._pure = {}
        self.results = {}  # of functions that only compute

    # --- Memory ---

    def memory(self, name, size):
        """Returns a Pointer to a new object."""
        return Pointer(Memory(name, size, self.domain))

    def address(self, name, offset=0):
        """Returns the address of a global variable or a function."""
        if name in self.module.functions or name not in self.module.variables:
            return Code(name)
        if name not in self._globals:
            type_, value = self.module.variables[name]
            self._globals[name] = self.memory(name, max(1, type_.size))
            self._initialise(self._globals[name], type_, value)
        return self._globals[name] + offset

    def _initialise(self, pointer, type_, value):
        """Writes the value of a global variable."""
        memory = pointer.memory
        if isinstance(value, Global):
            target = self.address(value.name, value.offset)
            memory.check(pointer.offset, 8)
            memory.pointers[pointer.offset] = target
        elif isinstance(value.value, tuple):
            if type_.kind == "struct":
                parts = list(zip(type_.offsets, type_.fields, strict=True))
            else:
                step = type_.element.size
                parts = [(i * step, type_.element) for i in range(type_.count)]
            for (offset, field), element in zip(parts, value.value, strict=True):
                self._initialise(pointer + offset, field, element)
        elif value.value is not None:
            start = 8 * pointer.offset
            codes = known(value.value, 8 * type_.size, self.domain)
            memory.bits[start : start + 8 * type_.size] = codes

    # --- Values ---

    def codes(self, value, bits):
        """Returns a value as an array of codes."""
        if type(value) is int:
            return known(value, bits, self.domain)
        if type(value) is np.ndarray:
            return value
        if isinstance(value, (Pointer, Code)):
            raise Unsupported("the bits of an address")
        return self.domain.settle(value)

    def raw(self, value, bits):
        """Returns codes, or a sum that the domain has not settled."""
        return self.codes(value, bits) if type(value) in (int, np.ndarray) else value

    def constant(self, type_, value):  # noqa: PLR0911 (a table of cases)
        """Returns the value of an operand that is the same in each run."""
        if isinstance(value, Global):
            return self.address(value.name, value.offset)
        if isinstance(value.value, tuple):
            elements = [self.constant(element.type, element) for element in value.value]
            if type_.kind == "struct":
                return elements
            if all(type(element) is int for element in elements):
                return joined(elements, type_.element.bits)
            bits = type_.element.bits
            return np.concatenate([self.codes(element, bits) for element in elements])
        if value.value is None:
            if type_.kind == "struct":
                return [self.constant(field, Constant(field, None)) for field in type_.fields]
            return np.full(type_.bits, self.domain.unknown, dtype=self.domain.dtype)
        return value.value

    # --- Running ---

    def value_of(self, value, bits):
        """Returns what a function returned, of so many bits."""
        del bits
        return value

    def call(self, name, arguments):
        """Calls a function by name; returns its value or None."""
        if name in self.contracts:
            return self.contracts[name](self, arguments)
        if name not in self.module.functions:
            raise Unsupported(f"a call of {name}")
        if name not in self._compiled:
            self._compiled[name] = compile_function(self, self.module.functions[name])
        if self.domain.remembers and self.is_pure(name):
            key = (name, *[a if type(a) is int else bytes(self._key(a)) for a in arguments])
            if key not in self.results:
                self.results[key] = self._compiled[name](arguments)
            return self.results[key]
        return self._compiled[name](arguments)

    def _key(self, argument):
        """Returns bytes that are equal for equal arguments."""
        if isinstance(argument, (Pointer, Code)):
            raise Unsupported("an address as argument of a function that reads no memory")
        return self.codes(argument, 0).tobytes()

    def is_pure(self, name):
        """Tells whether a function reads and writes no memory."""
        if name not in self._pure:
            self._pure[name] = False  # for a recursion
            blocks = self.module.functions[name].blocks.values()
            self._pure[name] = all(self._only_computes(i) for block in blocks for i in block)
        return self._pure[name]

    def _only_computes(self, i):
        """Tells whether an instruction depends on its operands alone, which are no addresses."""
        if any(type_.kind == "ptr" for type_, _ in i.operands):
            return False
        if i.opcode == "call" and isinstance(i.extra, Global):
            return i.extra.name in self.module.functions and self.is_pure(i.extra.name)
        return i.opcode in PURE or (i.opcode == "call" and isinstance(i.extra, tuple))


class Slots:
    """Where the values of a function are found in the list that its instructions work on."""

    def __init__(self, machine, arguments):
        self._machine = machine
        self._names = {name: number for number, name in enumerate(arguments)}
        self.template = [None] * len(arguments)  # the constants, and room for the others

    def __call__(self, type_, value):
        if not isinstance(value, Local):
            self.template.append(self._machine.constant(type_, value))
            return len(self.template) - 1
        if value.name not in self._names:
            self._names[value.name] = len(self.template)
            self.template.append(None)
        return self._names[value.name]


def compile_block(machine, instructions, slot):
    """Returns a block as phis, steps and end."""
    phis, steps = [], []
    for i in instructions[:-1]:
        result = slot(i.type, Local(i.result)) if i.result else None
        if i.opcode == "phi":
            sources = [slot(*operand) for operand in i.operands]
            phis.append((result, dict(zip(i.extra, sources, strict=True))))
        else:
            steps.append(operation(machine, i, slot, result))
            steps[-1].text = i.text
    return phis, steps, terminator(machine, instructions[-1], slot)


def compile_function(machine, function):
    """Returns run(arguments) for a function: its instructions as Python functions on a list."""
    slot = Slots(machine, function.arguments)
    blocks = {
        label: compile_block(machine, instructions, slot)
        for label, instructions in function.blocks.items()
    }
    first = next(iter(function.blocks))

    def run(arguments):
        for number, size in function.copies.items():
            source = arguments[number]
            arguments[number] = machine.memory("copy", size)
            arguments[number].memory.copy_from(0, source.memory, source.offset, size)
        values = slot.template.copy()
        values[: len(arguments)] = arguments
        label, before = first, None
        while True:
            phis, steps, end = blocks[label]
            for (result, _), value in zip(
                phis, [values[sources[before]] for _, sources in phis], strict=True
            ):
                values[result] = value
            try:
                for step in steps:
                    step(values)
            except Exception as error:
                error.add_note(f"in {function.name}: {step.text}")
                raise
            machine.steps += len(steps)
            before = label
            label, returned = end(values)
            if label is None:
                return returned

    return run


def terminator(machine, i, slot):
    """Returns end(values) of a block: the next label and None, or None and what is returned."""
    if i.opcode == "ret":
        if not i.operands:
            return lambda values: (None, None)
        result = slot(*i.operands[0])
        return lambda values: (None, values[result])
    if i.opcode == "br" and not i.operands:
        target = (i.extra[0], None)
        return lambda values: target
    if i.opcode == "br":
        condition = slot(*i.operands[0])
        targets = [(i.extra[1], None), (i.extra[0], None)]
        return lambda values: targets[concrete(values[condition], "a branch")]
    if i.opcode == "switch":
        selector = slot(*i.operands[0])
        default, table = i.extra
        return lambda values: (
            table.get(concrete(values[selector], "a switch"), default),
            None,
        )

    def stop(values):
        raise Undecided(f"the code arrives at `{i.text}`: an assertion failed")

    return stop
