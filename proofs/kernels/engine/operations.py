# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of LLVM's instructions: operation() turns one into a function on a list of values."""

import re

import numpy as np

from proofs.kernels.engine.arithmetic import SHIFTS, arithmetic, one_element, shifted
from proofs.kernels.engine.bits import (
    Code,
    Pointer,
    Undecided,
    concrete,
    joined,
    known,
    lanes,
    simplified,
)
from proofs.kernels.engine.compared import is_refused
from proofs.kernels.engine.intrinsics import INTRINSICS, shape
from proofs.kernels.engine.intrinsics_arm import assembly
from proofs.kernels.engine.ir import BINARY, Constant, Global, Local, Unsupported, signed


def operation(machine, i, slot, result):
    """Returns step(values) for an instruction that is neither phi nor the end of a block."""
    if i.opcode not in BINARY and i.opcode not in OPERATIONS:

        def refuse(values):
            raise Unsupported(i.text)

        return refuse
    machine.instructions.add(i.opcode)
    if i.opcode in BINARY:
        return binary(machine, i, slot, result)
    return OPERATIONS[i.opcode](machine, i, slot, result)


# --- Arithmetic -----------------------------------------------------------------------------------


def binary(machine, i, slot, result):
    """Returns the step of an arithmetic or bitwise instruction."""
    a, b = (slot(*operand) for operand in i.operands)
    opcode, bits = i.opcode, i.type.bits
    if opcode in ("and", "or", "xor"):
        return bitwise(machine, opcode, a, b, bits, result)
    count, width = shape(i.type)

    def step(values):
        x, y = simplified(values[a]), simplified(values[b])
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            values[result] = difference(opcode, x, y)
        elif count > 1:
            values[result] = by_element(x, y)
        elif type(x) is int and type(y) is int:
            values[result] = one_element(machine, opcode, x, y, width)
        else:
            values[result] = arithmetic(machine, opcode, x, y, width)

    def by_element(x, y):
        x, y = elements(machine, x, count, width), elements(machine, y, count, width)
        if opcode in SHIFTS and all(type(e) is int and e == y[0] for e in y):
            return shifted(machine, opcode, np.stack(codes_of(x)), y[0]).ravel()
        parts = [one_element(machine, opcode, p, q, width) for p, q in zip(x, y, strict=True)]
        return np.concatenate(codes_of(parts))

    def codes_of(parts):
        return [machine.codes(part, width) for part in parts]

    return step


def elements(machine, value, count, width):
    """Returns the elements of a vector: integers where they are known."""
    if type(value) is int:
        return lanes(value, count, width)
    return [simplified(row) for row in machine.codes(value, count * width).reshape(count, width)]


def difference(opcode, x, y):
    """Subtracts addresses in one object."""
    both = isinstance(x, Pointer) and isinstance(y, Pointer)
    if opcode == "sub" and both and x.memory is y.memory:
        return (x.offset - y.offset) & (2**64 - 1)
    raise Unsupported(f"{opcode} of an address")


def bitwise(machine, opcode, a, b, bits, result):
    """Returns the step of and, or, xor."""
    domain = machine.domain
    combine = {"and": domain.both, "or": domain.either, "xor": domain.xor}[opcode]
    on_known = {
        "and": lambda x, y: x & y,
        "or": lambda x, y: x | y,
        "xor": lambda x, y: x ^ y,
    }[opcode]

    def step(values):
        x, y = values[a], values[b]
        if type(x) is int and type(y) is int:
            values[result] = on_known(x, y)
        elif isinstance(x, Pointer) and opcode == "and" and type(y) is int and y < 64:
            values[result] = x.offset & y  # objects start at multiples of 64
        else:
            values[result] = combine(machine.codes(x, bits), machine.codes(y, bits))

    return step


def keep(machine, i, slot, result):
    """bitcast, freeze and casts of addresses: the bits stay."""
    source = slot(*i.operands[0])

    def step(values):
        values[result] = values[source]

    del machine
    return step


def resize(machine, i, slot, result):
    """zext, sext and trunc."""
    source = slot(*i.operands[0])
    (count, old), (_, new) = shape(i.operands[0][0]), shape(i.type)

    def extended(element):
        if i.opcode == "sext":
            element = signed(element, old)
        return element & ((1 << new) - 1)

    def extended_codes(codes):
        rows = codes.reshape(count, old)
        result = np.zeros((count, new), dtype=machine.domain.dtype)
        if i.opcode == "sext":
            result[:] = rows[:, -1:]
        result[:, : min(old, new)] = rows[:, : min(old, new)]
        return result.ravel()

    def step(values):
        value = values[source]
        if isinstance(value, Pointer):
            value = known(value.offset & 63, old, machine.domain).copy()
            value[6:] = machine.domain.unknown
        if type(value) is not int:
            value = machine.codes(value, count * old)
        if type(value) is int:
            values[result] = joined([extended(e) for e in lanes(value, count, old)], new)
        else:
            values[result] = extended_codes(value)

    return step


