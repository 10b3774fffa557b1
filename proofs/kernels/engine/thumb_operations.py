# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of the Cortex-M4's instructions: operation() turns one into a step of a Processor.

A step returns where to go on if that is not the next instruction.
"""

import functools
import re

from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.thumb import LR, PC, REGISTERS
from proofs.kernels.engine.thumb_arithmetic import (
    LOGIC,
    SHIFTS,
    SUMS,
    add_bytes,
    data,
    divide,
    multiply,
    multiply_long,
    negate,
    order_bits,
    put_bits,
    select,
    shift,
    take_field,
)
from proofs.kernels.engine.thumb_operands import address, immediate, split

CONDITIONS = "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"


def operation(processor, at, mnemonic, operands, following):
    """Returns the step of the instruction at an address."""
    name = mnemonic.removesuffix(".w").removesuffix(".n")
    processor.mnemonics.add(name)
    operands = re.sub(
        r"\[pc(?:, #(-?\d+))?\]", lambda f: f"[{(at + 4 & ~3) + int(f[1] or 0):#x}]", operands
    )
    fields = split(operands)
    if fields[1:2] == ["pc"]:  # adr
        fields[1] = f"#{at + 4 & ~3}"
    if re.fullmatch(r"it[te]{0,3}", name):
        return it_block(processor, name, fields)
    branch = re.fullmatch(rf"b({CONDITIONS})?", name)
    if branch:
        return jump(processor, branch.group(1) or "al", fields)
    for pattern, maker in MAKERS:
        found = re.fullmatch(pattern, name)
        if found:
            return maker(processor, found, fields, following)
    inside = re.fullmatch(rf"(\w+?)({CONDITIONS})", name)  # of an IT block, which says the same
    if inside and inside.group(1) not in ("", "b"):
        return operation(processor, at, inside.group(1), operands, following)
    raise Unsupported(f"{mnemonic} {operands}")


def load_or_store(processor, found, fields, following):
    """ldr, str, of words, half words and bytes, and pairs of words."""
    loads, part = found.group(1) == "ldr", found.group(2)
    registers = processor.registers
    numbers = [REGISTERS[field] for field in fields[: 2 if part == "d" else 1]]
    place, after = fields[len(numbers)], fields[len(numbers) + 1 :]
    if place.startswith("[0x"):  # relative to the instruction
        find = functools.partial(int, place[1:-1], 16)
    else:
        find = address(processor, place, after[0] if after else None)
    size = {"b": 8, "h": 16, "sb": 8, "sh": 16}.get(part)

    def step():
        values = [registers[n] for n in numbers]
        at = find()
        if size and loads:
            value = processor.load_part(at, size)
            if part[0] == "s":
                raise Unsupported("a signed load")
            registers[numbers[0]] = value
        elif size:
            processor.store_part(at, values[0], size)
        for i, number in enumerate([] if size else numbers):
            if loads and part is None:
                registers[number] = processor.load_anywhere(at)
            elif loads:
                registers[number] = processor.load(at + 4 * i)
            else:
                processor.store(at + 4 * i, values[i])
        if loads and numbers == [PC]:
            return processor.number(registers[PC], "an address")
        return None

    return step


def several(processor, found, fields, following):
    """ldm, stm, push, pop."""
    name = found.group(0)
    registers = processor.registers
    if name in ("push", "pop"):
        fields = ["sp!", *fields]
        name = "stmdb" if name == "push" else "ldmia"
    base = REGISTERS[fields[0].rstrip("!")]
    writes_back = fields[0].endswith("!")
    numbers: list[int] = []
    for part in fields[1].strip("{}").split(","):
        ends = [REGISTERS[end.strip()] for end in part.split("-")]
        numbers += range(ends[0], ends[-1] + 1)

    def step():
        start = processor.number(registers[base], "an address")
        end = start + (-4 if name.endswith("db") else 4) * len(numbers)
        at = min(start, end)
        if writes_back:
            registers[base] = end
        for i, number in enumerate(numbers):
            if name.startswith("ldm"):
                registers[number] = processor.load(at + 4 * i)
            else:
                processor.store(at + 4 * i, start if number == base else registers[number])
        if name.startswith("ldm") and PC in numbers:
            return processor.number(registers[PC], "an address")
        return None

    del following
    return step


def it_block(processor, name, fields):
    """it, itt, ite, ...: conditions of the next instructions."""
    condition = fields[0]
    opposite = {"eq": "ne", "cs": "cc", "mi": "pl", "vs": "vc", "hi": "ls", "ge": "lt", "gt": "le"}
    opposite |= {after: before for before, after in opposite.items()}
    conditions = [condition if c == "t" else opposite[condition] for c in "t" + name[2:]]

    def step():
        processor.predicates = conditions.copy()

    return step


def jump(processor, condition, fields):
    """b with and without a condition."""
    target = int(fields[0].split()[0], 16)
    return lambda: target if processor.holds(condition) else None


def call(processor, found, fields, following):
    """bl, bx and blx."""
    registers = processor.registers
    if found.group(0) == "bl":
        target = int(fields[0].split()[0], 16)
    number = REGISTERS.get(fields[0])

    def step():
        to = target if number is None else processor.number(registers[number], "an address")
        if found.group(0) != "bx":
            registers[LR] = following | 1
        return to

    return step


def compare_zero(processor, found, fields, following):
    """cbz and cbnz."""
    number, target = REGISTERS[fields[0]], int(fields[1].split()[0], 16)
    wanted = found.group(0) == "cbz"

    def step():
        zero = processor.number(processor.registers[number], "a branch") == 0
        return target if zero == wanted else None

    del following
    return step


def move_part(processor, found, fields, following):
    """movw and movt."""
    number, value = REGISTERS[fields[0]], immediate(fields[1])
    registers = processor.registers
    if found.group(0) == "movw":
        del following
        return lambda: registers.__setitem__(number, value)
    return lambda: registers.__setitem__(number, registers[number] & 0xFFFF | value << 16)


def nothing(processor, found, fields, following):
    """nop"""
    del processor, found, fields, following
    return lambda: None


MAKERS = [
    (r"movw|movt", move_part),
    (rf"({'|'.join(sorted(LOGIC | SUMS))})(s?)", data),
    (rf"({'|'.join(sorted(SHIFTS))})(s?)", shift),
    (r"(add)w()", data),
    (r"(mul|mla|mls)s?", multiply),
    (r"umull|umlal", multiply_long),
    (r"ubfx|sbfx|uxtb|uxth|sxtb|sxth", take_field),
    (r"bfi|bfc|pkhbt|pkhtb", put_bits),
    (r"rev|rbit|clz", order_bits),
    (r"uadd8", add_bytes),
    (r"sel", select),
    (r"(ldr|str)(d|b|h|sb|sh)?", load_or_store),
    (r"ldm(?:ia)?|stm(?:ia)?|stmdb|ldmdb|push|pop", several),
    (r"bl|bx|blx", call),
    (r"cbz|cbnz", compare_zero),
    (r"udiv|smulbb", divide),
    (r"negs", negate),
    (r"nop", nothing),
]
