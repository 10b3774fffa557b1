# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the instructions of AArch64 on numbers, on memory and on what runs next.

Flags are those of integers.py: `c` says that a difference borrows, which is the complement of the
carry of AArch64.
"""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.ir import Unsupported
from proofs.machine.arm.operands import meaning
from proofs.machine.integers import (
    bitwise,
    chosen,
    compared,
    computed,
    extended,
    flag,
    flags_of,
    inverted,
    set_difference,
    set_sum,
    shifted,
)
from proofs.machine.operands import part

LINK = 30  # the register of where a call comes back to
CONDITIONS = {
    "eq": ("z", False), "ne": ("z", True), "hs": ("c", True), "lo": ("c", False),
    "mi": ("s", False), "pl": ("s", True), "vs": ("o", False), "vc": ("o", True),
    "hi": ("be", True), "ls": ("be", False), "ge": ("l", True), "lt": ("l", False),
    "gt": ("le", True), "le": ("le", False),
}  # fmt: skip
CONDITIONS |= {"cs": CONDITIONS["hs"], "cc": CONDITIONS["lo"]}


def condition(processor, name):
    """Returns a function that returns the code of a condition."""
    which, negated = CONDITIONS[name]

    def code():
        found = flag(processor, which)
        return inverted(processor, found, 1) if negated else found

    return code


# --- Arithmetic -----------------------------------------------------------------------------------


def add(form):
    """ADD, ADDS, CMN of numbers."""
    a, b, write, bits = binary(form, "cmn")
    processor, flags = form.processor, form.name != "add"

    def run():
        x, y = a(), b()
        result = computed(processor, "add", x, y, bits)
        if write:
            write(result)
        if flags:
            set_sum(processor, x, y, 0, bits, result)
            carry = processor.flags["c"]
            processor.flags["c"] = lambda: inverted(processor, simplified(carry()), 1)

    return run


def subtract(form):
    """SUB, SUBS, CMP of numbers."""
    a, b, write, bits = binary(form, "cmp")
    processor, flags = form.processor, form.name != "sub"

    def run():
        x, y = a(), b()
        result = computed(processor, "sub", x, y, bits)
        if write:
            write(result)
        if flags:
            set_difference(processor, x, y, bits, lambda: result)

    return run


def binary(form, without):
    """Returns two operands, where the result goes, or None, and their bits."""
    first = 0 if form.name == without else 1
    bits = form.operands[first].bits
    write = None if form.name == without else form.write(0)
    return form.read(first, bits), form.read(first + 1, bits), write, bits


@meaning("adds cmn")
def add_with_flags(form):
    """ADDS, CMN"""
    return add(form)


@meaning("subs cmp")
def subtract_with_flags(form):
    """SUBS, CMP"""
    return subtract(form)


LOGIC = {"and": "and", "ands": "and", "tst": "and", "bic": "and", "bics": "and"}
LOGIC |= {"orr": "or", "orn": "or", "eor": "xor", "eon": "xor"}
TURNED = ("bic", "bics", "orn", "eon")


def logic(form):
    """AND, ORR, EOR and those of a complement, of numbers."""
    a, b, write, bits = binary(form, "tst")
    processor, name = form.processor, LOGIC[form.name]

    def run():
        y = b()
        y = inverted(processor, y, bits) if form.name in TURNED else y
        result = bitwise(processor, name, a(), y, bits)
        if write:
            write(result)
        if form.name in ("ands", "tst", "bics"):
            processor.flags = {**flags_of(processor, result, bits), "c": 1, "o": 0}

    return run


@meaning("ands tst bics eon")
def logic_with_flags(form):
    """ANDS, TST, BICS, EON"""
    return logic(form)


def negate(form):
    """NEG of a number."""
    processor, bits, read, write = (
        form.processor,
        form.operands[0].bits,
        form.read(1),
        form.write(0),
    )
    return lambda: write(computed(processor, "sub", 0, read(), bits))


SHIFTS = {"lsl": "shl", "lsr": "lshr", "asr": "ashr"}


@meaning("lsl lsr asr")
def shift(form):
    """LSL, LSR, ASR by a constant or by the lowest bits of a register."""
    processor, bits, name = form.processor, form.operands[0].bits, SHIFTS[form.name]
    a, b, write = form.read(1), form.read(2), form.write(0)
    low = 6 if bits == 64 else 5
    return lambda: write(shifted(processor, name, a(), simplified(part(b(), 0, low)), bits))


@meaning("ror extr")
def rotate(form):
    """ROR, EXTR by a known distance."""
    processor, bits, write = form.processor, form.operands[0].bits, form.write(0)
    high, low, by = form.read(1), form.read(form.count - 2), form.read(form.count - 1)

    def run():
        places = processor.known(by(), "a distance") % bits
        both = np.concatenate([processor.codes(low(), bits), processor.codes(high(), bits)])
        write(simplified(both[places : places + bits]))

    return run


@meaning("ubfx sbfx ubfiz sbfiz bfi bfxil")
def field(form):
    """Bits of a number: to the lowest places (X) or to others (IZ), and what is around them."""
    processor, bits = form.processor, form.operands[0].bits
    read, old, write = form.read(1), form.read(0), form.write(0)
    at, size = form.constant(2), form.constant(3)
    start, to = (0, at) if form.name in ("ubfiz", "sbfiz", "bfi") else (at, 0)

    def run():
        codes = processor.codes(read(), bits)[start : start + size]
        if form.name.startswith("bf"):
            result = processor.codes(old(), bits).copy()
        else:
            result = np.zeros(bits, dtype=form.domain.dtype)
            if form.name[0] == "s":
                result[to + size :] = codes[-1]
        result[to : to + size] = codes
        write(simplified(result))

    return run


@meaning("uxtb uxth uxtw sxtb sxth sxtw")
def extend(form):
    """UXT, SXT"""
    processor, width = form.processor, {"b": 8, "h": 16, "w": 32}[form.name[-1]]
    read, write, bits = form.read(1), form.write(0), form.operands[0].bits
    sign = form.name[0] == "s"
    return lambda: write(extended(processor, part(read(), 0, width), width, bits, sign))


@meaning("madd msub umaddl smaddl umulh")
def multiply(form):
    """Products of numbers, perhaps added to one or subtracted from it."""
    processor, name, bits = form.processor, form.name, form.operands[0].bits
    a, b, write = form.read(1), form.read(2), form.write(0)
    more = form.read(3) if form.count > 3 else None
    old, wide = form.operands[1].bits, 128 if name == "umulh" else bits

    def run():
        x, y = (extended(processor, v, old, wide, name[0] == "s") for v in (a(), b()))
        result = computed(processor, "mul", x, y, wide)
        if name == "umulh":
            result = part(result, 64, 64)
        if more is not None:
            kind = "sub" if name == "msub" else "add"
            result = computed(processor, kind, more(), result, bits)
        write(result)

    return run


@meaning("udiv")
def divide(form):
    """UDIV of known numbers: its time depends on them."""
    processor = form.processor
    a, b, write = form.read(1), form.read(2), form.write(0)

    def run():
        x, y = processor.known(a(), "a dividend"), processor.known(b(), "a divisor")
        write(x // y if y else 0)

    return run


@meaning("movk")
def move_part(form):
    """MOVK: sets 16 bits."""
    processor, bits = form.processor, form.operands[0].bits
    old, write, at = form.read(0), form.write(0), form.operands[1].places
    value = form.operands[1].number

    def run():
        codes = processor.codes(old(), bits).copy()
        codes[at : at + 16] = processor.codes(value, 16)
        write(simplified(codes))

    return run


@meaning("adr adrp")
def address(form):
    """ADR, ADRP: Capstone computes the address."""
    write, value = form.write(0), form.constant(1)
    return lambda: write(value)


@meaning("csel csinc csinv csneg cset csetm cinc cneg")
def choose(form):
    """CSEL and the like."""
    processor, bits, name = form.processor, form.operands[0].bits, form.name
    code, write = condition(processor, form.instruction.condition), form.write(0)
    a = form.read(1) if form.count > 1 else lambda: 0
    b = form.read(2) if form.count > 2 else a

    def changed(value):
        if name in ("csinc", "cinc"):
            return computed(processor, "add", value, 1, bits)
        if name in ("csneg", "cneg"):
            return computed(processor, "sub", 0, value, bits)
        return inverted(processor, value, bits) if name == "csinv" else value

    def run():
        if name in ("cset", "csetm"):
            write(extended(processor, code(), 1, bits, sign=name == "csetm"))
        elif name in ("cinc", "cneg"):
            write(chosen(processor, code(), changed(a()), a(), bits))
        else:
            write(chosen(processor, code(), a(), changed(b()), bits))

    return run


@meaning("ccmp")
def compare_if(form):
    """CCMP where the condition is known; else the flags are a constant."""
    processor, bits = form.processor, form.operands[0].bits
    a, b, constant = form.read(0), form.read(1, bits), form.constant(2)
    code = condition(processor, form.instruction.condition)

    def run():
        if processor.known(code(), "a condition"):
            x, y = a(), b()
            set_difference(processor, x, y, bits, lambda: computed(processor, "sub", x, y, bits))
            return
        negative, zero, carry, overflow = (constant >> at & 1 for at in (3, 2, 1, 0))
        processor.flags = {"s": negative, "z": zero, "c": 1 - carry, "o": overflow}

    return run


# --- Control --------------------------------------------------------------------------------------


@meaning("nop bti paciasp autiasp prfm hint")
def nothing(form):
    """No effect."""
    del form
    return lambda: None


@meaning("b")
def jump(form):
    """B, perhaps with a condition."""
    processor, target = form.processor, form.constant(0)
    name = form.instruction.condition
    code = condition(processor, name) if name else lambda: 1

    def run():
        if processor.known(code(), "a branch"):
            processor.next = target

    return run


@meaning("cbz cbnz tbz tbnz")
def jump_if_zero(form):
    """CBZ, TBZ and their complements: must be known."""
    processor, bits = form.processor, form.operands[0].bits
    read, target, negated = form.read(0), form.constant(form.count - 1), form.name[2] == "n"
    at = form.constant(1) if form.name[0] == "t" else None

    def run():
        x = read() if at is None else part(read(), at, 1)
        zero = processor.known(
            compared(processor, "eq", x, 0, bits if at is None else 1), "a branch"
        )
        if zero != negated:
            processor.next = target

    return run


@meaning("bl blr br ret")
def jump_away(form):
    """BL, BLR, BR, RET"""
    processor, after = form.processor, form.instruction.next_ip
    read = form.read(0) if form.count else lambda: processor.general[LINK]

    def run():
        target = processor.known(read(), "a jump")
        if form.name in ("bl", "blr"):
            processor.general[LINK] = after
        processor.next = target

    return run


# --- Memory ---------------------------------------------------------------------------------------


@meaning("ldr ldur ldrb ldrh ldrsb ldrsh ldrsw ldurb ldurh")
def load(form):
    """LDR and the like."""
    processor, operand = form.processor, form.operands[0]
    width = {"b": 8, "h": 16, "w": 32}.get(form.name[-1], operand.bits)
    place, write, sign = form.place(1), form.write(0), form.name.startswith("ldrs")
    bits = max(operand.bits, width)

    def run():
        value = processor.load(place(), width // 8)
        write(extended(processor, value, width, bits, sign) if width < bits else value)

    return run


@meaning("str stur strb strh sturb sturh")
def store(form):
    """STR and the like."""
    processor, operand = form.processor, form.operands[0]
    width = {"b": 8, "h": 16}.get(form.name[-1], operand.bits)
    place, read = form.place(1), form.read(0)
    return lambda: processor.store(place(), width // 8, part(read(), 0, width))


@meaning("ldp ldpsw stp")
def pair(form):
    """LDP, STP"""
    processor, size = form.processor, form.operands[0].bits // 8
    if form.name == "ldpsw":
        raise Unsupported("LDPSW")
    place, numbers = form.place(2), (0, 1)
    if form.name == "ldp":
        writes = [form.write(k) for k in numbers]

        def load_both():
            start = place()
            values = [processor.load(start + size * k, size) for k in numbers]
            for write, value in zip(writes, values, strict=True):
                write(value)

        return load_both
    reads = [form.read(k) for k in numbers]

    def store_both():
        values = [read() for read in reads]
        start = place()
        for k in numbers:
            processor.store(start + size * k, size, values[k])

    return store_both


@meaning("ld1 ld2 ld3 ld4 st1 st2 st3 st4 ld1r")
def structures(form):
    """LD1 to LD4 and ST1 to ST4: vectors one behind the other, or their elements in turn; of one
    element of each vector; LD1R: one element everywhere."""
    processor, listed = form.processor, form.operands[0]
    place, parts, at = form.place(1), listed.parts, listed.at
    stride, width = int(form.name[2]), parts[0].width
    count, size = parts[0].count, parts[0].width // 8
    loads = form.name.startswith("ld")
    if at is not None:
        for operand in parts:
            operand.at, operand.count = at, 1
    numbers = [(i, k) for i in range(len(parts)) for k in range(1 if at is not None else count)]

    def offset(i, k):
        if stride == 1:
            return (i * count + k) * size
        return (k * stride + i) * size

    reads = [form.read_operand(operand) for operand in parts]
    writes = [form.write_operand(operand) for operand in parts]

    def load_all():
        start = place()
        if form.name == "ld1r":
            codes = processor.codes(processor.load(start, size), width)
            writes[0](simplified(np.tile(codes, count)))
            return
        found = [
            processor.codes(processor.load(start + offset(i, k), size), width) for i, k in numbers
        ]
        each = len(found) // len(parts)
        for i, write in enumerate(writes):
            write(simplified(np.concatenate(found[i * each : (i + 1) * each])))

    def store_all():
        values = [processor.codes(read(), len(numbers) // len(parts) * width) for read in reads]
        start = place()
        for i, k in numbers:
            element = simplified(values[i][k * width : (k + 1) * width])
            processor.store(start + offset(i, k), size, element)

    return load_all if loads else store_all
