# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of NEON's functions and of the assembly in src/kem/gf2x/neon; see intrinsics.py.

test_intrinsics_arm.py compares each one, and those in other files, with what QEMU does.
"""

import numpy as np

from proofs.kernels.engine.bits import concrete, lanes, simplified
from proofs.kernels.engine.intrinsics import carryless, rows, shape, table
from proofs.kernels.engine.ir import Unsupported, signed


@table(r"llvm\.aarch64\.neon\.ushl\..*")
def shift(machine, type_, types, arguments):
    """USHL: to the left, or to the right by negative numbers."""
    count, width = shape(type_)
    places = lanes(concrete(arguments[1], "the distance of a shift"), count, width)
    result = np.zeros((count, width), dtype=machine.domain.dtype)
    for at, row in enumerate(rows(machine, type_, arguments[0])):
        by = signed(places[at] & 255, 8)
        if 0 <= by < width:
            result[at, by:] = row[: width - by]
        elif -width < by < 0:
            result[at, :by] = row[-by:]
    del types
    return simplified(result.ravel())


def insert(machine, type_, arguments, left):
    """SLI and SRI: the second vector is shifted and put over the first one."""
    first, second = (rows(machine, type_, value) for value in arguments[:2])
    by = concrete(arguments[2], "an immediate")
    width = first.shape[1]
    result = first.copy()
    if left:
        result[:, by:] = second[:, : width - by]
    else:
        result[:, : width - by] = second[:, by:]
    return result.ravel()


@table(r"llvm\.aarch64\.neon\.vsli\..*")
def insert_left(machine, type_, types, arguments):
    """SLI"""
    del types
    return insert(machine, type_, arguments, left=True)


@table(r"llvm\.aarch64\.neon\.vsri\..*")
def insert_right(machine, type_, types, arguments):
    """SRI"""
    del types
    return insert(machine, type_, arguments, left=False)


@table(r"llvm\.aarch64\.neon\.ld1x[234]\..*")
def load_several(machine, type_, types, arguments):
    """LD1 of several vectors."""
    del machine, types
    return [(arguments[0] + i * t.size).load(t) for i, t in enumerate(type_.fields)]


@table(r"llvm\.aarch64\.neon\.st1x[234]\..*")
def store_several(machine, type_, types, arguments):
    """ST1 of several vectors."""
    for i, value in enumerate(arguments[:-1]):
        (arguments[-1] + i * types[i].size).store(types[i], value, machine.domain)
    del type_


@table(r"llvm\.aarch64\.neon\.ld[234]\.v.*")
def load_structures(machine, type_, types, arguments):
    """LD2, LD3, LD4: element k of vector i is at place n k + i of memory."""
    n, element = len(type_.fields), type_.fields[0].element
    result = []
    for i, field in enumerate(type_.fields):
        parts = [
            machine.codes((arguments[0] + (n * k + i) * element.size).load(element), element.bits)
            for k in range(field.count)
        ]
        result.append(np.concatenate(parts))
    del types
    return result


@table(r"llvm\.aarch64\.neon\.st[234]\.v.*")
def store_structures(machine, type_, types, arguments):
    """ST2, ST3, ST4"""
    n, element = len(arguments) - 1, types[0].element
    for i, value in enumerate(arguments[:-1]):
        for k, part in enumerate(rows(machine, types[i], value)):
            place = arguments[-1] + (n * k + i) * element.size
            place.store(element, part, machine.domain)
    del type_


@table(r"llvm\.aarch64\.neon\.pmul\.v(8|16)i8")
def multiply_low(machine, type_, types, arguments):
    """PMUL: the low bytes of products of bytes without carries."""
    a, b = (rows(machine, type_, value) for value in arguments)
    del types
    return np.concatenate([carryless(machine, x, y)[:8] for x, y in zip(a, b, strict=True)])


@table(r"llvm\.aarch64\.neon\.uaddv\..*")
def add_across(machine, type_, types, arguments):
    """ADDV: the sum of all elements in as many bits as one has; nothing is known above."""
    domain = machine.domain
    parts = rows(machine, types[0], arguments[0])
    total = parts[0]
    for part in parts[1:]:
        total = domain.add(total, part)
    result = np.full(type_.bits, domain.unknown, dtype=domain.dtype)
    result[: parts.shape[1]] = domain.settle(total)
    return result


@table(r"llvm\.aarch64\.crypto\.eor3u\..*")
def add_three(machine, type_, types, arguments):
    """EOR3"""
    del types
    return machine.domain.total(np.stack([machine.codes(a, type_.bits) for a in arguments]))


@table(r"llvm\.aarch64\.crypto\.bcaxu\..*")
def add_cleared(machine, type_, types, arguments):
    """BCAX: a + b (c + 1)"""
    domain = machine.domain
    a, b, c = (machine.codes(value, type_.bits) for value in arguments)
    del types
    return domain.xor(a, domain.both(b, domain.invert(c)))


@table(r"llvm\.aarch64\.crypto\.rax1")
def add_rotated(machine, type_, types, arguments):
    """RAX1: a + b, b rotated to the left by one place"""
    a, b = (rows(machine, type_, value) for value in arguments)
    del types
    return machine.domain.xor(a, np.roll(b, 1, axis=1)).ravel()


@table(r"llvm\.aarch64\.crypto\.xar")
def rotate_sum(machine, type_, types, arguments):
    """XAR: a + b, rotated to the right"""
    a, b = (rows(machine, type_, value) for value in arguments[:2])
    places = concrete(arguments[2], "an immediate")
    del types
    return np.roll(machine.domain.xor(a, b), -places, axis=1).ravel()


# Where the words begin that are multiplied.
PRODUCTS = {'"pmull $0.1q, $1.1d, $2.1d"': 0, '"pmull2 $0.1q, $1.2d, $2.2d"': 64}


def assembly(machine, text, arguments):
    """PMULL and PMULL2 of words, which gf2x_neon.h writes as assembly."""
    if text not in PRODUCTS:
        raise Unsupported(f"assembly: {text}")
    start = PRODUCTS[text]
    a, b = (machine.codes(value, 128)[start : start + 64] for value in arguments)
    if arguments[0] is not arguments[1]:
        return carryless(machine, a, b)
    square = np.zeros(128, dtype=machine.domain.dtype)  # the mixed products cancel
    square[::2] = a
    return square
