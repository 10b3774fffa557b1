# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Solomon decoding of HQC in machine code, where no function of the field is left.

With GFNI an instruction multiplies: it stands for the product in the field, of which nothing but
its operands matters. With AVX2 products are sums of products of bits, and the specification
multiplies in the same two ways: bit by bit, or by a table of one operand's multiples.
"""

import numpy as np

from proofs.kernels.codes import AES, Encode, encoded, field_of
from proofs.kernels.decoders import X_IN_AES, Decode, Field, decoded
from proofs.kernels.engine.bits import simplified
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import adding_to, rows
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import MEANINGS, Terms
from proofs.machine.pieces import Pieces

WORD = 64  # bits
ORDER = 255  # of the elements but 0
OF_FIELDS: list = []
table = adding_to(OF_FIELDS)


@table(r"llvm\.x86\.vgf2p8mulb\.\d+")
def multiply_bytes(machine, type_, types, arguments):
    """GF2P8MULB as the product of a field."""
    a, b = (rows(machine, type_, value) for value in arguments)
    del types
    return simplified(
        np.concatenate([machine.domain.field.times(x, y) for x, y in zip(a, b, strict=True)])
    )


class OfFields(Terms):
    """Terms for code that computes in a field, and that asks by numbers whether a byte is zero."""

    meanings = OF_FIELDS + MEANINGS
    field: Field

    def __init__(self):
        super().__init__()
        self._factors = {}  # code of a product -> a factor -> the other one

    def both(self, a, b):
        """Codes of products, of which the factors are kept."""
        codes = super().both(a, b)
        for x, y, code in np.broadcast(a, b, codes):
            if code not in (0, -1, x, y):
                self._factors.setdefault(code, {}).update({x: y, y: x})
        return codes

    def either(self, a, b):
        """Codes of a or b. By a mask and its complement it is a choice, which is the same product
        however it is written."""
        codes = super().either(a, b)
        for at, (x, y) in enumerate(np.broadcast(a, b)):
            more = self._factors.get(y, {})
            for mask, one in self._factors.get(x, {}).items():
                if ~mask in more:
                    zero = more[~mask]
                    codes.flat[at] = zero ^ self._product(mask, one ^ zero)
                    break
        return codes

    def codes_of(self, sum_, bits):
        """See Terms. Above the bits of x, those of -x say whether x is zero."""
        codes = super().codes_of(sum_, bits)
        (atom, factor), *more = sum_.items() or [((), 0)]
        if factor == -1 and not more and 1 < len(atom) < bits:
            zero = self.equal(np.array(atom, dtype=object), np.zeros(len(atom), dtype=object))
            codes = codes.copy()
            codes[len(atom) :] = ~zero[0]
            self._sums.setdefault(tuple(codes), dict(sum_))
        return codes


class Powers(Field):
    """A field in which the product of two powers of an element is a power of it."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._powers = {}  # codes of an element -> of what it is a power, and which

    def times(self, x, y):
        """See Field."""
        if not x.any() or not y.any():
            return np.zeros(8, dtype=object)
        (a, m), (b, n) = (self._powers.get(tuple(v), (tuple(v), 1)) for v in (x, y))
        if a != b or type(simplified(x)) is int:
            return super().times(x, y)
        k = (m + n - 1) % ORDER + 1
        base = np.array(a, dtype=object)
        if k == ORDER - 1:
            return self.inverse(base)
        exponent = np.array([-(k >> i & 1) for i in range(8)], dtype=object)
        power = base if k == 1 else self.domain.function("power", [base, exponent], 8)
        self._powers[tuple(power)] = (a, k)
        return power


class OfBits(Field):
    """A field in which products are sums of products of bits."""

    def times(self, x, y):
        """Each bit of one operand times each bit of the other."""
        return self._sum(x, y, apart=True)

    def scale(self, scalar, x):
        """Each bit of x times a multiple of the scalar."""
        return self._sum(scalar, x, apart=False)

    def _sum(self, x, y, apart):
        result = np.zeros(8, dtype=object)
        for place, bit in enumerate(y):
            chosen = np.full(8, bit, dtype=object)
            images = [1 << i for i in range(8)]
            image = self.domain.both(chosen, x) if apart else x
            for _ in range(place):
                images = [self._doubled(value) for value in images]
            moved = self.linear(image, images)
            result = result ^ (moved if apart else self.domain.both(chosen, moved))
        return result

    def _doubled(self, value):
        return value << 1 ^ (self.modulus if value >> 7 else 0)

    def inverse(self, x):
        """x^254, by the powers that reed_solomon.template.h takes."""
        square = lambda a: self.times(a, a)  # noqa: E731
        x3 = self.times(square(x), x)
        x6 = square(x3)
        x15 = self.times(square(x6), x3)
        x120 = square(square(square(x15)))
        return square(self.times(self.times(x120, x6), x))


