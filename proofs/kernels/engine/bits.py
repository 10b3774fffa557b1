# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of the interpreter, and what one can do with them without knowing what a bit means.

A value of n bits is a Python integer if all of its bits are known, and otherwise an array of n
codes, lowest bit first, which belong to a domain (degrees.py, samples.py, fingerprints.py). A
vector is its elements one behind the other, a pointer a Pointer.
"""

import functools
import secrets
import typing

import numpy as np


class Undecided(Exception):
    """A branch, an address or a length depends on the operands."""


class Anything:
    """The code of a bit of which nothing is known, where codes are objects. Whatever it is added to
    or multiplied by is not known either, but for a product with zero. It equals nothing, itself
    included: two such bits may be any two, and reading one twice may give two values."""

    __slots__ = ()
    __hash__ = None  # no key of a table may have it

    def __xor__(self, other):
        return self

    def __and__(self, other):
        return 0 if type(other) is int and other == 0 else self

    def __or__(self, other):
        return -1 if type(other) is int and other == -1 else self

    def __invert__(self):
        return self

    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __repr__(self):
        return "ANYTHING"

    __rxor__, __rand__, __ror__ = __xor__, __and__, __or__


ANYTHING = Anything()


def has_anything(*codes):
    """Tells whether nothing is known of one of the bits."""
    return any(code is ANYTHING for part in codes for code in part)


def random_numbers(count, bits):
    """Returns an array of so many random integers, of a whole number of bytes each."""
    size = (bits + 7) // 8
    raw = secrets.token_bytes(count * size)
    numbers = np.empty(count, dtype=object)
    numbers[:] = [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]
    return numbers


@functools.lru_cache(maxsize=1 << 12)
def known(value, bits, domain):
    """Returns the codes of a known value; nobody may write to the array."""
    raw = np.frombuffer(value.to_bytes((bits + 7) // 8, "little"), dtype=np.uint8)
    codes = np.unpackbits(raw, count=bits, bitorder="little").astype(domain.dtype)
    if domain.one != 1:
        codes = codes * domain.one
    codes.flags.writeable = False
    return codes


def simplified(codes):
    """Returns the value as an integer if all of its bits are known."""
    if type(codes) is not np.ndarray:
        return codes
    if codes.dtype == object:
        if codes.size and codes[0] not in (0, -1):
            return codes
        ones = codes == -1
        if not (ones | (codes == 0)).all():
            return codes
        return packed(ones)
    if codes.size and (codes[0] > 1 or codes.max() > 1):  # most often the first one says it
        return codes
    return packed(codes)


def packed(ones):
    """Returns the integer with these bits."""
    return int.from_bytes(np.packbits(ones.astype(np.uint8), bitorder="little"), "little")


def concrete(value, what):
    """Returns a value that must be known."""
    value = simplified(value)
    if type(value) is not int:
        raise Undecided(f"{what} depends on the operands")
    return value


def lanes(value, count, bits):
    """Returns the elements of a known vector."""
    mask = (1 << bits) - 1
    return [value >> (bits * i) & mask for i in range(count)]


def joined(elements, bits):
    """Returns the known vector of these elements."""
    mask = (1 << bits) - 1
    return sum((element & mask) << (bits * i) for i, element in enumerate(elements))


class Memory:
    """An object: codes of its bits; pointers that are stored in it are kept beside them."""

    def __init__(self, name, size, domain):
        self.name = name
        self.size = size
        self.bits = np.full(8 * size, domain.unknown, dtype=domain.dtype)
        self.pointers = {}

    def check(self, offset, size):
        """Raises an error for an access outside of the object."""
        if offset < 0 or offset + size > self.size:
            raise IndexError(f"{self.name}[{self.size}]: access to {size} bytes at {offset}")

    def load(self, offset, type_):
        """Returns the value of a type at an offset."""
        self.check(offset, type_.size)
        if self.pointers and type_.kind == "ptr" and offset in self.pointers:
            return self.pointers[offset]
        codes = self.bits[8 * offset : 8 * offset + type_.bits]
        value = simplified(codes)
        return codes.copy() if value is codes else value

    def store(self, offset, type_, value, domain):
        """Writes a value of a type to an offset."""
        self.check(offset, type_.size)
        if self.pointers:
            self.forget(offset, type_.size)
        start = 8 * offset
        if isinstance(value, Pointer):
            self.pointers[offset] = value
            self.bits[start : start + 64] = domain.unknown
            return
        if type(value) is int:
            value = known(value, type_.bits, domain)
        self.bits[start : start + type_.bits] = value
        self.bits[start + type_.bits : start + 8 * type_.size] = 0

    def forget(self, offset, size):
        """Removes pointers in a part that is written."""
        for at in [at for at in self.pointers if offset - 8 < at < offset + size]:
            del self.pointers[at]

    def copy_from(self, offset, source, source_offset, size):
        """memmove"""
        self.check(offset, size)
        source.check(source_offset, size)
        moved = {
            at - source_offset + offset: pointer
            for at, pointer in source.pointers.items()
            if source_offset <= at and at + 8 <= source_offset + size
        }
        codes = source.bits[8 * source_offset : 8 * (source_offset + size)].copy()
        self.forget(offset, size)
        self.bits[8 * offset : 8 * (offset + size)] = codes
        self.pointers.update(moved)


class Pointer:
    """An address: an object and an offset in bytes. Objects start at multiples of 64."""

    __slots__ = ("memory", "offset")

    def __init__(self, memory, offset=0):
        self.memory = memory
        self.offset = offset

    def __add__(self, step):
        return Pointer(self.memory, self.offset + step)

    def load(self, type_):
        """See Memory.load."""
        return self.memory.load(self.offset, type_)

    def store(self, type_, value, domain):
        """See Memory.store."""
        self.memory.store(self.offset, type_, value, domain)


class Code:
    """The address of a function."""

    def __init__(self, name):
        self.name = name


class Domain:
    """What a domain gives: codes of sums and products of bits, and of integer operations."""

    dtype: type = np.uint8  # of codes
    one = 1  # the code of the constant 1; that of 0 is 0
    # the code of a bit of which nothing is known: sums with it are not known either, and it never
    # is the same as another one or itself
    unknown: typing.Any = 255
    remembers = True  # whether equal codes give equal results, so that these are kept
    joins = False  # whether to make `or` of a choice of ones, which is the same
    # (pattern, meaning) of intrinsics, before those of intrinsics.py: see integers.py.
    meanings: typing.Sequence = ()

    def xor(self, a, b):
        """Codes of a + b, bit by bit."""
        raise NotImplementedError

    def both(self, a, b):
        """Codes of a b, bit by bit."""
        raise NotImplementedError

    def invert(self, a):
        """Codes of a + 1."""
        return self.xor(a, np.full(1, self.one, dtype=self.dtype))

    def either(self, a, b):
        """Codes of a + b + a b: of a or b."""
        return self.invert(self.both(self.invert(a), self.invert(b)))

    def total(self, codes):
        """Codes of the sum over the first axis."""
        result = codes[0]
        for row in codes[1:]:
            result = self.xor(result, row)
        return result

    def carryless(self, a, b):
        """Codes of the product of polynomials, with as many bits as both have."""
        products = self.both(a[:, None], b[None, :])
        steps = np.zeros((a.size, a.size + b.size), dtype=self.dtype)
        for i in range(a.size):
            steps[i, i : i + b.size] = products[i]
        return self.total(steps)

    def equal(self, a, b):
        """Code of a == b."""
        same = self.invert(self.xor(a, b))
        while same.size > 1:
            if same.size % 2:
                same = np.append(same, np.full(1, self.one, dtype=self.dtype))
            same = self.both(same[0::2], same[1::2])
        return same

    def look_up(self, pool, index):
        """Codes of the row of a pool that an index names, if the domain has a way of its own."""
        del pool, index

    @staticmethod
    def settle(value):
        """Codes of a value that the domain may have kept in a form of its own."""
        return value

    def shift_left(self, codes, places):
        """Codes of the bits moved by places that are not known; too large ones give zero."""
        inside = codes.size.bit_length() - 1 if codes.size & (codes.size - 1) == 0 else places.size
        for k in range(min(inside, places.size)):
            place = places[k : k + 1]
            if not place.any():
                continue  # what comes next is known to stay
            by = min(codes.size, 1 << min(k, 32))
            moved = np.zeros(codes.size, dtype=self.dtype)
            moved[by:] = codes[: codes.size - by]
            codes = self.xor(codes, self.both(place, self.xor(codes, moved)))
        for bit in dict.fromkeys(places[inside:].tolist()):  # these move all bits out
            stays = self.invert(np.full(1, bit, dtype=self.dtype))
            codes = self.both(codes, np.repeat(stays, codes.size))
        return codes

    def less(self, a, b):
        """Code of a < b for numbers without sign."""
        less = np.zeros(1, dtype=self.dtype)
        for at in range(a.size):
            x, y = a[at : at + 1], b[at : at + 1]
            differ = self.xor(x, y)
            less = self.xor(less, self.both(differ, self.xor(less, y)))
        return less
