# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the meaning of an instruction of AArch64 with what qemu-aarch64 does, for random
operands.

The very instruction runs (execute.c). Registers that are part of an address point to memory that is
there. All registers, flags and that memory must be what the meaning says.
"""

import contextlib
import functools
import itertools
import pathlib
import re
import secrets
import struct
import subprocess

import numpy as np

from proofs.kernels.engine.bits import Undecided, simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.samples import Samples
from proofs.machine.arm.operands import SP
from proofs.machine.arm.processor import DECODER, SIZE, Compiler, Instruction, Processor
from proofs.machine.integers import flag
from proofs.machine.witness import (
    MEMORY,
    Alone,
    Known,
    NotTheProcessor,
    bytes_of,
    number,
    raw_of,
    same,
    some_number,
)

HERE = pathlib.Path(__file__).resolve().parent
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", ("qemu-aarch64", "-cpu", "max")
MIDDLE = 256  # where its operand is
SPAN = 192
SLICE = slice(MIDDLE - 64, MIDDLE - 64 + SPAN)  # what is not zero of it
FLAGS, VECTORS = 256, 272  # offsets in struct state
MEMORY_AT = VECTORS + 32 * 16
STATE = MEMORY_AT + MEMORY
BITS = {"s": 31, "z": 30, "c": 29, "o": 28}  # of flags; `c` is the complement of its bit
CARRY = 1 << BITS["c"]
# What moves on to another place, or names one near itself.
CONTROL = {"b", "bl", "br", "blr", "ret", "cbz", "cbnz", "tbz", "tbnz", "adr", "adrp", "nop", "bti"}
# Where a constant is an operand like any other.
PLAIN = {"add", "sub", "mov", "cmp", "cmn", "tst", "and", "orr", "eor", "subs", "adds"}
TRIES = 50  # for operands that have a value


def form_of(instruction):
    """Returns what makes two instructions alike: all but registers, addresses and most constants of
    numbers."""
    order = {}

    def named(match):
        place = order.setdefault(match[0][1:], len(order))
        return f"{match[1]}r{place}"

    text = re.sub(r"\b([wxbhsdqv])(\d+)\b", named, str(instruction))
    text = re.sub(r"#-?\w+(?=[^\[]*\])", "#", text)  # of an address
    if instruction.name in PLAIN and "v" not in text:
        text = re.sub(r"#-?\w+", "#", text)
    return text


def forms(library, functions):
    """Returns an instruction of each form in functions: (code, text)."""
    found = {}
    for symbol in functions:
        raw = library.read(symbol.address, symbol.size)
        for at in range(0, len(raw), SIZE):
            code = raw[at : at + SIZE]
            if next(DECODER.disasm(code, symbol.address + at), None) is None:
                continue  # a constant between functions
            instruction = Instruction(code, symbol.address + at)
            if instruction.name not in CONTROL:
                found.setdefault(form_of(instruction), (code, str(instruction)))
    return list(found.values())


class Emulated:
    """A process that runs instructions."""

    def __init__(self, folder):
        program = pathlib.Path(folder) / "execute-aarch64"
        command = [COMPILER, "-static", "-O1", str(HERE / "execute.c"), "-o", str(program)]
        subprocess.run(command, check=True, capture_output=True)
        self._process = subprocess.Popen(
            [*EMULATOR, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        (self.memory,) = struct.unpack("<Q", self._read(8))

    def close(self):
        """Ends the process."""
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._process.wait()

    def _read(self, size):
        raw = self._process.stdout.read(size)
        if len(raw) != size:
            raise OSError("the emulator has ended")
        return raw

    def run(self, code, states):
        """Returns states[count][STATE] after an instruction."""
        stream = self._process.stdin
        stream.write(code + struct.pack("<I", len(states)))
        stream.write(states.tobytes())
        stream.flush()
        return np.frombuffer(self._read(states.size), dtype=np.uint8).reshape(-1, STATE).copy()


class Single(Alone, Processor):
    """A processor that runs one instruction, in memory at a given place."""


class Given(Known, Processor):
    """The same with memory of bytes: all is known."""

    def state(self, flags=None):
        """Returns the bytes of struct state, with the flags that it has."""
        del flags
        general = struct.pack("<32QQQ", *map(number, self.general), self._bits(), 0)
        vectors = b"".join(number(value).to_bytes(16, "little") for value in self.vectors)
        return general + vectors + bytes(self.held)

    def _bits(self):
        values = {name: flag(self, name) for name in BITS}
        return CARRY ^ sum((number(value) & 1) << BITS[name] for name, value in values.items())


class Comparison:
    """One instruction, and how often it is tried."""

    def __init__(self, emulated, code, count):
        self.emulated, self.code, self.count = emulated, code, count
        self.instruction = Instruction(code, 0)

    def run(self):
        """Raises NotTheProcessor for an operand for which the meaning is wrong."""
        try:
            before, after = self._meant(Samples(self.count))
        except (Undecided, Unsupported):  # something must be known: one operand after the other
            before, after = self._each()
        ran = self.emulated.run(self.code, before)
        if not np.array_equal(ran, after):
            self._demand(False, int(np.flatnonzero((ran != after).any(axis=0))[0]))

    def _demand(self, holds, offset):
        if not holds:
            raise NotTheProcessor(f"{self.instruction}: {named(offset)} is wrong")

    def _each(self):
        """Returns states of operands that are known, and of these such for which there is a value:
        before the instruction, and after it by the meaning."""
        processor = Given(Samples(1), self.emulated.memory)
        step = Compiler(processor).compiled(self.instruction)
        before, after = [], []
        for _ in range(self.count):
            for left in reversed(range(TRIES)):
                self._set(processor, some_number)
                if self._mentioned[2]:
                    processor.held[SLICE] = some_number(8 * SPAN).to_bytes(SPAN, "little")
                processor.flags = {name: secrets.randbits(1) for name in BITS}
                first = processor.state()
                processor.next = self.instruction.next_ip
                try:
                    step()
                    break
                except Unsupported:
                    if not left:
                        raise
            before.append(first)
            after.append(processor.state())
        return [
            np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, STATE).copy()
            for rows in (before, after)
        ]

    def _meant(self, domain):
        """The same of all operands at once."""
        processor = Single(domain, self.emulated.memory)
        self._set(processor, domain.random)
        bits = processor.only.bits
        bits[:] = 0
        if self._mentioned[2]:
            bits[8 * SLICE.start : 8 * SLICE.stop] = domain.random(8 * SPAN)
        processor.flags = {name: domain.random(1) for name in BITS}
        before = self._states(processor)
        old = list(self._places(processor))
        processor.next = self.instruction.next_ip
        Compiler(processor).compiled(self.instruction)()
        after = before.copy()
        for (_, _, value), (place, size, new) in zip(old, self._places(processor), strict=True):
            if not same(value, new):
                after[:, place] = raw_of(new, size, self.count)
        self._set_flags(processor, after)
        return before, after

    def _set(self, processor, free):
        """Gives registers values; free(bits) makes those of which an operand is one."""
        general, vectors, _ = self._mentioned
        processor.general[:] = [0x1111 * n for n in range(32)]
        processor.vectors[:] = [0] * 32
        for n in general:
            processor.general[n] = free(64)
        for n in vectors:
            processor.vectors[n] = free(128)
        self._point(processor)

    @staticmethod
    def _places(processor):
        """Yields (place, bits, value) of all that a state has but flags."""
        for n, value in enumerate(processor.general):
            yield slice(8 * n, 8 * n + 8), 64, value
        for n, value in enumerate(processor.vectors):
            yield slice(VECTORS + 16 * n, VECTORS + 16 * n + 16), 128, value
        for start, end in itertools.pairwise((0, SLICE.start, SLICE.stop, MEMORY)):
            value = simplified(processor.only.bits[8 * start : 8 * end].copy())
            yield slice(MEMORY_AT + start, MEMORY_AT + end), 8 * (end - start), value

    def _states(self, processor):
        states = np.zeros((self.count, STATE), dtype=np.uint8)
        for place, bits, value in self._places(processor):
            states[:, place] = raw_of(value, bits, self.count)
        self._set_flags(processor, states)
        return states

    def _set_flags(self, processor, states):
        """Writes the flags as the processor has them."""
        found = np.zeros(self.count, dtype=np.uint32)
        for name, at in BITS.items():
            value = flag(processor, name)
            code = -value if type(value) is int else value[0]
            found |= (bytes_of([code], self.count)[:, 0] & 1).astype(np.uint32) << at
        states[:, FLAGS : FLAGS + 4] = (found ^ CARRY).view(np.uint8).reshape(-1, 4)

    @functools.cached_property
    def _mentioned(self):
        """the numbers of registers and vectors that are mentioned, and whether memory is."""
        general, vectors, in_memory = set(), set(), False

        def visit(operands):
            nonlocal in_memory
            for operand in operands:
                if operand.kind == "general":
                    general.add(operand.number)
                elif operand.kind == "vector":
                    vectors.add(operand.number)
                in_memory |= operand.kind == "memory"
                visit(operand.parts)

        visit(self.instruction.operands)
        return general, vectors, in_memory

    def _point(self, processor):
        """Lets the registers of an address point to memory."""
        operands = self.instruction.operands
        for k, operand in enumerate(operands):
            if operand.kind != "memory":
                continue
            base, *offsets = operand.parts
            goal = self.emulated.memory + MIDDLE
            for offset in offsets:
                if offset.kind == "constant":
                    goal -= offset.number
                else:
                    value = 64 * secrets.randbelow(1 << 12)
                    processor.general[offset.number] = value
                    goal -= value << offset.places
            for behind in operands[k + 1 :]:
                if behind.kind == "general":
                    processor.general[behind.number] = secrets.randbelow(1 << 12)
            processor.general[base.number] = goal & (2**64 - 1)


def named(offset):
    """Returns what is at an offset of a state."""
    if offset < FLAGS:
        return "the stack" if offset // 8 == SP else f"general register {offset // 8}"
    if offset < VECTORS:
        return "a flag"
    return f"vector {(offset - VECTORS) // 16}" if offset < MEMORY_AT else "memory"
