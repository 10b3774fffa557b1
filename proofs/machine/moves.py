# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of x86-64 that move whole vectors and single elements."""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.integers import extended
from proofs.machine.operands import REGISTERS, meaning, part
from proofs.machine.shifts import string as string_operation
from proofs.machine.vectors import (
    WIDTHS,
    Vector,
    both_forms,
    repeated,
    rows,
    width_of,
)

# --- Moves ----------------------------------------------------------------------------------------

WHOLE = both_forms("movdqa movdqu movaps movups movapd movupd lddqu movntdq movntdqa")
ALIGNED = ("dqa", "aps", "apd", "ntd")


@meaning(
    WHOLE
    + " "
    + " ".join(f"vmovdq{a}{w}" for a in "au" for w in (8, 16, 32, 64) if a == "u" or w > 16)
)
def move(form):
    """Moves of vectors; those of aligned memory must be so."""
    digits = form.name.removeprefix("vmovdq")[1:]
    width = int(digits) if digits.isdigit() else 8
    processor = form.processor
    memory = next((k for k in (0, 1) if not form.is_register(k)), None)
    if memory is not None and form.instruction.op_mask != REGISTERS.NONE:
        return move_masked(form, width)
    v = Vector(form, width, first=1, bits=form.bits(0 if form.is_register(0) else 1))
    source = v.sources[0]
    if memory is None or not any(name in form.name for name in ALIGNED):
        return lambda: v.write(source())
    place, size = form.place(), v.bits // 8

    def run():
        if place() % size:
            raise Unsupported("an address that is not aligned")
        v.write(source())

    del processor
    return run


def move_masked(form, width):
    """Moves elements from or to memory that a known mask chooses; others are not touched."""
    processor, i = form.processor, form.instruction
    number, place = i.op_mask - REGISTERS.K0, form.place()
    to_memory = not form.is_register(0)
    bits = form.bits(1 if to_memory else 0)
    count, size = bits // width, width // 8
    vector = form.read(1 if to_memory else 0, bits)
    write = None if to_memory else form.write(0)

    def run():
        chosen = processor.known(part(processor.masks[number], 0, count), "the mask of a move")
        move_chosen(processor, chosen, place(), vector, write, (count, size), i.zeroing_masking)

    return run


def move_chosen(processor, chosen, address, vector, write, shape, zeroes):
    """Loads (with a function that writes) or stores those elements whose bits are chosen."""
    count, size = shape
    if write is None:
        parts = rows(processor, vector(), count, 8 * size)
        for at in range(count):
            if chosen >> at & 1:
                processor.store(address + at * size, size, parts[at])
        return
    result = rows(processor, 0 if zeroes else vector(), count, 8 * size).copy()
    for at in range(count):
        if chosen >> at & 1:
            result[at] = processor.codes(processor.load(address + at * size, size), 8 * size)
    write(simplified(result.ravel()))


