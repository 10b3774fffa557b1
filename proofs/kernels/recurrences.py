# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The search for the shortest recurrence (src/mceliece/goppa/recurrence), for every sequence, step
by step.

Code and specification run side by side in the domain of terms; in each step the discrepancies must
be the same sums of products, and in the end the connections. A choice by whether a recurrence grows
is linear in what it chooses from, so the product by this bit is a random linear map of
fingerprints.
"""

import secrets

import numpy as np

from proofs.kernels import lookups
from proofs.kernels.codes import place
from proofs.kernels.engine.bits import ANYTHING, simplified
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics import adding_to, rows
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.fields import MODULI
from proofs.kernels.matrices import Products

FILES = {b: [f"mceliece/goppa/recurrence/recurrence_{b}.c"] for b in ("portable", "avx2", "avx512")}
FILES["neon"] = ["mceliece/goppa/recurrence/recurrence_neon64.c"]
SHARED = [f"mceliece/goppa/gf2m/gf2m{part}.c" for part in ("", "_12", "_13")]
BYTES = 32  # of a fingerprint
SCRATCH_WORDS = 416  # RECURRENCE_FIND_WORDS
RANDOM = 4096  # numbers that are drawn at a time


MEANINGS = []
table = adding_to(MEANINGS)


@table(r"llvm\.x86\.avx2\.pshuf\.b")
def shuffle_bytes(machine, type_, types, arguments):
    """As in lookups.py, and faster where a table is linear: it is, if it has the multiples of an
    element."""
    domain = machine.domain
    pools, indices = (rows(machine, type_, value).reshape(2, 16, 8) for value in arguments)
    polynomials = [domain.polynomial(pool) for pool in pools]
    linear = all(at & (at - 1) == 0 for terms in polynomials for at, _ in terms)
    if not linear or (indices[:, :, 7] != 0).any():
        return lookups.shuffle_bytes(machine, type_, types, arguments)
    result = np.zeros((2, 16, 8), dtype=object)
    for half, (terms, index) in enumerate(zip(polynomials, indices, strict=True)):
        for at, value in terms:
            bit = at.bit_length() - 1
            result[half] ^= domain.both(index[:, bit : bit + 1], value[None]) if at else value
    return simplified(result.ravel())


class Choices(Products):
    """The domain in which products by some bits are linear maps."""

    meanings = MEANINGS + Products.meanings

    def __init__(self):
        super().__init__()
        self._maps = {}  # bit -> the images of all bytes at all places of a fingerprint
        self._order = {}  # bit -> how many there were before
        self._found = {}  # pairs -> their products
        self._random = []  # numbers that nobody has yet
        self._polynomials = {}  # of tables

    def choice(self, code):
        """Makes the product by a bit linear."""
        bit = code if code >= 0 else ~code
        if bit not in (0, -1) and bit not in self._maps:
            tables = []
            for _ in range(BYTES):
                table = [0]
                for _ in range(8):
                    image = secrets.randbits(8 * BYTES)
                    table += [image ^ before for before in table]
                tables.append(table)
            self._maps[bit] = tables
            self._order[bit] = len(self._order)

    def both(self, a, b):
        """As in Fingerprints; nearly all of the time is spent here."""
        shape = np.broadcast_shapes(np.shape(a), np.shape(b))
        find, order = self._found.get, self._order
        codes = []
        for x, y in zip(self._listed(a, shape), self._listed(b, shape), strict=True):
            if x == 0 or y == 0:
                codes.append(0)
                continue
            if x is ANYTHING or y is ANYTHING:
                codes.append(ANYTHING)
                continue
            pair = (x, y) if x < y else (y, x)
            code = find(pair)
            if code is None:
                if x < 0 or y < 0 or x == y or x in order or y in order:
                    code = self._product(x, y)
                else:
                    code = self._number()
                self._found[pair] = code
            codes.append(code)
        result = np.empty(len(codes), dtype=object)
        result[:] = codes
        return result.reshape(shape)

    def polynomial(self, pool):
        """Returns lookups.polynomial."""
        key = tuple(pool.ravel().tolist())
        if key not in self._polynomials:
            self._polynomials[key] = lookups.polynomial(self, pool)
        return self._polynomials[key]

    def _number(self):
        """Returns a random number of BYTES bytes."""
        if not self._random:
            raw = secrets.token_bytes(BYTES * RANDOM)
            self._random = [raw[at : at + BYTES] for at in range(0, len(raw), BYTES)]
        return int.from_bytes(self._random.pop(), "little")

    def forget(self):
        """Forgets products: what a step computes from here to the next step, it computes anew."""
        self._found.clear()
        self._polynomials.clear()
        self._products.clear()

    @staticmethod
    def _listed(codes, shape):
        """Returns all codes in order."""
        if np.shape(codes) != shape:
            codes = np.broadcast_to(codes, shape)
        return codes.ravel().tolist()

    def _product(self, a, b):
        bits = [x if x >= 0 else ~x for x in (a, b)]
        places = [self._order.get(bit, -1) for bit in bits]
        if max(places) < 0 or bits[0] == bits[1] or 0 in bits:
            return super()._product(a, b)
        if places[1] > places[0]:  # of two such bits the later one is the map
            a, b = b, a
            bits.reverse()
        image = 0
        for table, byte in zip(self._maps[bits[0]], bits[1].to_bytes(BYTES, "little"), strict=True):
            image ^= table[byte]
        image ^= bits[0] if b < 0 else 0
        return image if a >= 0 else image ^ b


class Elements:
    """Arithmetic of GF(2^12) or GF(2^13) on codes."""

    def __init__(self, domain, degree):
        self.domain, self.degree = domain, degree
        self.zero = np.zeros(degree, dtype=object)
        self.one = self.zero.copy()
        self.one[0] = -1

    def reduced(self, codes):
        """Codes of a polynomial modulo that of the field."""
        codes = codes.copy()
        for top in range(codes.size - 1, self.degree - 1, -1):
            for at in range(self.degree):
                if MODULI[self.degree] >> at & 1:
                    codes[top - self.degree + at] ^= codes[top]
        return codes[: self.degree]

    def product(self, x, y):
        """Products of bits of one and bits of the other."""
        total = np.zeros(2 * self.degree - 1, dtype=object)
        if x.any() and y.any():
            products = self.domain.both(x[None, :], y[:, None])
            for j in range(self.degree):
                total[j : j + self.degree] ^= products[j]
        return self.reduced(total)

    def images(self, y):
        """y z^j for each j."""
        rows = []
        for j in range(self.degree):
            codes = np.zeros(2 * self.degree - 1, dtype=object)
            codes[j : j + self.degree] = y
            rows.append(self.reduced(codes))
        return rows

    def by_images(self, x, images):
        """The sum of the images that the bits of x choose: x y for those of y."""
        total = self.zero.copy()
        if x.any():
            total = np.bitwise_xor.reduce(self.domain.both(x[:, None], np.stack(images)))
        return total


class Massey:
    """The textbook's search with inner products [Massey], without divisions."""

    def __init__(self, field, sequence, length):
        self.field, self.domain = field, field.domain
        self.sequence, self.length = sequence, length
        self.connection = [field.zero] * length  # coefficients 1, 2, ...
        self.before = [field.one] + [field.zero] * (length - 1)
        self.constant = self.divisor = field.one
        self.found = np.zeros(32, dtype=object)

    def discrepancy(self, n):
        """Of the connection at number n."""
        total = self.field.product(self.constant, self.sequence[n])
        for i in range(min(n, self.length)):
            total = total ^ self.field.product(self.connection[i], self.sequence[n - 1 - i])
        return total

    def combined(self, x, gap, y):
        """divisor x - discrepancy y"""
        return self.field.product(x, self.divisor) ^ self.field.product(y, gap)

    def step(self, n, gap, grows):
        """Takes number n, with this discrepancy; grows: whether the recurrence becomes longer."""
        choose = self.domain.choose
        first = self.domain.both(self.constant, np.full(self.field.degree, grows, dtype=object))
        pairs = list(zip(self.connection, self.before, strict=True))
        self.connection = [self.combined(x, gap, y) for x, y in pairs]
        self.before = [first, *(choose(grows, x, y) for x, y in pairs)][: self.length]
        self.constant = self.combined(self.constant, gap, self.field.zero)
        self.take(gap, grows)
        number = np.array([-(n + 1 >> i & 1) for i in range(32)], dtype=object)
        self.found = choose(grows, self.domain.subtract(number, self.found), self.found)

    def take(self, gap, grows):
        """Sets the next divisor."""
        self.divisor = self.domain.choose(grows, gap, self.divisor)


