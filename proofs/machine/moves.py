# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of x86-64 that move elements, and of those on masks."""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.integers import looked_up
from proofs.kernels.engine.ir import Unsupported
from proofs.kernels.engine.operations import elements
from proofs.machine.integers import bitwise, extended, inverted
from proofs.machine.integers import string as string_operation
from proofs.machine.operands import KINDS, REGISTERS, meaning, part
from proofs.machine.vectors import (
    BLOCK,
    WIDTHS,
    Vector,
    blended,
    both_forms,
    engine,
    repeated,
    rows,
    through_engine,
    width_of,
)

# --- Moves ----------------------------------------------------------------------------------------

WHOLE = both_forms("movdqa movdqu movaps movups movapd movupd lddqu movntdq movntdqa")
ALIGNED = ("dqa", "aps", "apd", "ntd")


@meaning(WHOLE + " " + " ".join(f"vmovdq{a}{w}" for a in "au" for w in (8, 16, 32, 64) if a == "u" or w > 16))
def move(form):
    """Moves of vectors; those of aligned memory must be so."""
    digits = form.name.lstrip("vmovdqau")
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
    "vbroadcastss": (32, 32), "vbroadcastsd": (64, 64), "movddup": (64, 64), "vmovddup": (64, 64),
    "vbroadcasti128": (128, 128), "vbroadcastf128": (128, 128), "vbroadcasti32x4": (128, 32),
    "vbroadcasti64x2": (128, 64), "vbroadcasti64x4": (256, 64), "vbroadcasti32x8": (256, 32),
    "vbroadcasti32x2": (64, 32),
}  # fmt: skip


@meaning(" ".join(BROADCAST))
def broadcast(form):
    """VPBROADCAST and the like: the lowest part of the operand everywhere."""
    bits, width = BROADCAST[form.name]
    v = Vector(form, width, first=form.count)
    if form.name.endswith("movddup"):
        return take(form, 64, lambda count: [at & ~1 for at in range(count)], first=1)
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


# --- Masks ----------------------------------------------------------------------------------------


@meaning(both_forms("pmovmskb movmskps movmskpd"))
def top_bits(form):
    """PMOVMSKB and the like: the signs of elements."""
    width = {"ps": 32, "pd": 64}.get(form.name[-2:], 8)
    bits = form.bits(1)
    read, write, count = form.read(1), form.write(0), bits // width

    def run():
        tops = rows(form.processor, read(), count, width)[:, -1]
        write(simplified(form.processor.codes(tops, 64)))

    return run


@meaning(" ".join(f"vpmovm2{letter} vpmov{letter}2m" for letter in "bwdq"))
def mask_moves(form):
    """VPMOVM2*, VPMOV*2M: masks as elements of ones, and signs as masks."""
    width = WIDTHS[form.name[-1] if "m2" in form.name else form.name[5]]
    processor, write = form.processor, form.write(0)
    if "m2" in form.name:
        count = form.bits(0) // width
        read = form.read(1, 64)
        return lambda: write(
            simplified(np.repeat(processor.codes(part(read(), 0, count), count), width))
        )
    read, count = form.read(1), form.bits(1) // width
    return lambda: write(
        simplified(processor.codes(rows(processor, read(), count, width)[:, -1], 64))
    )


MASK_NAMES = ("kxor", "kor", "kand", "kandn", "kxnor", "kadd")


@meaning(" ".join(f"kmov{letter}" for letter in WIDTHS))
def mask_move(form):
    """KMOV: from and to memory and general registers."""
    width = WIDTHS[form.name[-1]]
    read, write, processor = form.read(1, width), form.write(0), form.processor
    if not form.is_register(0):
        place = form.place()
        return lambda: processor.store(place(), width // 8, read())
    return lambda: write(extended(processor, read(), width, 64) if width < 64 else read())


@meaning(" ".join(f"{name}{letter}" for name in MASK_NAMES[:-1] for letter in WIDTHS))
def mask_logic(form):
    """KXOR, KOR, KAND, KANDN, KXNOR"""
    width, name = WIDTHS[form.name[-1]], form.name[1:-1]
    a, b, write = form.read(1, width), form.read(2, width), form.write(0)
    processor, alike = form.processor, form.same(1, 2)

    def run():
        if alike and name in ("xor", "xnor", "andn"):
            write((1 << width) - 1 if name == "xnor" else 0)
            return
        x, y = a(), b()
        x = inverted(processor, x, width) if name == "andn" else x
        found = bitwise(processor, {"andn": "and", "xnor": "xor"}.get(name, name), x, y, width)
        found = inverted(processor, found, width) if name == "xnor" else found
        write(extended(processor, found, width, 64) if width < 64 else found)

    return run


@meaning(" ".join(f"knot{letter}" for letter in WIDTHS))
def mask_not(form):
    """KNOT"""
    width = WIDTHS[form.name[-1]]
    read, write, processor = form.read(1, width), form.write(0), form.processor

    def run():
        found = inverted(processor, read(), width)
        write(extended(processor, found, width, 64) if width < 64 else found)

    return run


@meaning(" ".join(f"kshift{way}{letter}" for way in "lr" for letter in WIDTHS))
def mask_shift(form):
    """KSHIFT"""
    width, left = WIDTHS[form.name[-1]], form.name[6] == "l"
    read, write, places = form.read(1, width), form.write(0), form.immediate(2)
    processor = form.processor

    def run():
        codes = processor.codes(read(), width)
        result = np.zeros(64, dtype=form.domain.dtype)
        if places < width:
            if left:
                result[places:width] = codes[: width - places]
            else:
                result[: width - places] = codes[places:]
        write(simplified(result))

    return run


@meaning("kunpckbw kunpckwd kunpckdq")
def mask_unpack(form):
    """KUNPCK: two masks behind each other."""
    width = WIDTHS[form.name[-2]]
    a, b, write = form.read(1, width), form.read(2, width), form.write(0)

    def run():
        codes = [form.processor.codes(read(), width) for read in (b, a)]
        write(simplified(form.processor.codes(np.concatenate(codes), 64)))

    return run


@meaning(" ".join(f"kortest{letter} ktest{letter}" for letter in WIDTHS))
def mask_test(form):
    """KORTEST, KTEST: flags of known masks."""
    width = WIDTHS[form.name[-1]]
    a, b, processor = form.read(0, width), form.read(1, width), form.processor
    ones = (1 << width) - 1

    def run():
        x, y = (processor.known(read(), "a mask") for read in (a, b))
        if form.name.startswith("kor"):
            zero, carry = x | y == 0, x | y == ones
        else:
            zero, carry = x & y == 0, ~x & y & ones == 0
        processor.flags = {"z": int(zero), "c": int(carry), "s": 0, "o": 0}

    return run


