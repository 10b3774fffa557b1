# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the meaning of an instruction with what the processor does, for random operands.

The very bytes run (execute.c); only a distance to the next instruction is set anew, and registers
that are part of an address point to memory that is there. All registers, flags and that memory must
be what the meaning says, but for flags of which it says nothing.
"""

import ctypes
import functools
import itertools
import pathlib
import secrets
import struct
import subprocess

import iced_x86
import numpy as np

from proofs.kernels.engine.bits import ANYTHING, Undecided, simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.samples import Samples
from proofs.machine.integers import flag
from proofs.machine.operands import FULL, IMMEDIATES, KINDS, NAMES, REGISTERS, Operands
from proofs.machine.processor import Placed, Processor

FEATURES = iced_x86.CpuidFeature
HERE = pathlib.Path(__file__).resolve().parent
MEMORY = 512  # bytes that an instruction may use
MIDDLE = 128  # where its operand is
VECTORS, MASKS, FLAGS = 256, 136, 128  # offsets in struct state
MEMORY_AT = VECTORS + 32 * 64
STATE = MEMORY_AT + MEMORY
WINDOW = slice(8 * (MIDDLE - 64), 8 * (MIDDLE + 128))  # bits of it that are not zero
FLAGS_BEFORE = 0x202  # that interrupts are allowed, and what always is 1
BITS = {"c": 0, "z": 6, "s": 7, "o": 11}  # of flags
FRAME = {"avx512f", "avx512bw"}  # what execute.c itself needs, as /proc/cpuinfo has it
# What a processor may lack that has these: flags there, and features of instructions.
LATER = {
    "avx512_bitalg": "AVX512_BITALG",
    "avx512_vbmi2": "AVX512_VBMI2",
    "avx512_vnni": "AVX512_VNNI",
    "avx512_vpopcntdq": "AVX512_VPOPCNTDQ",
    "avx512ifma": "AVX512_IFMA",
    "avx512vbmi": "AVX512_VBMI",
    "gfni": "GFNI",
    "vpclmulqdq": "VPCLMULQDQ",
}
# What only moves on to another place: these share all else with what is compared.
CONTROL = {"jmp", "call", "ret", "leave", "push", "pop", "nop", "endbr64"}
TRIES = 50  # for operands of a division
SMALL = 8  # one of so many known operands is uniform, the others are small or patterns


class NotTheProcessor(AssertionError):
    """A meaning is not what the processor does."""


def is_control(instruction):
    """Tells whether an instruction is compared with nothing."""
    return NAMES[instruction.mnemonic] in CONTROL or instruction.is_jcc_short_or_near


def lacking(code, flags):
    """Returns the flags, of those that a processor has, that it lacks for an instruction."""
    features = set(iced_x86.Decoder(64, code).decode().cpuid_features())
    needed = {flag for flag, name in LATER.items() if getattr(FEATURES, name) in features}
    return (FRAME | needed) - flags


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
    """What stands for a library: the processor, a machine, has its memory alone."""

    def __init__(self, machine):
        self.library, self.machine = self, machine
        self.executed, self.reads, self.steps = set(), set(), 0


class Alone(Processor):
    """A processor that runs one instruction, in memory at a given place. Also in front of another
    processor's class."""

    def __init__(self, domain, base):
        super().__init__(Here(type(self)), domain)
        self.only = Placed("memory", MEMORY, domain, base)
        self.start = base

    def _object(self, address, size):
        offset = address - self.start
        self.only.check(offset, size)
        return self.only, offset


class Known(Alone):
    """The same with memory of bytes: all is known."""

    def __init__(self, domain, base):
        super().__init__(domain, base)
        self.held = bytearray(MEMORY)

    def _place(self, address, size):
        offset = address - self.start
        self.only.check(offset, size)
        return slice(offset, offset + size)

    def load(self, address, size):
        return int.from_bytes(self.held[self._place(address, size)], "little")

    def store(self, address, size, value):
        self.held[self._place(address, size)] = number(value).to_bytes(size, "little")

    def state(self, flags):
        """Returns the bytes of struct state."""
        general, masks = (map(number, values) for values in (self.general, self.masks))
        vectors = b"".join(number(value).to_bytes(64, "little") for value in self.vectors)
        return struct.pack("<16QQ8Q56x", *general, flags, *masks) + vectors + bytes(self.held)


