# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of x86-64 that put elements into another order, or choose
among them."""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.operands import REGISTERS, meaning, part
from proofs.machine.vectors import (
    BLOCK,
    Vector,
    blended,
    both_forms,
    engine,
    repeated,
    rows,
    through_engine,
    width_of,
)

# --- Elements by known numbers --------------------------------------------------------------------


def take(form, width, order, first=None):
    """Runs a move of elements: order(count) has the numbers of those that are taken, of all
    elements of the sources one behind the other."""
    v = Vector(form, width, first=first)
    indices = np.array(order(v.count))
    sources = v.sources[: 1 + int(indices.max()) // v.count]
    processor = form.processor

    def run():
        pool = np.concatenate([rows(processor, read(), v.count, width) for read in sources])
        v.write(simplified(pool[indices].ravel()))

    return run


def in_blocks(width, order):
    """Returns the order of a whole vector for one of a block; numbers from the block's size on are
    of the second operand."""
    size = BLOCK // width

    def whole(count):
        return [
            start + (k % size) + (count if k >= size else 0)
            for start in range(0, count, size)
            for k in order
        ]

    return whole


@meaning(both_forms("movddup"))
def double(form):
    """MOVDDUP: the lowest word of each block, twice. One block of memory is its lowest word."""
    if form.is_register(1) or form.bits(0) > BLOCK:
        return take(form, 64, lambda count: [at & ~1 for at in range(count)], first=1)
    read, write, processor = form.read(1, 64), form.write(0), form.processor
    return lambda: write(repeated(processor, read(), 64, 2))


UNPACKED = {"bw": 8, "wd": 16, "dq": 32, "qdq": 64}


@meaning(
    both_forms(" ".join(f"punpck{half}{name}" for half in "lh" for name in UNPACKED))
    + " "
    + both_forms("unpcklps unpckhps unpcklpd unpckhpd")
)
def unpack(form):
    """PUNPCK: elements of two halves in turn."""
    name = form.name.removeprefix("v")
    kind = name.removeprefix("p").removeprefix("unpck")
    width = UNPACKED.get(kind[1:]) or {"ps": 32, "pd": 64}[kind[1:]]
    size = BLOCK // width
    start = size // 2 if kind[0] == "h" else 0
    order = [k for at in range(start, start + size // 2) for k in (at, size + at)]
    return take(form, width, in_blocks(width, order))


def digits(number, count=4, base=4):
    """Returns the lowest digits of a constant."""
    return [number // base**i % base for i in range(count)]


@meaning(both_forms("pshufd pshuflw pshufhw") + " vpermilps vpermilpd")
def shuffle(form):
    """PSHUFD, PSHUFLW, PSHUFHW, VPERMIL: elements of one block by a constant."""
    constant = form.immediate(form.count - 1) if form.is_immediate(form.count - 1) else None
    if constant is None:
        raise Unsupported("VPERMIL by a vector")
    name = form.name.removeprefix("v")
    first = 1
    if name in ("pshufd", "permilps"):
        return take(form, 32, in_blocks(32, digits(constant)), first)
    if name == "permilpd":
        return take(
            form, 64, lambda count: [at & ~1 | (constant >> at & 1) for at in range(count)], first
        )
    low, high = list(range(4)), list(range(4, 8))
    moved = digits(constant)
    order = moved + high if name == "pshuflw" else low + [4 + k for k in moved]
    return take(form, 16, in_blocks(16, order), first)


@meaning(both_forms("shufps shufpd"))
def shuffle_two(form):
    """SHUFPS, SHUFPD: elements of both operands by a constant."""
    constant = form.immediate(form.count - 1)
    if form.name.endswith("ps"):
        k = digits(constant)
        return take(form, 32, in_blocks(32, [k[0], k[1], 4 + k[2], 4 + k[3]]))
    return take(
        form,
        64,
        lambda count: [
            (at & ~1) + (constant >> at & 1) + (count if at % 2 else 0) for at in range(count)
        ],
    )


@meaning("vpermq vpermpd vpermd vpermps vpermw vpermb")
def permute(form):
    """VPERM: elements by the digits of a constant, or by a vector of numbers."""
    width = {"pd": 64, "ps": 32}.get(form.name[-2:]) or width_of(form.name)
    if form.is_immediate(form.count - 1):
        order = digits(form.immediate(form.count - 1))
        return take(
            form, 64, lambda count: [s + k for s in range(0, count, 4) for k in order], first=1
        )
    v = Vector(form, width)
    shape = (v.count, width)
    numbers, source = v.sources
    name = "llvm.x86.avx512.permvar."

    def run():
        values = [source(), numbers()]
        v.write(engine(form.processor, name, shape, [shape] * 2, values))

    return run


PERMUTED = " ".join(f"vperm{k}2{letter}" for k in "ti" for letter in "bwdq")


@meaning(PERMUTED)
def permute_two(form):
    """VPERMT2, VPERMI2: elements of two vectors by a vector of numbers."""
    v = Vector(form, width_of(form.name), first=0)
    own, second, third = v.sources
    shape = (v.count, v.width)
    name = "llvm.x86.avx512.vpermi2var."

    def run():
        values = [own(), second(), third()]
        if form.name.startswith("vpermt"):  # the first operand is a table, the second has numbers
            values = [values[0], values[1], values[2]]
        else:
            values = [values[1], values[0], values[2]]
        v.write(engine(form.processor, name, shape, [shape] * 3, values))

    return run


@meaning("vperm2i128 vperm2f128")
def permute_halves(form):
    """VPERM2I128: halves of two vectors, or zeros, by a constant."""
    v = Vector(form, 128)
    a, b, constant = v.sources
    constant = constant()

    def run():
        pool = np.concatenate([rows(form.processor, read(), 2, 128) for read in (a, b)])
        result = pool[[constant & 3, constant >> 4 & 3]]
        for at in range(2):
            if constant >> (4 * at + 3) & 1:
                result[at] = 0
        v.write(simplified(result.ravel()))

    return run


@meaning("vshufi64x2 vshufi32x4 vshuff64x2 vshuff32x4")
def shuffle_blocks(form):
    """VSHUFI: blocks of both operands by a constant."""
    v = Vector(form, 64 if "64" in form.name else 32)
    blocks = v.bits // BLOCK
    a, b, constant = v.sources
    chosen = digits(constant(), blocks, blocks)
    order = [k + (blocks if at >= blocks // 2 else 0) for at, k in enumerate(chosen)]

    def run():
        pool = np.concatenate([rows(form.processor, read(), blocks, BLOCK) for read in (a, b)])
        v.write(simplified(pool[order].ravel()))

    return run


@meaning(both_forms("palignr"))
def align_bytes(form):
    """PALIGNR: 16 bytes of two blocks behind each other."""
    v = Vector(form, 8)
    a, b, constant = v.sources
    start = constant() & 0xFF

    def run():
        x, y = (rows(form.processor, read(), v.bits // BLOCK, BLOCK) for read in (a, b))
        both = np.concatenate([y, x, np.zeros_like(x), np.zeros_like(x)], axis=1)
        at = min(8 * start, 2 * BLOCK)
        v.write(simplified(both[:, at : at + BLOCK].ravel()))

    return run


@meaning("valignd valignq")
def align_words(form):
    """VALIGN: a whole vector of two behind each other."""
    v = Vector(form, width_of(form.name))
    a, b, constant = v.sources
    start = v.width * (constant() % v.count)

    def run():
        both = np.concatenate([form.processor.codes(read(), v.bits) for read in (b, a)])
        v.write(simplified(both[start : start + v.bits]))

    return run


@meaning(both_forms("pslldq psrldq"))
def shift_bytes(form):
    """PSLLDQ, PSRLDQ: each block by a number of bytes."""
    v = Vector(form, 8)
    source, constant = v.sources
    places, left = 8 * min(constant() & 0xFF, 16), "sll" in form.name

    def run():
        codes = rows(form.processor, source(), v.bits // BLOCK, BLOCK)
        result = np.zeros_like(codes)
        if left:
            result[:, places:] = codes[:, : BLOCK - places]
        else:
            result[:, : BLOCK - places] = codes[:, places:]
        v.write(simplified(result.ravel()))

    return run


@meaning(both_forms("pshufb"))
def shuffle_bytes(form):
    """PSHUFB"""
    return through_engine(form, "llvm.x86.avx2.pshuf.b", 8)


# --- Choices --------------------------------------------------------------------------------------


@meaning("pblendvb vpblendvb blendvps vblendvps blendvpd vblendvpd")
def blend_by_signs(form):
    """PBLENDVB and the like: elements of the second operand where the third one has a sign."""
    width = {"ps": 32, "pd": 64}.get(form.name[-2:], 8)
    v = Vector(form, width)
    a, b = v.sources[:2]
    signs = v.sources[2] if len(v.sources) > 2 else form._read_register(REGISTERS.XMM0, 128)
    processor = form.processor

    def run():
        tops = rows(processor, signs(), v.count, width)[:, -1]
        choice = np.repeat(tops, width)
        one, zero = processor.codes(b(), v.bits), processor.codes(a(), v.bits)
        v.write(blended(processor, choice, one, zero))

    return run


@meaning(both_forms("pblendw blendps blendpd") + " vpblendd")
def blend(form):
    """PBLENDW and the like: elements by a constant."""
    width = {"ps": 32, "pd": 64, "dd": 32}.get(form.name[-2:], 16)
    v = Vector(form, width)
    a, b, constant = v.sources
    constant = constant()
    chosen = [bool(constant >> (at % 8) & 1) for at in range(v.count)]

    def run():
        x, y = (rows(form.processor, read(), v.count, width) for read in (a, b))
        v.write(simplified(np.where(np.array(chosen)[:, None], y, x).ravel()))

    return run


@meaning(" ".join(f"vpblendm{letter}" for letter in "bwdq"))
def blend_by_mask(form):
    """VPBLENDM: elements of the second operand where the mask has a bit, else of the first."""
    v = Vector(form, width_of(form.name))
    a, b = v.sources
    processor, i = form.processor, form.instruction
    number, write = i.op_mask - REGISTERS.K0, form.write(0)

    def run():
        if i.op_mask == REGISTERS.NONE:
            write(b())
            return
        mask = processor.codes(part(processor.masks[number], 0, v.count), v.count)
        zero = 0 if i.zeroing_masking else a()
        one, zero = (processor.codes(value, v.bits) for value in (b(), zero))
        write(simplified(blended(processor, np.repeat(mask, v.width), one, zero)))

    return run
