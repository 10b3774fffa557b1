# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meanings of the vector instructions of x86-64 that compute in each element: SSE, AVX, AVX-512.

Where the engine has the meaning of LLVM's function for an instruction, that one is used, so that
each domain treats both alike.
"""

import functools
import typing

import numpy as np

from proofs.kernels.engine.arithmetic import one_element, shifted
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.intrinsics import INTRINSICS
from proofs.kernels.engine.ir import Unsupported, integer, vector
from proofs.kernels.engine.operations import elements
from proofs.machine.integers import bitwise, inverted
from proofs.machine.operands import REGISTERS, meaning, part

WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}
BLOCK = 128  # bits within which most instructions move elements


# --- Operands -------------------------------------------------------------------------------------


class Vector:
    """The operands of a vector instruction: sources, and where the result goes.

    width: the bits of an element, by which masks choose and memory is repeated.
    """

    def __init__(self, form, width, first=None, bits=None):
        self.form, self.width, self.processor = form, width, form.processor
        i = form.instruction
        self.bits = bits or form.bits(0)
        self.count = self.bits // width
        self._write = form.write(0)
        start = first if first is not None else 0 if form.legacy else 1
        self.sources = [self._source(k) for k in range(start, form.count)]
        self._old = form.read(0, self.bits) if form.is_register(0) else None
        self._mask = i.op_mask - REGISTERS.K0 if i.op_mask != REGISTERS.NONE else None
        self._zeroes = i.zeroing_masking

    def _source(self, k):
        form = self.form
        if not form.is_register(k) and not form.is_immediate(k) and form.instruction.is_broadcast:
            read = form.read(k, self.width)
            return lambda: repeated(self.processor, read(), self.width, self.count)
        if form.is_immediate(k):
            return form.read(k)
        bits = min(self.bits, form.bits(k)) if form.is_register(k) else form.bits(k)
        read = form.read(k, bits)
        masked = form.instruction.op_mask != REGISTERS.NONE and not form.is_register(k)
        return self._chosen(read, form.place(), bits) if masked else read

    def _chosen(self, read, place, bits):
        """Reads memory of which a mask chooses elements: the others may be outside of an object."""

        def value():
            try:
                return read()
            except IndexError:
                processor, size = self.processor, self.width // 8
                mask = part(processor.masks[self._mask], 0, self.count)
                chosen = processor.known(mask, "the mask of a load")
                codes = np.full(bits, processor.domain.unknown, dtype=processor.domain.dtype)
                for at in range(self.count):
                    if chosen >> at & 1:
                        element = processor.load(place() + at * size, size)
                        codes[at * self.width :][: self.width] = processor.codes(
                            element, self.width
                        )
                return codes

        return value

    def write(self, result):
        """Writes the result, where the mask has its elements."""
        if self._mask is not None:
            result = self.masked(result)
        self._write(result)

    def masked(self, result):
        """Returns the elements that the mask chooses, and others as they were, or zero."""
        processor, count, width = self.processor, self.count, self.width
        chosen = part(processor.masks[self._mask], 0, count)
        if chosen == (1 << count) - 1 if type(chosen) is int else False:
            return result
        new = processor.codes(result, self.bits)
        old = 0 if self._zeroes else self._old()
        choice, old = processor.codes(chosen, count), processor.codes(old, self.bits)
        if hasattr(processor.domain, "choose_number") and type(chosen) is not int:
            return self._by_number(choice, new, old)
        return blended(processor, np.repeat(choice, width), new, old)

    def _by_number(self, choice, new, old):
        """Chooses elements that may differ by a known number."""
        processor, parts = self.processor, []
        pairs = zip(new.reshape(self.count, -1), old.reshape(self.count, -1), strict=True)
        for bit, (one, zero) in zip(choice, pairs, strict=True):
            found = processor.domain.choose_number(bit, one, zero)
            if found is None:
                found = blended(processor, np.repeat(bit, self.width), one, zero)
            parts.append(found)
        return np.concatenate(parts)


def blended(processor, choice, one, zero):
    """Returns codes of choice ? one : zero, bit by bit."""
    domain = processor.domain
    ones = choice == domain.one
    result = np.where(ones, one, zero)
    open_ = ~(ones | (choice == 0))
    if open_.any():
        x, y = one[open_], zero[open_]
        result[open_] = domain.xor(domain.both(choice[open_], domain.xor(x, y)), y)
    return result.astype(domain.dtype)


def repeated(processor, value, width, count):
    """Returns a vector of equal elements."""
    if type(value) is int:
        return value * (((1 << width * count) - 1) // ((1 << width) - 1))
    return np.tile(processor.codes(value, width), count)


def rows(processor, value, count, width):
    """Returns the codes of a vector, a row for each element."""
    return processor.codes(value, count * width).reshape(count, width)


@functools.cache
def type_of(count, width):
    """Returns LLVM's type of a vector."""
    return vector(count, integer(width))


