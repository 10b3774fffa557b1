# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of what compilers and the C library define: LLVM's and the processors' functions.

A meaning is a function of the machine, the type of the result, the types and the values of the
arguments. proofs/kernels/test_intrinsics.py compares each one with the processor.
"""

import re

import numpy as np

from proofs.kernels.engine.bits import concrete, joined, lanes, simplified
from proofs.kernels.engine.ir import Unsupported, signed


def adding_to(meanings):
    """Returns a decorator: @table(pattern) adds a function to the list meanings, as the meaning of
    the names that match."""

    def table(pattern):
        def add(function):
            meanings.append((re.compile(pattern), function))
            return function

        return add

    return table


INTRINSICS = []
table = adding_to(INTRINSICS)


def shape(type_):
    """Returns the number of elements of a type, 1 if it is no vector, and the bits of each."""
    if type_.kind == "vector":
        return type_.count, type_.element.bits
    return 1, type_.bits


def rows(machine, type_, value):
    """Returns the codes of a vector, one row for each element."""
    count, width = shape(type_)
    return machine.codes(value, count * width).reshape(count, width)


# --- Memory ---------------------------------------------------------------------------------------


@table(r"llvm\.(lifetime\..*|ignored|assume|experimental\.noalias.*|prefetch.*)")
def ignored(machine, type_, types, arguments):
    """No effect on values."""
    del machine, type_, types, arguments


@table(r"ckem_secure_wipe")
def wipe(machine, type_, types, arguments):
    """What was there is not known any more."""
    target, size = arguments
    size = concrete(size, "the length of what is wiped")
    target.memory.check(target.offset, size)
    target.memory.forget(target.offset, size)
    target.memory.bits[8 * target.offset : 8 * (target.offset + size)] = machine.domain.unknown
    del type_, types


@table(r"llvm\.mem(cpy|move)\..*")
def copy(machine, type_, types, arguments):
    """memcpy and memmove with a known length."""
    target, source, size = arguments[:3]
    size = concrete(size, "the length of a copy")
    if size:
        target.memory.copy_from(target.offset, source.memory, source.offset, size)
    del machine, type_, types


@table(r"llvm\.memset\..*")
def fill(machine, type_, types, arguments):
    """memset with a known length."""
    target, value, size = arguments[:3]
    size = concrete(size, "the length of a memset")
    if size:
        target.memory.check(target.offset, size)
        target.memory.forget(target.offset, size)
        codes = np.tile(machine.codes(value, 8), size)
        target.memory.bits[8 * target.offset : 8 * (target.offset + size)] = codes
    del type_, types


@table(r"llvm\.masked\.load\..*")
def masked_load(machine, type_, types, arguments):
    """Loads the elements that a known mask selects; others come from the last argument."""
    address = arguments[0]
    mask, otherwise = arguments[-2:]
    count, width = shape(type_)
    chosen = lanes(concrete(mask, "the mask of a load"), count, 1)
    result = rows(machine, type_, otherwise).copy()
    for at, take in enumerate(chosen):
        if take:
            result[at] = machine.codes((address + at * width // 8).load(type_.element), width)
    del types
    return simplified(result.ravel())


@table(r"llvm\.masked\.store\..*")
def masked_store(machine, type_, types, arguments):
    """Stores the elements that a known mask selects."""
    value, address, mask = arguments[0], arguments[1], arguments[-1]
    count, width = shape(types[0])
    parts = rows(machine, types[0], value)
    for at, take in enumerate(lanes(concrete(mask, "the mask of a store"), count, 1)):
        if take:
            (address + at * width // 8).store(types[0].element, parts[at], machine.domain)
    del type_


# --- Integers -------------------------------------------------------------------------------------


def funnel(machine, type_, arguments, left):
    """fshl and fshr."""
    count, width = shape(type_)
    high, low = (rows(machine, type_, a) for a in arguments[:2])
    places = lanes(concrete(arguments[2], "the distance of a shift"), count, width)
    result = []
    for upper, lower, n in zip(high, low, places, strict=True):
        n %= width
        start = width - n if left else n
        result.append(np.concatenate([lower, upper])[start : start + width])
    return np.concatenate(result)


@table(r"llvm\.fshl\..*")
def funnel_left(machine, type_, types, arguments):
    """The upper half of two elements, the first one above the second, shifted to the left."""
    del types
    return funnel(machine, type_, arguments, left=True)


@table(r"llvm\.fshr\..*")
def funnel_right(machine, type_, types, arguments):
    """The lower half of two elements, the first one above the second, shifted to the right."""
    del types
    return funnel(machine, type_, arguments, left=False)


@table(r"llvm\.bswap\..*")
def swap_bytes(machine, type_, types, arguments):
    """Reverses the bytes of each element."""
    count, width = shape(type_)
    codes = machine.codes(arguments[0], count * width).reshape(count, width // 8, 8)
    del types
    return simplified(codes[:, ::-1].ravel())


@table(r"llvm\.bitreverse\..*")
def reverse_bits(machine, type_, types, arguments):
    """Reverses the bits of each element."""
    del types
    return simplified(rows(machine, type_, arguments[0])[:, ::-1].ravel())


@table(r"llvm\.ctpop\..*")
def count_ones(machine, type_, types, arguments):
    """The number of bits that are 1, in each element."""
    count, width = shape(type_)
    value = simplified(arguments[0])
    del types
    if type(value) is int:
        return joined([e.bit_count() for e in lanes(value, count, width)], width)
    return np.concatenate([machine.domain.weight(row) for row in rows(machine, type_, value)])


def on_known(name, operation):
    """A meaning for known values alone, element by element."""

    @table(rf"llvm\.{name}\..*")
    def meaning(machine, type_, types, arguments):
        _count, width = shape(type_)
        known = [
            lanes(concrete(a, name), shape(t)[0], shape(t)[1])
            for a, t in zip(arguments, types, strict=True)
        ]
        del machine
        return joined([operation(width, *e) for e in zip(*known, strict=True)], width)


on_known("umax", lambda width, a, b: max(a, b))
on_known("umin", lambda width, a, b: min(a, b))
on_known("smax", lambda width, a, b: max(a, b, key=lambda e: signed(e, width)))
on_known("smin", lambda width, a, b: min(a, b, key=lambda e: signed(e, width)))
on_known("usub\\.sat", lambda width, a, b: max(0, a - b))


@table(r"llvm\.vector\.reduce\.xor\..*")
def reduce_xor(machine, type_, types, arguments):
    """The sum of all elements without carries."""
    del type_
    return simplified(machine.domain.total(rows(machine, types[0], arguments[0])))


# --- Multiplication without carries ---------------------------------------------------------------


def carryless(machine, a, b):
    """Returns the codes of the product of two polynomials, with as many bits as both have."""
    if not machine.domain.remembers:
        return machine.domain.carryless(a, b)
    key = ("carryless", a.tobytes(), b.tobytes())
    if key not in machine.results:
        machine.results[key] = machine.domain.carryless(a, b)
    return machine.results[key]


@table(r"llvm\.x86\.pclmulqdq(\.\d+)?")
def multiply_x86(machine, type_, types, arguments):
    """PCLMULQDQ and VPCLMULQDQ: one word of each block of 128 bits times one of the other."""
    a, b = (rows(machine, type_, value) for value in arguments[:2])
    which = concrete(arguments[2], "an immediate")
    del types
    parts = [
        carryless(machine, a[block + (which & 1)], b[block + (which >> 4 & 1)])
        for block in range(0, type_.count, 2)
    ]
    return np.concatenate(parts)


@table(r"llvm\.aarch64\.neon\.pmull64")
def multiply_arm(machine, type_, types, arguments):
    """PMULL of 64-bit words."""
    a, b = (machine.codes(value, 64) for value in arguments)
    del type_, types
    return carryless(machine, a, b)


@table(r"llvm\.aarch64\.neon\.pmull\.v8i16")
def multiply_bytes_arm(machine, type_, types, arguments):
    """PMULL of bytes."""
    a, b = (machine.codes(value, 64).reshape(8, 8) for value in arguments)
    del type_, types
    return np.concatenate([carryless(machine, x, y) for x, y in zip(a, b, strict=True)])


@table(r"llvm\.x86\.vgf2p8affineqb\.\d+")
def affine_bytes(machine, type_, types, arguments):
    """GF2P8AFFINEQB: each byte of the first operand times the matrix in its word of the second."""
    domain = machine.domain
    size = type_.count
    vectors = machine.codes(arguments[0], 8 * size).reshape(size, 1, 8)
    matrices = machine.codes(arguments[1], 8 * size).reshape(size // 8, 8, 8)[:, ::-1]
    matrices = np.repeat(matrices, 8, axis=0)  # [byte][row of the result][column]
    products = domain.both(matrices, np.broadcast_to(vectors, matrices.shape))
    sums = domain.total(np.moveaxis(products, 2, 0))
    constant = concrete(arguments[2], "an immediate")
    del types
    if constant:
        flips = machine.codes(constant, 8)
        sums = domain.xor(sums, np.broadcast_to(flips, sums.shape))
    return sums.ravel()


@table(r"llvm\.x86\.vgf2p8mulb\.\d+")
def multiply_bytes(machine, type_, types, arguments):
    """GF2P8MULB: products in GF(2)[x] / (x^8 + x^4 + x^3 + x + 1)."""
    domain = machine.domain
    a, b = (rows(machine, type_, value) for value in arguments)
    del types
    result = []
    for x, y in zip(a, b, strict=True):
        product = carryless(machine, x, y).copy()
        for top in range(15, 7, -1):
            for place in (top - 8, top - 7, top - 5, top - 4):
                product[place] = domain.xor(product[place : place + 1], product[top : top + 1])[0]
        result.append(product[:8])
    return np.concatenate(result)


# --- Table look-ups and moves ---------------------------------------------------------------------


def look_up(machine, table_bytes, indices):
    """Returns table[index] for known tables and indices whose four bits may be anything.

    table_bytes: for each index 16 bytes, indices[n][4] codes. Each bit of the result is a
    polynomial in the bits of the index; its coefficients come from the table [Moebius].
    """
    domain = machine.domain
    tables = np.array(table_bytes, dtype=np.uint8)  # [n][16]
    truth = np.unpackbits(tables[:, :, None], axis=2, bitorder="little")  # [n][16][8]
    for bit in range(4):
        for at in range(16):
            if at >> bit & 1:
                truth[:, at] ^= truth[:, at ^ (1 << bit)]
    count = len(indices)
    terms = []
    for monomial in range(16):
        product = np.full(count, domain.one, dtype=domain.dtype)
        for bit in range(4):
            if monomial >> bit & 1:
                product = domain.both(product, indices[:, bit])
        spread = np.broadcast_to(product[:, None], (count, 8))
        terms.append(np.where(truth[:, monomial] == 1, spread, 0).astype(domain.dtype))
    return domain.total(np.stack(terms))


def look_up_any(machine, codes, indices):
    """The same for tables that may be anything: codes[16 n][8], one of 16 bytes for 16 indices."""
    domain = machine.domain
    left = np.repeat(codes.reshape(-1, 16, 8), 16, axis=0)  # for each index what may still be it
    for bit in range(4):
        even, odd = left[:, 0::2], left[:, 1::2]
        chosen = np.broadcast_to(indices[:, bit, None, None], even.shape)
        left = domain.xor(even, domain.both(chosen, domain.xor(even, odd)))
    return left[:, 0]


@table(r"llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b|avx512\.pshuf\.b\.512)")
def shuffle_bytes(machine, type_, types, arguments):
    """PSHUFB: in each block of 16 bytes; an index with its top bit gives zero."""
    size = type_.count
    source, indices = arguments[0], simplified(arguments[1])
    del types
    codes = machine.codes(source, 8 * size).reshape(size, 8)
    if type(indices) is int:
        result = np.zeros((size, 8), dtype=machine.domain.dtype)
        for at, index in enumerate(lanes(indices, size, 8)):
            if index < 128:
                result[at] = codes[at & ~15 | index & 15]
        return result.ravel()
    known_table = simplified(source)
    places = machine.codes(indices, 8 * size).reshape(size, 8)
    if (places[:, 7] != 0).any():
        raise Unsupported("PSHUFB with a top bit that is not known")
    if type(known_table) is not int:
        return look_up_any(machine, codes, places[:, :4]).ravel()
    content = lanes(known_table, size, 8)
    tables = [content[at & ~15 :][:16] for at in range(size)]
    return look_up(machine, tables, places[:, :4]).ravel()


@table(r"llvm\.x86\.avx512\.permvar\..*|llvm\.x86\.avx2\.permd")
def permute(machine, type_, types, arguments):
    """VPERMB, VPERMW, VPERMD, VPERMQ: elements by known numbers."""
    count, width = shape(type_)
    parts = rows(machine, type_, arguments[0])
    indices = lanes(concrete(arguments[1], "the number of an element"), count, width)
    del types
    return simplified(parts[[index % count for index in indices]].ravel())


@table(r"llvm\.x86\.avx512\.vpermi2var\..*")
def permute_two(machine, type_, types, arguments):
    """VPERMI2*: elements of two vectors by known numbers."""
    count, width = shape(type_)
    parts = np.concatenate([rows(machine, type_, arguments[k]) for k in (0, 2)])
    indices = lanes(concrete(arguments[1], "the number of an element"), count, width)
    del types
    return simplified(parts[[index % (2 * count) for index in indices]].ravel())


@table(r"llvm\.x86\.avx512\.pternlog\..*")
def ternary(machine, type_, types, arguments):
    """VPTERNLOG: a function of three bits, as a polynomial in them."""
    domain = machine.domain
    bits = type_.bits
    operands = [machine.codes(value, bits) for value in arguments[:3]]
    truth = concrete(arguments[3], "an immediate")
    del types
    values = [truth >> i & 1 for i in range(8)]  # by 4 a + 2 b + c
    for bit in (1, 2, 4):
        for at in range(8):
            if at & bit:
                values[at] ^= values[at ^ bit]
    result = np.zeros(bits, dtype=domain.dtype)
    for at in range(8):
        if values[at]:
            product = np.full(bits, domain.one, dtype=domain.dtype)
            for operand, bit in zip(operands, (4, 2, 1), strict=True):
                if at & bit:
                    product = domain.both(product, operand)
            result = domain.xor(result, product)
    return result


def shift_by_register(name, left):
    """PSLL*, PSRL*: all elements by the number in the low word of the last argument."""

    @table(rf"llvm\.x86\.(sse2|avx2|avx512)\.{name}\.[dqw](\.512)?")
    def meaning(machine, type_, types, arguments):
        places = arguments[1]
        places = places if type(places) is int else machine.codes(places, 128)[:64]
        places = concrete(places, "the distance of a shift") & (2**64 - 1)
        parts = rows(machine, type_, arguments[0])
        result = np.zeros_like(parts)
        width = type_.element.bits
        del types
        if places < width:
            if left:
                result[:, places:] = parts[:, : width - places]
            else:
                result[:, : width - places] = parts[:, places:]
        return simplified(result.ravel())


shift_by_register("psll", left=True)
shift_by_register("psrl", left=False)


@table(r"llvm\.x86\.(sse41|avx2)\.pblendvb")
def blend_bytes(machine, type_, types, arguments):
    """PBLENDVB: bytes of the second vector where the top bit of the third one's byte is set."""
    domain = machine.domain
    first, second, mask = (rows(machine, type_, value) for value in arguments)
    choice = np.repeat(mask[:, 7:], 8, axis=1)
    chosen = domain.xor(first, domain.both(choice, domain.xor(first, second)))
    del types
    return np.where(choice == domain.one, second, chosen).astype(domain.dtype).ravel()


