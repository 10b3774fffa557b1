# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of comparing, shifting and looking up by values that are not known.

In domains that have these (bits.Domain.meanings) they come before the meanings of intrinsics.py,
of which some want constants.
"""

import functools

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.intrinsics import adding_to, rows, shape

MEANINGS = []
table = adding_to(MEANINGS)


def chosen(domain, choice, one, zero):
    """Codes of choice ? one : zero, for one bit that chooses."""
    return domain.xor(zero, domain.both(choice, domain.xor(one, zero)))


def by_sign(domain, codes):
    """Codes of a number with its top bit inverted, so that signed ones compare as unsigned."""
    turned = codes.copy()
    turned[-1:] = domain.invert(codes[-1:])
    return turned


def extreme(name, signed, largest):
    """Gives the larger or the smaller number of each pair a meaning."""

    @table(rf"llvm\.{name}\..*")
    def meaning(machine, type_, types, arguments):
        domain = machine.domain
        result = []
        for x, y in zip(*(rows(machine, type_, value) for value in arguments), strict=True):
            operands = (by_sign(domain, x), by_sign(domain, y)) if signed else (x, y)
            less = domain.less(*operands)
            result.append(chosen(domain, less, *((y, x) if largest else (x, y))))
        del types
        return simplified(np.concatenate(result))


extreme("umax", signed=False, largest=True)
extreme("umin", signed=False, largest=False)
extreme("smax", signed=True, largest=True)
extreme("smin", signed=True, largest=False)


@table(r"llvm\.aarch64\.neon\.umaxv\..*")
def largest(machine, type_, types, arguments):
    """UMAXV: the largest element, in as many bits as one has; nothing is known above."""
    domain = machine.domain
    parts = rows(machine, types[0], arguments[0])
    if all((row == row[0]).all() for row in parts):  # masks: any of them
        found = functools.reduce(domain.either, parts)
    else:
        found = parts[0]
        for row in parts[1:]:
            found = chosen(domain, domain.less(found, row), row, found)
    result = np.full(type_.bits, domain.unknown, dtype=domain.dtype)
    result[: found.size] = found
    return simplified(result)


@table(r"llvm\.abs\..*")
def absolute(machine, type_, types, arguments):
    """The absolute value of each number."""
    domain = machine.domain
    result = []
    for x in rows(machine, type_, arguments[0]):
        sign = np.full(x.size, x[-1], dtype=domain.dtype)
        result.append(domain.subtract(domain.xor(x, sign), sign))
    del types
    return simplified(np.concatenate(result))


@table(r"llvm\.x86\.sse41\.phminposuw")
def smallest(machine, type_, types, arguments):
    """PHMINPOSUW: the smallest of eight numbers, and the first place where it is."""
    domain = machine.domain
    count, width = shape(type_)
    parts = rows(machine, type_, arguments[0])
    best = parts[0]
    place = np.zeros(3, dtype=domain.dtype)
    for at in range(1, count):
        less = domain.less(parts[at], best)
        number = np.array([domain.one if at >> i & 1 else 0 for i in range(3)], domain.dtype)
        best = chosen(domain, less, parts[at], best)
        place = chosen(domain, less, number, place)
    result = np.zeros(count * width, dtype=domain.dtype)
    result[:width] = best
    result[width : width + 3] = place
    del types
    return result


@table(r"llvm\.x86\.avx2\.packsswb")
def pack_signed(machine, type_, types, arguments):
    """VPACKSSWB: 16-bit numbers as the nearest bytes, in each half of 128 bits."""
    domain = machine.domain
    result = []
    a, b = (rows(machine, types[0], value).reshape(2, 8, 16) for value in arguments)
    for half in range(2):
        for x in (*a[half], *b[half]):
            sign = x[-1:]
            fits = domain.equal(x[7:], np.full(9, x[-1], dtype=domain.dtype))
            limit = np.concatenate([domain.invert(np.repeat(sign, 7)), sign])
            result.append(chosen(domain, fits, x[:8], limit))
    del type_
    return simplified(np.concatenate(result))


@table(r"llvm\.x86\.avx2\.pmovmskb")
def top_bits(machine, type_, types, arguments):
    """VPMOVMSKB: the top bits of bytes."""
    result = np.zeros(type_.bits, dtype=machine.domain.dtype)
    tops = rows(machine, types[0], arguments[0])[:, 7]
    result[: tops.size] = tops
    return simplified(result)


@table(r"llvm\.cttz\..*")
def zeros_below(machine, type_, types, arguments):
    """The number of zeros below the lowest one; as many as there are bits if there is none."""
    domain = machine.domain
    codes = machine.codes(arguments[0], type_.bits)
    none = np.full(1, domain.one, dtype=domain.dtype)  # no one below this place
    result = np.zeros(type_.bits, dtype=domain.dtype)
    for at in range(codes.size):
        first = domain.both(none, codes[at : at + 1])
        for k in range(at.bit_length()):
            if at >> k & 1:
                result[k : k + 1] = domain.xor(result[k : k + 1], first)
        none = domain.both(none, domain.invert(codes[at : at + 1]))
    top = type_.bits.bit_length() - 1
    result[top : top + 1] = domain.xor(result[top : top + 1], none)
    del types
    return simplified(result)


# --- Moves by numbers that are not known ----------------------------------------------------------


def shifted_right(domain, codes, places):
    """Codes moved down by places; too large ones give zero."""
    return domain.shift_left(codes[::-1].copy(), places)[::-1]


@table(r"llvm\.aarch64\.neon\.ushl\..*")
def shift_each_arm(machine, type_, types, arguments):
    """USHL: to the left, or to the right by negative numbers; the lowest byte counts."""
    domain = machine.domain
    result = []
    for x, by in zip(*(rows(machine, type_, value) for value in arguments), strict=True):
        places = by[:8]
        back = domain.subtract(np.zeros(8, dtype=domain.dtype), places)
        sign = np.full(x.size, places[-1], dtype=domain.dtype)
        left, right = domain.shift_left(x, places), shifted_right(domain, x, back)
        result.append(chosen(domain, sign, right, left))
    del types
    return simplified(np.concatenate(result))


def funnel(name, left):
    """fshl and fshr: two elements behind each other, shifted by a number modulo their width."""

    @table(rf"llvm\.{name}\..*")
    def meaning(machine, type_, types, arguments):
        domain = machine.domain
        width = shape(type_)[1]
        places_bits = width.bit_length() - 1  # the width is a power of two
        result = []
        for high, low, by in zip(*(rows(machine, type_, a) for a in arguments), strict=True):
            both, places = np.concatenate([low, high]), by[:places_bits]
            if left:
                result.append(domain.shift_left(both, places)[width:])
            else:
                result.append(shifted_right(domain, both, places)[:width])
        del types
        return simplified(np.concatenate(result))


funnel("fshl", left=True)
funnel("fshr", left=False)


def looked_up(domain, pool, index):
    """Codes of the row of a pool, of 2^k rows, that the lowest k bits of an index name."""
    index = index[: len(pool).bit_length() - 1]
    known = simplified(index)
    if type(known) is int:
        return pool[known]
    found = domain.look_up(pool, index)
    if found is not None:
        return found
    for bit in index:
        choice = np.full(pool.shape[1], bit, dtype=domain.dtype)
        pool = np.stack(
            [chosen(domain, choice, y, x) for x, y in zip(pool[::2], pool[1::2], strict=True)]
        )
    return pool[0]


@table(r"llvm\.x86\.avx512\.permvar\..*|llvm\.x86\.avx2\.permd")
def permute(machine, type_, types, arguments):
    """VPERMB, VPERMW, VPERMD, VPERMQ: elements by their numbers."""
    pool, indices = (rows(machine, type_, value) for value in arguments)
    del types
    return simplified(np.concatenate([looked_up(machine.domain, pool, i) for i in indices]))


@table(r"llvm\.x86\.avx512\.vpermi2var\..*")
def permute_two(machine, type_, types, arguments):
    """VPERMI2*: elements of two vectors by their numbers."""
    first, indices, second = (rows(machine, type_, value) for value in arguments)
    pool = np.concatenate([first, second])
    del types
    return simplified(np.concatenate([looked_up(machine.domain, pool, i) for i in indices]))


@table(r"llvm\.aarch64\.neon\.uqxtn\..*")
def narrowed(machine, type_, types, arguments):
    """UQXTN: the lower half of each number, all ones if it does not fit."""
    domain = machine.domain
    width = shape(type_)[1]
    result = []
    for x in rows(machine, types[0], arguments[0]):
        above = np.zeros(1, dtype=domain.dtype)
        for bit in np.split(x[width:], width):
            above = domain.either(above, bit)
        result.append(domain.either(x[:width], np.repeat(above, width)))
    return simplified(np.concatenate(result))


@table(r"llvm\.aarch64\.neon\.tbl1\.v16i8")
def look_up_bytes(machine, type_, types, arguments):
    """TBL of one vector: bytes by their numbers; those from 16 on give zero."""
    domain = machine.domain
    pool, indices = (rows(machine, type_, value) for value in arguments)
    result = []
    for index in indices:
        inside = np.full(1, domain.one, dtype=domain.dtype)
        for bit in np.split(index[4:], 4):
            inside = domain.both(inside, domain.invert(bit))
        result.append(domain.both(np.repeat(inside, 8), looked_up(domain, pool, index)))
    del types
    return simplified(np.concatenate(result))
