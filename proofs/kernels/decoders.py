# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reed-Solomon decoding of HQC as a whole: syndromes, error locator, evaluator, corrections.

Code and specification run in the domain of terms. There the product of two elements of which none
is known is a function of both, and so is an inverse: that back ends compute these is proved in
test_codes.py. Products by known elements are sums of bits. So both must take the same sums of the
same products of the same sums, and must choose by the same comparisons.

AVX-512 works in the field of AES, where its instructions multiply; the specification does the same
there. The map from one field to the other is given by the image of x that the code has.
"""

import functools
import re

import numpy as np

from proofs.kernels.codes import FILES, MODULUS, SIZES, VECTOR_BITS
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import rows
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.terms import MEANINGS, Terms

AES = 0x11B
IDENTITY = bytes.fromhex("8040201008040201")


@functools.cache
def times(a, b, modulus):
    """Returns a b modulo a polynomial of degree 8."""
    result = 0
    for bit in f"{b:08b}":
        result = result << 1 ^ (modulus if result & 128 else 0) ^ (a if bit == "1" else 0)
    return result


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


class Degrees:
    """Berlekamp's numbers as the template keeps them: L, L_rho and rho + 1, of 32 bits."""

    def __init__(self, domain):
        self.domain = domain
        self.degree, self.previous, self.rho = (self.constant(0) for _ in range(3))

    def constant(self, value, bits=32):
        """Codes of a known number."""
        return np.array([-(value >> i & 1) for i in range(bits)], dtype=object)

    def candidate(self, step):
        """t - rho + L_rho; step is t + 1."""
        distance = self.domain.subtract(self.constant(step), self.rho)
        return self.domain.add(distance, self.previous)

    def larger(self, candidate):
        """Whether the locator has to become longer."""
        return self.domain.less(self.degree, candidate)

    def take(self, update, candidate, step):
        """What there is in the next step."""
        self.previous = self.domain.choose(update, self.degree, self.previous)
        self.degree = self.domain.choose(update, candidate, self.degree)
        self.rho = self.domain.choose(update, self.constant(step), self.rho)


class ShortDegrees(Degrees):
    """The same in bytes: L, and L_rho - (rho + 1). That both decide alike is compared for all that
    may happen (test_decoders.py)."""

    def __init__(self, domain):
        super().__init__(domain)
        self.degree, self.lead = self.constant(0, 8), self.constant(0, 8)

    def candidate(self, step):
        return self.domain.add(self.constant(step, 8), self.lead)

    def larger(self, candidate):
        top = self.constant(128, 8)  # numbers with a sign
        return self.domain.less(self.degree ^ top, candidate ^ top)

    def take(self, update, candidate, step):
        lead = self.domain.subtract(self.degree, self.constant(step, 8))
        self.lead = self.domain.choose(update, lead, self.lead)
        self.degree = self.domain.choose(update, candidate, self.degree)


def locator(field, degrees, syndromes, delta):
    """Berlekamp's algorithm [HQC, 7]: the coefficients of sigma, lowest first."""
    domain = field.domain
    zero, one = np.zeros(8, dtype=object), np.array([-1] + 7 * [0], dtype=object)
    sigma = [one] + [zero] * delta
    auxiliary = [zero, one] + [zero] * (delta - 1)
    inverse = one
    for t in range(2 * delta):
        gap = zero
        for i in range(min(t, delta) + 1):
            gap = gap ^ field.times(sigma[i], syndromes[t - i])
        candidate = degrees.candidate(t + 1)
        update = domain.both(~domain.equal(gap, zero), degrees.larger(candidate))
        factor = field.times(gap, inverse)
        longer = [s ^ field.times(factor, b) for s, b in zip(sigma, auxiliary, strict=True)]
        chosen = [domain.choose(update, s, b) for s, b in zip(sigma, auxiliary, strict=True)]
        auxiliary = [zero, *chosen[:-1]]
        inverse = domain.choose(update, field.inverse(gap), inverse)
        sigma = longer
        degrees.take(update, candidate, t + 1)
    return sigma


def evaluator(field, sigma, syndromes, delta):
    """sigma (1 + S_1 x + S_2 x^2 + ...) modulo x^(delta + 1)."""
    z = list(sigma)
    for i in range(1, delta + 1):
        for j in range(i):
            z[i] = z[i] ^ field.times(sigma[j], syndromes[i - 1 - j])
    return z