class WholeDecode(Decode):
    """reed_solomon_decode of a back end for one of the codes, to its last instruction."""

    domain: type[OfFields] = OfFields

    def field_in(self, domain):
        """Returns the field in which the specification computes."""
        return Powers(domain, AES, X_IN_AES) if field_of(self.backend) == AES else OfBits(domain)

    def prove(self, module):
        """Raises NotProved unless every message is decoded as specified."""
        domain = self.domain()
        field = domain.field = self.field_in(domain)
        machine = Machine(module, domain)
        received = machine.memory("received", self.length)
        received.memory.bits[:] = domain.free(8 * self.length)
        message = machine.memory("message", self.size)
        ops = machine.address(f"ckem_hqc_codes_{self.backend}")
        code = machine.address(f"code_{self.code}.params")
        word = received.memory.bits.reshape(-1, 8).copy()
        machine.call(ops.memory.pointers[24].name, [code, message, received])
        expected = decoded(field, word, self.length, self.size)
        wrong = np.flatnonzero(message.memory.bits != expected)
        if wrong.size:
            raise NotProved(f"{self!r}: bit {wrong[0]} of the message can be wrong")


class OfWords(Pieces, OfFields):
    """Eight bytes in a word: whether one is zero is asked by a carry out of its lower bits."""

    LOW = np.array([0 if at % 8 == 7 else -1 for at in range(WORD)], dtype=object)

    def __init__(self):
        super().__init__()
        self._nonzero = {}  # code of a bit -> codes of bits of which one is 1

    def add(self, a, b, factor=1):
        """See Pieces."""
        if factor == 1 and a.size == WORD and (b == self.LOW).all() and not a[7::8].any():
            codes = self.free(WORD)
            codes[7::8] = [self._any(byte[:7]) for byte in a.reshape(-1, 8)]
            return codes
        return super().add(a, b, factor)

    def either(self, a, b):
        """See OfFields."""
        codes = super().either(a, b)
        for at, pair in enumerate(np.broadcast(a, b)):
            x, y = pair if pair[0] in self._nonzero else pair[::-1]
            if x in self._nonzero and y not in (0, -1):
                codes.flat[at] = self._any([*self._nonzero[x], y])
        return codes

    def _any(self, bits):
        """Returns the code of: one of some bits is 1."""
        bits = np.array(bits, dtype=object)
        code = ~self.equal(bits, np.zeros(bits.size, dtype=object))[0]
        self._nonzero[code] = bits
        return code

    def codes_of(self, sum_, bits):
        """See Pieces; above the bits of x, those of -x say whether x is zero."""
        codes = super().codes_of(sum_, bits)
        factors = sorted(-factor for factor in sum_.values())
        size, lone = len(factors), all(len(atom) == 1 for atom in sum_)
        if 1 < size < bits and lone and factors == [1 << at for at in range(size)]:
            codes = codes.copy()
            codes[size:] = self._any([atom[0] for atom in sum_])
            self._sums.setdefault(tuple(codes), dict(sum_))
        return codes


class OfMultiples(OfBits):
    """A field in which every product is one of an element's multiples by bits of the other one."""

    def times(self, x, y):
        """See Field."""
        return self.scale(x, y)


class PortableDecode(WholeDecode):
    """The same of portable code."""

    domain = OfWords

    def field_in(self, domain):
        """See WholeDecode."""
        return OfMultiples(domain)


class PortableEncode(Encode):
    """reed_solomon_encode of portable code for one of the codes, in the same domain."""

    def prove(self, module):
        """Raises NotProved unless each bit is the sum of those that the specification says."""
        machine = Machine(module, OfWords())
        setting = self(machine, machine.domain.free)
        message = setting.operands["message"].copy()
        machine.call(setting.function, setting.arguments)
        expected = np.zeros(8 * self.length, dtype=object)
        for at, bit in enumerate(message):
            image = encoded(1 << at, self.length, self.size)
            expected ^= [bit if image >> i & 1 else 0 for i in range(expected.size)]
        pointer, _ = setting.results["codeword"]
        wrong = np.flatnonzero(pointer.memory.bits != expected)
        if wrong.size:
            raise NotProved(f"{self!r}: bit {wrong[0]} of the code word can be wrong")
