# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of instructions of x86-64: registers, memory, constants; and which meaning is whose.

Form.read(k) gives a function that returns the value of operand k, Form.write(k) one that sets it.
So all that is the same in each run of an instruction is done once.
"""

import iced_x86
import numpy as np

from proofs.kernels.engine.bits import concrete, simplified
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.ir import Unsupported

KINDS = iced_x86.OpKind
REGISTERS = iced_x86.Register
FULL = iced_x86.RegisterExt.full_register
SIZE = iced_x86.RegisterExt.size
NAMES = {
    value: name.lower() for name, value in vars(iced_x86.Mnemonic).items() if isinstance(value, int)
}
HIGH = {REGISTERS.AH: 0, REGISTERS.CH: 1, REGISTERS.DH: 2, REGISTERS.BH: 3}
LEGACY = iced_x86.EncodingKind.LEGACY
IMMEDIATES = {
    KINDS.IMMEDIATE8, KINDS.IMMEDIATE8_2ND, KINDS.IMMEDIATE16, KINDS.IMMEDIATE32,
    KINDS.IMMEDIATE64, KINDS.IMMEDIATE8TO16, KINDS.IMMEDIATE8TO32, KINDS.IMMEDIATE8TO64,
    KINDS.IMMEDIATE32TO64,
}  # fmt: skip


def meanings():
    """Returns {mnemonic: function of a Form that returns what runs}, empty, and a decorator for
    such functions, which takes a text with their mnemonics."""
    table: dict = {}

    def meaning(names):
        def add(function):
            for name in names.split():
                if name in table:
                    raise ValueError(f"two meanings of {name}")
                table[name] = function
            return function

        return add

    return table, meaning


MEANINGS, meaning = meanings()


class Operands:
    """Compiles instructions for a processor."""

    def __init__(self, processor):
        self._processor = processor

    def compiled(self, instruction):
        """Returns a function that runs an instruction."""
        name = NAMES[instruction.mnemonic]
        if name not in MEANINGS:
            raise Unsupported(f"{name} has no meaning")
        return MEANINGS[name](Form(self._processor, instruction, name))


class Form:
    """An instruction with its operands, in a processor."""

    def __init__(self, processor, instruction, name):
        self.processor, self.instruction, self.name = processor, instruction, name
        self.domain = processor.domain
        self.count = instruction.op_count
        self.legacy = instruction.encoding == LEGACY

    # --- What operands are ---

    def is_register(self, k):
        """Tells whether an operand is a register."""
        return self.instruction.op_kind(k) == KINDS.REGISTER

    def is_immediate(self, k):
        """Tells whether an operand is a constant."""
        return self.instruction.op_kind(k) in IMMEDIATES

    def register(self, k):
        """Returns which register an operand is."""
        return self.instruction.op_register(k)

    def bits(self, k):
        """Returns the bits of an operand."""
        if self.is_register(k):
            return 8 * SIZE(self.register(k))
        info = iced_x86.MemorySizeExt
        return 8 * info.size(self.instruction.memory_size)

    def immediate(self, k):
        """Returns a constant, as a number without sign of 64 bits."""
        return self.instruction.immediate(k) & (2**64 - 1)

    def same(self, a, b):
        """Tells whether two operands are the same register."""
        both = self.is_register(a) and self.is_register(b)
        return both and self.register(a) == self.register(b)

    # --- Reading ---

    def read(self, k, bits=None):
        """Returns a function that returns the lowest bits of an operand: all, if none are said."""
        if self.is_immediate(k):
            value = self.immediate(k) & ((1 << (bits or 64)) - 1)
            return lambda: value
        if self.is_register(k):
            return self._read_register(self.register(k), bits or self.bits(k))
        if self.instruction.op_kind(k) != KINDS.MEMORY:
            raise Unsupported(f"an operand of {self.instruction}")
        size, load, place = (bits or self.bits(k)) // 8, self.processor.load, self.place()
        return lambda: load(place(), size)

    def _read_register(self, register, bits):
        processor = self.processor
        if REGISTERS.XMM0 <= register <= REGISTERS.ZMM31:
            number = FULL(register) - REGISTERS.ZMM0
            return lambda: low(processor.vectors[number], bits, processor)
        if REGISTERS.K0 <= register <= REGISTERS.K7:
            number = register - REGISTERS.K0
            return lambda: low(processor.masks[number], bits, processor)
        if register in HIGH:
            number = HIGH[register]
            return lambda: part(processor.general[number], 8, 8)
        full = FULL(register)
        if not REGISTERS.RAX <= full <= REGISTERS.R15:
            raise Unsupported(f"a register of {self.instruction}")
        number = full - REGISTERS.RAX
        if bits == 64:
            return lambda: processor.general[number]
        return lambda: part(processor.general[number], 0, bits)

    def place(self):
        """Returns a function that returns the address of the operand in memory."""
        i, processor = self.instruction, self.processor
        if i.segment_prefix != REGISTERS.NONE:
            raise Unsupported("an address in another segment")
        displacement = i.memory_displacement
        if i.is_ip_rel_memory_operand:
            address = i.ip_rel_memory_address
            return lambda: address
        base, index, scale = i.memory_base, i.memory_index, i.memory_index_scale
        base = None if base == REGISTERS.NONE else base - REGISTERS.RAX
        index = None if index == REGISTERS.NONE else index - REGISTERS.RAX
        mask = 2**64 - 1

        def address_of():
            general = processor.general
            address = displacement
            if base is not None:
                address += known(general[base])
            if index is not None:
                address += known(general[index]) * scale
            return address & mask

        def known(value):
            return value if type(value) is int else concrete(value, "an address")

        return address_of

    # --- Writing ---

    def write(self, k):
        """Returns a function that sets an operand."""
        if not self.is_register(k):
            size, store, place = self.bits(k) // 8, self.processor.store, self.place()
            return lambda value: store(place(), size, value)
        register, processor = self.register(k), self.processor
        if REGISTERS.XMM0 <= register <= REGISTERS.ZMM31:
            return self._write_vector(FULL(register) - REGISTERS.ZMM0)
        if REGISTERS.K0 <= register <= REGISTERS.K7:
            return self._setter(processor.masks, register - REGISTERS.K0)
        if register in HIGH:
            return self._merger(HIGH[register], 8, 8)
        number, bits = FULL(register) - REGISTERS.RAX, self.bits(k)
        if bits < 32:
            return self._merger(number, 0, bits)
        return self._extender(number) if bits == 32 else self._setter(processor.general, number)

    def _extender(self, number):
        """Sets a general register to 32 bits with zeros above."""
        processor = self.processor

        def write(value):
            if type(value) is not int:
                value = processor.codes(processor.codes(value, 32), 64)
            processor.general[number] = value

        return write

    @staticmethod
    def _setter(registers, number):
        def write(value):
            registers[number] = value

        return write

    def _merger(self, number, at, bits):
        """Sets some bits of a general register, the others stay."""
        processor, mask = self.processor, ((1 << bits) - 1) << at

        def write(value):
            old = processor.general[number]
            if type(old) is int and type(value) is int:
                processor.general[number] = old & ~mask | (value << at & mask)
                return
            codes = processor.codes(old, 64).copy()
            codes[at : at + bits] = processor.codes(value, bits)
            processor.general[number] = codes

        return write

    def _write_vector(self, number):
        """The old instructions leave what is above 128 bits, the others make it zero."""
        processor = self.processor

        def write(value):
            processor.vectors[number] = value

        def keep(value):
            old = processor.vectors[number]
            above = part(old, 128, 384) if type(old) is int or old.size > 128 else 0
            if type(above) is int and above == 0:
                processor.vectors[number] = value
                return
            codes = [processor.codes(value, 128), processor.codes(above, 384)]
            processor.vectors[number] = np.concatenate(codes)

        return keep if self.legacy else write


def part(value, at, bits):
    """Returns some bits of a value."""
    if type(value) is int:
        return value >> at & ((1 << bits) - 1)
    return simplified(Degrees.settle(value)[at : at + bits])


def low(value, bits, processor):
    """Returns the lowest bits of a vector, of which what is not kept is zero."""
    if type(value) is int:
        return value & ((1 << bits) - 1)
    if value.size == bits:
        return value
    return processor.codes(value, bits)