def same(old, new):
    """Tells whether a value has not changed."""
    if type(old) is int or type(new) is int:
        return type(old) is type(new) and old == new
    return old is new or (old.size == new.size and bool((old == new).all()))


def number(value):
    """Returns a value that must be known."""
    value = simplified(value)
    if type(value) is not int:
        raise NotTheProcessor("a result is not known")
    return value


def some_number(bits):
    """Returns a random number: uniform, or with small elements, as indices and counts are."""
    pick = secrets.randbelow(SMALL)
    value = secrets.randbits(bits)
    if pick < 4:  # small elements of some width
        width = (8, 16, 32, 64)[pick]
        value &= sum(0x3F << at for at in range(0, bits, width))
    elif pick == 4:
        value &= sum(0x8F << at for at in range(0, bits, 8))
    elif pick == 5:
        value = secrets.randbelow(2 * min(bits, 64))
    return value


def raw_of(value, bits, count):
    """Returns bytes [count or 1][bits / 8] of a value of the domain of samples."""
    if type(value) is int:
        raw = (value & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
        return np.frombuffer(raw, dtype=np.uint8)[None]
    codes = np.zeros(bits, dtype=object)
    codes[: value.size] = value[:bits]
    if any(code is ANYTHING for code in codes):
        raise NotTheProcessor("a result is not known")
    return bytes_of(codes, count)


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
            self._run_all(Samples(self.count))
        except (Undecided, Unsupported):  # something must be known: one operand after the other
            self._run_each()

    # --- All operands at once ---

    def _run_all(self, domain):
        processor = Alone(domain, self.memory)
        general, vectors, masks = self._mentioned
        processor.general[:] = [0x1111 * n for n in range(16)]
        for n in general:
            processor.general[n] = domain.random(64)
        for n in vectors:
            processor.vectors[n] = domain.random(512)
        for n in masks:
            processor.masks[n] = domain.random(64)
        bits = processor.only.bits
        bits[:] = 0
        if KINDS.MEMORY in map(self.instruction.op_kind, range(self.instruction.op_count)):
            bits[WINDOW] = domain.random(bits[WINDOW].size)
        processor.flags = {name: domain.random(1) for name in BITS}
        self._point(processor)
        states = self._states(processor, domain.count)
        expected = states.copy()
        before = [value for _, _, value in self._places(processor)]
        processor.next = self.instruction.next_ip
        Operands(processor).compiled(self.instruction)()
        self._native(states)
        for old, (place, bits, value) in zip(before, self._places(processor), strict=True):
            if not same(old, value):
                expected[:, place] = raw_of(value, bits, len(states))
        expected[:, FLAGS : FLAGS + 8] = states[:, FLAGS : FLAGS + 8]
        self._compare(states, expected)
        flags = states[:, FLAGS : FLAGS + 4].copy().view(np.uint32)[:, 0]
        for name, at in BITS.items():
            code = self._flag(processor, name)
            if code is not ANYTHING:
                right = bytes_of([code], len(states))[:, 0] & 1
                self._demand((right == (flags >> at & 1)).all(), FLAGS)

    def _compare(self, states, expected):
        """Raises NotTheProcessor for the first place at which states are wrong."""
        if not np.array_equal(states.view(np.uint64), expected.view(np.uint64)):
            self._demand(False, int(np.flatnonzero((states != expected).any(axis=0))[0]))

    def _demand(self, holds, offset):
        if not holds:
            raise NotTheProcessor(f"{self.instruction}: {self._named(offset)} is wrong")

    def _states(self, processor, count):
        """Returns bytes [count][STATE] of what a processor has."""
        row = np.zeros(STATE, dtype=np.uint8)
        for place, bits, value in self._places(processor):
            if type(value) is int:
                row[place] = raw_of(value, bits, 1)[0]
        states = np.tile(row, (count, 1))
        for place, bits, value in self._places(processor):
            if type(value) is not int:
                states[:, place] = raw_of(value, bits, count)
        flags = np.full(count, FLAGS_BEFORE, dtype=np.uint32)
        for name, at in BITS.items():
            flags |= bytes_of(processor.flags[name], count)[:, 0].astype(np.uint32) << at
        states[:, FLAGS : FLAGS + 4] = flags.view(np.uint8).reshape(-1, 4)
        return states

    def _native(self, states):
        """Lets the processor run the instruction on all states."""
        raw, code = states.ctypes.data_as(ctypes.c_void_p), bytes(self.code)
        self.library.ckem_frame_run(self.frame, code, ctypes.c_size_t(len(code)), raw,
                                    ctypes.c_size_t(len(states)))  # fmt: skip

    @staticmethod
    def _places(processor):
        """Yields (place, bits, value) of all that a state has but flags."""
        for n, value in enumerate(processor.general):
            yield slice(8 * n, 8 * n + 8), 64, value
        for n, value in enumerate(processor.masks):
            yield slice(MASKS + 8 * n, MASKS + 8 * n + 8), 64, value
        for n, value in enumerate(processor.vectors):
            yield slice(VECTORS + 64 * n, VECTORS + 64 * n + 64), 512, value
        bits, ends = processor.only.bits, (0, WINDOW.start, WINDOW.stop, 8 * MEMORY)
        for start, end in itertools.pairwise(ends):
            place = slice(MEMORY_AT + start // 8, MEMORY_AT + end // 8)
            yield place, end - start, simplified(bits[start:end].copy())

    # --- One operand after the other ---

    def _run_each(self):
        """Tries operands that are known, and of these such for which there is a value."""
        processor = Known(Samples(1), self.memory)
        step = Operands(processor).compiled(self.instruction)
        before, after, flags, defined = [], [], [], []
        for _ in range(self.count):
            for left in reversed(range(TRIES)):
                self._set(processor)
                first = processor.state(FLAGS_BEFORE | sum(
                    value << BITS[name] for name, value in processor.flags.items()
                ))  # fmt: skip
                processor.next = self.instruction.next_ip
                try:
                    step()
                    break
                except (Unsupported, ZeroDivisionError):  # a quotient that is too large
                    if not left:
                        raise
            before.append(first)
            after.append(processor.state(0))
            found = {name: self._flag(processor, name) for name in BITS}
            known = [name for name, code in found.items() if code is not ANYTHING]
            flags.append(sum((int(found[name]) & 1) << BITS[name] for name in known))
            defined.append(sum(1 << BITS[name] for name in known))
        states, right = (
            np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, STATE).copy()
            for rows in (before, after)
        )
        self._native(states)
        ran = states[:, FLAGS : FLAGS + 4].copy().view(np.uint32)[:, 0]
        self._demand(((ran ^ np.array(flags)) & np.array(defined) == 0).all(), FLAGS)
        states[:, FLAGS : FLAGS + 8] = 0
        self._compare(states, right)

    def _set(self, processor):
        """Gives a processor operands."""
        general, vectors, masks = self._mentioned
        processor.general[:] = [0x1111 * n for n in range(16)]
        processor.vectors[:], processor.masks[:] = [0] * 32, [0] * 8
        for n in general:
            processor.general[n] = some_number(64)
        for n in vectors:
            processor.vectors[n] = some_number(512)
        for n in masks:
            processor.masks[n] = some_number(64)
        processor.held[:] = some_number(8 * MEMORY).to_bytes(MEMORY, "little")
        processor.flags = {name: secrets.randbits(1) for name in BITS}
        self._point(processor)

    @functools.cached_property
    def _mentioned(self):
        """the numbers of general registers, vectors and masks that are mentioned."""
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

    @staticmethod
    def _flag(processor, name):
        value = flag(processor, name)
        return -value if type(value) is int else value[0]

    @staticmethod
    def _named(offset):
        if FLAGS <= offset < MASKS:
            return "a flag"
        if offset < FLAGS:
            return f"general register {offset // 8}"
        if offset < VECTORS:
            return f"mask {(offset - MASKS) // 8}"
        return f"vector {(offset - VECTORS) // 64}" if offset < MEMORY_AT else "memory"
