# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of looking up bytes by numbers that may be anything in tables that may be anything.

They stand before those of intrinsics.py and integers.py in the domains that name them.
"""

import numpy as np

from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.integers import chosen, looked_up
from proofs.kernels.engine.intrinsics import adding_to, rows, shape

MEANINGS = []
table = adding_to(MEANINGS)


def polynomial(domain, pool):
    """Returns a table as a polynomial in the bits of a number: the sum over subsets of the bits
    of [subset] times the bits in it."""
    values = list(pool)
    for bit in range(len(values).bit_length() - 1):
        for at in range(len(values)):
            if at >> bit & 1:
                values[at] = domain.xor(values[at], values[at ^ 1 << bit])
    return [(at, value) for at, value in enumerate(values) if (value != 0).any()]


def found(domain, pool, index, seen):
    """Codes of the row of a table that an index names. seen: polynomials that were made before."""
    known = simplified(index)
    if type(known) is int:
        return pool[known]
    if domain.dtype is not object:
        return looked_up(domain, pool, index)
    key = tuple(pool.ravel().tolist())
    if key not in seen:
        seen[key] = polynomial(domain, pool)
    total = np.zeros(pool.shape[1], dtype=domain.dtype)
    for subset, value in seen[key]:
        for bit, code in enumerate(index):
            if subset >> bit & 1:
                value = domain.both(value, np.full(value.size, code, dtype=domain.dtype))
        total = domain.xor(total, value)
    return total


@table(r"llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b|avx512\.pshuf\.b\.512)")
def shuffle_bytes(machine, type_, types, arguments):
    """PSHUFB: in each block of 16 bytes; an index with its top bit gives zero."""
    domain = machine.domain
    parts, indices = (rows(machine, type_, value) for value in arguments)
    result, seen = [], {}
    del types
    for at, index in enumerate(indices):
        if type(index[7]) is int and index[7] == domain.one:
            result.append(np.zeros(8, dtype=domain.dtype))
            continue
        value = found(domain, parts[at & ~15 :][:16], index[:4], seen)
        inside = domain.invert(index[7:])
        whole = simplified(inside) == 1
        result.append(value if whole else domain.both(np.repeat(inside, 8), value))
    return simplified(np.concatenate(result))


@table(r"llvm\.aarch64\.neon\.tbl[124]\.v16i8")
def look_up_bytes(machine, type_, types, arguments):
    """TBL of 16, 32 or 64 bytes: bytes by their numbers; larger numbers give zero."""
    domain = machine.domain
    *parts, indices = (rows(machine, type_, value) for value in arguments)
    pool = np.concatenate(parts)
    width = len(pool).bit_length() - 1
    result, seen = [], {}
    del types
    for index in indices:
        inside = np.full(1, domain.one, dtype=domain.dtype)
        for bit in np.split(index[width:], 8 - width):
            inside = domain.both(inside, domain.invert(bit))
        value = found(domain, pool, index[:width], seen)
        whole = simplified(inside) == 1
        result.append(value if whole else domain.both(np.repeat(inside, 8), value))
    return simplified(np.concatenate(result))


@table(r"llvm\.uadd\.sat\..*")
def add_saturated(machine, type_, types, arguments):
    """Sums that are the largest number if they would be larger."""
    domain = machine.domain
    width = shape(type_)[1]
    result = []
    del types
    for x, y in zip(*(rows(machine, type_, value) for value in arguments), strict=True):
        zero = np.zeros(1, dtype=domain.dtype)
        total = domain.add(np.concatenate([x, zero]), np.concatenate([y, zero]))
        ones = np.full(width, domain.one, dtype=domain.dtype)
        result.append(chosen(domain, np.repeat(total[width:], width), ones, total[:width]))
    return simplified(np.concatenate(result))


@table(r"llvm\.x86\.avx2\.packusdw")
def pack_unsigned(machine, type_, types, arguments):
    """VPACKUSDW: 32-bit numbers with a sign as the nearest of 16 bits, in each half."""
    domain = machine.domain
    result = []
    a, b = (rows(machine, types[0], value).reshape(2, 4, 32) for value in arguments)
    for half in range(2):
        for x in (*a[half], *b[half]):
            fits = domain.equal(x[16:], np.zeros(16, dtype=domain.dtype))
            limit = np.repeat(domain.invert(x[31:]), 16)
            result.append(chosen(domain, np.repeat(fits, 16), x[:16], limit))
    del type_
    return simplified(np.concatenate(result))


@table(r"llvm\.aarch64\.neon\.umin\.v.*")
def smaller(machine, type_, types, arguments):
    """UMIN: the smaller number of each pair."""
    domain = machine.domain
    result = []
    del types
    for x, y in zip(*(rows(machine, type_, value) for value in arguments), strict=True):
        result.append(chosen(domain, np.repeat(domain.less(x, y), x.size), x, y))
    return simplified(np.concatenate(result))
