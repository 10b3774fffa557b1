# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Integer arithmetic on one element, of which not all bits need to be known."""

import numpy as np

from proofs.kernels.engine.bits import concrete, simplified
from proofs.kernels.engine.ir import Unsupported, signed


def known_binary(opcode, a, b, bits):  # noqa: PLR0911 (a table of cases)
    """Computes with known elements."""
    if opcode == "add":
        return a + b
    if opcode == "sub":
        return a - b
    if opcode == "mul":
        return a * b
    if opcode in ("udiv", "urem"):
        return a // b if opcode == "udiv" else a % b
    if opcode in SHIFTS:
        if b >= bits:
            return None
        if opcode == "shl":
            return a << b
        return (a if opcode == "lshr" else signed(a, bits)) >> b
    raise Unsupported(f"{opcode} of known values")


SHIFTS = ("shl", "lshr", "ashr")


def shifted(machine, opcode, codes, places):
    """Shifts an element, or each row of some, by a known number of places."""
    size = codes.shape[-1]
    if places >= size:
        return np.full(codes.shape, machine.domain.unknown, dtype=machine.domain.dtype)
    result = np.zeros(codes.shape, dtype=machine.domain.dtype)
    if opcode == "shl":
        result[..., places:] = codes[..., : size - places]
        return result
    if opcode == "ashr":
        result[:] = codes[..., -1:]
    result[..., : size - places] = codes[..., places:]
    return result


def arithmetic(machine, opcode, a, b, bits):  # noqa: PLR0911 (a table of cases)
    """add, sub, mul, shifts and divisions of one element, of which not all bits are known."""
    domain = machine.domain
    if opcode in SHIFTS:
        b = simplified(b)
        if opcode != "ashr" and type(b) is not int:
            codes, places = machine.codes(a, bits), machine.codes(b, bits)
            if opcode == "shl":
                return domain.shift_left(codes, places)
            return domain.shift_left(codes[::-1].copy(), places)[::-1]
        places = concrete(b, "the distance of a shift")
        return shifted(machine, opcode, machine.codes(a, bits), places)
    if opcode == "add":
        return domain.add(machine.raw(a, bits), machine.raw(b, bits))
    if opcode == "mul":
        return domain.multiply(machine.raw(a, bits), machine.raw(b, bits))
    if opcode == "sub":
        return domain.subtract(machine.codes(a, bits), machine.codes(b, bits))
    power = concrete(b, "a divisor")
    if power & (power - 1) or not power:
        return np.full(bits, domain.unknown, dtype=domain.dtype)
    shift = power.bit_length() - 1
    if opcode == "udiv":
        return shifted(machine, "lshr", machine.codes(a, bits), shift)
    kept = machine.codes(a, bits).copy()
    kept[shift:] = 0
    return kept


def one_element(machine, opcode, x, y, width):
    """Computes with one element of each operand."""
    if type(x) is not int or type(y) is not int:
        return machine.codes(arithmetic(machine, opcode, x, y, width), width)
    found = known_binary(opcode, x, y, width)
    if found is None:
        return np.full(width, machine.domain.unknown, dtype=machine.domain.dtype)
    return found & ((1 << width) - 1)
