# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs functions of a shared library of AArch64 on values whose bits belong to a domain: what
machine/processor.py does, with other registers and instructions."""

import secrets

import capstone
import numpy as np

from proofs.kernels.engine.ir import Unsupported
from proofs.machine import processor as x86
from proofs.machine.arm import general, lanes, vectors  # noqa: F401 (they fill a table)
from proofs.machine.arm.general import LINK
from proofs.machine.arm.operands import MEANINGS, SP, Form, parsed
from proofs.machine.operands import Operands
from proofs.machine.processor import OUTSIDE, RETURN, STACK, WORD, Step
from proofs.machine.report import Module as AnyModule

ARGUMENTS = 8  # in registers
SAVED = range(19, 30)  # what a function must give back, and of vectors 8 to 15 the lower halves
SAVED_VECTORS = range(8, 16)
SIZE = 4  # bytes of an instruction
DECODER = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
SUFFIXES = ("csel", "csinc", "csinv", "csneg", "cset", "csetm", "cinc", "cneg", "ccmp")


class Instruction:
    """An instruction: its name, its condition, if it has one, and its operands."""

    def __init__(self, code, address):
        found = next(DECODER.disasm(code[:SIZE], address), None)
        if found is None:
            raise Unsupported(f"no instruction at {address:#x}")
        self.text = f"{found.mnemonic} {found.op_str}".strip()
        self.name, _, self.condition = found.mnemonic.partition(".")
        words = found.op_str
        if self.name in SUFFIXES:
            words, _, self.condition = words.rpartition(", ")
        self.words, self.next_ip = words, address + SIZE

    def __str__(self):
        return self.text

    @property
    def operands(self):
        """the operands."""
        return parsed(self.words)


class Compiler(Operands):
    """Compiles instructions for a processor."""

    def compiled(self, instruction):
        """Returns a function that runs an instruction."""
        if instruction.name not in MEANINGS:
            raise Unsupported(f"{instruction.name} has no meaning")
        return MEANINGS[instruction.name](Form(self._processor, instruction))


class Processor(x86.Processor):
    """See the head of this file."""

    def __init__(self, module, domain, contracts=None):
        super().__init__(module, domain, contracts)
        self.general = [0] * 32
        self._operands = Compiler(self)

    def call(self, name, arguments):
        """Calls a function; returns the register of its value, which may have none."""
        _, _, place = name.partition("@")
        address = int(place, 16) if place else self.library.named(name).address
        self._begin(arguments)
        stack = self.general[SP]
        saved = [(self.general, n, WORD) for n in SAVED]
        saved += [(self.vectors, n, WORD) for n in SAVED_VECTORS]
        before = [registers[n] for registers, n, _ in saved]
        self._run(address)
        for (registers, n, bits), old in zip(saved, before, strict=True):
            new = registers[n]
            if new is not old and (self.codes(new, bits) != self.codes(old, bits)).any():
                raise Unsupported(f"{name} does not give back register {n}")
        if self.general[SP] != stack:
            raise Unsupported(f"{name} does not give back the stack")
        return self.general[0]

    def _begin(self, arguments):
        values = [self._argument(argument) for argument in arguments]
        self._forget()
        for n in SAVED:
            self.general[n] = secrets.randbits(WORD)
        for n in SAVED_VECTORS:
            self.vectors[n] = secrets.randbits(WORD)
        for n, value in enumerate(values[:ARGUMENTS]):
            self.general[n] = value
        top = self.number_of(self._stack) + STACK - 4096
        top -= top % 64
        self.general[SP], self.general[LINK] = top, RETURN
        for at, value in enumerate(values[ARGUMENTS:]):
            self.store(top + 8 * at, 8, value)

    def _forget(self):
        unknown = np.full(128, self.domain.unknown, dtype=self.domain.dtype)
        for n in range(SP):
            if n not in SAVED:
                self.general[n] = unknown[:WORD]
        for n in range(32):
            keep = self.vectors[n] if n in SAVED_VECTORS else None
            self.vectors[n] = unknown
            if keep is not None:  # the upper half may be lost
                codes = np.concatenate([self.codes(keep, WORD), unknown[WORD:]])
                self.vectors[n] = codes
        self.flags = {}

    def _decoded(self, address):
        instruction = Instruction(self.library.code(address), address)
        return Step(instruction, self._operands.compiled(instruction))

    def _outside(self, name):
        if name not in OUTSIDE:
            raise Unsupported(f"a call of {name}")
        first, second, size = self.general[:3]
        back = self.known(self.general[LINK], "where a call comes back to")
        OUTSIDE[name](self, self.known(first, "an address"), second, size)
        self._forget()
        self.general[0] = first
        return back


class Module(AnyModule):
    """A library of AArch64 as the calls of proofs/kernels take one, whichever processor is set."""

    def __init__(self, library):
        super().__init__(library, None)

    @property
    def machine(self):
        """the class of its processor."""
        return Processor

    @machine.setter
    def machine(self, _):
        pass