PREDICATES = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def compare(machine, i, slot, result):
    """icmp"""
    a, b = (slot(*operand) for operand in i.operands)
    predicate = i.extra
    count, bits = shape(i.operands[0][0])
    test = PREDICATES[predicate[-2:]]

    def one(x, y):
        if type(x) is int and type(y) is int:
            if predicate[0] == "s":
                x, y = signed(x, bits), signed(y, bits)
            return int(test(x, y))
        return unknown_comparison(machine.domain, predicate, x, y, bits)

    def step(values):
        x, y = values[a], values[b]
        if isinstance(x, (Pointer, Code)) or isinstance(y, (Pointer, Code)):
            values[result] = int(test(*comparable(x, y)))
        elif count == 1:
            values[result] = one(simplified(x), simplified(y))
        else:
            x, y = (elements(machine, value, count, bits) for value in (x, y))
            found = [one(p, q) for p, q in zip(x, y, strict=True)]
            values[result] = simplified(np.concatenate([machine.codes(f, 1) for f in found]))

    return step


def unknown_comparison(domain, predicate, x, y, bits):
    """Compares elements that are not both known; integers are known."""
    codes = [known(e, bits, domain) if type(e) is int else domain.settle(e) for e in (x, y)]
    if predicate in ("eq", "ne"):
        same = domain.equal(*codes)
        return same if predicate == "eq" else domain.invert(same)
    if predicate == "slt" and type(y) is int and y == 0:
        return codes[0][-1:]
    if predicate == "sgt" and type(x) is int and x == 0:
        return codes[1][-1:]
    if predicate == "sgt" and type(y) is int and y == (1 << bits) - 1:
        return domain.invert(codes[0][-1:])
    if predicate[0] == "s":  # with the highest bits turned around, signed numbers are in order
        top = np.zeros(bits, dtype=domain.dtype)
        top[-1] = domain.one
        codes = [domain.xor(e, top) for e in codes]
    if predicate[1] == "g":
        codes.reverse()
    if predicate[2] == "t":
        return domain.less(*codes)
    return domain.invert(domain.less(codes[1], codes[0]))


def comparable(x, y):
    """Returns two numbers that compare as two addresses do; 0 is NULL."""
    if isinstance(x, Pointer) and isinstance(y, Pointer) and x.memory is y.memory:
        return x.offset, y.offset
    if isinstance(x, Code) and isinstance(y, Code):
        return x.name, y.name
    return id(getattr(x, "memory", x)) if x != 0 else 0, id(
        getattr(y, "memory", y)
    ) if y != 0 else 0


def select(machine, i, slot, result):
    """select"""
    condition, a, b = (slot(*operand) for operand in i.operands)
    count, bits = shape(i.type)
    by_element = i.operands[0][0].kind == "vector"
    domain = machine.domain

    def step(values):
        choice = simplified(values[condition])
        if not by_element and type(choice) is int:
            values[result] = values[a] if choice else values[b]
            return
        choice = machine.codes(choice, count if by_element else 1)
        choice = np.repeat(choice, bits if by_element else count * bits)
        x, y = machine.codes(values[a], count * bits), machine.codes(values[b], count * bits)
        if domain.joins and (x == domain.one).all():
            values[result] = domain.either(choice, y)
            return
        # only places where they differ need the product
        values[result] = np.where(
            choice == domain.one,
            x,
            np.where(choice == 0, y, domain.xor(domain.both(choice, domain.xor(x, y)), y)),
        ).astype(domain.dtype)

    return step


# --- Vectors and aggregates -----------------------------------------------------------------------


def shuffle(machine, i, slot, result):
    """shufflevector"""
    a, b, order = (slot(*operand) for operand in i.operands)
    count, width = shape(i.operands[0][0])
    mask_constant = i.operands[2][1]
    indices = mask_indices(mask_constant, i.operands[2][0].count)

    def step(values):
        x, y = values[a], values[b]
        if type(x) is int and (type(y) is int or max(indices) < count) and min(indices) >= 0:
            pool = lanes(x, count, width) + (lanes(y, count, width) if type(y) is int else [])
            values[result] = joined([pool[k] for k in indices], width)
            return
        pool = np.concatenate([machine.codes(x, count * width), machine.codes(y, count * width)])
        pool = pool.reshape(2 * count, width)
        values[result] = pool[indices].ravel()
        for at, k in enumerate(indices):
            if k < 0:
                values[result][at * width : (at + 1) * width] = machine.domain.unknown

    del order
    return step


def mask_indices(constant, count):
    """Returns the elements that a mask picks, -1 for any."""
    if isinstance(constant.value, tuple):
        return [-1 if e.value is None else e.value for e in constant.value]
    return [-1 if constant.value is None else 0] * count


def insert_element(machine, i, slot, result):
    """insertelement"""
    source, element, index = (slot(*operand) for operand in i.operands)
    count, width = shape(i.type)

    def step(values):
        at = width * concrete(values[index], "the number of an element")
        value = machine.codes(values[source], count * width).copy()
        value[at : at + width] = machine.codes(values[element], width)
        values[result] = value

    return step


