# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Solomon decoding of HQC as a whole: syndromes, key equation, corrections.

Code and specification run in the domain of terms. There the product of two elements of which none
is known is a function of both, and so is an inverse: that back ends compute these is proved in
test_codes.py. Products by known elements are sums of bits. So both must take the same sums of the
same products of the same sums, and must choose by the same comparisons.

AVX-512 works in the field of AES, where its instructions multiply; the specification does the same
there. The map from one field to the other is given by the image of x.
"""

import numpy as np

from proofs.kernels.codes import AES, FILES, MODULUS, SIZES, VECTOR_BITS, field_of, times
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import Terms

X_IN_AES = 3  # what the map of the code sends x to


class Field:
    """A field of 256 elements, of which elements are codes of eight bits."""

    def __init__(self, domain, modulus=MODULUS, alpha=2):
        self.domain, self.modulus = domain, modulus
        self.powers = [1]  # of alpha, the element that stands for x
        for _ in range(254):
            self.powers.append(times(self.powers[-1], alpha, modulus))
        value = 1
        for _ in range(8):  # alpha^8 + alpha^4 + alpha^3 + alpha^2 + 1 = 0
            value = times(value, alpha, modulus)
        if (
            value ^ self.powers[4] ^ self.powers[3] ^ self.powers[2] ^ 1
            or len(set(self.powers)) < 255
        ):
            raise NotProved(f"{alpha} is no image of x")

    def linear(self, x, images):
        """Codes of the sum of images of the bits of x."""
        result = np.zeros(8, dtype=object)
        for bit, image in zip(x, images, strict=True):
            for at in range(8):
                result[at] ^= bit if image >> at & 1 else 0
        return result

    def times(self, x, y):
        """Codes of a product."""
        for a, b in ((x, y), (y, x)):
            if all(type(code) is int and code in (0, -1) for code in b):
                known = sum((code & 1) << i for i, code in enumerate(b))
                return self.linear(a, [times(1 << i, known, self.modulus) for i in range(8)])
        return self.domain.function("product", [x, y], 8, ordered=False)

    def scale(self, scalar, x):
        """Codes of a product by an element that many others are multiplied by."""
        return self.times(scalar, x)

    def by_power(self, x, n):
        """Codes of x times alpha^n."""
        factor = self.powers[n % 255]
        return self.linear(x, [times(1 << i, factor, self.modulus) for i in range(8)])

    def inverse(self, x):
        """Codes of an inverse, 0 for 0."""
        if all(type(code) is int and code in (0, -1) for code in x):
            known = sum((code & 1) << i for i, code in enumerate(x))
            value = next((v for v in range(256) if times(known, v, self.modulus) == 1), 0)
            return np.array([-(value >> i & 1) for i in range(8)], dtype=object)
        return self.domain.function("inverse", [x], 8)

    def from_standard(self, x):
        """Codes of what stands for an element of the standard's field."""
        return self.linear(x, self.powers[:8])

    def to_standard(self, x):
        """The other way."""
        back = {}
        for value in range(256):
            image = 0
            for i in range(8):
                image ^= self.powers[i] if value >> i & 1 else 0
            back[image] = value
        return self.linear(x, [back[1 << i] for i in range(8)])


# --- Specification --------------------------------------------------------------------------------


def constant(value, bits=32):
    """Codes of a known number."""
    return np.array([-(value >> i & 1) for i in range(bits)], dtype=object)


def key_equation(field, syndromes, delta):
    """Berlekamp's algorithm without inverses [SS01]: evaluator and locator, lowest coefficients
    first, both times the same element."""
    domain = field.domain
    zero, one = np.zeros(8, dtype=object), constant(1, 8)
    now = [*syndromes, *[zero] * delta, one]
    before, divisor, lead = now, one, constant(0)
    for _ in range(2 * delta):
        gap, shifted = now[0], [*now[1:], zero]
        positive = domain.equal(lead[31:], np.zeros(1, object))
        update = domain.both(~domain.equal(gap, zero), positive)
        now = [
            field.scale(divisor, s) ^ field.scale(gap, b)
            for s, b in zip(shifted, before, strict=True)
        ]
        before = [domain.choose(update, s, b) for s, b in zip(shifted, before, strict=True)]
        divisor = domain.choose(update, gap, divisor)
        lead = domain.choose(update, ~lead, domain.add(lead, constant(1)))
    return now[:delta], now[delta : 2 * delta + 1]


