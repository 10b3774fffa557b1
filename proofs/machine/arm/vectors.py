# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of AArch64 (NEON, and those for SHA-3).

Where the engine has the meaning of LLVM's function for an instruction, that one is used, so that
each domain treats both alike.
"""

import functools
import typing

import numpy as np

from proofs.kernels.engine import integers, intrinsics_arm  # noqa: F401 (it fills a table)
from proofs.kernels.engine.arithmetic import one_element
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.intrinsics import INTRINSICS
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.arm import general
from proofs.machine.arm.operands import meaning
from proofs.machine.integers import bitwise, extended, inverted
from proofs.machine.operands import low, part
from proofs.machine.vectors import blended, by_element, repeated, rows, type_of


@functools.cache
def meaning_of(name: str, domain: typing.Any):
    """Returns the meaning of a function of LLVM in a class of domains."""
    for pattern, found in (*domain.meanings, *INTRINSICS, *integers.MEANINGS):
        if pattern.fullmatch(name):
            return found
    raise Unsupported(f"{name} has no meaning in this domain")


def engine(processor, name, result, types, values):
    """Returns what the engine makes of a function of LLVM; types are (count, width)."""
    domain: typing.Any = type(processor.domain)
    found = meaning_of(name, domain)
    return found(processor, type_of(*result), [type_of(*t) for t in types], values)


def shape_of(form, k=0):
    """Returns the number of elements of an operand, and their bits."""
    operand = form.operands[k]
    return operand.count, operand.width


# --- Moves ----------------------------------------------------------------------------------------


@meaning("mov fmov umov")
def move(form):
    """MOV, FMOV, UMOV of numbers, vectors and elements."""
    read, write = form.read(1, form.operands[0].bits), form.write(0)
    return lambda: write(read())


@meaning("smov")
def move_signed(form):
    """SMOV"""
    read, write, old = form.read(1), form.write(0), form.operands[1].width
    bits = form.operands[0].bits
    return lambda: write(extended(form.processor, read(), old, bits, sign=True))


@meaning("movi mvni")
def constant(form):
    """MOVI, MVNI: a constant in each element."""
    operand, (count, width) = form.operands[1], shape_of(form)
    if operand.modifier not in ("", "lsl"):
        raise Unsupported("MOVI by MSL")
    value = operand.number << operand.places & ((1 << width) - 1)
    if form.name == "mvni":
        value ^= (1 << width) - 1
    write, value = form.write(0), repeated(form.processor, value, width, count)
    return lambda: write(value)


@meaning("dup")
def duplicate(form):
    """DUP: an element or a number, everywhere."""
    (count, width), read, write = shape_of(form), form.read(1), form.write(0)
    return lambda: write(repeated(form.processor, part(read(), 0, width), width, count))


# --- Bits -----------------------------------------------------------------------------------------


@meaning("and orr eor bic orn")
def logic(form):
    """AND, ORR, EOR and those of a complement, of numbers or vectors."""
    if not form.is_vector(0):
        return general.logic(form)
    processor, bits, name = form.processor, form.operands[0].bits, general.LOGIC[form.name]
    write = form.write(0)
    if form.count == 2:  # a constant in each element
        count, width = shape_of(form)
        value = form.operands[1].number << form.operands[1].places
        a, second = form.read(0), repeated(processor, value, width, count)
        b = lambda: second  # noqa: E731
    else:
        a, b = form.read(1), form.read(2)
    alike = form.count > 2 and form.same(1, 2)

    def run():
        x = a()
        if alike and form.name in ("eor", "bic"):
            write(0)
            return
        y = b()
        if alike and name != "xor" and form.name in ("and", "orr"):
            write(x)
            return
        y = inverted(processor, y, bits) if form.name in general.TURNED else y
        write(bitwise(processor, name, x, y, bits))

    return run


@meaning("mvn not")
def complement(form):
    """MVN of a number or a vector."""
    bits, read, write = form.operands[0].bits, form.read(1), form.write(0)
    return lambda: write(inverted(form.processor, read(), bits))


@meaning("bsl bit bif")
def select(form):
    """BSL, BIT, BIF: bits of two vectors by those of a third."""
    processor, bits, write = form.processor, form.operands[0].bits, form.write(0)
    old, a, b = form.read(0), form.read(1), form.read(2)

    def run():
        x, y, z = (processor.codes(read(), bits) for read in (old, a, b))
        choice, one, zero = {"bsl": (x, y, z), "bit": (z, y, x), "bif": (z, x, y)}[form.name]
        write(simplified(blended(processor, choice, one, zero)))

    return run


@meaning("eor3 bcax")
def ternary(form):
    """EOR3: a + b + c. BCAX: a + b (c + 1)."""
    processor, bits, write = form.processor, form.operands[0].bits, form.write(0)
    reads = [form.read(k) for k in (1, 2, 3)]

    def run():
        x, y, z = (read() for read in reads)
        if form.name == "bcax":
            y = bitwise(processor, "and", y, inverted(processor, z, bits), bits)
        else:
            y = bitwise(processor, "xor", y, z, bits)
        write(bitwise(processor, "xor", x, y, bits))

    return run


@meaning("rax1 xar")
def rotate(form):
    """RAX1: a + b, b rotated to the left by one. XAR: a + b, rotated to the right."""
    processor, write = form.processor, form.write(0)
    a, b = form.read(1), form.read(2)
    places = form.constant(3) if form.name == "xar" else 0

    def run():
        x, y = (rows(processor, read(), 2, 64) for read in (a, b))
        if form.name == "rax1":
            result = processor.domain.xor(x, np.roll(y, 1, axis=1))
        else:
            result = np.roll(processor.domain.xor(x, y), -places, axis=1)
        write(simplified(result.ravel()))

    return run


# --- Integers -------------------------------------------------------------------------------------


def moved(codes, places):
    """Returns rows moved to the left, or to the right by a negative number, with zeros."""
    result, size = np.zeros_like(codes), codes.shape[1]
    if 0 <= places < size:
        result[:, places:] = codes[:, : size - places]
    elif -size < places < 0:
        result[:, :places] = codes[:, -places:]
    return result


@meaning("add sub")
def arithmetic(form):
    """ADD, SUB of numbers, or of the elements of vectors."""
    if not form.is_vector(0):
        return general.add(form) if form.name == "add" else general.subtract(form)
    processor, shape = form.processor, shape_of(form)
    a, b, write = form.read(1), form.read(2), form.write(0)
    zero = form.name == "sub" and form.same(1, 2)

    def run():
        x, y = a(), b()
        if form.name == "add" and x is y and type(x) is not int:  # each bit moves by one place
            write(simplified(moved(rows(processor, x, *shape), 1).ravel()))
            return
        write(0 if zero else by_element(processor, form.name, x, y, *shape))

    return run


@meaning("neg")
def negate(form):
    """NEG of a number, or of the elements of a vector."""
    if not form.is_vector(0):
        return general.negate(form)
    processor, shape, read, write = form.processor, shape_of(form), form.read(1), form.write(0)
    return lambda: write(by_element(processor, "sub", 0, read(), *shape))


@meaning("mul mla mls")
def multiply(form):
    """MUL, MLA, MLS: the lower halves of products, perhaps added to what was there."""
    processor, (count, width) = form.processor, shape_of(form)
    if not form.is_vector(0):
        return general.multiply(form)
    a, b, old, write = form.read(1), form.read(2), form.read(0), form.write(0)

    def run():
        product = by_element(processor, "mul", a(), b(), count, width)
        if form.name != "mul":
            kind = "add" if form.name == "mla" else "sub"
            product = by_element(processor, kind, old(), product, count, width)
        write(product)

    return run


@meaning("umax umin smax smin")
def extreme(form):
    """The larger or the smaller number of each pair."""
    shape, name = shape_of(form), f"llvm.{form.name}.v"
    a, b, write = form.read(1), form.read(2), form.write(0)
    return lambda: write(engine(form.processor, name, shape, [shape] * 2, [a(), b()]))


@meaning("abs cnt")
def each(form):
    """ABS, CNT"""
    shape, name = shape_of(form), {"abs": "llvm.abs.v", "cnt": "llvm.ctpop.v"}[form.name]
    read, write = form.read(1), form.write(0)
    return lambda: write(engine(form.processor, name, shape, [shape], [read()]))


@meaning("umaxv")
def largest(form):
    """UMAXV"""
    (count, width), read, write = shape_of(form, 1), form.read(1), form.write(0)
    name = f"llvm.aarch64.neon.umaxv.i32.v{count}i{width}"

    def run():
        shape = (count, width)
        value = engine(form.processor, name, (1, 32), [shape], [read()])
        write(part(value, 0, width) if type(value) is int else value[:width])

    return run


@meaning("addv")
def total(form):
    """ADDV: the sum of all elements."""
    (count, width), read, write = shape_of(form, 1), form.read(1), form.write(0)
    processor = form.processor

    def run():
        found = 0
        for element in rows(processor, read(), count, width):
            found = one_element(processor, "add", found, simplified(element), width)
        write(found)

    return run


def wide(processor, value, count, width, sign):
    """Returns elements of twice the bits."""
    parts = rows(processor, value, count, width)
    result = np.zeros((count, 2 * width), dtype=processor.domain.dtype)
    result[:, :width] = parts
    if sign:
        result[:, width:] = parts[:, -1:]
    return result


def halves(form, k):
    """Returns a function that returns the half of an operand that a long instruction takes."""
    read, bits = form.read(k), 64
    if form.name.endswith("2"):
        return lambda: part(low(read(), 128, form.processor), bits, bits)
    return lambda: part(read(), 0, bits) if type(read()) is int else read()[:bits]


LONG = {"addl": "add", "subl": "sub", "mull": "mul"}


@meaning(" ".join(f"{s}{name}{half}" for s in "us" for name in LONG for half in ("", "2")))
def long(form):
    """ADDL, SUBL, MULL: of elements of half the bits; MULL of numbers, too."""
    if not form.is_vector(0):
        return general.multiply(form)
    processor, (count, width) = form.processor, shape_of(form)
    a, b, write, sign = halves(form, 1), halves(form, 2), form.write(0), form.name[0] == "s"
    name = LONG[form.name.rstrip("2")[1:]]

    def run():
        x, y = (wide(processor, v(), count, width // 2, sign).ravel() for v in (a, b))
        write(by_element(processor, name, x, y, count, width))

    return run


@meaning("uaddlp uadalp")
def add_pairs(form):
    """UADDLP, UADALP: sums of neighbours in twice the bits, perhaps added to what was there."""
    processor, (count, width) = form.processor, shape_of(form)
    read, old, write = form.read(1), form.read(0), form.write(0)

    def run():
        both = wide(processor, read(), 2 * count, width // 2, sign=False)
        found = by_element(processor, "add", both[::2].ravel(), both[1::2].ravel(), count, width)
        if form.name == "uadalp":
            found = by_element(processor, "add", old(), found, count, width)
        write(found)

    return run


@meaning("uqxtn xtn")
def narrow(form):
    """UQXTN, XTN: the lower halves of elements; UQXTN: all ones for larger numbers."""
    processor, (count, width) = form.processor, shape_of(form)
    read, write, shape = form.read(1), form.write(0), (count, 2 * width)
    name = f"llvm.aarch64.neon.uqxtn.v{count}i{width}"

    def run():
        if form.name == "xtn":
            write(simplified(rows(processor, read(), *shape)[:, :width].ravel()))
        else:
            write(engine(processor, name, (count, width), [shape], [read()]))

    return run


@meaning("uxtl uxtl2 sxtl sxtl2")
def widen(form):
    """UXTL, SXTL: elements with more bits."""
    processor, (count, width) = form.processor, shape_of(form)
    read, write, sign = halves(form, 1), form.write(0), form.name[0] == "s"
    return lambda: write(simplified(wide(processor, read(), count, width // 2, sign).ravel()))
