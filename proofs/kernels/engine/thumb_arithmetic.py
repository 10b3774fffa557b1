# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of the Cortex-M4's instructions that compute; see thumb_operations.py."""

import re

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.integers import shifted_right
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.thumb import PC, REGISTERS
from proofs.kernels.engine.thumb_operands import WORD, Half, immediate, moved, reader

LOGIC = {"and", "orr", "eor", "bic", "orn", "mov", "mvn", "tst", "teq"}
SUMS = {"add", "sub", "rsb", "adc", "sbc", "cmp", "cmn"}
SHIFTS = {"lsl", "lsr", "asr", "ror"}


def logic(processor, name, a, b):
    """Bitwise operations."""
    domain = processor.domain
    if type(a) is int and type(b) is int:
        return {
            "and": a & b, "tst": a & b, "orr": a | b, "eor": a ^ b, "teq": a ^ b, "bic": a & ~b,
            "orn": a | ~b, "mov": b, "mvn": ~b,
        }[name] & WORD  # fmt: skip
    if name == "mov":
        return b
    y = processor.codes(b)
    if name in ("bic", "orn", "mvn"):
        y = domain.invert(y)
    if name == "mvn":
        return y
    x = processor.codes(a)
    if name in ("and", "tst", "bic"):
        return domain.both(x, y)
    return domain.either(x, y) if name in ("orr", "orn") else domain.xor(x, y)


def total(processor, name, a, b):
    """Sums and differences; returns the word and the flags C and V, or None where not known."""
    carry = {"adc": 2, "sbc": 2, "add": 0, "cmn": 0}.get(name, 1)
    if carry == 2:
        if processor.flags is None:
            raise Unsupported("a carry that is not known")
        carry = int(processor.flags[2])
    if type(a) is int and type(b) is int:
        a, b = (b, a) if name == "rsb" else (a, b)
        b = b if name in ("add", "adc", "cmn") else ~b & WORD
        full = a + b + carry
        result = full & WORD
        return result, (full >> 32, (a ^ result) & (b ^ result) >> 0)
    domain = processor.domain
    x, y = processor.codes(a), processor.codes(b)
    x, y = (y, x) if name == "rsb" else (x, y)
    if name in ("add", "cmn"):
        return domain.settle(domain.add(x, y)), None
    if name in ("sub", "rsb", "cmp"):
        return domain.subtract(x, y), None
    raise Unsupported(f"{name} of operands that are not known")


def data(processor, found, fields, following):
    """Data processing with two operands or one, and comparisons."""
    name, sets = found.group(1), bool(found.group(2))
    registers = processor.registers
    compares = name in ("cmp", "cmn", "tst", "teq")
    sets = sets or compares
    target = None if compares else REGISTERS[fields[0]]
    if compares or name in ("mov", "mvn"):
        rest = fields if compares else fields[1:]
    else:
        rest = fields[1:]
        if len(rest) == 1 or (len(rest) == 2 and " " in rest[1] and not rest[1].startswith("#")):
            rest = [fields[0], *rest]  # the target is the first operand as well
    if name in ("mov", "mvn"):
        first, second = (lambda: 0), reader(processor, rest)
    else:
        first, second = reader(processor, rest[:1]), reader(processor, rest[1:])

    def step():
        a, b = first(), second()
        if name in SUMS:
            value, carries = total(processor, name, a, b)
        else:
            value, carries = logic(processor, name, a, b), (0, 0)
        if sets:
            set_flags(processor, value, carries, keep=name in LOGIC)
            if processor.flags is None:
                processor.unknown_flags = conditions(processor, name, a, b, value)
        if target is not None:
            if target == PC:
                return processor.number(value, "an address")
            registers[target] = value
        return None

    return step


def conditions(processor, name, a, b, value):
    """Returns functions for the flags N and Z and, of a difference, C, which are not known."""
    domain = processor.domain
    codes = processor.codes(value)
    found = {
        "n": lambda: codes[31:],
        "z": lambda: domain.equal(codes, np.zeros(32, dtype=domain.dtype)),
    }
    if name in ("sub", "cmp"):
        x, y = processor.codes(a), processor.codes(b)
        found["c"] = lambda: domain.invert(domain.less(x, y))
    return found