def at_power(field, coefficients, n, step=1, first=0):
    """The sum of every so many-th coefficient times a power of alpha^n."""
    total = np.zeros(8, dtype=object)
    for i in range(first, len(coefficients), step):
        total = total ^ field.by_power(coefficients[i], n * i)
    return total


def decoded(field, received, length, size):
    """Returns codes of the message that is decoded."""
    delta = (length - size) // 2
    word = [field.from_standard(x) for x in received]
    syndromes = [at_power(field, word, i) for i in range(1, 2 * delta + 1)]
    evaluator, locator = key_equation(field, syndromes, delta)
    message = []
    for j in range(2 * delta, length):
        odd = at_power(field, locator, -j, 2, 1)
        even = at_power(field, locator, -j, 2, 0)
        value = field.by_power(at_power(field, evaluator, -j), -j * (2 * delta + 1))
        value = field.times(value, field.inverse(odd))
        wrong = np.repeat(field.domain.equal(odd, even), 8)
        error = field.domain.both(wrong, value)
        message.append(received[j] ^ field.to_standard(error))
    return np.concatenate(message)


# --- What the code's functions are taken for ------------------------------------------------------


def elements(machine, argument, bits):
    """Returns codes of the bytes of a vector, which may be passed by its address."""
    if not isinstance(argument, (int, np.ndarray)):
        argument = argument.memory.bits[8 * argument.offset :][:bits]
    return machine.codes(argument, bits).reshape(-1, 8)


def contracts(backend, field):
    """What is proved in test_codes.py and test_masks.py about the functions below."""
    bits, unit, domain = VECTOR_BITS[backend], f"codes_{backend}", field.domain
    zero = np.zeros(8, dtype=object)

    def product(machine, arguments):
        pairs = zip(*(elements(machine, a, bits) for a in arguments), strict=True)
        return np.concatenate([field.times(x, y) for x, y in pairs])

    def scale(machine, arguments):
        multiples = elements(machine, arguments[0], 2 * bits).reshape(2, 2, 16, 8)
        element = multiples[0, 0, 1]
        for half in range(2):
            for n in range(16):
                right = field.times(element, constant(n << 4 * half, 8))
                if (multiples[half, :, n] != right).any():
                    raise NotProved(f"what should be the product by {n << 4 * half} is not")
        others = elements(machine, arguments[1], bits)
        return np.concatenate([field.times(element, x) for x in others])

    def invert(machine, arguments):
        return np.concatenate([field.inverse(x) for x in elements(machine, arguments[0], bits)])

    def keep(machine, arguments):
        pairs = zip(*(elements(machine, a, bits) for a in arguments), strict=True)
        return np.concatenate(
            [domain.both(np.repeat(domain.equal(y, zero), 8), x) for x, y in pairs]
        )

    def mask_zero(machine, arguments):
        return np.repeat(domain.equal(machine.codes(arguments[0], 32), np.zeros(1, object)), 32)

    return {
        f"gf256_mul.{unit}": product,
        **({f"gf256_scale.{unit}": scale} if backend == "avx2" else {}),
        f"gf256_invert_{backend}.{unit}": invert,
        f"gf256_keep_if_zero.{unit}": keep,
        f"ct_mask_zero_u32.{unit}": mask_zero,
    }


class Decode:
    """reed_solomon_decode of a back end for one of the codes."""

    def __init__(self, backend, code):
        self.backend, self.code = backend, code
        self.length, self.size = SIZES[code]
        self.files = FILES[backend]

    def __repr__(self):
        return f"{self.backend}-decode-{self.code}"

    def prove(self, module):
        """Raises NotProved unless every message is decoded as specified."""
        domain = Terms()
        field = Field(domain)
        if field_of(self.backend) == AES:
            field = Field(domain, AES, X_IN_AES)
        machine = Machine(module, domain, contracts(self.backend, field))
        received = machine.memory("received", self.length)
        received.memory.bits[:] = domain.free(8 * self.length)
        message = machine.memory("message", self.size)
        code = machine.address(f"code_{self.code}.params")
        name = f"reed_solomon_decode_{self.backend}.codes_{self.backend}"
        word = received.memory.bits.reshape(-1, 8).copy()
        machine.call(name, [code, message, received])
        expected = decoded(field, word, self.length, self.size)
        wrong = np.flatnonzero(message.memory.bits != expected)
        if wrong.size:
            raise NotProved(f"{self!r}: bit {wrong[0]} of the message can be wrong")
