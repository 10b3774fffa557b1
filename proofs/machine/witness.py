# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the meaning of an instruction with what the processor does, for random operands.

The very bytes run (execute.c); only a distance to the next instruction is set anew, and registers
that are part of an address point to memory that is there. All registers, flags and that memory must
be what the meaning says, but for flags of which it says nothing.
"""

import ctypes
import functools
import pathlib
import secrets
import subprocess

import iced_x86
import numpy as np

from proofs.kernels.engine.bits import ANYTHING, Undecided
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.samples import Samples
from proofs.machine.integers import flag
from proofs.machine.operands import FULL, IMMEDIATES, KINDS, NAMES, REGISTERS, Operands
from proofs.machine.processor import Placed, Processor

HERE = pathlib.Path(__file__).resolve().parent
MEMORY = 512  # bytes that an instruction may use
MIDDLE = 128  # where its operand is
VECTORS, MASKS, FLAGS = 256, 136, 128  # offsets in struct state
STATE = VECTORS + 32 * 64 + MEMORY
BITS = {"c": 0, "z": 6, "s": 7, "o": 11}  # of flags
# What only moves on to another place: these share all else with what is compared.
CONTROL = {"jmp", "call", "ret", "leave", "push", "pop", "nop", "endbr64"}
TRIES = 50  # for operands of a division
SMALL = 8  # one of so many known operands is uniform, the others are small or patterns


class NotTheProcessor(AssertionError):
    """A meaning is not what the processor does."""


def is_control(instruction):
    """Tells whether an instruction is compared with nothing."""
    return NAMES[instruction.mnemonic] in CONTROL or instruction.is_jcc_short_or_near


def form_of(instruction):
    """Returns what makes two instructions alike: all but their registers and addresses."""
    parts = [NAMES[instruction.mnemonic], instruction.code]
    registers = []
    for k in range(instruction.op_count):
        kind = instruction.op_kind(k)
        if kind == KINDS.REGISTER:
            register = instruction.op_register(k)
            parts.append(("r", registers.index(register) if register in registers else k))
            registers.append(register)
        elif kind == KINDS.MEMORY:
            parts.append(("m", instruction.is_ip_rel_memory_operand))
        elif kind in IMMEDIATES and NAMES[instruction.mnemonic] not in PLAIN:
            parts.append(("i", instruction.immediate(k)))
    mask = instruction.op_mask != REGISTERS.NONE
    parts += [mask, instruction.zeroing_masking, instruction.is_broadcast]
    if NAMES[instruction.mnemonic] == "lea":
        parts += [instruction.memory_base == instruction.memory_index]
        parts += [instruction.memory_index_scale, instruction.memory_base == REGISTERS.NONE]
    return tuple(parts)


# Where a constant is an operand like any other.
PLAIN = {"mov", "add", "sub", "and", "or", "xor", "cmp", "test", "adc", "sbb", "imul"}


@functools.cache
def frame(folder):
    """Returns the library that runs instructions, its frame, and the addresses in it."""
    made = pathlib.Path(folder) / "execute.so"
    made.parent.mkdir(parents=True, exist_ok=True)
    command = ["gcc", "-shared", "-fPIC", "-O1", str(HERE / "execute.c"), "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    library = ctypes.CDLL(str(made))
    library.ckem_frame_open.restype = ctypes.c_void_p
    gap, memory = ctypes.c_uint64(), ctypes.c_uint64()
    opened = library.ckem_frame_open(ctypes.byref(gap), ctypes.byref(memory))
    if not opened:
        raise OSError("no memory that may be executed")
    return library, ctypes.c_void_p(opened), gap.value, memory.value


class Here:
    """What stands for a library: the processor has its memory alone."""

    machine: type

    def __init__(self):
        self.library, self.executed = self, set()


class Single(Processor):
    """A processor that runs one instruction, in memory at a given place."""

    def __init__(self, domain, base):
        super().__init__(Here(), domain)
        self.only = Placed("memory", MEMORY, domain, base)
        self.start = base

    def _object(self, address, size):
        offset = address - self.start
        self.only.check(offset, size)
        return self.only, offset


Here.machine = Single


def bytes_of(codes, count):
    """Returns bytes [count][bits / 8] of codes of the domain of samples."""
    raw = b"".join(
        (int(code) & ((1 << count) - 1)).to_bytes((count + 7) // 8, "little") for code in codes
    )
    table = np.frombuffer(raw, dtype=np.uint8).reshape(len(codes), -1)
    bits = np.unpackbits(table, axis=1, count=count, bitorder="little")
    return np.packbits(bits.T, axis=1, bitorder="little")


class Comparison:
    """One instruction, moved to the frame, and how often it is tried."""

    def __init__(self, folder, address, code, count):
        decoder = iced_x86.Decoder(64, code, ip=address)
        instruction = decoder.decode()
        self.library, self.frame, self.gap, self.memory = frame(folder)
        self.code = bytearray(code[: instruction.len])
        offsets = decoder.get_constant_offsets(instruction)
        self.target = self.memory + MIDDLE
        if instruction.is_ip_rel_memory_operand:
            at = offsets.displacement_offset
            far = self.target - (self.gap + instruction.len)
            self.code[at : at + 4] = far.to_bytes(4, "little", signed=True)
        self.instruction = iced_x86.Decoder(64, bytes(self.code), ip=self.gap).decode()
        self.count = count

    def run(self):
        """Raises NotTheProcessor for an operand for which the meaning is wrong."""
        try:
            self._run(Samples(self.count), 1)
        except (Undecided, Unsupported):  # something must be known: one operand after the other
            for _ in range(self.count):
                self._run_known()

    def _run_known(self):
        """Tries operands until they are some for which the instruction has a value."""
        for left in reversed(range(TRIES)):
            try:
                self._run(Samples(1), 1, known=True)
                return
            except (Unsupported, ZeroDivisionError):  # a quotient that is too large
                if not left:
                    raise

    def _registers(self):
        """Returns the numbers of general registers, vectors and masks that are mentioned."""
        i = self.instruction
        info = iced_x86.InstructionInfoFactory().info(i)
        general, vectors, masks = set(), set(), set()
        for used in info.used_registers():
            full = FULL(used.register)
            if REGISTERS.RAX <= full <= REGISTERS.R15:
                general.add(full - REGISTERS.RAX)
            elif REGISTERS.ZMM0 <= full <= REGISTERS.ZMM31:
                vectors.add(full - REGISTERS.ZMM0)
            elif REGISTERS.K0 <= full <= REGISTERS.K7:
                masks.add(full - REGISTERS.K0)
        return general, vectors, masks

    def _random(self, domain, bits, known):
        if not known:
            return domain.random(bits)
        pick = secrets.randbelow(SMALL)
        value = secrets.randbits(bits)
        if pick < 4:  # small elements of some width
            width = (8, 16, 32, 64)[pick]
            mask = sum(0x3F << at for at in range(0, bits, width))
            value &= mask
        elif pick == 4:
            value &= sum(0x8F << at for at in range(0, bits, 8))
        elif pick == 5:
            value = secrets.randbelow(2 * min(bits, 64))
        return value

    def _run(self, domain, count, known=False):
        count = domain.count
        processor = Single(domain, self.memory)
        general, vectors, masks = self._registers()
        processor.general[:] = [0x1111 * n for n in range(16)]
        processor.vectors[:] = [0] * 32
        processor.masks[:] = [0] * 8
        for n in general:
            processor.general[n] = self._random(domain, 64, known)
        for n in vectors:
            processor.vectors[n] = self._random(domain, 512, known)
        for n in masks:
            processor.masks[n] = self._random(domain, 64, known)
        processor.only.bits[:] = processor.codes(
            self._random(domain, 8 * MEMORY, known), 8 * MEMORY
        )
        processor.flags = {name: processor.codes(secrets.randbits(1), 1) for name in BITS}
        if not known:
            processor.flags = {name: domain.random(1) for name in BITS}
        self._point(processor)
        states = np.zeros((count, STATE), dtype=np.uint8)
        self._fill(processor, states)
        processor.next = self.instruction.next_ip
        Operands(processor).compiled(self.instruction)()
        raw = states.ctypes.data_as(ctypes.c_void_p)
        code = bytes(self.code)
        self.library.ckem_frame_run(self.frame, code, ctypes.c_size_t(len(code)), raw,
                                    ctypes.c_size_t(count))  # fmt: skip
        self._compare(processor, states)

    def _point(self, processor):
        """Lets the registers of an address point to memory."""
        i = self.instruction
        name = NAMES[i.mnemonic]
        if i.is_string_instruction:
            processor.general[7], processor.general[6] = self.memory, self.memory + 256
            processor.general[1] = 1 + secrets.randbelow(8)
            return
        kinds = [i.op_kind(k) for k in range(i.op_count)]
        if KINDS.MEMORY not in kinds or i.is_ip_rel_memory_operand or name == "lea":
            return
        base, index, scale = i.memory_base, i.memory_index, i.memory_index_scale
        goal = (self.target - i.memory_displacement) & (2**64 - 1)
        if base == index:
            goal -= goal % (1 + scale)
            processor.general[base - REGISTERS.RAX] = goal // (1 + scale)
        elif base == REGISTERS.NONE:
            processor.general[index - REGISTERS.RAX] = goal // scale
        else:
            offset = 0
            if index != REGISTERS.NONE:
                offset = 64 * secrets.randbelow(1 << 16)
                processor.general[index - REGISTERS.RAX] = offset
            processor.general[base - REGISTERS.RAX] = (goal - offset * scale) & (2**64 - 1)

    def _places(self, processor):
        """Yields (offset, bits, value) of all that a state has but flags."""
        for n, value in enumerate(processor.general):
            yield 8 * n, 64, value
        for n, value in enumerate(processor.masks):
            yield MASKS + 8 * n, 64, value
        for n, value in enumerate(processor.vectors):
            yield VECTORS + 64 * n, 512, value
        yield VECTORS + 32 * 64, 8 * MEMORY, processor.only.bits

    def _fill(self, processor, states):
        for offset, bits, value in self._places(processor):
            if type(value) is int:
                raw = np.frombuffer(value.to_bytes(bits // 8, "little"), dtype=np.uint8)
                states[:, offset : offset + bits // 8] = raw
            else:
                states[:, offset : offset + bits // 8] = bytes_of(value, len(states))
        flags = np.full(len(states), 0x202, dtype=np.uint32)
        for name, at in BITS.items():
            flags |= bytes_of(processor.flags[name], len(states))[:, 0].astype(np.uint32) << at
        states[:, FLAGS : FLAGS + 8] = 0
        states[:, FLAGS : FLAGS + 4] = flags.view(np.uint8).reshape(-1, 4)

    def _compare(self, processor, states):
        count = len(states)
        for offset, bits, value in self._places(processor):
            found = states[:, offset : offset + bits // 8]
            codes = processor.codes(value, bits)
            if any(code is ANYTHING for code in codes):
                raise NotTheProcessor(f"{self.instruction}: a result is not known")
            if (bytes_of(codes, count) != found).any():
                raise NotTheProcessor(f"{self.instruction}: {self._named(offset)} is wrong")
        flags = states[:, FLAGS : FLAGS + 4].copy().view(np.uint32)[:, 0]
        for name, at in BITS.items():
            code = self._flag(processor, name)
            if code is ANYTHING:
                continue
            right = bytes_of([code], count)[:, 0] & 1
            if (right != (flags >> at & 1)).any():
                raise NotTheProcessor(f"{self.instruction}: the flag {name} is wrong")

    @staticmethod
    def _flag(processor, name):
        value = flag(processor, name)
        return -value if type(value) is int else value[0]

    @staticmethod
    def _named(offset):
        if offset < FLAGS:
            return f"general register {offset // 8}"
        if offset < VECTORS:
            return f"mask {(offset - MASKS) // 8}"
        return f"vector {(offset - VECTORS) // 64}" if offset < VECTORS + 32 * 64 else "memory"
