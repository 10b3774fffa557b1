# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs functions of a shared library of x86-64 on values whose bits belong to a domain.

It is a Machine of the engine, so what is proved of LLVM's code is proved of machine code by the
same calls and models. A value is an integer if all bits are known, and otherwise codes, lowest bit
first. Objects lie 4 GiB apart, so an access outside of one is found. Branches and addresses must be
known, or Undecided names the instruction: so one run covers all operands, and takes the same path
for all of them.
"""

import secrets
import typing

import iced_x86
import numpy as np

from proofs.kernels.engine.bits import Code, Memory, Pointer, Undecided, known, simplified
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.products import stride
from proofs.machine import general, lanes, masks, moves, shifts, shuffles, vectors  # noqa: F401
from proofs.machine.operands import Operands

RETURN = 0xDEAD_BEEF_0000  # where the call comes back to
STACK = 1 << 18  # bytes
FIRST = 64  # offset of an object in its 4 GiB; no more than 64 bytes are sure to divide addresses
OBJECTS = 0x1000  # the upper half of the first object's address
ARGUMENTS = (7, 6, 2, 1, 8, 9)  # rdi, rsi, rdx, rcx, r8, r9
SAVED = (3, 5, 12, 13, 14, 15)  # what a function must give back: rbx, rbp, r12 ... r15
RAX, RSP = 0, 4
WORD = 64
RING = "ckem_gf2x_ring_"


class Placed(Memory):
    """An object at a given address."""

    def __init__(self, name, size, domain, base):
        super().__init__(name, size, domain)
        self.base = base


class Step:
    """An instruction, ready to run."""

    __slots__ = ("instruction", "next", "run")

    def __init__(self, instruction, run):
        self.instruction, self.run, self.next = instruction, run, instruction.next_ip


class Processor(Machine):
    """See the head of this file. Contracts are not used: every function runs to its end."""

    def __init__(self, module, domain, contracts=None):
        super().__init__(module, domain, None)
        del contracts
        self.library = module.library
        self.executed = module.executed  # addresses of instructions
        self.reads = module.reads  # of the library
        self.general: list[typing.Any] = [0] * 16
        self.vectors: list[typing.Any] = [0] * 32
        self.masks: list[typing.Any] = [0] * 8
        self.flags = {}
        self.next = 0
        self.moved = {}  # by the id of codes: these codes, and which codes they are, how far moved
        self._steps = {}
        self._objects = {}
        self._globals = {}
        self._stack = self.memory("stack", STACK)
        self._operands = Operands(self)

    # --- Memory ---

    def address(self, name, offset=0):
        """Returns the address of a global variable or a function; or of a ring, which the library
        need not have."""
        if name.startswith(RING) and not self.library.has(name):
            return Pointer(self._ring(name), offset)
        symbol = self.library.named(name)
        if symbol.kind == "STT_FUNC":
            return Code(name)
        if symbol.address not in self._globals:
            memory = Placed(name, symbol.size, self.domain, symbol.address)
            self.reads.add((symbol.address, symbol.size))
            raw = self.library.read(symbol.address, symbol.size)
            memory.bits[:] = known(int.from_bytes(raw, "little"), 8 * symbol.size, self.domain)
            for place, value in self.library.pointers.items():
                if symbol.address <= place < symbol.address + symbol.size:
                    function = self.library.function_at(value)
                    found = Code(f"{function.name}@{value:x}") if function else None
                    memory.pointers[place - symbol.address] = found
            self._globals[symbol.address] = memory
        return Pointer(self._globals[symbol.address], offset)

    def _ring(self, name):
        """Returns a struct gf2x_ring without plans of powers."""
        if name not in self._globals:
            r = int(name.removeprefix(RING))
            numbers = (r, -(-r // WORD), stride(r), -(-r // 8))
            raw = b"".join(number.to_bytes(4, "little") for number in numbers).ljust(32, b"\0")
            memory = self.memory(name, len(raw)).memory
            memory.bits[:] = known(int.from_bytes(raw, "little"), 8 * len(raw), self.domain)
            self._globals[name] = memory
        return self._globals[name]

    def number_of(self, pointer):
        """Returns the address that a Pointer stands for."""
        memory = pointer.memory
        if not hasattr(memory, "base"):
            number = OBJECTS + len(self._objects)
            self._objects[number] = memory
            memory.base = (number << 32) + FIRST
        return memory.base + pointer.offset

    def _object(self, address, size):
        memory = self._objects.get(address >> 32)
        if memory is None:
            return None, 0
        offset = (address & 0xFFFFFFFF) - FIRST
        memory.check(offset, size)
        return memory, offset

    def load(self, address, size):
        """Returns the value of so many bytes."""
        memory, offset = self._object(address, size)
        if memory is None:
            self.reads.add((address, size))
            return int.from_bytes(self.library.read(address, size), "little")
        if memory.pointers and size == 8 and offset in memory.pointers:
            return self.number_of(memory.pointers[offset])
        codes = memory.bits[8 * offset : 8 * (offset + size)]
        value = simplified(codes)
        return codes.copy() if value is codes else value

    def store(self, address, size, value):
        """Writes a value of so many bytes."""
        memory, offset = self._object(address, size)
        if memory is None:
            raise IndexError(f"a store to {address:#x}, which is no memory of the caller")
        if memory.pointers:
            memory.forget(offset, size)
        memory.bits[8 * offset : 8 * (offset + size)] = self.codes(value, 8 * size)

    # --- Values ---

    def codes(self, value, bits):
        """Returns the lowest bits of a value as an array of codes."""
        if type(value) is int:
            return known(value & ((1 << bits) - 1), bits, self.domain)
        if type(value) is np.ndarray:
            if value.size > bits:
                return value[:bits]
            if value.size < bits:
                result = np.zeros(bits, dtype=self.domain.dtype)
                result[: value.size] = value
                return result
            return value
        return super().codes(value, bits)

    def value_of(self, value, bits):
        """Returns what a function with a value of so many bits returned, or None."""
        del value
        if not bits:
            return None
        return self.general[RAX] if bits <= WORD else self.vectors[0]

    # --- Running ---

    def call(self, name, arguments):
        """Calls a function; returns the register of its value, which may have none."""
        _, _, place = name.partition("@")
        address = int(place, 16) if place else self.library.named(name).address
        self._begin(arguments)
        saved = [self.general[n] for n in SAVED]
        self._run(address)
        if any(self.general[n] is not before for n, before in zip(SAVED, saved, strict=True)):
            changed = [
                n
                for n, before in zip(SAVED, saved, strict=True)
                if (self.codes(self.general[n], WORD) != self.codes(before, WORD)).any()
            ]
            if changed:
                raise Unsupported(f"{name} does not give back registers {changed}")
        return self.general[RAX]

    def _begin(self, arguments):
        """Puts arguments into registers and on the stack."""
        values = [self._argument(argument) for argument in arguments]
        registers, rest = values[: len(ARGUMENTS)], values[len(ARGUMENTS) :]
        self._forget()
        for n in SAVED:  # what a function must give back, and cannot know
            self.general[n] = secrets.randbits(WORD)
        for n, value in zip(ARGUMENTS, registers, strict=False):
            self.general[n] = value
        top = self.number_of(self._stack) + STACK - 4096
        top -= top % 64
        self.general[RSP] = top - 8
        self.store(top - 8, 8, RETURN)
        for at, value in enumerate(rest):
            self.store(top + 8 * at, 8, value)

    def _forget(self):
        """Leaves nothing known in registers that a function need not give back."""
        unknown = np.full(512, self.domain.unknown, dtype=self.domain.dtype)
        for n in range(16):
            if n not in SAVED and n != RSP:
                self.general[n] = unknown[:WORD]
        self.vectors[:] = [unknown] * 32
        self.masks[:] = [unknown[:WORD]] * 8
        self.flags = {}

    def _argument(self, argument):
        if isinstance(argument, Pointer):
            return self.number_of(argument)
        if isinstance(argument, Code):
            return self.library.named(argument.name).address
        if type(argument) is int:
            return argument & (2**WORD - 1)
        result = np.full(WORD, self.domain.unknown, dtype=self.domain.dtype)
        result[: argument.size] = argument  # the standard of calls says nothing of what is above
        return result

    def _run(self, address):
        steps, executed = self._steps, self.executed
        count, most = 0, self.module.most_steps
        while address != RETURN:
            step = steps.get(address)
            if step is None:
                if address in self.library.outside:
                    address = self._outside(self.library.outside[address])
                    continue
                step = steps[address] = self._decoded(address)
            executed.add(address)
            self.next = step.next
            try:
                step.run()
            except Exception as error:
                error.add_note(f"at {self.library.where(address)}: {step.instruction}")
                raise
            address = self.next
            count += 1
            if count > most:
                raise Unsupported("more instructions than the function has")
        self.steps += count
        self.module.steps = max(self.module.steps, count)

    def _decoded(self, address):
        decoder = iced_x86.Decoder(64, self.library.code(address), ip=address)
        instruction = decoder.decode()
        if instruction.is_invalid:
            raise Unsupported(f"no instruction at {self.library.where(address)}")
        return Step(instruction, self._operands.compiled(instruction))

    def known(self, value, what):
        """Returns a value that must be known."""
        value = simplified(value)
        if type(value) is not int:
            raise Undecided(f"{what} depends on the operands")
        return value

    # --- The C library ---

    def _outside(self, name):
        """Runs a function of another library, and returns where it comes back to."""
        if name not in OUTSIDE:
            raise Unsupported(f"a call of {name}")
        first, second, size = (self.general[n] for n in ARGUMENTS[:3])
        OUTSIDE[name](self, self.known(first, "an address"), second, size)
        self._forget()
        self.general[RAX] = first
        stack = self.general[RSP]
        self.general[RSP] = stack + 8
        return self.load(stack, 8)


def copy(processor, target, source, size):
    """memcpy and memmove"""
    size = processor.known(size, "the length of a copy")
    if size:
        value = processor.load(processor.known(source, "an address"), size)
        processor.store(target, size, value)


def fill(processor, target, byte, size):
    """memset"""
    size = processor.known(size, "the length of a memset")
    if size:
        processor.store(target, size, np.tile(processor.codes(byte, 8), size))


def forget(processor, target, size):
    """Wiping, where it is in no library: what was there is not known any more."""
    size = processor.known(size, "the length of what is wiped")
    if size:
        unknown = np.full(8 * size, processor.domain.unknown, dtype=processor.domain.dtype)
        processor.store(target, size, unknown)


OUTSIDE = {
    **dict.fromkeys(["memcpy", "memmove", "__memcpy_chk", "__memmove_chk"], copy),
    **dict.fromkeys(["memset", "__memset_chk"], fill),
    "ckem_secure_wipe": lambda processor, target, size, _: forget(processor, target, size),
    "explicit_bzero": lambda processor, target, size, _: fill(processor, target, 0, size),
}
