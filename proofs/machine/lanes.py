# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of x86-64 that compare and shift elements, and that multiply
without carries."""

import numpy as np

from proofs.kernels.engine.arithmetic import shifted
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.operations import elements, unknown_comparison
from proofs.machine.integers import bitwise
from proofs.machine.operands import REGISTERS, meaning, part
from proofs.machine.vectors import (
    Vector,
    both_forms,
    engine,
    repeated,
    rows,
    through_engine,
    width_of,
)

# --- Comparisons ----------------------------------------------------------------------------------

PREDICATES = ["eq", "lt", "le", None, "ne", "ge", "gt", None]  # of VPCMP by its constant


def comparisons(processor, predicate, x, y, count, width):
    """Returns codes of comparisons, one for each pair of elements."""
    domain = processor.domain
    x, y = (
        elements(processor, simplified(x), count, width),
        elements(processor, simplified(y), count, width),
    )
    found = []
    for p, q in zip(x, y, strict=True):
        if type(p) is int and type(q) is int:
            found.append(np.array([domain.one if holds(predicate, p, q, width) else 0]))
        else:
            found.append(unknown_comparison(domain, predicate, p, q, width))
    return np.concatenate(found).astype(domain.dtype)


def holds(predicate, x, y, width):
    """Tells whether known numbers compare so."""
    if predicate[0] == "s":
        x, y = ((v ^ (1 << (width - 1))) for v in (x, y))
    kind = predicate if predicate in ("eq", "ne") else predicate[1:]
    return {
        "eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y,
    }[kind]  # fmt: skip


COMPARED = " ".join(f"pcmp{kind}{letter}" for kind in ("eq", "gt") for letter in "bwdq")


@meaning(both_forms(COMPARED))
def compare(form):
    """PCMPEQ, PCMPGT: to elements of ones, or with AVX-512 to a mask."""
    predicate = "eq" if "eq" in form.name else "sgt"
    return comparing(form, predicate, width_of(form.name))


@meaning(" ".join(f"vpcmp{sign}{letter}" for sign in ("", "u") for letter in "bwdq"))
def compare_by_number(form):
    """VPCMP, VPCMPU: the constant names the comparison."""
    kind = PREDICATES[form.immediate(form.count - 1) & 7]
    if kind is None:
        raise Unsupported("a comparison that is always the same")
    sign = "u" if form.name[5] == "u" else "s"
    predicate = kind if kind in ("eq", "ne") else sign + kind
    return comparing(form, predicate, width_of(form.name))


def comparing(form, predicate, width):
    """Runs comparisons of elements."""
    processor = form.processor
    first = 0 if form.legacy else 1
    alike = predicate == "eq" and form.same(first, first + 1)
    if not REGISTERS.K0 <= form.register(0) <= REGISTERS.K7:
        v = Vector(form, width)
        a, b = v.sources[:2]

        def run():
            if alike:
                v.write((1 << v.bits) - 1)
                return
            found = comparisons(processor, predicate, a(), b(), v.count, width)
            v.write(simplified(np.repeat(found, width)))

        return run
    return to_mask(form, width, lambda x, y, n: comparisons(processor, predicate, x, y, n, width))


def to_mask(form, width, codes):
    """Runs what gives a bit for each element to a mask; a mask on top makes bits zero."""
    processor, i = form.processor, form.instruction
    bits = form.bits(1)
    v = Vector(form, width, first=1, bits=bits)
    a, b = v.sources[:2]
    mask = i.op_mask - REGISTERS.K0 if i.op_mask != REGISTERS.NONE else None
    write = form.write(0)

    def run():
        found = codes(a(), b(), v.count)
        if mask is not None:
            chosen = processor.codes(part(processor.masks[mask], 0, v.count), v.count)
            found = form.domain.both(chosen, found)
        write(simplified(processor.codes(found, 64)))

    return run


@meaning(" ".join(f"vptest{name}{letter}" for name in ("m", "nm") for letter in "bwdq"))
def test(form):
    """VPTESTM, VPTESTNM: which elements have a common bit, or none."""
    width, negated = width_of(form.name), "nm" in form.name
    processor, domain = form.processor, form.domain

    def codes(x, y, count):
        both = bitwise(processor, "and", x, y, count * width)
        return comparisons(processor, "eq" if negated else "ne", both, 0, count, width)

    del domain
    return to_mask(form, width, codes)


# --- Shifts ---------------------------------------------------------------------------------------

SHIFTED = {"psll": "shl", "psrl": "lshr", "psra": "ashr"}
ALL_SHIFTS = " ".join(
    f"{name}{letter}" for name in SHIFTED for letter in "wdq" if f"{name}{letter}" != "psraq"
)


@meaning(both_forms(ALL_SHIFTS) + " vpsraq")
def shift(form):
    """Shifts of all elements by one number, a constant or the lowest word of a register."""
    base = form.name.removeprefix("v")
    name, width = SHIFTED[base[:4]], width_of(base)
    last = form.count - 1
    v = Vector(form, width)
    source = v.sources[0]
    distance = form.read(last) if form.is_immediate(last) else form.read(last, 64)
    processor, domain = form.processor, form.domain

    def moved(codes, places):
        """By a number that is not known."""
        if name == "ashr":
            processor.known(places, "the distance of a shift")
        if name == "shl":
            return np.stack([domain.shift_left(row, places) for row in codes])
        return np.stack([domain.shift_left(row[::-1].copy(), places)[::-1] for row in codes])

    def run():
        codes = rows(processor, source(), v.count, width)
        places = simplified(distance())
        if type(places) is not int:
            v.write(simplified(moved(codes, places).ravel()))
            return
        places &= 0xFF if form.is_immediate(last) else 2**64 - 1
        if places >= width:
            sign = name == "ashr"
            v.write(simplified(np.repeat(codes[:, -1], width)) if sign else 0)
            return
        v.write(simplified(shifted(processor, name, codes, places).ravel()))

    return run


@meaning(" ".join(f"vp{name}v{letter}" for name in ("sll", "srl") for letter in "wdq"))
def shift_each(form):
    """Shifts of each element by its own number."""
    left = form.name.startswith("vpsll")
    v = Vector(form, width_of(form.name))
    a, b = v.sources
    processor, domain, width = form.processor, form.domain, v.width

    def run():
        result = np.zeros((v.count, width), dtype=domain.dtype)
        codes = rows(processor, a(), v.count, width)
        for at, places in enumerate(elements(processor, simplified(b()), v.count, width)):
            if type(places) is int:
                if places < width:
                    name = "shl" if left else "lshr"
                    result[at] = shifted(processor, name, codes[at], places)
            elif left:
                result[at] = domain.shift_left(codes[at], places)
            else:
                result[at] = domain.shift_left(codes[at][::-1].copy(), places)[::-1]
        v.write(simplified(result.ravel()))

    return run


@meaning("vprold vprolq vprord vprorq vprolvd vprolvq vprorvd vprorvq")
def rotate(form):
    """VPROL, VPROR: rotations of each element."""
    v = Vector(form, width_of(form.name))
    a, b = v.sources
    processor, width = form.processor, v.width
    sign = -1 if form.name.startswith("vprol") else 1
    own = form.name[5] == "v"

    def run():
        places = processor.known(b(), "the distance of a rotation")
        each = elements(processor, places, v.count, width) if own else [places] * v.count
        codes = rows(processor, a(), v.count, width)
        start = np.array([sign * n % width for n in each])[:, None]
        order = (np.arange(width)[None, :] + start) % width
        v.write(simplified(np.take_along_axis(codes, order, axis=1).ravel()))

    return run


DOUBLE = [f"vpsh{way}d{by}{letter}" for way in "lr" for by in ("", "v") for letter in "wdq"]


@meaning(" ".join(DOUBLE))
def shift_double(form):
    """VPSHLD, VPSHRD: two elements behind each other, shifted by a known number."""
    own = form.name[6] == "v"
    left = form.name[4] == "l"
    v = Vector(form, width_of(form.name), first=0 if own else 1)
    a, b, c = v.sources
    processor, width = form.processor, v.width

    def moved(pair, places):
        """By a number that is not known, of which the lowest bits count."""
        places = places[: width.bit_length() - 1]
        if left:
            return form.domain.shift_left(pair, places)[width:]
        return form.domain.shift_left(pair[::-1].copy(), places)[::-1][:width]

    def run():
        x, y = (rows(processor, value(), v.count, width) for value in (a, b))
        both = np.concatenate([y, x] if left else [x, y], axis=1)
        distances = simplified(c())
        if own and type(distances) is not int:
            each = rows(processor, distances, v.count, width)
            v.write(simplified(np.concatenate(list(map(moved, both, each)))))
            return
        places = processor.known(distances, "the distance of a shift")
        each = elements(processor, places, v.count, width) if own else [places] * v.count
        start = np.array([(width - n % width) if left else n % width for n in each])[:, None]
        order = np.arange(width)[None, :] + start
        v.write(simplified(np.take_along_axis(both, order, axis=1).ravel()))

    return run


# --- Multiplication without carries, and GF(256) --------------------------------------------------


@meaning("pclmulqdq vpclmulqdq")
def carryless(form):
    """PCLMULQDQ, VPCLMULQDQ"""
    v = Vector(form, 64)
    shape = (v.count, 64)
    a, b, which = v.sources
    name = "llvm.x86.pclmulqdq"

    def run():
        values = [a(), b(), which()]
        v.write(engine(form.processor, name, shape, [shape, shape, (1, 8)], values))

    return run


@meaning(both_forms("gf2p8mulb"))
def multiply_bytes(form):
    """GF2P8MULB"""
    return through_engine(form, "llvm.x86.vgf2p8mulb.1", 8)


@meaning(both_forms("gf2p8affineqb"))
def affine(form):
    """GF2P8AFFINEQB; the matrix may be one word of memory for all elements."""
    i = form.instruction
    v = Vector(form, 8)
    a, b, constant = v.sources
    if i.is_broadcast:
        word = form.read(form.count - 2, 64)

        def b():
            return repeated(form.processor, word(), 64, v.bits // 64)

    name = "llvm.x86.vgf2p8affineqb.1"
    shape = (v.count, 8)

    def run():
        values = [a(), b(), constant()]
        v.write(engine(form.processor, name, shape, [shape, shape, (1, 8)], values))

    return run
