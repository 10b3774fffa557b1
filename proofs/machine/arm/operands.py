# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of instructions of AArch64: registers, memory, constants; and which meaning is whose.

Capstone decodes, and its text is what is read here: so aliases have meanings of their own.
"""

import dataclasses
import re

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.integers import computed, extended, shifted
from proofs.machine.operands import low, meanings, part

SP = 31  # its number; the register of zeros has none
SCALARS = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128}
ARRAY = re.compile(r"v(\d+)\.(\d+)([bhsdq])$")
LANE = re.compile(r"v(\d+)\.([bhsd])\[(\d+)\]$")
LIST = re.compile(r"\{(.+)\}(?:\[(\d+)\])?$")
PLAIN = re.compile(r"([wxbhsdq])(\d+)$")
MODIFIED = re.compile(r"(lsl|lsr|asr|ror|[us]xt[bhwx])(?: #(\w+))?$")
MEANINGS, meaning = meanings()


@dataclasses.dataclass
class Operand:
    """An operand. kind: general, zero, vector, list, memory or constant.

    A vector has `count` elements of `width` bits; at: the number of the only element that counts.
    """

    kind: str
    number: int = 0  # of a register; the constant
    bits: int = 64
    count: int = 1
    width: int = 64
    at: int | None = None
    parts: tuple = ()  # of a list or of an address
    modifier: str = ""
    places: int = 0
    before: bool = False  # whether the address is written back


def split(text):
    """Returns the parts of a text between commas that are in no brackets."""
    return [part.strip() for part in re.split(r",(?![^\[{]*[\]}])", text) if part.strip()]


def parsed(text):
    """Returns the operands of an instruction, as Capstone writes them."""
    found: list[Operand] = []
    for word in split(text):
        modified = MODIFIED.match(word)
        if modified and found:
            found[-1].modifier = modified[1]
            found[-1].places = int(modified[2] or "0", 0)
        else:
            found.append(one(word))
    return found


def one(word):  # noqa: PLR0911 (a table of cases)
    """Returns one operand."""
    if word.startswith("#"):
        return Operand("constant", int(word[1:], 0))
    if word.startswith("["):
        inside, _, behind = word[1:].partition("]")
        return Operand("memory", parts=tuple(parsed(inside)), before=behind == "!")
    if word in ("sp", "wsp"):
        return Operand("general", SP, 64 if word == "sp" else 32)
    if word in ("xzr", "wzr"):
        return Operand("zero", 0, 64 if word == "xzr" else 32)
    if found := LIST.match(word):
        at = int(found[2]) if found[2] else None
        return Operand("list", parts=tuple(map(member, split(found[1]))), at=at)
    if found := LANE.match(word):
        width = SCALARS[found[2]]
        return Operand("vector", int(found[1]), width, 1, width, int(found[3]))
    if ARRAY.match(word):
        return member(word)
    if found := PLAIN.match(word):
        number = int(found[2])
        if found[1] in "wx":
            return Operand("general", number, 64 if found[1] == "x" else 32)
        bits = SCALARS[found[1]]
        return Operand("vector", number, bits, 1, bits)
    raise Unsupported(f"an operand {word}")


def member(word):
    """Returns a vector of a list; of one element of it only the width is said."""
    found = ARRAY.match(word)
    if found:
        width = SCALARS[found[3]]
        return Operand("vector", int(found[1]), int(found[2]) * width, int(found[2]), width)
    found = re.match(r"v(\d+)\.([bhsd])$", word)
    if not found:
        raise Unsupported(f"an operand {word}")
    width = SCALARS[found[2]]
    return Operand("vector", int(found[1]), width, 1, width)


class Form:
    """An instruction with its operands, in a processor."""

    def __init__(self, processor, instruction):
        self.processor, self.instruction = processor, instruction
        self.name, self.operands = instruction.name, instruction.operands
        self.domain, self.count = processor.domain, len(instruction.operands)

    def is_vector(self, k):
        """Tells whether an operand is a vector, or part of one."""
        return self.operands[k].kind == "vector"

    def same(self, a, b):
        """Tells whether two operands are the same register."""
        return self.operands[a] == self.operands[b] and self.operands[a].kind in (
            "general",
            "vector",
        )

    def constant(self, k):
        """Returns a constant."""
        if self.operands[k].kind != "constant":
            raise Unsupported(f"an operand of {self.instruction}")
        return self.operands[k].number

    def read(self, k, bits=None):
        """Returns a function that returns an operand; constants as numbers of so many bits."""
        return self.read_operand(self.operands[k], bits)

    def read_operand(self, operand, bits=None):
        """The same of an operand."""
        processor = self.processor
        size = bits or operand.bits
        if operand.kind in ("zero", "constant"):
            value = operand.number if operand.kind == "constant" else 0
            if operand.modifier:
                value <<= operand.places
            value &= (1 << size) - 1
            return lambda: value
        if operand.kind == "vector":
            start = operand.at * operand.width if operand.at is not None else 0
            if operand.at is None:
                return lambda: low(processor.vectors[operand.number], operand.bits, processor)
            return lambda: part(
                low(processor.vectors[operand.number], 128, processor), start, operand.width
            )
        if operand.kind != "general":
            raise Unsupported(f"an operand of {self.instruction}")
        return self._modified(operand)

    def _modified(self, operand):
        processor, number, bits = self.processor, operand.number, operand.bits
        name, places = operand.modifier, operand.places

        def plain():
            value = processor.general[number]
            return value if bits == 64 else part(value, 0, bits)

        if not name:
            return plain
        if name in ("lsl", "lsr", "asr"):
            kind = {"lsl": "shl", "lsr": "lshr", "asr": "ashr"}[name]
            return lambda: shifted(processor, kind, plain(), places, bits)
        if name == "ror":
            return lambda: np.roll(processor.codes(plain(), bits), -places)
        width = {"b": 8, "h": 16, "w": 32, "x": 64}[name[-1]]

        def wide():
            value = part(processor.general[number], 0, width)
            value = extended(processor, value, width, 64, sign=name[0] == "s")
            return shifted(processor, "shl", value, places, 64) if places else value

        return wide

    def write(self, k):
        """Returns a function that sets an operand."""
        return self.write_operand(self.operands[k])

    def write_operand(self, operand):
        """The same of an operand. What is above a part of a register becomes zero, but for one
        element of a vector."""
        processor, number, bits = self.processor, operand.number, operand.bits
        if operand.kind == "zero":
            return lambda value: None
        if operand.kind == "general":

            def general(value):
                if bits == 32:
                    low_ = part(value, 0, 32) if type(value) is int else processor.codes(value, 32)
                    value = extended(processor, simplified(low_), 32, 64)
                processor.general[number] = value

            return general
        if operand.kind != "vector":
            raise Unsupported(f"an operand of {self.instruction}")
        if operand.at is None:

            def whole(value):
                value = processor.codes(value, bits) if type(value) is not int else value
                processor.vectors[number] = value

            return whole
        start, width = operand.at * operand.width, operand.width

        def element(value):
            codes = processor.codes(processor.vectors[number], 128).copy()
            codes[start : start + width] = processor.codes(value, width)
            processor.vectors[number] = simplified(codes)

        return element

    def place(self, k):
        """Returns a function that returns the address of an operand in memory, and that changes the
        register of the address as the instruction says; `size` bytes are read by one of a list."""
        processor, operand = self.processor, self.operands[k]
        if operand.kind == "constant":
            return lambda: operand.number
        base, *offsets = operand.parts
        reads = [self._wide(part_) for part_ in offsets]
        behind = self._wide(self.operands[k + 1]) if k + 1 < self.count else None
        number = base.number

        def address():
            start = processor.known(processor.general[number], "an address")
            total = start
            for read in reads:
                total += processor.known(read(), "an address")
            total &= 2**64 - 1
            if operand.before:
                processor.general[number] = total
            if behind is not None:
                processor.general[number] = (start + behind()) & (2**64 - 1)
            return total

        return address

    def _wide(self, operand):
        """Returns a function that returns an offset of 64 bits."""
        return self.read_operand(operand, 64)


def sum_of(processor, x, y, bits):
    """Returns a sum."""
    return computed(processor, "add", x, y, bits)