def shift_each(name, left):
    """VPSLLV*, VPSRLV*: each element by its own number of places, which may be too large."""
    step = 1 if left else -1  # elements that go right are taken from their other end

    @table(rf"llvm\.x86\.(avx2|avx512)\.{name}\..*")
    def shift(machine, type_, types, arguments):
        count, width = shape(type_)
        result = np.zeros((count, width), dtype=machine.domain.dtype)
        values, distances = (rows(machine, type_, value) for value in arguments)
        for row, codes, places in zip(result, values, distances, strict=True):
            by = simplified(places)
            if type(by) is not int:
                row[::step] = machine.domain.shift_left(codes[::step].copy(), places)
            elif by < width:
                row[::step][by:] = codes[::step][: width - by]
        del types
        return simplified(result.ravel())


shift_each("psllv", left=True)
shift_each("psrlv", left=False)


@table(r"llvm\.x86\.bmi\.pdep\.(32|64)")
def deposit(machine, type_, types, arguments):
    """PDEP: the lowest bits go to the places of a known mask."""
    codes = machine.codes(arguments[0], type_.bits)
    mask = concrete(arguments[1], "the mask of PDEP")
    result = np.zeros(type_.bits, dtype=machine.domain.dtype)
    taken = [place for place in range(type_.bits) if mask >> place & 1]
    result[taken] = codes[: len(taken)]
    del types
    return result