def at_power(field, coefficients, n, step=1, first=0):
    """The sum of every so many-th coefficient times a power of alpha^n."""
    total = np.zeros(8, dtype=object)
    for i in range(first, len(coefficients), step):
        total = total ^ field.by_power(coefficients[i], n * i)
    return total


def decoded(field, degrees, received, length, size):
    """Returns codes of the message that is decoded."""
    delta = (length - size) // 2
    word = [field.from_standard(x) for x in received]
    syndromes = [at_power(field, word, i) for i in range(1, 2 * delta + 1)]
    sigma = locator(field, degrees, syndromes, delta)
    z = evaluator(field, sigma, syndromes, delta)
    message = []
    for j in range(2 * delta, length):
        odd = at_power(field, sigma, -j, 2, 1)
        even = at_power(field, sigma, -j, 2, 0)
        value = field.times(at_power(field, z, -j), field.inverse(odd))
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


def contracts(backend, domain):
    """What is proved in test_codes.py and test_units.py about the functions below."""
    bits, unit = VECTOR_BITS[backend], f"codes_{backend}"
    field = Field(domain)
    zero = np.zeros(8, dtype=object)

    def product(machine, arguments):
        pairs = zip(*(elements(machine, a, bits) for a in arguments), strict=True)
        return np.concatenate([field.times(x, y) for x, y in pairs])

    def invert(machine, arguments):
        return np.concatenate([field.inverse(x) for x in elements(machine, arguments[0], bits)])

    def keep(machine, arguments):
        pairs = zip(*(elements(machine, a, bits) for a in arguments), strict=True)
        return np.concatenate(
            [domain.both(np.repeat(domain.equal(y, zero), 8), x) for x, y in pairs]
        )

    def mask_zero(machine, arguments):
        return np.repeat(domain.equal(machine.codes(arguments[0], 32), np.zeros(1, object)), 32)

    def mask_less(machine, arguments):
        return np.repeat(domain.less(*(machine.codes(a, 32) for a in arguments)), 32)

    return {
        f"gf256_mul.{unit}": product,
        f"gf256_invert_{backend}.{unit}": invert,
        f"gf256_keep_if_zero.{unit}": keep,
        f"ct_mask_zero_u32.{unit}": mask_zero,
        f"ct_mask_less_u32.{unit}": mask_less,
    }


class Aes(Terms):
    """The domain with the instructions that work in the field of AES."""

    def __init__(self):
        super().__init__()
        self.field = Field(self, AES, 3)  # only its products and inverses matter
        self.meanings = [*self.own_meanings(), *MEANINGS]

    def own_meanings(self):
        """Meanings in this field, whose products and inverses are functions."""
        return [
            (re.compile(r"llvm\.x86\.vgf2p8mulb\.\d+"), self._byte_products),
            (re.compile(r"llvm\.x86\.vgf2p8affineinvqb\.\d+"), self._byte_inverses),
        ]

    def _byte_products(self, machine, type_, types, arguments):
        pairs = zip(*(rows(machine, type_, a) for a in arguments), strict=True)
        return np.concatenate([self.field.times(x, y) for x, y in pairs])

    def _byte_inverses(self, machine, type_, types, arguments):
        if arguments[1:] != [int.from_bytes(IDENTITY * (type_.count // 8), "little"), 0]:
            raise NotProved("an inverse with another matrix")
        return np.concatenate([self.field.inverse(x) for x in rows(machine, type_, arguments[0])])


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
        aes = self.backend == "avx512"
        domain = Aes() if aes else Terms()
        machine = Machine(module, domain, None if aes else contracts(self.backend, domain))
        received = machine.memory("received", self.length)
        received.memory.bits[:] = domain.free(8 * self.length)
        message = machine.memory("message", self.size)
        code = machine.address(f"code_{self.code}.params")
        field, degrees = Field(domain), Degrees(domain)
        if aes:
            points = machine.address("gf256_aes_syndrome_points.codes_avx512").memory.bits[:8]
            alpha = sum((point & 1) << i for i, point in enumerate(points))
            field, degrees = Field(domain, AES, alpha), ShortDegrees(domain)
        name = f"reed_solomon_decode_{self.backend}.codes_{self.backend}"
        word = received.memory.bits.reshape(-1, 8).copy()
        machine.call(name, [code, message, received])
        expected = decoded(field, degrees, word, self.length, self.size)
        wrong = np.flatnonzero(message.memory.bits != expected)
        if wrong.size:
            raise NotProved(f"{self!r}: bit {wrong[0]} of the message can be wrong")
