# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs machine code of the Cortex-M4 on values whose bits belong to a domain (bits.py).

The code is what binutils disassembles of a linked program; thumb_operations.py has the meaning of
instructions. As in interpreter.py, branches, addresses and lengths must be known, so that one run
covers all operands. A word in a register or in memory is a Python integer if it is known, otherwise
an array of 32 codes.
"""

import re
import subprocess

import numpy as np

from proofs.kernels.engine.bits import Undecided, concrete, known, simplified
from proofs.kernels.engine.ir import Unsupported

REGISTERS = {f"r{i}": i for i in range(16)} | {"sl": 10, "fp": 11, "ip": 12}
REGISTERS |= {"sp": 13, "lr": 14, "pc": 15}
SP, LR, PC = 13, 14, 15
RETURN = 0xFFFFFFFE  # what calls return to
STACK = 0x2F000000
STACK_BYTES = 1 << 16
HEAP = 0x20000000
CHOSEN = ("mov", "add", "sub", "lsl", "orr")  # may have a condition that is not known


class Program:
    """A linked program: instructions as (mnemonic, operands, next address), symbols, and bytes."""

    def __init__(self, path, tools="arm-none-eabi-"):
        def output(*command):
            return subprocess.run(command, capture_output=True, check=True, text=True).stdout

        text = output(f"{tools}objdump", "-d", "--no-show-raw-insn", str(path))
        found = re.findall(r"^ *([0-9a-f]+):\t(\S+)(?:\t([^@;\n]*))?", text, re.MULTILINE)
        addresses = [int(at, 16) for at, _, _ in found]
        self.instructions = {
            at: (mnemonic, operands.strip(), following)
            for at, (_, mnemonic, operands), following in zip(
                addresses, found, [*addresses[1:], None], strict=True
            )
        }
        self.symbols = {
            name: int(at, 16) & ~1
            for at, name in re.findall(
                r"^([0-9a-f]+) . (\S+)$", output(f"{tools}nm", str(path)), re.MULTILINE
            )
        }
        self.names = {at: name for name, at in self.symbols.items() if not name.startswith("$")}
        self.bytes = self._contents(path, output(f"{tools}readelf", "-lW", str(path)))
        parts = (self.instructions, self.symbols, self.bytes)
        self.text = "\n".join(repr(sorted(part.items())) for part in parts)

    @staticmethod
    def _contents(path, headers):
        """Returns the bytes of each segment by its address."""
        whole = path.read_bytes()
        segments = re.findall(
            r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x(\w+)", headers
        )  # offset, address, size in the file, size in memory
        return {
            int(at, 16): whole[int(offset, 16) :][: int(size, 16)].ljust(int(room, 16), b"\0")
            for offset, at, size, room in segments
        }


class Processor:
    """Registers, flags and memory of a program."""

    def __init__(self, program, domain, operations, replaced=None):
        self.program = program
        self.domain = domain
        self.operations = operations  # thumb_operations.operation
        self.replaced = replaced or {}  # name -> what runs instead of a function
        self.registers = [0] * 16
        self.flags = None  # of the last comparison: (n, z, c, v), or None if they are not known
        self.unknown_flags = {}  # then functions for codes of some of them: n, z, c
        self.greater = [0] * 4  # codes of the GE flags
        self.predicates = []  # what IT says of the next instructions
        self.steps = 0
        self.words = {}
        self._compiled = {}
        self._heap = HEAP
        self._objects = []  # where they begin and end
        self.mnemonics = set()
        for start, content in program.bytes.items():
            for at in range(0, len(content) - 3, 4):
                self.words[start + at] = int.from_bytes(content[at : at + 4], "little")

    # --- Memory ---

    def allocate(self, count, codes=None):
        """Returns the address of `count` words, or of those with these codes."""
        address = self._heap
        if codes is not None:
            count = codes.size // 32
            for i in range(count):
                self.words[address + 4 * i] = simplified(codes[32 * i : 32 * i + 32].copy())
        self._objects.append((address, address + 4 * count))
        self._heap += 4 * count + 256 & ~63
        return address

    def outside(self):
        """Returns the addresses of words that were written between and behind objects."""
        inside = {at for begin, end in self._objects for at in range(begin, end, 4)}
        return [at for at in self.words if HEAP <= at < STACK - STACK_BYTES and at not in inside]

    def codes(self, value):
        """Returns a word as an array of codes."""
        if type(value) is int:
            return known(value, 32, self.domain)
        return value if type(value) is np.ndarray else value.settled()

    def load(self, address):
        """Returns the word at an address."""
        if address % 4 or not 0 <= address < 2**32:
            raise Unsupported(f"a word at {address:#x}")
        if address not in self.words:
            return np.full(32, self.domain.unknown, dtype=self.domain.dtype)
        return self.words[address]

    def load_anywhere(self, address):
        """Returns the word at an address that may be between two words."""
        shift = 8 * (address % 4)
        if not shift:
            return self.load(address)
        words = [self.codes(self.load(address + i & ~3)) for i in (0, 4)]
        return simplified(np.concatenate([words[0][shift:], words[1][:shift]]))

    def store(self, address, value):
        """Writes a word."""
        if address % 4 or not HEAP <= address < STACK:
            raise Unsupported(f"a word written to {address:#x}")
        self.words[address] = value

    def load_part(self, address, size):
        """Returns a byte or half a word, as a word."""
        shift = 8 * (address % 4)
        word = self.load(address & ~3)
        if type(word) is int:
            return word >> shift & (1 << size) - 1
        codes = np.zeros(32, dtype=self.domain.dtype)
        codes[:size] = self.codes(word)[shift : shift + size]
        return simplified(codes)

    def store_part(self, address, value, size):
        """Writes the low bits of a word as a byte or half a word."""
        shift = 8 * (address % 4)
        codes = self.codes(self.load(address & ~3)).copy()
        codes[shift : shift + size] = self.codes(value)[:size]
        self.store(address & ~3, simplified(codes))

    def memory(self, address, count):
        """Returns the codes of `count` words."""
        return np.concatenate([self.codes(self.load(address + 4 * i)) for i in range(count)])

    # --- Running ---

    def call(self, name, arguments):
        """Calls a function; more than four arguments are on the stack."""
        self.registers[SP] = STACK - 4 * (len(arguments[4:]) + 1 & ~1)
        for number, value in enumerate(arguments):
            if number < 4:
                self.registers[number] = value
            else:
                self.store(self.registers[SP] + 4 * (number - 4), value)
        self.registers[LR] = RETURN
        at = self.program.symbols[name]
        while at != RETURN:
            at = self._step(at)
        return self.registers[0]

    def _step(self, at):
        """Executes the instruction at an address; returns where the next one is."""
        name = self.program.names.get(at)
        if name in self.replaced:
            self.replaced[name](self)
            return self.registers[LR] & ~1
        if at not in self._compiled:
            if at not in self.program.instructions:
                raise Undecided(f"the code jumps to {at:#x}")
            self._compiled[at] = self.operations(self, at, *self.program.instructions[at])
        self.steps += 1
        following = self.program.instructions[at][2]
        if self.predicates:
            condition = self.predicates.pop(0)
            if self.flags is None:
                self._choose(at, condition)
                return following
            if not self.holds(condition):
                return following
        try:
            target = self._compiled[at]()
        except Exception as error:
            error.add_note(f"at {at:#x}: {self.program.instructions[at][:2]}")
            raise
        return following if target is None else target & ~1

    def _choose(self, at, condition):
        """Executes an instruction under a condition that is not known: registers get what it makes
        of them where the condition holds. No branch and no address may depend on it."""
        name = self.program.instructions[at][0]
        inverted = condition in ("ne", "cc", "lo", "pl")
        flag = {"eq": "z", "ne": "z", "cs": "c", "hs": "c", "cc": "c", "lo": "c", "mi": "n"}.get(
            condition, "n" if condition == "pl" else None
        )
        if flag not in self.unknown_flags or not name.startswith(CHOSEN):
            raise Undecided(f"the condition {condition} depends on the operands")
        choice = self.unknown_flags[flag]()
        if name.startswith("orr"):
            self._join(at, self.domain.invert(choice) if inverted else choice)
            return
        before = self.registers.copy()
        self._compiled[at]()
        for number, (old, new) in enumerate(zip(before, self.registers, strict=True)):
            if old is not new:
                codes = [self.codes(old), self.codes(new)]
                zero, one = codes[::-1] if inverted else codes
                every = np.repeat(choice, 32)
                both = self.domain.both(every, self.domain.xor(zero, one))
                self.registers[number] = simplified(self.domain.xor(zero, both))

    def _join(self, at, choice):
        """Executes `orr a, a, b` with b where the choice is 1, and 0 elsewhere."""
        target, first, second = re.findall(r"\w+", self.program.instructions[at][1])
        if target != first or target == second:
            raise Unsupported(f"a choice of {target} | {second}")
        number = REGISTERS[second]
        before = self.registers[number]
        self.registers[number] = self.domain.both(np.repeat(choice, 32), self.codes(before))
        self._compiled[at]()
        self.registers[number] = before

    def holds(self, condition):
        """Tells whether a condition holds; the flags must be known."""
        if condition == "al":
            return True
        if self.flags is None:
            raise Undecided(f"the condition {condition} depends on the operands")
        n, z, c, v = self.flags
        table = {
            "eq": z, "cs": c, "hs": c, "mi": n, "vs": v, "hi": c and not z, "ge": n == v,
            "gt": not z and n == v,
        }  # fmt: skip
        opposite = {
            "ne": "eq", "cc": "cs", "lo": "cs", "pl": "mi", "vc": "vs", "ls": "hi", "lt": "ge",
            "le": "gt",
        }  # fmt: skip
        if condition in opposite:
            return not table[opposite[condition]]
        return bool(table[condition])

    def number(self, value, what):
        """Returns a word that must be known."""
        return concrete(value if type(value) is int else self.codes(value), what)
