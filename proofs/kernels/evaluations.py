# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of SOFIA's polynomials at many places (src/sofia/mq4), by tables of sums.

Addresses depend on the public system, so one run cannot be about all systems. It is put together:

- turning vectors around and back are linear maps, compared as sums of free bits;
- the monomials of half a row are quadratic in the places: by degree and random places, all rows;
- what half a row adds to the sums is linear in the monomials for a system that is known. The system
  is random, and drawn until every place of four coefficients has picked every entry of its table;
  that polynomials are treated alike is what their loop says;
- the calls of an evaluation are written down by what stands for these functions, with addresses.
"""

import secrets

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.bits import Memory, Pointer, known, simplified
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved
from proofs.kernels.engine.samples import Samples, samples_for

UNIT = "../proofs/kernels/units/apart.c"
BITS = {"portable": 64, "avx2": 256, "neon": 128}  # of a vector
TARGETS = {"neon": "aarch64-linux-gnu"}
WIDTHS = {"portable": [8, 12, 14], "avx2": [2, 3, 4], "neon": [4, 6, 8]}
VARIABLES, PLANES, HALF, WHOLE_ROWS = 128, 3, 64, 65
VECTOR_BYTES, POLYNOMIAL_BYTES = 32, 65 * 32 + 16
TABLE_WORDS = 8 * 16
COLUMNS = ["sofia/mq4/mq4_columns.c"]
NAMES = ["x", "y", "z", "monomials", "tables", "sums"]  # of the parts of struct work


# --- Specification --------------------------------------------------------------------------------


def partner(row, k):
    """Returns p so that entry k of quadratic row `row` belongs to x_k x_p: see mq4.h."""
    if row < 8:
        return (k - 8 * row) % VARIABLES
    if row < 56:
        up, byte = 1 + (row - 8) // 16, (k // 8 - (row - 8)) % 16
        return 8 * byte + (k - up) % 8
    return (k - 4 - 8 * (row - 56)) % VARIABLES if row < 64 else k + VARIABLES // 2


def product(x, y):
    """Returns codes of a product in F_4, (a + b w)(c + d w) = ac + bd + (ad + bc + bd) w."""
    (a, b), (c, d) = x, y
    return np.array([(a & c) ^ (b & d), (a & d) ^ (b & c) ^ (b & d)])


def monomial(number, k, x, y=None):
    """Returns lo and hi of monomial k of a row, number 0 is the linear one: of F at x, or of its
    polar form at x and y. x: [VARIABLES][2][...]."""
    if number == 0:
        return x[k] if y is None else np.zeros_like(x[k])
    p = partner(number - 1, k)
    if y is None:
        return product(x[k], x[p])
    return product(x[k], y[p]) ^ product(y[k], x[p])


def in_planes(element):
    """Returns lo, hi and their sum."""
    return np.array([element[0], element[1], element[0] ^ element[1]])


def same(call, what, found, right):
    """Raises NotProved unless codes are equal."""
    if (np.asarray(found).ravel() != np.asarray(right).ravel()).any():
        raise NotProved(f"{call!r}: {what} can be wrong")


class Proof:
    """What is proved about a back end."""

    def __init__(self, backend, *shape):
        self.backend, self.shape = backend, shape
        self.target = TARGETS.get(backend, "x86_64-linux-gnu")
        self.files = [f"sofia/mq4/mq4_{backend}.c", *COLUMNS]

    def __repr__(self):
        return "-".join(map(str, [self.backend, type(self).__name__, *self.shape]))


# --- Turning around -------------------------------------------------------------------------------


class Turn(Proof):
    """mq4_turn for so many words and vectors."""

    def prove(self, module):
        """Raises NotProved unless bit i of element k is that of vector i."""
        words, count = self.shape
        machine = Machine(module, Fingerprints())
        vectors = machine.domain.free(8 * VECTOR_BYTES * count)
        columns = machine.memory("columns", 8 * PLANES * VARIABLES * words)
        arguments = [columns, words, place(machine, "vectors", vectors), count]
        machine.call("ckem_mq4_turn", arguments)
        right = np.zeros((VARIABLES, PLANES, 64 * words), dtype=object)
        for i, vector in enumerate(vectors.reshape(count, 2, VARIABLES)):
            right[:, :, i] = in_planes(vector).T
        same(self, "a column", columns.memory.bits, right)


class TurnBack(Proof):
    """mq4_turn_back for so many words and vectors."""

    def prove(self, module):
        """Raises NotProved unless the values are put together as the sums say."""
        words, count = self.shape
        machine = Machine(module, Fingerprints())
        sums = machine.domain.free(64 * PLANES * VARIABLES * words)
        vectors = machine.memory("vectors", VECTOR_BYTES * count)
        arguments = [vectors, place(machine, "sums", sums), words, count]
        machine.call("ckem_mq4_turn_back", arguments)
        lo, hi, both = sums.reshape(PLANES, VARIABLES, 64 * words)[:, :, :count]
        same(self, "a value", vectors.memory.bits, np.stack([(lo ^ hi).T, (lo ^ both).T], axis=1))


# --- Half a row -----------------------------------------------------------------------------------


class Fields(Memory):
    """An object whose addresses may be read as integers too, as clang for Arm passes structs."""

    def load(self, offset, type_):
        if offset in self.pointers and type_.bits == 64:
            return self.pointers[offset]
        return super().load(offset, type_)


class Work:
    """struct work of mq4_tables.template.h in a machine: vectors for F, then for G."""

    def __init__(self, machine, bits, widths):
        self.width, self.machine = sum(widths), machine
        sizes = {
            **dict(zip("xyz", [VARIABLES * PLANES * w for w in (*widths, widths[1])], strict=True)),
            "monomials": PLANES * HALF * self.width,
            "tables": TABLE_WORDS * self.width,
            "sums": PLANES * VARIABLES * self.width,
        }
        self.memory = {n: machine.memory(n, max(1, s * bits // 8)) for n, s in sizes.items()}
        self.address = Pointer(Fields("work", 80, machine.domain))
        for at, name in zip([0, 16, 32, 48, 56, 64], sizes, strict=True):
            self.address.memory.pointers[at] = self.memory[name]
        for at, number in zip([8, 24, 40, 72], [*widths, widths[1], self.width], strict=True):
            codes = known(number, 64, machine.domain)
            self.address.memory.bits[8 * at : 8 * at + 64] = codes

    def set(self, name, codes):
        """Sets the bits of a part."""
        self.memory[name].memory.bits[: codes.size] = codes.ravel()

    def bits(self, name):
        """Returns the bits of a part."""
        return self.memory[name].memory.bits


def columns_of(element):
    """Returns codes of columns from codes [VARIABLES][2][bits] of elements."""
    return np.concatenate([in_planes(pair).ravel() for pair in element])


class Monomials(Proof):
    """make_monomials of all rows, with a vector of F and one of G."""

    def prove(self, module):
        """Raises NotProved unless the monomials have degree two and are right."""
        self._run(module, Degrees(), lambda size: np.full(size, 2, dtype=np.uint8))
        domain = Samples(samples_for(2))
        self._run(module, domain, domain.random)

    def _run(self, module, domain, free):
        bits = BITS[self.backend]
        work = Work(Machine(module, domain), bits, (1, 1))
        places = {name: free(VARIABLES * 2 * bits).reshape(VARIABLES, 2, bits) for name in "xyz"}
        for name, codes in places.items():
            columns = np.zeros((VARIABLES, PLANES, bits), dtype=domain.dtype)
            columns[:, :2], columns[:, 2] = codes, domain.xor(codes[:, 0], codes[:, 1])
            work.set(name, columns)
        before = free(work.bits("monomials").size)
        for number in range(WHOLE_ROWS + 1):
            for first in (0, HALF)[: 1 if number == WHOLE_ROWS else 2]:
                work.set("monomials", before)
                function = f"make_monomials_{self.backend}.mq4_{self.backend}"
                work.machine.call(function, [work.address, number, first])
                found = work.bits("monomials").reshape(PLANES, HALF, 2, bits)
                if isinstance(domain, Degrees):
                    if found.max() > 3:
                        raise NotProved(f"{self!r}: row {number}: the degree may be too high")
                    continue
                right = before.reshape(found.shape).copy()
                for i in range(HALF):
                    right[:, i, 0] = in_planes(monomial(number, first + i, places["x"]))
                    if number > 0:
                        value = monomial(number, first + i, places["y"], places["z"])
                        right[:, i, 1] = in_planes(value)
                mask = (1 << domain.count) - 1
                same(self, f"row {number}", found & mask, right & mask)


def picks(system):
    """Returns bits [PLANES][VARIABLES][HALF] of the coefficients of half a row."""
    return np.stack([system[:, 0], system[:, 1], system[:, 0] ^ system[:, 1]])


def random_system():
    """Returns bits [VARIABLES][2][HALF] such that each four of them in each plane, lo, hi and their
    sum, have all 16 values."""
    while True:
        raw = np.frombuffer(secrets.token_bytes(VARIABLES * 2 * HALF // 8), dtype=np.uint8)
        system = np.unpackbits(raw, bitorder="little").reshape(VARIABLES, 2, HALF)
        values = picks(system).reshape(PLANES, VARIABLES, HALF // 4, 4) @ (1, 2, 4, 8)
        if all(np.unique(v).size == 16 for plane in values for v in plane.T):
            return system


class HalfRow(Proof):
    """add_half_row for so many vectors; with or without the second half of a row behind it."""

    def __init__(self, backend, *shape):
        super().__init__(backend, *shape)
        self.files = [UNIT, *COLUMNS]
        self.target += f' -DUNIT="sofia/mq4/mq4_{backend}.c"'

    def prove(self, module):
        """Raises NotProved unless the right monomials are added to the sums."""
        width, to_hi = self.shape
        bits = BITS[self.backend]
        machine = Machine(module, Fingerprints())
        work = Work(machine, bits, (width - 1, 1))
        before = {n: machine.domain.free(work.bits(n).size) for n in ("monomials", "sums")}
        for name, codes in before.items():
            work.set(name, codes)
        system = random_system()
        coefficients = machine.memory("coefficients", VARIABLES * POLYNOMIAL_BYTES)
        rows = coefficients.memory.bits.reshape(VARIABLES, 8 * POLYNOMIAL_BYTES)
        rows[:, :HALF] = -system[:, 0].astype(object)
        rows[:, 8 * to_hi : 8 * to_hi + HALF] = -system[:, 1].astype(object)
        machine.call("add_half_row.apart", [work.address, coefficients, to_hi, width])
        monomials = before["monomials"].reshape(PLANES, HALF, width * bits)
        sums = before["sums"].reshape(PLANES, VARIABLES, width * bits)
        for plane, chosen in enumerate(picks(system).astype(bool)):
            for k in range(VARIABLES):
                sums[plane, k] ^= np.bitwise_xor.reduce(monomials[plane, chosen[k]], axis=0)
        same(self, "a sum", work.bits("sums"), sums)


# --- Evaluations ----------------------------------------------------------------------------------


def address(pointer):
    """Returns a pointer as something that can be compared."""
    return (pointer.memory.name, pointer.offset) if isinstance(pointer, Pointer) else pointer


def arguments_for(machine, count, polar):
    """Returns the arguments of evaluate for so many places of F and of G, in new memory."""
    vectors = {"x": count, "values": count, "y": polar, "z": polar, "polar": polar}
    vectors = {n: machine.memory(n, VECTOR_BYTES * c) for n, c in vectors.items()}
    places = machine.memory("places", 56)
    for at, name in zip([0, 8, 24, 32, 40], vectors, strict=True):
        places.memory.pointers[at] = vectors[name]
    for at, number in ((16, count), (48, polar)):
        places.memory.bits[8 * at : 8 * at + 64] = known(number, 64, machine.domain)
    system = machine.memory("system", VARIABLES * POLYNOMIAL_BYTES)
    scratch = machine.memory("scratch", 8 * 20480)
    return [places, system, scratch]


class Calls(HalfRow):
    """evaluate for so many places of F and of G: which functions it calls, and where."""

    def __init__(self, backend, *shape):
        super().__init__(backend, *shape)
        self.calls = []

    def prove(self, module):
        """Raises NotProved unless these are all steps in their order, in memory of their own."""
        self.calls = []
        machine = Machine(module, Degrees(), self._contracts())
        machine.call(f"evaluate_{self.backend}.apart", arguments_for(machine, *self.shape))
        parts = self._parts()
        if self.calls != list(self._expected(parts)):
            raise NotProved(f"{self!r}: other calls than there should be")
        ends = [0]
        for (_, start), size in sorted(parts.values()):
            if start < ends[-1]:
                raise NotProved(f"{self!r}: parts of the memory overlap")
            ends.append(start + size)

    def _widths(self):
        """Returns the vectors of F, of G, and of both with those that are not used."""
        bits = BITS[self.backend]
        both = [(count + bits - 1) // bits for count in self.shape]
        return [*both, min(w for w in WIDTHS[self.backend] if w >= sum(both))]

    def _contracts(self):
        names = {
            "ckem_mq4_turn": "turn",
            "ckem_mq4_turn_back": "turn back",
            f"make_monomials_{self.backend}.apart": "monomials",
            "add_half_row.apart": "add",
        }
        return {name: self._writes_down(what) for name, what in names.items()}

    def _writes_down(self, what):
        def call(machine, arguments):
            del machine
            if what in ("monomials", "add"):
                work = arguments[0].memory
                if len(self.calls) == PLANES:  # the first one: what is zero at the beginning
                    self._zero(work)
                fields = [address(work.pointers[at]) for at in (0, 16, 32, 48, 56, 64)]
                numbers = [simplified(work.bits[8 * at :][:64]) for at in (8, 24, 40, 72)]
                arguments = [*arguments[1:], *fields, *numbers]
            self.calls.append((what, *map(address, arguments)))

        return call

    def _zero(self, work):
        """Raises NotProved unless monomials and sums are zero."""
        size = self._widths()[2] * BITS[self.backend]
        for at, count in ((48, HALF), (64, VARIABLES)):
            pointer = work.pointers[at]
            start = 8 * pointer.offset
            if pointer.memory.bits[start : start + PLANES * count * size].any():
                raise NotProved(f"{self!r}: sums do not begin with zero")

    def _parts(self):
        """Returns place and bytes of each part of the memory, as the calls have them."""
        f, g, width = self._widths()
        sizes = [VARIABLES * PLANES * w for w in (f, g, g)]
        sizes += [PLANES * HALF * width, TABLE_WORDS * width, PLANES * VARIABLES * width]
        places = [call[1] for call in self.calls[:3]] + list(self.calls[3][6:9])
        sizes = [size * BITS[self.backend] // 8 for size in sizes]
        return dict(zip(NAMES, zip(places, sizes, strict=True), strict=True))

    def _expected(self, parts):
        """Yields the calls that there must be."""
        count, polar = self.shape
        f, g, width = self._widths()
        words = BITS[self.backend] // 64
        places = [parts[name][0] for name in NAMES]
        turned = zip("xyz", places[:3], (f, g, g), (count, polar, polar), strict=True)
        for name, where, vectors, number in turned:
            yield ("turn", where, words * vectors, (name, 0), number)
        work = (*places, f, g, g, width)
        for number in range(WHOLE_ROWS + 1):
            whole = number < WHOLE_ROWS
            for first in (0, HALF)[: 2 if whole else 1]:
                yield ("monomials", number, first, *work)
                coefficients = ("system", VECTOR_BYTES * number + first // 8)
                yield ("add", coefficients, 16 if whole else 8, width, *work)
        name, start = parts["sums"][0]
        yield ("turn back", ("values", 0), (name, start), words * width, count)
        yield ("turn back", ("polar", 0), (name, start + 8 * words * f), words * width, polar)
