# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the instructions of x86-64 that shift, rotate, count and choose bits of numbers, and
of those on strings."""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.integers import (
    RAX,
    RCX,
    RDI,
    RSI,
    bitwise,
    compared,
    computed,
    distance,
    flag,
    flags_of,
    inverted,
    shifted,
    unknown,
)
from proofs.machine.operands import meaning, part
from proofs.machine.vectors import engine

# --- Shifts and bits ------------------------------------------------------------------------------

SHIFTS = {"shl": "shl", "sal": "shl", "shr": "lshr", "sar": "ashr"}


@meaning("shl sal shr sar")
def shift(form):
    """SHL, SHR, SAR: without a distance no flag changes."""
    processor, bits, name = form.processor, form.bits(0), SHIFTS[form.name]
    a, b, write = form.read(0), form.read(1, 8), form.write(0)

    def run():
        x, places = a(), distance(processor, b(), bits)
        result = shifted(processor, name, x, places, bits)
        write(result)
        if type(places) is not int:
            processor.flags = {}
        elif places:
            processor.flags = flags_of(processor, result, bits)
            if places <= bits:
                at = bits - places if name == "shl" else places - 1
                processor.flags["c"] = part(x, at, 1)
            if places == 1:  # of no use after other distances
                processor.flags["o"] = {
                    "shl": lambda: bitwise(
                        processor, "xor", part(x, bits - 1, 1), part(x, bits - 2, 1), 1
                    ),
                    "lshr": part(x, bits - 1, 1),
                    "ashr": 0,
                }[name]

    return run


@meaning("shlx shrx sarx")
def shift_apart(form):
    """SHLX, SHRX, SARX: no flag changes."""
    processor, bits, name = form.processor, form.bits(0), SHIFTS[form.name.removesuffix("x")]
    a, b, write = form.read(1), form.read(2), form.write(0)
    return lambda: write(shifted(processor, name, a(), distance(processor, b(), bits), bits))


def rotated(processor, x, places, bits):
    """Returns a value turned to the left."""
    if type(x) is int:
        return (x << places | x >> (bits - places)) & ((1 << bits) - 1)
    return np.roll(processor.codes(x, bits), places)


@meaning("rol ror rorx")
def rotate(form):
    """ROL, ROR, RORX by a known distance: the carry is the last bit that moved around."""
    processor, bits, left = form.processor, form.bits(0), form.name == "rol"
    first = 1 if form.name == "rorx" else 0
    a, b, write = form.read(first), form.read(first + 1, 8), form.write(0)

    def run():
        places = processor.known(distance(processor, b(), bits), "a distance")
        result = rotated(processor, a(), places % bits if left else -places % bits, bits)
        write(result)
        if form.name != "rorx" and places:
            for name in ("be", "l", "le"):
                if name in processor.flags:
                    flag(processor, name)
                    del processor.flags[name]
            processor.flags["c"] = part(result, 0 if left else bits - 1, 1)
            processor.flags["o"] = unknown(processor)

    return run


@meaning("shld shrd")
def shift_double(form):
    """SHLD, SHRD by a known distance."""
    processor, bits, left = form.processor, form.bits(0), form.name == "shld"
    a, b, c, write = form.read(0), form.read(1), form.read(2, 8), form.write(0)

    def run():
        places = processor.known(distance(processor, c(), bits), "a distance")
        if places:
            x, y = processor.codes(a(), bits), processor.codes(b(), bits)
            both = np.concatenate([y, x] if left else [x, y])
            at = bits - places if left else places
            write(simplified(both[at : at + bits]))
            processor.flags = {}

    return run


@meaning("bswap")
def swap(form):
    """BSWAP"""
    processor, bits, read, write = form.processor, form.bits(0), form.read(0), form.write(0)
    return lambda: write(simplified(processor.codes(read(), bits).reshape(-1, 8)[::-1].ravel()))


@meaning("bt btr bts btc")
def bit_test(form):
    """BT, BTR, BTS, BTC of a register at a known place."""
    processor, bits = form.processor, form.bits(0)
    if not form.is_register(0):
        raise Unsupported("BT of memory")
    a, b = form.read(0), form.read(1, bits)
    write = form.write(0) if form.name != "bt" else None

    def run():
        value = a()
        at = processor.known(part(b(), 0, 6 if bits == 64 else 5), "the place of a bit")
        processor.flags = {"z": processor.flags.get("z"), "c": part(value, at % bits, 1)}
        if processor.flags["z"] is None:
            del processor.flags["z"]
        if write:
            one = 1 << at
            if form.name == "btr":
                value = bitwise(processor, "and", value, one ^ ((1 << bits) - 1), bits)
            else:
                name = "or" if form.name == "bts" else "xor"
                value = bitwise(processor, name, value, one, bits)
            write(value)

    return run


@meaning("popcnt")
def count(form):
    """POPCNT"""
    processor, bits, read, write = form.processor, form.bits(0), form.read(1), form.write(0)

    def run():
        x = simplified(read())
        known = type(x) is int
        value = x.bit_count() if known else processor.domain.weight(processor.codes(x, bits))
        write(value)
        zero = compared(processor, "eq", x, 0, bits) if known else unknown(processor)
        processor.flags = {"z": zero, "c": 0, "s": 0, "o": 0}

    return run


@meaning("tzcnt lzcnt bsf bsr")
def zeros(form):
    """TZCNT; LZCNT, BSF, BSR of known numbers, which are not zero for the latter two."""
    processor, bits, read, write = form.processor, form.bits(0), form.read(1), form.write(0)

    def run():
        x = simplified(read())
        if form.name == "tzcnt" and type(x) is not int:
            value = engine(processor, "llvm.cttz.", (1, bits), [(1, bits)], [x])
            write(value)
            processor.flags = {
                "z": lambda: compared(processor, "eq", value, 0, bits),
                "c": lambda: compared(processor, "eq", x, 0, bits),
            }
            return
        x = processor.known(x, "what is counted in")
        if x == 0 and form.name in ("bsf", "bsr"):
            raise Unsupported("the place of a bit that is nowhere")
        below = (x & -x).bit_length() - 1 if x else bits
        above = bits - x.bit_length()
        value = {"tzcnt": below, "bsf": below, "lzcnt": above, "bsr": bits - 1 - above}[form.name]
        write(value)
        processor.flags = {"z": int(value == 0), "c": int(x == 0)}
        if form.name in ("bsf", "bsr"):
            processor.flags = {"z": 0}

    return run


@meaning("blsr blsi blsmsk")
def lowest(form):
    """BLSR, BLSI, BLSMSK"""
    processor, bits, read, write = form.processor, form.bits(1), form.read(1), form.write(0)
    name = {"blsr": "and", "blsi": "and", "blsmsk": "xor"}[form.name]

    def run():
        x = read()
        a, b = (0, x) if form.name == "blsi" else (x, 1)
        result = bitwise(processor, name, x, computed(processor, "sub", a, b, bits), bits)
        write(result)
        processor.flags = {**flags_of(processor, result, bits), "o": 0}
        zero = compared(processor, "eq", x, 0, bits)
        processor.flags["c"] = inverted(processor, zero, 1) if form.name == "blsi" else zero

    return run


@meaning("bzhi")
def clear_above(form):
    """BZHI at a known place."""
    processor, bits, read = form.processor, form.bits(0), form.read(1)
    places, write = form.read(2), form.write(0)

    def run():
        at = processor.known(part(places(), 0, 8), "the place of a bit")
        result = read()
        if at < bits:
            result = bitwise(processor, "and", result, (1 << at) - 1, bits)
        write(result)
        flags = {**flags_of(processor, result, bits), "c": int(at > bits - 1), "o": 0}
        processor.flags = flags

    return run


@meaning("stosb stosd stosq movsb movsd_string movsq")
def string(form):
    """REP STOS and REP MOVS upwards, of a known length."""
    processor, i = form.processor, form.instruction
    size = {"b": 1, "d": 4, "q": 8}[form.name[4]]
    moves = form.name.startswith("movs")

    def run():
        count = 1
        if i.has_rep_prefix:
            count = processor.known(processor.general[RCX], "a length")
            processor.general[RCX] = 0
        target = processor.known(processor.general[RDI], "an address")
        if moves:
            source = processor.known(processor.general[RSI], "an address")
            if source < target < source + count * size:
                raise Unsupported("a copy that overlaps")
            value = processor.load(source, count * size) if count else 0
            processor.general[RSI] = source + count * size
        else:
            value = np.tile(
                processor.codes(part(processor.general[RAX], 0, 8 * size), 8 * size), count
            )
        if count:
            processor.store(target, count * size, value)
        processor.general[RDI] = target + count * size

    return run