@meaning("vpmaskmovd vpmaskmovq vmaskmovps vmaskmovpd")
def move_by_signs(form):
    """VPMASKMOV: the signs of a known vector choose."""
    processor = form.processor
    width = 64 if form.name[-1] in "qd" and form.name != "vpmaskmovd" else 32
    to_memory = not form.is_register(0)
    bits = form.bits(2 if to_memory else 0)
    count, place = bits // width, form.place()
    signs = form.read(1, bits)
    vector = form.read(2, bits) if to_memory else form.read(0, bits)
    write = None if to_memory else form.write(0)

    def run():
        tops = rows(processor, signs(), count, width)[:, -1]
        chosen = processor.known(simplified(tops), "the mask of a move")
        move_chosen(processor, chosen, place(), vector, write, (count, width // 8), True)

    return run


@meaning(both_forms("movd movq movss"))
def move_low(form):
    """MOVD, MOVQ, MOVSS: the lowest word; what is above becomes zero in a vector."""
    bits = 64 if form.name.endswith("q") else 32
    if form.name.endswith("ss") and form.count == 3:
        return merge_low(form, bits)
    if form.name == "movss" and form.is_register(0) and form.is_register(1):
        return merge_low(form, bits)
    read, write = form.read(1, bits), form.write(0)
    if not form.is_register(0):
        processor, place, size = form.processor, form.place(), bits // 8
        return lambda: processor.store(place(), size, read())
    return zero_above(form, read, write, bits)


def zero_above(form, read, write, bits):
    """Writes what is read to a register; a vector gets zeros above it."""
    processor = form.processor
    if not REGISTERS.XMM0 <= form.register(0) <= REGISTERS.ZMM31:
        return lambda: write(extended(processor, read(), bits, 64) if bits == 32 else read())
    return lambda: write(extended(processor, read(), bits, 128))


@meaning("movsd vmovsd")
def move_double(form):
    """MOVSD: the lowest word of a vector, or the string instruction of this name."""
    if form.instruction.is_string_instruction:
        return string_operation(form)
    if form.count == 3 or (form.is_register(0) and form.is_register(1)):
        return merge_low(form, 64)
    read, write = form.read(1, 64), form.write(0)
    if not form.is_register(0):
        processor, place = form.processor, form.place()
        return lambda: processor.store(place(), 8, read())
    return zero_above(form, read, write, 64)


def merge_low(form, bits):
    """The lowest word of the last operand below the rest of the first one."""
    processor, write = form.processor, form.write(0)
    a, b = form.read(form.count - 2, 128), form.read(form.count - 1, bits)

    def run():
        codes = processor.codes(a(), 128).copy()
        codes[:bits] = processor.codes(b(), bits)
        write(simplified(codes))

    return run


@meaning(both_forms("movhps movhpd movlps movlpd"))
def move_half(form):
    """MOVH, MOVL: one half from or to memory, the other half stays."""
    at = 64 if form.name[-3] == "h" else 0
    processor, write = form.processor, form.write(0)
    if not form.is_register(0):
        read = form.read(1, 128)
        return lambda: write(part(read(), at, 64))
    a, b = form.read(0 if form.legacy else 1, 128), form.read(form.count - 1, 64)

    def run():
        codes = processor.codes(a(), 128).copy()
        codes[at : at + 64] = processor.codes(b(), 64)
        write(simplified(codes))

    return run


@meaning(both_forms("movhlps movlhps"))
def move_across(form):
    """MOVHLPS, MOVLHPS: a half of the last operand to the other half of the first one."""
    processor, write = form.processor, form.write(0)
    a, b = form.read(0 if form.legacy else 1, 128), form.read(form.count - 1, 128)
    at = 0 if "hl" in form.name else 64

    def run():
        codes = processor.codes(a(), 128).copy()
        codes[at : at + 64] = processor.codes(part(b(), 64 - at, 64), 64)
        write(simplified(codes))

    return run


@meaning(both_forms("pextrb pextrw pextrd pextrq"))
def extract(form):
    """PEXTR: an element of a vector, with zeros above."""
    width = width_of(form.name)
    read, write, at = form.read(1, 128), form.write(0), form.immediate(2) % (128 // width)

    def run():
        value = part(read(), width * at, width)
        write(extended(form.processor, value, width, 64) if form.is_register(0) else value)

    return run


@meaning(both_forms("pinsrb pinsrw pinsrd pinsrq"))
def insert(form):
    """PINSR: an element of a vector."""
    width, processor, write = width_of(form.name), form.processor, form.write(0)
    a, b = form.read(0 if form.legacy else 1, 128), form.read(form.count - 2, width)
    at = width * (form.immediate(form.count - 1) % (128 // width))

    def run():
        codes = processor.codes(a(), 128).copy()
        codes[at : at + width] = processor.codes(b(), width)
        write(simplified(codes))

    return run


EXTRACTED = {
    "vextracti128": (128, 128), "vextractf128": (128, 128), "vextracti32x4": (128, 32),
    "vextracti64x2": (128, 64), "vextracti64x4": (256, 64), "vextracti32x8": (256, 32),
    "vextractf32x4": (128, 32), "vextractf64x2": (128, 64), "vextractf64x4": (256, 64),
}  # fmt: skip


@meaning(" ".join(EXTRACTED))
def extract_block(form):
    """VEXTRACT: a half or a quarter of a vector."""
    bits, width = EXTRACTED[form.name]
    whole = form.bits(1)
    at = bits * (form.immediate(2) % (whole // bits))
    v = Vector(form, width, first=1, bits=bits)
    read = form.read(1, whole)
    return lambda: v.write(part(read(), at, bits))


@meaning(" ".join(name.replace("extract", "insert") for name in EXTRACTED))
def insert_block(form):
    """VINSERT: a half or a quarter of a vector."""
    bits, width = EXTRACTED[form.name.replace("insert", "extract")]
    v = Vector(form, width)
    at = bits * (form.immediate(3) % (v.bits // bits))
    a, b = form.read(1, v.bits), form.read(2, bits)

    def run():
        codes = form.processor.codes(a(), v.bits).copy()
        codes[at : at + bits] = form.processor.codes(b(), bits)
        v.write(simplified(codes))

    return run


BROADCAST = {
    **{f"vpbroadcast{letter}": (width, width) for letter, width in WIDTHS.items()},
    "vbroadcastss": (32, 32), "vbroadcastsd": (64, 64),
    "vbroadcasti128": (128, 128), "vbroadcastf128": (128, 128), "vbroadcasti32x4": (128, 32),
    "vbroadcasti64x2": (128, 64), "vbroadcasti64x4": (256, 64), "vbroadcasti32x8": (256, 32),
    "vbroadcasti32x2": (64, 32),
}  # fmt: skip


@meaning(" ".join(BROADCAST))
def broadcast(form):
    """VPBROADCAST and the like: the lowest part of the operand everywhere."""
    bits, width = BROADCAST[form.name]
    v = Vector(form, width, first=form.count)
    read = form.read(1, bits)
    return lambda: v.write(repeated(form.processor, read(), bits, v.bits // bits))


EXTENDED = [f"pmov{s}x{a}{b}" for s in "zs" for a, b in ("bw", "bd", "bq", "wd", "wq", "dq")]


@meaning(both_forms(" ".join(EXTENDED)))
def extend(form):
    """PMOVZX, PMOVSX: the lowest elements with more bits."""
    old, new = (WIDTHS[letter] for letter in form.name[-2:])
    v = Vector(form, new, first=form.count)
    read, sign = form.read(1, v.count * old), "sx" in form.name

    def run():
        parts = rows(form.processor, read(), v.count, old)
        result = np.zeros((v.count, new), dtype=form.domain.dtype)
        result[:, :old] = parts
        if sign:
            result[:, old:] = parts[:, -1:]
        v.write(simplified(result.ravel()))

    return run


@meaning("vpmovqd vpmovdw vpmovwb vpmovqw vpmovqb vpmovdb")
def narrow(form):
    """VPMOV: the lower part of each element."""
    old, new = (WIDTHS[letter] for letter in form.name[-2:])
    whole = form.bits(1)
    count = whole // old
    if form.instruction.op_mask != REGISTERS.NONE:
        raise Unsupported("a masked VPMOV")
    read, write = form.read(1, whole), form.write(0)
    pad = form.is_register(0)

    def run():
        codes = rows(form.processor, read(), count, old)[:, :new].ravel()
        write(simplified(form.processor.codes(codes, max(128, count * new)) if pad else codes))

    return run
