# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of AArch64 that compare and shift elements, put them into
another order, and multiply without carries."""

import numpy as np

from proofs.kernels.engine import integers
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.intrinsics import INTRINSICS
from proofs.kernels.engine.ir import signed
from proofs.machine.arm.operands import SCALARS, meaning
from proofs.machine.arm.vectors import engine, halves, moved, shape_of
from proofs.machine.integers import bitwise
from proofs.machine.lanes import comparisons
from proofs.machine.operands import part
from proofs.machine.vectors import by_element, rows, type_of

# --- Comparisons and shifts -----------------------------------------------------------------------

PREDICATES = {
    "cmeq": "eq", "cmgt": "sgt", "cmge": "sge", "cmhi": "ugt", "cmhs": "uge", "cmlt": "slt",
    "cmle": "sle", "cmtst": "ne",
}  # fmt: skip


@meaning(" ".join(PREDICATES))
def compare(form):
    """CMEQ and the like: elements of ones where it holds."""
    processor, (count, width) = form.processor, shape_of(form)
    a, b, write, predicate = form.read(1), form.read(2), form.write(0), PREDICATES[form.name]

    def run():
        x, y = a(), b()
        if form.name == "cmtst":
            x, y = (x if form.same(1, 2) else bitwise(processor, "and", x, y, count * width)), 0
        found = comparisons(processor, predicate, x, y, count, width)
        write(simplified(np.repeat(found, width)))

    return run


@meaning("shl ushr sshr")
def shift(form):
    """SHL, USHR, SSHR by a constant."""
    processor, shape, read, write = form.processor, shape_of(form), form.read(1), form.write(0)
    by = form.constant(2)

    def run():
        codes = rows(processor, read(), *shape)
        result = moved(codes, by if form.name == "shl" else -by)
        if form.name == "sshr":
            result[:, max(0, shape[1] - by) :] = codes[:, -1:]
        write(simplified(result.ravel()))

    return run


@meaning("usra")
def shift_and_add(form):
    """USRA: shifted elements are added."""
    processor, shape = form.processor, shape_of(form)
    read, old, write, by = form.read(1), form.read(0), form.write(0), form.constant(2)

    def run():
        codes = moved(rows(processor, read(), *shape), -by)
        write(by_element(processor, "add", old(), codes.ravel(), *shape))

    return run


@meaning("sli sri")
def shift_and_insert(form):
    """SLI, SRI: shifted elements over what was there."""
    processor, (count, width) = form.processor, shape_of(form)
    read, old, write, by = form.read(1), form.read(0), form.write(0), form.constant(2)

    def run():
        result = rows(processor, old(), count, width).copy()
        source = rows(processor, read(), count, width)
        if form.name == "sli":
            result[:, by:] = source[:, : width - by]
        else:
            result[:, : width - by] = source[:, by:]
        write(simplified(result.ravel()))

    return run


@meaning("ushl")
def shift_each(form):
    """USHL: each element by its own number, to the right by a negative one."""
    shape, a, b, write = shape_of(form), form.read(1), form.read(2), form.write(0)
    name = f"llvm.aarch64.neon.ushl.v{shape[0]}i{shape[1]}"
    processor = form.processor

    def run():
        places = simplified(b())
        meanings = integers.MEANINGS if type(places) is not int else INTRINSICS
        found = next(f for pattern, f in meanings if pattern.fullmatch(name))
        write(found(processor, type_of(*shape), [type_of(*shape)] * 2, [a(), places]))

    return run


@meaning("sshl")
def shift_each_signed(form):
    """SSHL by known numbers: to the right the sign comes after."""
    processor, (count, width) = form.processor, shape_of(form)
    a, b, write = form.read(1), form.read(2), form.write(0)

    def run():
        places = processor.known(b(), "the distance of a shift")
        parts = rows(processor, a(), count, width).copy()
        for at in range(count):
            by = signed(places >> width * at & 0xFF, 8)
            sign = parts[at, -1]
            parts[at] = moved(parts[at : at + 1], by)[0]
            if by < 0:
                parts[at, max(0, width + by) :] = sign
        write(simplified(parts.ravel()))

    return run


# --- Orders ---------------------------------------------------------------------------------------


@meaning("zip1 zip2 uzp1 uzp2 trn1 trn2")
def interleave(form):
    """ZIP, UZP, TRN: elements of two vectors in another order."""
    processor, (count, width) = form.processor, shape_of(form)
    a, b, write = form.read(1), form.read(2), form.write(0)
    second = form.name.endswith("2")
    if form.name.startswith("zip"):
        start = count // 2 if second else 0
        order = [k for at in range(start, start + count // 2) for k in (at, count + at)]
    elif form.name.startswith("uzp"):
        order = list(range(int(second), 2 * count, 2))
    else:
        order = [k for at in range(int(second), count, 2) for k in (at, count + at)]

    def run():
        pool = np.concatenate([rows(processor, read(), count, width) for read in (a, b)])
        write(simplified(pool[order].ravel()))

    return run


@meaning("ext")
def extract(form):
    """EXT: a vector of two behind each other."""
    processor, bits = form.processor, form.operands[0].bits
    a, b, write, at = form.read(1), form.read(2), form.write(0), 8 * form.constant(3)

    def run():
        both = np.concatenate([processor.codes(read(), bits) for read in (a, b)])
        write(simplified(both[at : at + bits]))

    return run


@meaning("rev16 rev32 rev64 rev")
def reverse(form):
    """REV: the elements of a part in the other order; bytes of a number."""
    processor, operand = form.processor, form.operands[0]
    width = operand.width if form.is_vector(0) else 8
    size = int(form.name[3:] or operand.bits)
    read, write = form.read(1), form.write(0)

    def run():
        codes = processor.codes(read(), operand.bits).reshape(-1, size // width, width)
        write(simplified(codes[:, ::-1].ravel()))

    return run


@meaning("tbl")
def look_up(form):
    """TBL: bytes of some vectors by their numbers; zero by larger ones."""
    processor, (count, _) = form.processor, shape_of(form)
    tables = [form.read_operand(operand) for operand in form.operands[1].parts]
    numbers, write, shape = form.read(2), form.write(0), (16, 8)
    name = f"llvm.aarch64.neon.tbl{len(tables)}.v16i8"

    def known(indices):
        pool = np.concatenate([rows(processor, read(), *shape) for read in tables])
        result = np.zeros((count, 8), dtype=form.domain.dtype)
        for at in range(count):
            index = indices >> 8 * at & 0xFF
            if index < len(pool):
                result[at] = pool[index]
        return simplified(result.ravel())

    def run():
        indices = simplified(numbers())
        if type(indices) is int:
            write(known(indices))
            return
        values = [*(read() for read in tables), processor.codes(indices, 128)]
        found = engine(processor, name, shape, [shape] * len(values), values)
        write(part(found, 0, 8 * count) if type(found) is int else found[: 8 * count])

    return run


# --- Multiplication without carries ---------------------------------------------------------------


@meaning("pmull pmull2 pmul")
def carryless(form):
    """PMULL, PMUL: of words or bytes."""
    processor, (count, width) = form.processor, shape_of(form)
    write = form.write(0)
    if form.name == "pmul":
        a, b, shape = form.read(1), form.read(2), (count, width)
        name = f"llvm.aarch64.neon.pmul.v{count}i8"
        return lambda: write(engine(processor, name, shape, [shape] * 2, [a(), b()]))
    a, b = halves(form, 1), halves(form, 2)
    alike = form.same(1, 2)
    words = width == SCALARS["q"]
    name = "llvm.aarch64.neon.pmull64" if words else "llvm.aarch64.neon.pmull.v8i16"
    shape = (1, 64) if words else (8, 8)

    def run():
        x = a()
        if alike and words:  # the mixed products cancel
            square = np.zeros(128, dtype=form.domain.dtype)
            square[::2] = processor.codes(x, 64)
            write(simplified(square))
            return
        write(engine(processor, name, (count, width), [shape] * 2, [x, b()]))

    return run
