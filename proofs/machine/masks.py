# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the instructions of x86-64 on masks of AVX-512."""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.machine.integers import bitwise, extended, inverted
from proofs.machine.operands import meaning, part
from proofs.machine.vectors import (
    WIDTHS,
    both_forms,
    rows,
)

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
