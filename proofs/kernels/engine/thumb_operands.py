# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of the Cortex-M4's instructions: registers, shifted ones, numbers, and addresses."""

import re

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.thumb import PC, REGISTERS

WORD = 2**32 - 1


class Half:
    """Half of a sum of products that the domain has not settled."""

    def __init__(self, domain, whole, high):
        self.domain, self.whole, self.high = domain, whole, high

    def settled(self):
        """Returns the codes."""
        codes = self.domain.settle(self.whole)
        return codes[32:] if self.high else codes[:32]


def split(text):
    """Returns the operands; what is in brackets or braces is one."""
    return [part.strip() for part in re.findall(r"(?:\[[^]]*\]!?|\{[^}]*\}|[^,\[{])+", text)]


def immediate(text):
    """Returns the number of #n."""
    return int(text.removeprefix("#"), 0) & WORD


def reader(processor, fields):
    """Returns a function for the value of `#n`, of a register, or of one that is shifted."""
    registers = processor.registers
    if fields[0].startswith("#"):
        value = immediate(fields[0])
        return lambda: value
    number = REGISTERS[fields[0]]
    if number == PC:
        raise Unsupported("the program counter as an operand")
    if len(fields) == 1:
        return lambda: registers[number]
    kind, places = fields[1].split()
    if not places.startswith("#"):
        by = REGISTERS[places]
        return lambda: moved(
            processor,
            kind,
            registers[number],
            processor.number(registers[by], "the distance of a shift") & 255,
        )
    places = immediate(places)
    return lambda: moved(processor, kind, registers[number], places)


def moved(processor, kind, value, places):
    """Returns a word shifted or rotated by known places."""
    if kind == "ror":
        places %= 32
    if type(value) is int:
        signed = value - 2**32 if value >> 31 else value
        if kind == "ror":
            return (value >> places | value << (32 - places)) & WORD
        return {"lsl": value << places, "lsr": value >> places, "asr": signed >> places}[
            kind
        ] & WORD
    codes = processor.codes(value)
    result = np.zeros(32, dtype=processor.domain.dtype)
    kept = max(0, 32 - places)
    if kind == "lsl":
        result[32 - kept :] = codes[:kept]
    elif kind == "ror":
        return np.roll(codes, -places)
    else:
        result[:kept] = codes[32 - kept :]
        if kind == "asr":
            result[kept:] = np.repeat(codes[31:], 32 - kept)
    return simplified(result)


def address(processor, text, after=None):
    """Returns a function for an address that also writes the base register back if it must."""
    registers = processor.registers
    inside = split(text.rstrip("!")[1:-1])
    base = REGISTERS[inside[0]]
    offset = reader(processor, inside[1:]) if inside[1:] else None
    later = reader(processor, [after]) if after else None

    def find():
        start = processor.number(registers[base], "an address")
        step = processor.number(offset(), "an address") if offset else 0
        place = start + step & WORD
        if text.endswith("!"):
            registers[base] = place
        if later:
            registers[base] = start + processor.number(later(), "an address") & WORD
        return place

    return find