def engine(processor, name, result, types, values):
    """Returns what the engine makes of a function of LLVM; types are (count, width)."""
    domain: typing.Any = type(processor.domain)
    found = meaning_of(name, domain)
    return found(processor, type_of(*result), [type_of(*t) for t in types], values)


@functools.cache
def meaning_of(name: str, domain: typing.Any):
    """Returns the meaning of a function of LLVM in a class of domains."""
    for pattern, found in (*domain.meanings, *INTRINSICS):
        if pattern.fullmatch(name):
            return found
    raise Unsupported(f"{name} has no meaning in this domain")


def by_element(processor, name, x, y, count, width):
    """Returns sums, differences or products of elements."""
    x, y = (
        elements(processor, simplified(x), count, width),
        elements(processor, simplified(y), count, width),
    )
    parts = [one_element(processor, name, p, q, width) for p, q in zip(x, y, strict=True)]
    if all(type(element) is int for element in parts):
        return sum(element << width * at for at, element in enumerate(parts))
    return np.concatenate([processor.codes(element, width) for element in parts])


def width_of(name):
    """Returns the width that the last letter of a mnemonic names."""
    return WIDTHS[name[-1]]


def both_forms(names):
    """Returns mnemonics of the old instructions, and those with v before them."""
    return " ".join(f"{name} v{name}" for name in names.split())


# --- Bits -----------------------------------------------------------------------------------------

LOGIC = {"and": "and", "or": "or", "xor": "xor"}


@meaning(
    both_forms("pand por pxor pandn andps orps xorps andnps andpd orpd xorpd andnpd")
    + " vpandd vpord vpxord vpandnd vpandq vporq vpxorq vpandnq"
)
def logic(form):
    """AND, OR, XOR, AND of the complement of the first operand."""
    name = form.name.removeprefix("v").removeprefix("p")
    width = 64 if name.endswith(("q", "pd")) else 32
    name = name.removesuffix("ps").removesuffix("pd")
    name = name[:-1] if name not in ("and", "or", "xor", "andn") else name
    v = Vector(form, width)
    processor, bits = form.processor, v.bits
    first = 0 if form.legacy else 1
    alike = form.same(first, first + 1)
    a, b = v.sources

    def run():
        if alike and name in ("xor", "andn"):
            v.write(0)
            return
        x = inverted(processor, a(), bits) if name == "andn" else a()
        v.write(x if alike else bitwise(processor, LOGIC.get(name, "and"), x, b(), bits))

    return run


ANY_OF_THREE = 0xFE  # the table of an or


@meaning("vpternlogd vpternlogq")
def ternary(form):
    """VPTERNLOG"""
    v = Vector(form, width_of(form.name), first=0)
    processor, shape = form.processor, (v.count, v.width)
    a, b, c, table = v.sources
    truth = table()

    terms = polynomial(truth)

    def run():
        if truth in (0, 255):
            v.write(((1 << v.bits) - 1) * (truth & 1))
        elif truth == ANY_OF_THREE:
            first = bitwise(processor, "or", a(), b(), v.bits)
            v.write(bitwise(processor, "or", first, c(), v.bits))
        elif 7 in terms:
            values = [a(), b(), c(), truth]
            v.write(engine(processor, "llvm.x86.avx512.pternlog.", shape, [shape] * 3, values))
        else:
            values = [processor.codes(read(), v.bits) for read in (a, b, c)]
            v.write(
                simplified(quadratic(form.domain, terms, dict(zip((4, 2, 1), values, strict=True))))
            )

    return run