def set_flags(processor, value, carries, keep=False):
    """Sets the flags by a result that is known; keep: C and V stay."""
    value = simplified(value) if type(value) is np.ndarray else value
    if type(value) is not int or carries is None:
        processor.flags = None
        return
    c, v = carries[0], carries[1] >> 31 & 1
    if keep:
        c, v = processor.flags[2:] if processor.flags else (0, 0)
    processor.flags = (value >> 31, value == 0, bool(c), bool(v))


def shift(processor, found, fields, following):
    """lsl, lsr, asr, ror as instructions."""
    kind, sets = found.group(1), bool(found.group(2))
    registers = processor.registers
    target = REGISTERS[fields[0]]
    rest = fields[1:] if len(fields) == 3 else fields
    source, places = reader(processor, rest[:1]), reader(processor, rest[1:])

    def step():
        value, by = source(), places()
        by = simplified(by) if type(by) is np.ndarray else by
        if type(by) is int:
            registers[target] = moved(processor, kind, value, by & 255)
        else:
            registers[target] = moved_by_unknown(processor, kind, value, by)
        if sets:
            set_flags(processor, registers[target], None if type(by) is not int else (0, 0), True)

    del following
    return step


def moved_by_unknown(processor, kind, value, by):
    """Returns a word shifted by places that are not known."""
    domain = processor.domain
    codes, places = processor.codes(value), processor.codes(by)[:8]
    if kind == "lsl":
        return domain.shift_left(codes, places)
    if kind == "lsr":
        return shifted_right(domain, codes, places)
    raise Unsupported(f"{kind} by places that are not known")


def product_of(processor, x, y):
    """Returns the product of two words: a known number, or what the domain makes of it."""
    domain = processor.domain
    if type(x) is int and type(y) is int:
        return x * y
    x, y = (simplified(processor.codes(value)) for value in (x, y))
    x, y = (y, x) if type(y) is int else (x, y)
    zeros = np.zeros(32, dtype=domain.dtype)
    if type(x) is int and x & (x - 1) == 0:  # a shift
        result = np.concatenate([zeros, zeros])
        if x:
            start = x.bit_length() - 1
            result[start : start + 32] = processor.codes(y)
        return result
    return domain.multiply(*[np.concatenate([processor.codes(value), zeros]) for value in (x, y)])


def multiply(processor, found, fields, following):
    """mul, mla, mls."""
    name = found.group(1)
    registers = processor.registers
    numbers = [REGISTERS[field] for field in fields]
    if len(numbers) == 2:
        numbers = [numbers[0], *numbers]
    domain = processor.domain

    def step():
        value = product_of(processor, registers[numbers[1]], registers[numbers[2]])
        value = value & WORD if type(value) is int else domain.settle(value)[:32]
        if name == "mla":
            value = total(processor, "add", value, registers[numbers[3]])[0]
        if name == "mls":
            value = total(processor, "sub", registers[numbers[3]], value)[0]
        registers[numbers[0]] = value

    del following
    return step


def multiply_long(processor, found, fields, following):
    """umull and umlal. What is not known stays a sum that the domain has not settled: its bits are
    those of the parity where no carry comes to them."""
    adds = found.group(0) == "umlal"
    registers = processor.registers
    low, high, a, b = (REGISTERS[field] for field in fields)
    domain = processor.domain

    def step():
        value = product_of(processor, registers[a], registers[b])
        if adds:
            before = [registers[low], registers[high]]
            if type(value) is int:
                raise Unsupported("umlal of known factors")
            if (
                all(isinstance(half, Half) for half in before)
                and before[0].whole is before[1].whole
            ):
                value = domain.add(before[0].whole, value)
            else:
                codes = np.concatenate([processor.codes(half) for half in before])
                value = domain.add(codes, value)
        if type(value) is int:
            registers[low], registers[high] = value & WORD, value >> 32
        else:
            registers[low] = Half(domain, value, high=False)
            registers[high] = Half(domain, value, high=True)

    del following
    return step


# --- Bits and bytes -------------------------------------------------------------------------------


def on_codes(maker):
    """Instructions that take apart or join bits: target and operands as codes."""

    def make(processor, found, fields, following):
        target = REGISTERS[fields[0]]
        numbers = [REGISTERS.get(field) for field in fields[1:]]
        rest = [immediate(f) for f in fields[1:] if f.startswith("#")]
        shifted = [f.split() for f in fields[1:] if " " in f]
        sources = [n for n in numbers if n is not None]

        def step():
            words = [processor.codes(processor.registers[n]) for n in sources]
            for kind, places in shifted:
                words[-1] = processor.codes(moved(processor, kind, words[-1], immediate(places)))
            before = processor.codes(processor.registers[target])
            result = maker(processor, found.group(0), words, rest, before)
            processor.registers[target] = simplified(result)

        del following
        return step

    return make


