# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the instructions of x86-64 on general registers.

Flags are computed when they are asked for: processor.flags has by the letter of a flag its code, or
a function that returns it. Those that an instruction leaves undefined are not known.
"""

import numpy as np

from proofs.kernels.engine.arithmetic import arithmetic, one_element
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.ir import Unsupported, signed
from proofs.kernels.engine.operations import unknown_comparison
from proofs.machine.operands import REGISTERS, meaning, part

RAX, RCX, RDX, RSP, RBP, RSI, RDI = 0, 1, 2, 4, 5, 6, 7
REMEMBERED = 64  # of the results of shifts
# carry, zero, sign, overflow; below or equal, less, less or equal
CONDITIONS = {
    **dict.fromkeys(["b", "c", "nae"], ("c", False)),
    **dict.fromkeys(["ae", "nb", "nc"], ("c", True)),
    **dict.fromkeys(["e", "z"], ("z", False)),
    **dict.fromkeys(["ne", "nz"], ("z", True)),
    **dict.fromkeys(["be", "na"], ("be", False)),
    **dict.fromkeys(["a", "nbe"], ("be", True)),
    "s": ("s", False),
    "ns": ("s", True),
    "o": ("o", False),
    "no": ("o", True),
    **dict.fromkeys(["l", "nge"], ("l", False)),
    **dict.fromkeys(["ge", "nl"], ("l", True)),
    **dict.fromkeys(["le", "ng"], ("le", False)),
    **dict.fromkeys(["g", "nle"], ("le", True)),
}


# --- Values ---------------------------------------------------------------------------------------


def bitwise(processor, name, x, y, bits):
    """Returns x and y, x or y, x xor y."""
    if type(x) is int and type(y) is int:
        return x & y if name == "and" else x | y if name == "or" else x ^ y
    domain = processor.domain
    operation = {"and": domain.both, "or": domain.either, "xor": domain.xor}[name]
    return simplified(operation(processor.codes(x, bits), processor.codes(y, bits)))


def inverted(processor, x, bits):
    """Returns the complement."""
    if type(x) is int:
        return x ^ ((1 << bits) - 1)
    return processor.domain.invert(processor.codes(x, bits))


def computed(processor, name, x, y, bits):
    """Returns a sum, a difference, a product, something shifted."""
    x, y = simplified(x), simplified(y)
    if name == "add" and x is y and type(x) is not int:  # twice a number is the number, moved
        return computed(processor, "shl", Degrees.settle(x), 1, bits)
    if name in ("add", "mul") and not (type(x) is int and type(y) is int):
        return simplified(arithmetic(processor, name, x, y, bits))  # perhaps a sum to go on with
    return simplified(one_element(processor, name, x, y, bits))


def unknown(processor, bits=1):
    """Returns bits of which nothing is known."""
    return np.full(bits, processor.domain.unknown, dtype=processor.domain.dtype)


def extended(processor, x, old, new, sign=False):
    """Returns a value with more bits."""
    if type(x) is int:
        return signed(x, old) & ((1 << new) - 1) if sign else x
    result = np.zeros(new, dtype=processor.domain.dtype)
    result[:old] = processor.codes(x, old)
    if sign:
        result[old:] = result[old - 1]
    return result


def compared(processor, predicate, x, y, bits):
    """Returns the code of a comparison, as LLVM names it."""
    x, y = simplified(x), simplified(y)
    if type(x) is int and type(y) is int:
        if predicate[0] == "s":
            x, y = signed(x, bits), signed(y, bits)
        less, same = x < y, x == y
        return int(less if predicate[1:] == "lt" else less or same if predicate[1:] == "le" else same)
    return simplified(unknown_comparison(processor.domain, predicate, x, y, bits))


def chosen(processor, choice, one, zero, bits):
    """Returns choice ? one : zero."""
    if type(choice) is int:
        return one if choice else zero
    domain = processor.domain
    x, y = processor.codes(one, bits), processor.codes(zero, bits)
    spread = np.repeat(choice, bits)
    return simplified(domain.xor(domain.both(spread, domain.xor(x, y)), y))


# --- Flags ----------------------------------------------------------------------------------------


def flag(processor, name):
    """Returns the code of a flag, or of what the processor makes of some."""
    flags = processor.flags
    if name not in flags:
        flags[name] = derived(processor, name)
    if callable(flags[name]):
        flags[name] = flags[name]()
    return flags[name]


def derived(processor, name):
    """Returns what conditions are made of flags."""
    if name == "be":
        return bitwise(processor, "or", flag(processor, "c"), flag(processor, "z"), 1)
    if name == "l":
        return bitwise(processor, "xor", flag(processor, "s"), flag(processor, "o"), 1)
    if name == "le":
        return bitwise(processor, "or", flag(processor, "l"), flag(processor, "z"), 1)
    return unknown(processor)


def condition(processor, suffix):
    """Returns a function that returns the code of a condition."""
    name, negated = CONDITIONS[suffix]

    def code():
        found = flag(processor, name)
        return inverted(processor, found, 1) if negated else found

    return code


def flags_of(processor, result, bits):
    """Returns the flags that say of a result whether it is zero or negative."""
    return {
        "z": lambda: compared(processor, "eq", result, 0, bits),
        "s": lambda: part(result, bits - 1, 1),
    }


def set_difference(processor, x, y, bits, result):
    """Sets the flags of x - y."""

    def overflow():
        differ = bitwise(processor, "xor", part(x, bits - 1, 1), part(y, bits - 1, 1), 1)
        turned = bitwise(processor, "xor", part(x, bits - 1, 1), part(result(), bits - 1, 1), 1)
        return bitwise(processor, "and", differ, turned, 1)

    processor.flags = {
        "c": lambda: compared(processor, "ult", x, y, bits),
        "z": lambda: compared(processor, "eq", x, y, bits),
        "s": lambda: part(result(), bits - 1, 1),
        "o": overflow,
        "be": lambda: compared(processor, "ule", x, y, bits),
        "l": lambda: compared(processor, "slt", x, y, bits),
        "le": lambda: compared(processor, "sle", x, y, bits),
    }


def set_sum(processor, x, y, carry, bits, result):
    """Sets the flags of x + y + carry; result is the whole sum."""

    def overflow():
        top = [part(v, bits - 1, 1) for v in (x, y, result)]
        turned = [bitwise(processor, "xor", v, top[2], 1) for v in top[:2]]
        return bitwise(processor, "and", *turned, 1)

    def carried():
        if all(type(v) is int for v in (x, y, carry)):
            return (x + y + carry) >> bits
        wide = [extended(processor, v, n, bits + 1) for v, n in ((x, bits), (y, bits), (carry, 1))]
        total = computed(processor, "add", wide[0], wide[1], bits + 1)
        return part(computed(processor, "add", total, wide[2], bits + 1), bits, 1)

    processor.flags = {**flags_of(processor, result, bits), "c": carried, "o": overflow}


# --- Moves ----------------------------------------------------------------------------------------


@meaning("mov movabs")
def move(form):
    """MOV"""
    bits = form.bits(0)
    read, write = form.read(1, bits), form.write(0)
    return lambda: write(read())


@meaning("movzx movsx movsxd")
def move_extended(form):
    """MOVZX, MOVSX, MOVSXD"""
    processor, old, new = form.processor, form.bits(1), form.bits(0)
    read, write, sign = form.read(1), form.write(0), form.name != "movzx"
    return lambda: write(extended(processor, read(), old, new, sign))


@meaning("lea")
def address(form):
    """LEA; the terms may be numbers that are not known."""
    i, processor, bits = form.instruction, form.processor, form.bits(0)
    write, mask = form.write(0), (1 << form.bits(0)) - 1
    if i.is_ip_rel_memory_operand:
        place = i.ip_rel_memory_address
        return lambda: write(place & mask)
    base = None if i.memory_base == REGISTERS.NONE else i.memory_base - REGISTERS.RAX
    index = None if i.memory_index == REGISTERS.NONE else i.memory_index - REGISTERS.RAX
    scale, displacement = i.memory_index_scale.bit_length() - 1, i.memory_displacement

    def run():
        value = 0 if base is None else part(processor.general[base], 0, bits)
        if index is not None:
            more = value if base == index else part(processor.general[index], 0, bits)
            more = computed(processor, "shl", more, scale, bits) if scale else more
            value = more if base is None else computed(processor, "add", value, more, bits)
        if displacement:
            value = computed(processor, "add", value, displacement & mask, bits)
        write(value)

    return run


@meaning("xchg")
def exchange(form):
    """XCHG"""
    a, b, put_a, put_b = form.read(0), form.read(1), form.write(0), form.write(1)

    def run():
        x, y = a(), b()
        put_a(y)
        put_b(x)

    return run


@meaning("push")
def push(form):
    """PUSH of 64 bits."""
    processor, read = form.processor, form.read(0, 64)

    def run():
        value = read()
        stack = processor.general[RSP] - 8
        processor.store(stack, 8, value)
        processor.general[RSP] = stack

    return run


@meaning("pop")
def pop(form):
    """POP of 64 bits."""
    processor, write = form.processor, form.write(0)

    def run():
        stack = processor.known(processor.general[RSP], "the stack")
        processor.general[RSP] = stack + 8
        write(processor.load(stack, 8))

    return run


@meaning("leave")
def leave(form):
    """LEAVE"""
    processor = form.processor

    def run():
        stack = processor.known(processor.general[RBP], "the stack")
        processor.general[RBP] = processor.load(stack, 8)
        processor.general[RSP] = stack + 8

    return run


@meaning("nop endbr64 vzeroupper vzeroall prefetcht0 prefetchnta")
def nothing(form):
    """No effect, but that VZEROUPPER leaves 128 bits of the first 16 vectors, VZEROALL none."""
    processor = form.processor
    kept = {"vzeroupper": 128, "vzeroall": 0}.get(form.name)

    def clear():
        for n in range(16):
            processor.vectors[n] = part(processor.vectors[n], 0, kept) if kept else 0

    return clear if kept is not None else lambda: None


@meaning("cwde cdqe cdq cqo")
def extend_accumulator(form):
    """CWDE, CDQE: to twice the bits; CDQ, CQO: the sign to RDX."""
    processor = form.processor
    old, new = {"cwde": (16, 32), "cdqe": (32, 64), "cdq": (32, 64), "cqo": (64, 128)}[form.name]

    def run():
        value = extended(processor, part(processor.general[RAX], 0, old), old, new, sign=True)
        if form.name in ("cdq", "cqo"):
            processor.general[RDX] = part(value, old, old)
        else:
            processor.general[RAX] = value

    return run


# --- Control --------------------------------------------------------------------------------------


@meaning("jmp")
def jump(form):
    """JMP"""
    processor, target = form.processor, form.instruction.near_branch_target
    if form.is_register(0) or form.instruction.is_jmp_near_indirect:
        read = form.read(0, 64)

        def run():
            processor.next = processor.known(read(), "a jump")

        return run

    def run():
        processor.next = target

    return run


@meaning("call")
def call(form):
    """CALL"""
    processor, i = form.processor, form.instruction
    read = form.read(0, 64) if i.is_call_near_indirect else lambda: i.near_branch_target
    after = i.next_ip

    def run():
        target = processor.known(read(), "a call")
        stack = processor.general[RSP] - 8
        processor.store(stack, 8, after)
        processor.general[RSP] = stack
        processor.next = target

    return run


@meaning("ret")
def come_back(form):
    """RET"""
    processor = form.processor

    def run():
        stack = processor.known(processor.general[RSP], "the stack")
        processor.general[RSP] = stack + 8
        processor.next = processor.known(processor.load(stack, 8), "where a call comes back to")

    return run


def conditional(prefix):
    """Returns the mnemonics with a prefix for all conditions."""
    return " ".join(prefix + suffix for suffix in CONDITIONS)


@meaning(conditional("j"))
def branch(form):
    """Jcc: must be known."""
    processor, target = form.processor, form.instruction.near_branch_target
    code = condition(processor, form.name.removeprefix("j"))

    def run():
        if processor.known(code(), "a branch"):
            processor.next = target

    return run


@meaning(conditional("set"))
def set_byte(form):
    """SETcc"""
    code, write = condition(form.processor, form.name.removeprefix("set")), form.write(0)
    return lambda: write(extended(form.processor, code(), 1, 8))


@meaning(conditional("cmov"))
def move_if(form):
    """CMOVcc"""
    processor, bits = form.processor, form.bits(0)
    code = condition(processor, form.name.removeprefix("cmov"))
    old, new, write = form.read(0), form.read(1), form.write(0)
    return lambda: write(chosen(processor, code(), new(), old(), bits))


# --- Arithmetic -----------------------------------------------------------------------------------


@meaning("and or xor test andn")
def logic(form):
    """AND, OR, XOR, TEST, ANDN"""
    processor, bits, name = form.processor, form.bits(0), form.name
    first = 1 if name == "andn" else 0
    a, b = form.read(first, bits), form.read(first + 1, bits)
    write = None if name == "test" else form.write(0)
    zero = name == "xor" and form.same(0, 1)
    operation = "and" if name in ("test", "andn") else name
    test_itself = name in ("test", "and", "or") and form.same(0, 1)

    def run():
        x = 0 if zero else a()
        if name == "andn":
            x = inverted(processor, x, bits)
        result = x if zero or test_itself else bitwise(processor, operation, x, b(), bits)
        if write:
            write(result)
        processor.flags = {**flags_of(processor, result, bits), "c": 0, "o": 0}

    return run


@meaning("not")
def invert(form):
    """NOT"""
    processor, bits, read, write = form.processor, form.bits(0), form.read(0), form.write(0)
    return lambda: write(inverted(processor, read(), bits))


@meaning("add adc")
def add(form):
    """ADD, ADC"""
    processor, bits, carries = form.processor, form.bits(0), form.name == "adc"
    a, b, write = form.read(0), form.read(1, bits), form.write(0)
    same = form.same(0, 1)

    def run():
        x = a()
        y = x if same else b()
        carry = flag(processor, "c") if carries else 0
        result = computed(processor, "add", x, y, bits)
        if carries:
            more = extended(processor, carry, 1, bits)
            result = computed(processor, "add", result, more, bits)
        write(result)
        set_sum(processor, x, y, carry, bits, result)

    return run


@meaning("sub cmp sbb")
def subtract(form):
    """SUB, CMP, SBB"""
    processor, bits = form.processor, form.bits(0)
    a, b = form.read(0), form.read(1, bits)
    write = None if form.name == "cmp" else form.write(0)
    same = form.same(0, 1)

    def run():
        x, y = (0, 0) if same else (a(), b())
        result = difference(processor, x, y, bits) if write else None
        if write:
            write(result)

        def value():
            return computed(processor, "sub", x, y, bits) if result is None else result

        set_difference(processor, x, y, bits, value)

    def borrow():
        x, y = (0, 0) if same else (a(), b())
        carry = flag(processor, "c")
        wide = [extended(processor, v, n, bits + 1) for v, n in ((x, bits), (y, bits), (carry, 1))]
        if same:
            result = extended(processor, carry, 1, bits, sign=True)
            write(result)
            flags = {**flags_of(processor, result, bits), "c": carry, "o": 0}
            processor.flags = flags
            return
        total = computed(processor, "sub", wide[0], wide[1], bits + 1)
        total = computed(processor, "sub", total, wide[2], bits + 1)
        result = part(total, 0, bits)
        write(result)
        top = [part(v, bits - 1, 1) for v in (x, y, result)]
        differ = [bitwise(processor, "xor", top[0], other, 1) for other in top[1:]]
        overflow = bitwise(processor, "and", *differ, 1)
        flags = {**flags_of(processor, result, bits), "c": part(total, bits, 1), "o": overflow}
        processor.flags = flags

    return borrow if form.name == "sbb" else run


@meaning("neg")
def negate(form):
    """NEG"""
    processor, bits, read, write = form.processor, form.bits(0), form.read(0), form.write(0)

    def run():
        x = read()
        result = computed(processor, "sub", 0, x, bits)
        write(result)
        set_difference(processor, 0, x, bits, lambda: result)
        nonzero = inverted(processor, compared(processor, "eq", x, 0, bits), 1)
        processor.flags["c"] = nonzero

    return run


@meaning("inc dec")
def step(form):
    """INC, DEC: the carry stays."""
    processor, bits, read, write = form.processor, form.bits(0), form.read(0), form.write(0)

    def run():
        x, carry = read(), flag(processor, "c")
        result = computed(processor, "add" if form.name == "inc" else "sub", x, 1, bits)
        write(result)
        if form.name == "inc":
            set_sum(processor, x, 1, 0, bits, result)
        else:
            set_difference(processor, x, 1, bits, lambda: result)
            for name in ("be", "l", "le"):
                del processor.flags[name]
        processor.flags["c"] = carry

    return run


@meaning("imul")
def multiply(form):
    """IMUL with two or three operands."""
    if form.count == 1:
        return multiply_wide(form)
    processor, bits = form.processor, form.bits(0)
    a, b = form.read(form.count - 2), form.read(form.count - 1, bits)
    write = form.write(0)

    def run():
        write(computed(processor, "mul", a(), b(), bits))
        processor.flags = {}

    return run


@meaning("mul mulx")
def multiply_wide(form):
    """MUL, MULX, IMUL with one operand: all of the product."""
    processor, bits, sign = form.processor, form.bits(0), form.name == "imul"
    bits = form.bits(form.count - 1)
    other = form.read(form.count - 1)
    own = RDX if form.name == "mulx" else RAX
    writes = [form.write(0), form.write(1)] if form.name == "mulx" else None

    def run():
        x, y = part(processor.general[own], 0, bits), other()
        x, y = (extended(processor, v, bits, 2 * bits, sign) for v in (x, y))
        product = computed(processor, "mul", x, y, 2 * bits)
        high, low = part(product, bits, bits), part(product, 0, bits)
        if writes:
            writes[1](low)
            writes[0](high)
            return
        if bits < 32:
            raise Unsupported("a product of short numbers")
        processor.general[RAX], processor.general[RDX] = low, high
        processor.flags = {}

    return run


@meaning("div")
def divide(form):
    """DIV of known numbers: its time depends on them."""
    processor, bits, read = form.processor, form.bits(0), form.read(0)

    def run():
        low, high = (
            processor.known(part(processor.general[n], 0, bits), "a dividend") for n in (RAX, RDX)
        )
        quotient, rest = divmod(high << bits | low, processor.known(read(), "a divisor"))
        if quotient >> bits or bits < 32:
            raise Unsupported("a quotient that is too large")
        processor.general[RAX], processor.general[RDX] = quotient, rest
        processor.flags = {}

    return run


# --- Shifts and bits ------------------------------------------------------------------------------

SHIFTS = {"shl": "shl", "sal": "shl", "shr": "lshr", "sar": "ashr"}


def distance(processor, value, bits):
    """Returns a distance modulo the bits of a word."""
    size = 6 if bits == 64 else 5
    return part(value, 0, size)


def shifted(processor, name, x, places, bits):
    """Returns a value shifted by fewer places than it has bits."""
    if type(places) is not int and type(x) is int:
        x = processor.codes(x, bits)
    if type(places) is not int:
        return simplified(arithmetic(processor, name, x, places, bits))
    if places >= bits:
        return 0
    result = computed(processor, name, x, places, bits)
    if name == "shl" and type(result) is not int:
        if len(processor.moved) > REMEMBERED:
            processor.moved.clear()
        processor.moved[id(result)] = (result, x, places)
    return result


def difference(processor, x, y, bits):
    """Returns x - y: y times 2^k - 1 where x is y, moved by k."""
    result, source, places = processor.moved.get(id(x), (None, None, 0))
    if result is x and x is not None and source is y and type(x) is not int:
        return computed(processor, "mul", y, (1 << places) - 1, bits)
    return computed(processor, "sub", x, y, bits)


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
    return lambda: write(
        shifted(processor, name, a(), distance(processor, b(), bits), bits)
    )


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
    return lambda: write(
        simplified(processor.codes(read(), bits).reshape(-1, 8)[::-1].ravel())
    )


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
    """TZCNT, LZCNT, BSF, BSR of known numbers, which are not zero for the latter two."""
    processor, bits, read, write = form.processor, form.bits(0), form.read(1), form.write(0)

    def run():
        x = processor.known(read(), "what is counted in")
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
        change = ("sub", 0, x) if form.name == "blsi" else ("sub", x, 1)
        result = bitwise(processor, name, x, computed(processor, *change, bits), bits)
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
            value = np.tile(processor.codes(part(processor.general[RAX], 0, 8 * size), 8 * size), count)
        if count:
            processor.store(target, count * size, value)
        processor.general[RDI] = target + count * size

    return run