def extract_element(machine, i, slot, result):
    """extractelement"""
    source, index = (slot(*operand) for operand in i.operands)
    count, width = shape(i.operands[0][0])

    def step(values):
        at = width * concrete(values[index], "the number of an element")
        codes = machine.codes(values[source], count * width)
        values[result] = simplified(codes[at : at + width])

    return step


def aggregate(machine, i, slot, result):
    """extractvalue and insertvalue"""
    operands = [slot(*operand) for operand in i.operands]

    def step(values):
        whole = values[operands[0]]
        if i.opcode == "extractvalue":
            values[result] = whole[i.extra]
        else:
            values[result] = list(whole)
            values[result][i.extra] = values[operands[1]]

    return step


# --- Memory and calls -----------------------------------------------------------------------------


def allocate(machine, i, slot, result):
    """alloca"""
    size = i.extra.size
    count = slot(*i.operands[0]) if i.operands else None

    def step(values):
        times = 1 if count is None else concrete(values[count], "the size of an array")
        values[result] = machine.memory(f"local {i.result}", size * times)

    return step


def load(machine, i, slot, result):
    """load"""
    address = slot(*i.operands[0])
    type_ = i.type

    def step(values):
        values[result] = pointer(values[address]).load(type_)

    return step


def store(machine, i, slot, result):
    """store"""
    (type_, value), (_, address) = i.operands
    value, address = slot(type_, value), slot(*i.operands[1])
    domain = machine.domain

    def step(values):
        stored = values[value]
        if type(stored) not in (int, np.ndarray, Pointer):
            stored = stored if isinstance(stored, Code) else machine.codes(stored, type_.bits)
        if isinstance(stored, Code):
            target = pointer(values[address])
            target.memory.pointers[target.offset] = stored
        else:
            pointer(values[address]).store(type_, stored, domain)

    del result
    return step


def pointer(value):
    """Returns an address, which must be one."""
    if not isinstance(value, Pointer):
        raise Undecided("an address is not known")
    return value


def element_address(machine, i, slot, result):
    """getelementptr"""
    base = slot(*i.operands[0])
    fixed, scaled = 0, []
    position = i.extra
    for number, (type_, value) in enumerate(i.operands[1:]):
        if number == 0:
            step_size = position.size
        elif position.kind == "struct":
            fixed += position.offsets[value.value]
            position = position.fields[value.value]
            continue
        else:
            position = position.element
            step_size = position.size
        if isinstance(value, Constant):
            fixed += signed(value.value, type_.bits) * step_size
        else:
            scaled.append((slot(type_, value), step_size, type_.bits))

    nowhere = machine.memory("NULL", 0)

    def step(values):
        offset = fixed
        for index, size, bits in scaled:
            offset += size * signed(concrete(values[index], "an address"), bits)
        start = values[base]
        # compilers move the address of an element of NULL out of a loop that does not use it
        values[result] = (nowhere if type(start) is int else pointer(start)) + offset

    return step


def call(machine, i, slot, result):
    """call"""
    if isinstance(i.extra, tuple):
        return inline_assembly(machine, i, slot, result)
    operands = [slot(*operand) for operand in i.operands if operand[1] is not None]
    types = [type_ for type_, _ in i.operands]
    if isinstance(i.extra, Global) and i.extra.name not in machine.module.functions:
        return call_intrinsic(machine, i, operands, types, result)
    target = slot(*(i.operands[0][0], i.extra)) if isinstance(i.extra, Local) else None
    name = i.extra.name

    def step(values):
        called = name if target is None else values[target].name
        found = machine.call(called, [values[operand] for operand in operands])
        if result is not None:
            values[result] = found

    return step


def call_intrinsic(machine, i, operands, types, result):
    """A call of what the compiler or the C library defines."""
    name = i.extra.name
    meanings = [*machine.domain.meanings, *INTRINSICS]
    meaning = next((found for pattern, found in meanings if pattern.fullmatch(name)), None)
    if meaning is None or is_refused(name):

        def refuse(values):
            raise Unsupported(f"a call of {name}")

        return refuse
    machine.instructions.add(name)

    def step(values):
        found = meaning(machine, i.type, types, [values[operand] for operand in operands])
        if result is not None:
            values[result] = found

    return step


def inline_assembly(machine, i, slot, result):
    """Value barriers of words (base/ct.h) and vectors, which are empty; single instructions."""
    code, constraints = i.extra[1]
    operands = [slot(*operand) for operand in i.operands]
    is_barrier = code == '""' and re.match('"=[rv],0[,"]', constraints) and len(operands) == 1

    def step(values):
        arguments = [values[operand] for operand in operands]
        values[result] = arguments[0] if is_barrier else assembly(machine, code, arguments)

    return step


OPERATIONS = {
    **dict.fromkeys(["bitcast", "freeze", "ptrtoint", "inttoptr"], keep),
    **dict.fromkeys(["zext", "sext", "trunc"], resize),
    "icmp": compare,
    "select": select,
    "shufflevector": shuffle,
    "insertelement": insert_element,
    "extractelement": extract_element,
    "extractvalue": aggregate,
    "insertvalue": aggregate,
    "alloca": allocate,
    "load": load,
    "store": store,
    "getelementptr": element_address,
    "call": call,
}
