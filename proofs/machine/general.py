# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the instructions of x86-64 that move numbers, jump, add and multiply."""

from proofs.kernels.engine.ir import Unsupported
from proofs.machine.integers import (
    CONDITIONS,
    RAX,
    RBP,
    RDX,
    RSP,
    bitwise,
    chosen,
    compared,
    computed,
    condition,
    difference,
    extended,
    flag,
    flags_of,
    inverted,
    set_difference,
    set_sum,
)
from proofs.machine.operands import REGISTERS, meaning, part

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
    else:
        read = lambda: target  # noqa: E731

    def run():
        processor.next = processor.known(read(), "a jump")

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
        overflow = bitwise(processor, "and", differ[0], differ[1], 1)
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
