# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Numbers and flags of x86-64, for the meanings of its instructions.

Flags are computed when they are asked for: processor.flags has by the letter of a flag its code, or
a function that returns it. Those that an instruction leaves undefined are not known.
"""

import numpy as np

from proofs.kernels.engine.arithmetic import arithmetic, one_element
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.ir import signed
from proofs.kernels.engine.operations import unknown_comparison
from proofs.machine.operands import part

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
        return int(
            less if predicate[1:] == "lt" else less or same if predicate[1:] == "le" else same
        )
    return simplified(unknown_comparison(processor.domain, predicate, x, y, bits))


def chosen(processor, choice, one, zero, bits):
    """Returns choice ? one : zero."""
    if type(choice) is int:
        return one if choice else zero
    domain = processor.domain
    x, y = processor.codes(one, bits), processor.codes(zero, bits)
    spread = np.repeat(choice, bits)
    return simplified(domain.xor(domain.both(spread, domain.xor(x, y)), y))


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
        return bitwise(processor, "and", turned[0], turned[1], 1)

    def carried():
        if all(type(v) is int for v in (x, y, carry)):
            return (x + y + carry) >> bits
        wide = [extended(processor, v, n, bits + 1) for v, n in ((x, bits), (y, bits), (carry, 1))]
        total = computed(processor, "add", wide[0], wide[1], bits + 1)
        return part(computed(processor, "add", total, wide[2], bits + 1), bits, 1)

    processor.flags = {**flags_of(processor, result, bits), "c": carried, "o": overflow}