def polynomial(truth):
    """Returns the monomials of a function of three bits, sets of operands: 4, 2, 1 are the first,
    the second and the third one."""
    values = [truth >> i & 1 for i in range(8)]
    for bit in (1, 2, 4):
        for at in range(8):
            if at & bit:
                values[at] ^= values[at ^ bit]
    return {at for at in range(8) if values[at]}


def quadratic(domain, terms, values):
    """Returns a polynomial of degree two with one product at most, as a choice is written:
    a b + b c = b (a + c), and a b + a c + b c = (a + b) (a + c) + a."""
    bits = values[1].size
    result = np.full(bits, domain.one if 0 in terms else 0, dtype=domain.dtype)
    linear = [bit for bit in (1, 2, 4) if bit in terms]
    pairs = [pair for pair in (3, 5, 6) if pair in terms]
    if len(pairs) == 1:
        x, y = (values[bit] for bit in (1, 2, 4) if bit & pairs[0])
        result = domain.xor(result, domain.both(x, y))
    elif pairs:
        shared = pairs[0] & pairs[1] if len(pairs) == 2 else 4
        x, y = (values[bit] for bit in (1, 2, 4) if bit != shared)
        if len(pairs) == 2:
            result = domain.xor(result, domain.both(values[shared], domain.xor(x, y)))
        else:
            x, y = (domain.xor(values[shared], other) for other in (x, y))
            result = domain.xor(result, domain.xor(domain.both(x, y), values[shared]))
    for bit in linear:
        result = domain.xor(result, values[bit])
    return result


# --- Integers -------------------------------------------------------------------------------------


@meaning(both_forms("paddb paddw paddd paddq psubb psubw psubd psubq pmullw pmulld") + " vpmullq")
def arithmetic(form):
    """Sums, differences and the lower halves of products."""
    base = form.name.removeprefix("v")
    name = {"pad": "add", "psu": "sub", "pmu": "mul"}[base[:3]]
    v = Vector(form, width_of(base))
    first = 0 if form.legacy else 1
    alike = form.same(first, first + 1)
    zero = name == "sub" and alike
    a, b = v.sources

    def twice():
        codes = rows(form.processor, a(), v.count, v.width)
        v.write(simplified(shifted(form.processor, "shl", codes, 1).ravel()))

    if alike and name == "add":
        return twice

    def run():
        v.write(0 if zero else by_element(form.processor, name, a(), b(), v.count, v.width))

    return run


@meaning(both_forms("pmuludq"))
def multiply_even(form):
    """PMULUDQ: products of the lower halves of words."""
    v = Vector(form, 64)
    a, b = v.sources

    def lower(value):
        codes = rows(form.processor, value, v.count, 64).copy()
        codes[:, 32:] = 0
        return codes.ravel()

    def run():
        v.write(by_element(form.processor, "mul", lower(a()), lower(b()), v.count, 64))

    return run


@meaning(both_forms("pmulhuw pmulhw"))
def multiply_high(form):
    """PMULHUW, PMULHW: the upper halves of products of 16 bits."""
    v = Vector(form, 16)
    a, b = v.sources
    sign = not form.name.endswith("uw")

    def wide(value):
        codes = rows(form.processor, value, v.count, 16)
        result = np.zeros((v.count, 32), dtype=form.domain.dtype)
        result[:, :16] = codes
        if sign:
            result[:, 16:] = codes[:, 15:]
        return result.ravel()

    def run():
        product = by_element(form.processor, "mul", wide(a()), wide(b()), v.count, 32)
        v.write(rows(form.processor, product, v.count, 32)[:, 16:].ravel())

    return run


def extremes():
    """Yields the mnemonics of larger and smaller numbers, and LLVM's names."""
    for name in ("pmaxs", "pmaxu", "pmins", "pminu"):
        for letter in "bwdq":
            base = f"{name}{letter}"
            yield base, f"llvm.{name[4]}{name[1:4]}.v"


EXTREMES = {**dict(extremes()), **{f"v{base}": name for base, name in extremes()}}


@meaning(" ".join(EXTREMES))
def extreme(form):
    """The larger or the smaller number of each pair."""
    return through_engine(form, EXTREMES[form.name], width_of(form.name))


def through_engine(form, name, width, count=None):
    """Runs a function of LLVM whose operands have the shape of its result."""
    v = Vector(form, width)
    shape = (v.count, v.width)
    sources = v.sources[:count]

    def run():
        values = [read() for read in sources]
        v.write(engine(form.processor, name, shape, [shape] * len(values), values))

    return run