@on_codes
def take_field(processor, name, words, numbers, before):
    """ubfx, sbfx, uxtb, uxth, sxtb, sxth: a field of bits, extended with zeros or its top bit."""
    if name[1] == "b":
        start, size = numbers
    else:
        start, size = 0, 8 if name[-1] == "b" else 16
    field = words[0][start : start + size]
    rest = np.zeros(32 - size, dtype=processor.domain.dtype)
    if name[0] == "s":
        rest = np.repeat(field[-1:], 32 - size)
    del before
    return np.concatenate([field, rest])


@on_codes
def put_bits(processor, name, words, numbers, before):
    """bfi, bfc, pkhbt, pkhtb: parts of two words."""
    del processor
    if name in ("bfi", "bfc"):
        start, size = numbers
        result = before.copy()
        result[start : start + size] = words[0][:size] if name == "bfi" else 0
        return result
    low, high = (words[0], words[1]) if name == "pkhbt" else (words[1], words[0])
    return np.concatenate([low[:16], high[16:]])


@on_codes
def order_bits(processor, name, words, numbers, before):
    """rev, rbit, clz."""
    del numbers, before
    if name == "rev":
        return words[0].reshape(4, 8)[::-1].ravel()
    return words[0][::-1] if name == "rbit" else leading_zeros(processor.domain, words[0])


def leading_zeros(domain, codes):
    """The number of zeros above the highest one."""
    none = np.full(1, domain.one, dtype=domain.dtype)
    result = np.zeros(32, dtype=domain.dtype)
    for zeros in range(33):
        bit = codes[31 - zeros : 32 - zeros] if zeros < 32 else none
        first = domain.both(none, bit)
        for k in range(6):
            if zeros >> k & 1:
                result[k : k + 1] = domain.xor(result[k : k + 1], first)
        if zeros < 32:
            none = domain.both(none, domain.invert(bit))
    return result


def add_bytes(processor, found, fields, following):
    """uadd8: sums of bytes; the flags GE are their carries."""
    target, a, b = (REGISTERS[field] for field in fields)
    domain = processor.domain

    def step():
        x, y = (processor.codes(processor.registers[n]).reshape(4, 8) for n in (a, b))
        result = []
        for i in range(4):
            if (x[i] == y[i]).all():  # a sum of equal bytes moves the bits
                full = np.concatenate([np.zeros(1, dtype=domain.dtype), x[i]])
            else:
                wide = [np.append(v[i], np.zeros(1, dtype=domain.dtype)) for v in (x, y)]
                full = domain.settle(domain.add(*wide))
            result.append(full[:8])
            processor.greater[i] = full[8:]
        processor.registers[target] = simplified(np.concatenate(result))

    del found, following
    return step


def select(processor, found, fields, following):
    """sel: bytes of the first operand where GE is set, else of the second."""
    target, a, b = (REGISTERS[field] for field in fields)
    domain = processor.domain

    def step():
        x, y = (processor.codes(processor.registers[n]) for n in (a, b))
        choice = np.repeat(np.concatenate(processor.greater), 8)
        chosen = domain.xor(y, domain.both(choice, domain.xor(x, y)))
        processor.registers[target] = simplified(chosen)

    del found, following
    return step


def divide(processor, found, fields, following):
    """udiv of known numbers, and smulbb, the product of signed lower halves."""
    target, a, b = (REGISTERS[field] for field in fields)
    registers = processor.registers

    def half(value):
        return (value & 0xFFFF) - ((value & 0x8000) << 1)

    def step():
        x, y = (processor.number(registers[n], found.group(0)) for n in (a, b))
        if found.group(0) == "udiv":
            registers[target] = x // y if y else 0
        else:
            registers[target] = half(x) * half(y) & WORD

    del following
    return step


def negate(processor, found, fields, following):
    """negs, which is rsbs from 0."""
    return data(
        processor, re.fullmatch("(rsb)(s)", "rsbs"), [fields[0], fields[-1], "#0"], following
    )