class Carried(Massey):
    """The search that carries all further discrepancies along [SS01]: no inner products."""

    def __init__(self, field, sequence, length):
        super().__init__(field, sequence, length)
        self.ahead = self.ahead_before = list(sequence)
        self.factor = field.images(field.one)
        self.gaps = None

    def discrepancy(self, n):
        return self.ahead[0]

    def combined(self, x, gap, y):
        if self.gaps is None or self.gaps[0] is not gap:
            self.gaps = (gap, self.field.images(gap))
        product = self.field.by_images(x, self.factor)
        return product ^ self.field.by_images(y, self.gaps[1])

    def step(self, n, gap, grows):
        pairs = list(zip(self.ahead[1:], self.ahead_before, strict=False))
        ahead = [self.combined(x, gap, y) for x, y in pairs]
        self.ahead_before = [self.domain.choose(grows, x, y) for x, y in pairs]
        self.ahead = ahead
        super().step(n, gap, grows)

    def take(self, gap, grows):
        super().take(gap, grows)
        self.factor = self.field.images(self.divisor)


class Enough(Exception):
    """So many steps were asked for."""


class Search:
    """find of a back end: all steps, or the discrepancies of the first ones."""

    def __init__(self, backend, degree, length, steps=None):
        self.backend, self.degree, self.length, self.steps = backend, degree, length, steps
        self.files = [*FILES[backend], *SHARED]
        self.target = "aarch64-linux-gnu" if backend == "neon" else "x86_64-linux-gnu"

    def __repr__(self):
        return f"{self.backend}-search-{self.degree}-{self.length}-{self.steps or 'all'}"

    def prove(self, module):
        """Raises NotProved unless all steps do what those of the specification do."""
        domain = Choices()
        field = Elements(domain, self.degree)
        numbers = np.zeros((2 * self.length, 16), dtype=object)
        numbers[:, : self.degree] = domain.free(2 * self.length * self.degree).reshape(
            -1, self.degree
        )
        kind = Carried if self.backend in ("avx2", "avx512") else Massey
        search = kind(field, list(numbers[:, : self.degree]), self.length)
        state = {"n": 0}  # the steps that were taken
        machine = Machine(module, domain, self._contracts(domain, search, state))
        sequence = place(machine, "sequence", numbers.ravel())
        connection = machine.memory("connection", 2 * self.length + 2)
        arguments = [machine.address(f"ckem_gf2m_{self.degree}"), connection, sequence]
        ops = machine.address(f"ckem_recurrence_{self.backend}")
        scratch = machine.memory("scratch", 8 * SCRATCH_WORDS)
        try:
            found = machine.call(ops.memory.pointers[8].name, [*arguments, self.length, scratch])
        except Enough:
            return
        if state["n"] != 2 * self.length:
            raise NotProved(f"{self!r}: the number of steps can be wrong")
        right = np.zeros((self.length + 1, 16), dtype=object)
        right[:, : self.degree] = [search.constant, *search.connection]
        length = np.array([-(self.length >> i & 1) for i in range(32)], dtype=object)
        longest = np.repeat(domain.equal(search.found, length), 64)
        if (connection.memory.bits != right.ravel()).any() or (found != longest).any():
            raise NotProved(f"{self!r}: the connection can be wrong")

    def _contracts(self, domain, search, state):
        """Masks as base/ct.h defines them; each step asks once whether its discrepancy is zero,
        and then for less."""
        unit = self.files[0].rpartition("/")[2].removesuffix(".c")

        def mask_zero(machine, arguments):
            if state["n"] == self.steps:
                raise Enough
            state["gap"] = search.discrepancy(state["n"])
            right = np.zeros(32, dtype=object)
            right[: self.degree] = state["gap"]
            codes = machine.codes(arguments[0], 32)
            if (codes != right).any():
                raise NotProved(f"{self!r}: discrepancy {state['n']} can be wrong")
            state["zero"] = domain.equal(right, np.zeros(32, dtype=object))
            return np.repeat(state["zero"], 32)

        def mask_less(machine, arguments):
            n, twice = arguments
            domain.forget()
            doubled = np.concatenate([np.zeros(1, dtype=object), search.found[:-1]])
            if n != state["n"] or (machine.codes(twice, 32) != doubled).any():
                raise NotProved(f"{self!r}: a length can be wrong in step {n}")
            less = domain.less(machine.codes(n, 32), doubled)
            # what grows is a free bit: its meaning is what the two masks say
            grows = domain.both(~state["zero"], ~less)
            domain.choice(grows[0])
            search.step(n, state["gap"], grows[0])
            state["n"] += 1
            return np.repeat(less, 32)

        def mask_zero_64(machine, arguments):
            codes = machine.codes(arguments[0], 64)
            return np.repeat(domain.equal(codes, np.zeros(64, dtype=object)), 64)

        return {
            f"ct_mask_zero_u32.{unit}": mask_zero,
            f"ct_mask_less_u32.{unit}": mask_less,
            f"ct_mask_zero_u64.{unit}": mask_zero_64,
        }