@meaning(both_forms("pabsb pabsw pabsd") + " vpabsq")
def absolute(form):
    """PABS"""
    v = Vector(form, width_of(form.name), first=1)
    shape, source = (v.count, v.width), v.sources[0]
    return lambda: v.write(engine(form.processor, "llvm.abs.v", shape, [shape], [source()]))


@meaning("vpopcntb vpopcntw vpopcntd vpopcntq")
def count_ones(form):
    """VPOPCNT"""
    v = Vector(form, width_of(form.name), first=1)
    shape, source = (v.count, v.width), v.sources[0]
    return lambda: v.write(engine(form.processor, "llvm.ctpop.v", shape, [shape], [source()]))


@meaning(both_forms("packsswb"))
def pack_signed(form):
    """PACKSSWB"""
    return packed(form, 8, saturated_signed)


@meaning(both_forms("packssdw"))
def pack_signed_words(form):
    """PACKSSDW"""
    return packed(form, 16, saturated_signed)


@meaning(both_forms("packuswb"))
def pack_unsigned(form):
    """PACKUSWB"""
    return packed(form, 8, saturated_unsigned)


@meaning(both_forms("packusdw"))
def pack_words(form):
    """PACKUSDW"""
    return packed(form, 16, saturated_unsigned)


def saturated_signed(domain, x, width):
    """Returns the nearest signed number of so many bits."""
    sign = x[-1:]
    fits = domain.equal(x[width - 1 :], np.full(x.size - width + 1, x[-1], dtype=domain.dtype))
    limit = np.concatenate([domain.invert(np.repeat(sign, width - 1)), sign])
    return limited(domain, fits, x[:width], limit)


def saturated_unsigned(domain, x, width):
    """Returns the nearest number without sign of so many bits."""
    fits = domain.equal(x[width:], np.zeros(x.size - width, dtype=domain.dtype))
    return limited(domain, fits, x[:width], np.repeat(domain.invert(x[-1:]), width))


def limited(domain, fits, value, limit):
    """Returns fits ? value : limit."""
    if fits[0] == domain.one:
        return value
    return domain.xor(domain.both(np.repeat(fits, value.size), domain.xor(value, limit)), limit)


def packed(form, width, saturated):
    """Narrows the elements of both operands, in each block."""
    v = Vector(form, width)
    a, b = v.sources
    processor, each = form.processor, BLOCK // (2 * width)

    def run():
        x, y = (rows(processor, value(), v.count // 2, 2 * width) for value in (a, b))
        parts = []
        for block in range(0, v.count // 2, each):
            for operand in (x, y):
                parts += [saturated(form.domain, row, width) for row in operand[block:][:each]]
        v.write(simplified(np.concatenate(parts)))

    return run


@meaning("phminposuw vphminposuw")
def smallest(form):
    """PHMINPOSUW"""
    v = Vector(form, 16, first=1)
    shape, source = (8, 16), v.sources[0]
    name = "llvm.x86.sse41.phminposuw"
    return lambda: v.write(engine(form.processor, name, shape, [shape], [source()]))


@meaning(both_forms("psadbw"))
def sums_of_bytes(form):
    """PSADBW: in each word the sum of the distances of its bytes."""
    v = Vector(form, 64)
    a, b = v.sources
    processor = form.processor

    def run():
        pairs = zip(*(rows(processor, x(), 8 * v.count, 8) for x in (a, b)), strict=True)
        parts = [byte_distance(processor, *pair) for pair in pairs]
        sums = []
        for at in range(0, len(parts), 8):
            total = 0
            for part_ in parts[at : at + 8]:
                total = one_element(processor, "add", total, simplified(part_), 64)
            sums.append(processor.codes(total, 64))
        v.write(simplified(np.concatenate(sums)))

    return run


def byte_distance(processor, x, y):
    """Returns the distance of two bytes as codes of 64 bits."""
    domain = processor.domain
    result = np.zeros(64, dtype=domain.dtype)
    result[:8] = x
    if y.any():
        less = np.repeat(domain.less(x, y), 8)
        pair = (domain.subtract(y, x), domain.subtract(x, y))
        result[:8] = blended(processor, less, *pair)
    return result
