# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of SOFIA's polynomials at many places (src/sofia/mq4) with AVX-512: products of bit
matrices.

No address depends on the system. Coefficients and places are moved, so they are compared as sums of
free bits; monomials and products have degree two, so they are compared for random operands. What an
evaluation calls for each row is written down by what stands for these functions.
"""

import numpy as np

from proofs.kernels.codes import place
from proofs.kernels.engine.bits import known, simplified
from proofs.kernels.engine.degrees import Degrees
from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import Call, NotProved, Setting, prove
from proofs.kernels.engine.samples import Samples, samples_for
from proofs.kernels.evaluations import (
    PLANES,
    POLYNOMIAL_BYTES,
    VARIABLES,
    VECTOR_BYTES,
    WHOLE_ROWS,
    Proof,
    address,
    arguments_for,
    in_planes,
    monomial,
    same,
)

TILE, PIECE_TILES, BYTES, GROUPS = 64, 4, 16, 16
VECTOR = 512
MONOMIALS = PLANES * BYTES * PIECE_TILES * 64  # bytes of them in struct row, before the matrices
MATRICES = PLANES * GROUPS * BYTES * 8
PIECES = 2  # of F, and of G
MODULE = "mq4_avx512"


class Kernel(Proof):
    """A function of mq4_avx512.c."""

    def __init__(self, *shape):
        super().__init__("avx512", *shape)
        self.files = ["sofia/mq4/mq4_avx512.c"]


def planes_of(elements):
    """Returns codes of struct planes [BYTES][tiles] from codes [places][2][VARIABLES]."""
    tiles = elements.shape[0] // TILE
    both = elements[:, 0] ^ elements[:, 1]
    planes = np.stack([elements[:, 0], elements[:, 1], both])
    planes = planes.reshape(PLANES, tiles, TILE, BYTES, 8)
    return planes.transpose(3, 1, 0, 2, 4)  # [BYTES][tiles][PLANES][TILE][8]


class LoadRow(Kernel):
    """load_row_avx512 for so many bytes of each plane."""

    def prove(self, module):
        """Raises NotProved unless each matrix has the coefficients of eight polynomials."""
        (size,) = self.shape
        machine = Machine(module, Fingerprints())
        system = machine.domain.free(8 * VARIABLES * POLYNOMIAL_BYTES)
        row = machine.memory("row", MONOMIALS + MATRICES)
        machine.call(f"load_row_avx512.{MODULE}", [row, place(machine, "system", system), size])
        found = row.memory.bits[8 * MONOMIALS :].reshape(PLANES, GROUPS, BYTES, 8, 8)
        bits = system.reshape(GROUPS, 8, POLYNOMIAL_BYTES, 8)
        lo, hi = bits[:, :, :size], bits[:, :, size : 2 * size]
        for plane, wanted in enumerate((lo, hi, lo ^ hi)):
            # polynomial j of a group is byte 7 - j of the matrix of each byte of coefficients
            right = wanted.transpose(0, 2, 1, 3)[:, :, ::-1]
            same(self, "a matrix", found[plane, :, :size], right)


class Monomials(Kernel):
    """make_monomials_avx512 of all rows for so many tiles of F, or of G."""

    def prove(self, module):
        """Raises NotProved unless the monomials have degree two and are right."""
        self._run(module, Degrees(), lambda size: np.full(size, 2, dtype=np.uint8))
        domain = Samples(samples_for(2))
        self._run(module, domain, domain.random)

    def _run(self, module, domain, free):
        tiles, polar = self.shape
        machine = Machine(module, domain)
        count = 2 if polar else 1
        places = [free(TILE * tiles * 2 * VARIABLES) for _ in range(count)]
        places = [codes.reshape(TILE * tiles, 2, VARIABLES) for codes in places]
        piece = machine.memory("piece", 32)
        piece.memory.bits[:] = 0
        for at, elements in enumerate(places):
            codes = planes_of(elements)
            if isinstance(domain, Degrees):
                codes = np.full(codes.shape, 2, dtype=np.uint8)
            piece.memory.pointers[8 * at] = place(machine, "yz"[at], codes.ravel())
        piece.memory.bits[8 * 24 :] = known(tiles, 64, domain)
        row = machine.memory("row", MONOMIALS + MATRICES)
        mask = 255 if isinstance(domain, Degrees) else (1 << domain.count) - 1
        elements = [codes.transpose(2, 1, 0) for codes in places]  # [VARIABLES][2][places]
        for number in range(2 if polar else 0, WHOLE_ROWS + 1):
            size = BYTES if number < WHOLE_ROWS else BYTES // 2
            arguments = [row, piece, number, size]
            machine.call(f"make_monomials_avx512.{MODULE}", arguments)
            found = row.memory.bits[: 8 * MONOMIALS]
            found = found.reshape(PLANES, BYTES, PIECE_TILES, TILE, 8)[:, :size, :tiles]
            if isinstance(domain, Degrees):
                if found.max() > 3:
                    raise NotProved(f"{self!r}: row {number}: the degree may be too high")
                continue
            listed = [in_planes(monomial(number, k, *elements)) for k in range(8 * size)]
            right = np.array(listed).reshape(size, 8, PLANES, tiles, TILE)
            same(self, f"row {number}", found & mask, right.transpose(2, 0, 3, 4, 1) & mask)


class AddRow(Kernel, Call):
    """add_row_avx512 for so many tiles and bytes of a plane."""

    model_degree = 2  # sums, and products of a monomial and an entry of a matrix

    def prove(self, module):
        """Raises NotProved unless the products are added to the sums; of degree two."""
        prove(module, self)

    def __call__(self, machine, free):
        tiles, size = self.shape
        operands = {
            "monomials": free(8 * MONOMIALS),
            "matrices": free(8 * MATRICES),
            "sums": free(PLANES * GROUPS * tiles * VECTOR),
        }
        row = place(machine, "row", np.concatenate([operands["monomials"], operands["matrices"]]))
        sums = place(machine, "sums", operands["sums"])
        piece = machine.memory("piece", 32)
        piece.memory.pointers[16] = sums
        piece.memory.bits[8 * 24 :] = known(tiles, 64, machine.domain)
        result = {"sums": (sums, PLANES * GROUPS * tiles * VECTOR // 8)}
        return Setting(f"add_row_avx512.{MODULE}", [row, piece, size], operands, result)

    def image(self, operands):
        tiles, size = self.shape
        shape = (PLANES, BYTES, PIECE_TILES, TILE, 8)
        monomials = operands["monomials"].reshape(shape)[:, :size, :tiles]
        matrices = operands["matrices"].reshape(PLANES, GROUPS, BYTES, 8, 8)[:, :, :size, ::-1]
        sums = operands["sums"].reshape(PLANES, GROUPS, tiles, TILE, 8).copy()
        for plane in range(PLANES):
            for group in range(GROUPS):
                for i in range(8):
                    of_polynomial = matrices[plane, group, :, i, None, None, :]
                    products = monomials[plane] & of_polynomial
                    added = np.bitwise_xor.reduce(products, axis=(0, 3))
                    sums[plane, group, :, :, i] ^= added
        return {"sums": sums.ravel()}


class Turn(Kernel):
    """turn_avx512 for so many places, and turn_back_avx512."""

    def prove(self, module):
        """Raises NotProved unless bytes are moved where they should be."""
        (count,) = self.shape
        machine = Machine(module, Fingerprints())
        tiles = (count + TILE - 1) // TILE
        vectors = machine.domain.free(8 * VECTOR_BYTES * count)
        arena = machine.memory("arena", 16)
        memory = machine.memory("taken", BYTES * tiles * PLANES * 64)
        arena.memory.pointers[0] = memory
        words = known(memory.memory.size // 8, 64, machine.domain)
        arena.memory.bits[64:] = words
        source = place(machine, "vectors", vectors)
        machine.call(f"turn_avx512.{MODULE}", [arena, source, count, tiles])
        elements = np.zeros((TILE * tiles, 2, VARIABLES), dtype=object)
        elements[:count] = vectors.reshape(count, 2, VARIABLES)
        same(self, "a byte", memory.memory.bits, planes_of(elements))
        self._back(machine, count, tiles)

    def _back(self, machine, count, tiles):
        sums = machine.domain.free(PLANES * GROUPS * tiles * VECTOR)
        piece = machine.memory("piece", 32)
        piece.memory.pointers[16] = place(machine, "sums", sums)
        piece.memory.bits[8 * 24 :] = known(tiles, 64, machine.domain)
        values = machine.memory("values", VECTOR_BYTES * count)
        machine.call(f"turn_back_avx512.{MODULE}", [values, piece, count])
        lo, hi, both = sums.reshape(PLANES, GROUPS, tiles * TILE, 8)[:, :, :count]
        right = np.stack([lo ^ hi, lo ^ both])  # [2][GROUPS][places][8]
        same(self, "a value", values.memory.bits, right.transpose(2, 0, 1, 3))


class Calls(Kernel):
    """evaluate for so many places of F and of G: which functions it calls, and where."""

    def __init__(self, *shape):
        super().__init__(*shape)
        self.calls, self.rows = [], set()

    def prove(self, module):
        """Raises NotProved unless these are all steps in their order."""
        self.calls, self.rows = [], set()
        names = ["load_row", "make_monomials", "add_row", "turn", "turn_back"]
        contracts = {f"{name}_avx512.{MODULE}": self._writes_down(name) for name in names}
        machine = Machine(module, Degrees(), contracts)
        machine.call(f"evaluate_avx512.{MODULE}", arguments_for(machine, *self.shape))
        if self.calls != list(self._expected()):
            raise NotProved(f"{self!r}: other calls than there should be")
        self._apart()

    def _writes_down(self, what):
        def call(machine, arguments):
            arguments = list(arguments)
            if what == "turn":  # the result is what it turned; so its name tells all of it
                _, vectors, count, tiles = arguments
                return machine.memory(str((*address(vectors), count, tiles)), 1)
            if what == "turn_back":
                self.calls.append((what, address(arguments[0]), *piece(arguments[1]), arguments[2]))
                return None
            self.rows.add(address(arguments[0]))
            known_piece = piece(arguments.pop(1)) if what != "load_row" else ()
            self.calls.append((what, *known_piece, *map(address, arguments[1:])))
            return None

        def piece(pointer):
            memory, start = pointer.memory, pointer.offset
            y = memory.pointers[start].memory.name
            z = memory.pointers.get(start + 8)
            sums = memory.pointers[start + 16]
            tiles = simplified(memory.bits[8 * (start + 24) :][:64])
            bits = sums.memory.bits[8 * sums.offset :][: PLANES * GROUPS * tiles * VECTOR]
            if bits.any():  # what stands for the functions does not write there
                raise NotProved(f"{self!r}: sums do not begin with zero")
            return y, z and z.memory.name, tiles, address(sums)

        return call

    def _pieces(self):
        """Yields of each piece its number, what it is as the calls have it, and its places."""
        sums = [call[4] for call in self.calls if call[0] == "add_row"]
        for at in range(2 * PIECES):
            polar, number = divmod(at, PIECES)
            first = TILE * PIECE_TILES * number
            count = min(max(self.shape[polar] - first, 0), TILE * PIECE_TILES)
            tiles = (count + TILE - 1) // TILE
            names = "yz" if polar else "x"
            y, *z = [str((name, VECTOR_BYTES * first, count, tiles)) for name in names]
            where = sums[at if at < PIECES else at + PIECES * 2]  # G begins with row 2
            yield number, (y, z[0] if z else None, tiles, where), count

    def _expected(self):
        """Yields the calls that there must be."""
        pieces = list(self._pieces())
        for number in range(WHOLE_ROWS + 1):
            size = BYTES if number < WHOLE_ROWS else BYTES // 2
            yield ("load_row", ("system", VECTOR_BYTES * number), size)
            for _, piece, _ in pieces if number >= 2 else pieces[:PIECES]:
                yield ("make_monomials", *piece, number, size)
                yield ("add_row", *piece, size)
        for f, g in zip(pieces[:PIECES], pieces[PIECES:], strict=True):
            for name, (number, piece, count) in (("values", f), ("polar", g)):
                first = VECTOR_BYTES * TILE * PIECE_TILES * number
                yield ("turn_back", (name, first), *piece, count)

    def _apart(self):
        """Raises NotProved if parts of the memory overlap."""
        parts = [(where, MONOMIALS + MATRICES) for where in self.rows]
        for _, (_, _, tiles, where), _ in self._pieces():
            parts.append((where, PLANES * GROUPS * tiles * VECTOR // 8))
        end = 0
        for (_, start), size in sorted(parts):
            if start < end or len(self.rows) != 1:
                raise NotProved(f"{self!r}: parts of the memory overlap")
            end = start + size
