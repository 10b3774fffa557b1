# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads one instruction of LLVM IR; ir.py has what it consists of."""

import re

from proofs.kernels.engine.ir import (
    BINARY,
    CASTS,
    PTR,
    TYPE_WORD,
    VOID,
    Global,
    Instruction,
    Reader,
    integer,
    vector,
)


def read_instruction(text, structs):
    """Returns the Instruction of a line."""
    r = Reader(text, structs)
    result = None
    if r.peek(1) == "=":
        result = r.next()
        r.next()
    r.skip_flags()
    opcode = r.next()
    r.skip_flags()
    found = Instruction(opcode, result, VOID, [], text=text.strip())
    if opcode in BINARY:
        found.type, first = r.typed_value()
        r.expect(",")
        found.operands = [(found.type, first), (found.type, r.value(found.type))]
    elif opcode in CASTS or opcode == "freeze":
        found.operands = [r.typed_value()]
        found.type = found.operands[0][0]
        if r.accept("to"):
            found.type = r.type()
    elif opcode in READERS:
        READERS[opcode](r, found)
    return found  # an opcode that is not known is an error only where it is reached


def read_list(r, found):
    """Operands separated by commas, each with its type."""
    found.operands.append(r.typed_value())
    while r.accept(","):
        if r.peek() in ("align", "!tbaa") or r.peek().startswith("!"):
            break
        found.operands.append(r.typed_value())


def read_memory(r, found):
    """load and alloca: a type, then operands."""
    found.type = r.type()
    found.extra = found.type
    r.expect(",") if found.opcode == "load" else r.accept(",")
    if r.peek() and r.peek() != "align" and not r.peek().startswith("!"):
        read_list(r, found)
    if found.opcode == "alloca":
        found.type = PTR


def read_address(r, found):
    """getelementptr: the extra is the type that the indices walk through."""
    found.extra = r.type()
    found.type = PTR
    r.expect(",")
    read_list(r, found)


def read_compare(r, found):
    """icmp: the extra is the predicate."""
    found.extra = r.next()
    if found.extra == "samesign":
        found.extra = r.next()
    type_, first = r.typed_value()
    r.expect(",")
    found.operands = [(type_, first), (type_, r.value(type_))]
    found.type = vector(type_.count, integer(1)) if type_.kind == "vector" else integer(1)


def read_call(r, found):
    """call: the extra is what is called: a Global, a Local, or the text of assembly."""
    r.skip_flags()
    while re.fullmatch(r"[a-z]\w*", r.peek()) and not re.fullmatch(TYPE_WORD, r.peek()):
        if r.next() == "align":
            r.next()
        elif r.peek() == "(":
            r.skip_balanced()
    found.type = r.type()
    if r.peek() == "(":
        r.skip_balanced()
    if r.accept("asm"):
        words = []
        while r.peek() != "(":
            words.append(r.next())
        found.extra = ("asm", [word for word in words if word.startswith('"')])
    else:
        found.extra = r.value(PTR)
    r.expect("(")
    while not r.accept(")"):
        if r.peek() == "metadata":
            found.extra = Global("llvm.ignored")
            return
        found.operands.append(r.typed_value())
        r.accept(",")


def read_phi(r, found):
    """phi: operands and, as extra, the labels where they come from."""
    found.type = r.type()
    found.extra = []
    while r.accept("[") or (r.accept(",") and r.accept("[")):
        found.operands.append((found.type, r.value(found.type)))
        r.expect(",")
        found.extra.append(r.next())
        r.expect("]")


def read_branch(r, found):
    """br: the extra are the labels."""
    if r.accept("label"):
        found.extra = [r.next()]
        return
    found.operands = [r.typed_value()]
    found.extra = []
    while r.accept(","):
        if not r.accept("label"):
            break
        found.extra.append(r.next())


def read_switch(r, found):
    """switch: the extra is the default label and a table of the others by value."""
    found.operands = [r.typed_value()]
    r.expect(",")
    r.expect("label")
    default, table = r.next(), {}
    r.expect("[")
    while not r.accept("]"):
        _, value = r.typed_value()
        r.expect(",")
        r.expect("label")
        table[value.value] = r.next()
    found.extra = (default, table)


def read_return(r, found):
    """ret, with or without a value."""
    if not r.accept("void"):
        found.operands = [r.typed_value()]


def read_typed_list(r, found):
    """Instructions whose result has the type of their operands, or follows from it."""
    read_list(r, found)
    first = found.operands[0][0]
    if found.opcode == "extractelement":
        found.type = first.element
    elif found.opcode == "select":
        found.type = found.operands[1][0]
    elif found.opcode == "shufflevector":
        found.type = vector(found.operands[2][0].count, first.element)
    elif found.opcode == "insertelement":
        found.type = first


def read_aggregate(r, found):
    """extractvalue and insertvalue with one index, which is the extra."""
    found.operands.append(r.typed_value())
    r.expect(",")
    if found.opcode == "insertvalue":
        found.operands.append(r.typed_value())
        r.expect(",")
    found.extra = int(r.next())
    first = found.operands[0][0]
    found.type = first
    if found.opcode == "extractvalue":
        found.type = first.fields[found.extra] if first.fields else first.element


def read_nothing(r, found):
    """unreachable"""
    del r, found


READERS = {
    "load": read_memory,
    "alloca": read_memory,
    "store": read_typed_list,
    "getelementptr": read_address,
    "icmp": read_compare,
    "call": read_call,
    "phi": read_phi,
    "br": read_branch,
    "switch": read_switch,
    "ret": read_return,
    "select": read_typed_list,
    "shufflevector": read_typed_list,
    "insertelement": read_typed_list,
    "extractelement": read_typed_list,
    "extractvalue": read_aggregate,
    "insertvalue": read_aggregate,
    "unreachable": read_nothing,
}
