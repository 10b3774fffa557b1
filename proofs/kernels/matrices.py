# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bit matrices of Classic McEliece (src/mceliece/goppa/bitmatrix): the kernels that the
factorisation repeats.

Vectors work on strips: eight rows, a byte for each column. Their kernels are sums of products of
bits, so code and specification are compared as such (Formula); what chooses rows by their numbers
is compared as circuits. For plain words the same with rows of words.
"""

import numpy as np

from proofs.kernels import lookups
from proofs.kernels.codes import place
from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.prove import NotProved, Setting, results, run
from proofs.kernels.engine.terms import MEANINGS, Terms

BACKENDS = {"avx2": "x86_64-linux-gnu", "avx512": "x86_64-linux-gnu", "neon": "aarch64-linux-gnu"}
SHARED = ["mceliece/goppa/bitmatrix/bitmatrix.c"]
FILES = {b: [f"mceliece/goppa/bitmatrix/bitmatrix_{b}.c", *SHARED] for b in ("portable", *BACKENDS)}
FILES["neon"] = ["mceliece/goppa/bitmatrix/bitmatrix_neon64.c", *SHARED]
SEGMENT = 8  # words of a row that portable code makes at a time
UNITS = {"portable": "bitmatrix_portable", "avx2": "bitmatrix_avx2", "avx512": "bitmatrix_avx512"}
UNITS["neon"] = "bitmatrix_neon64"


class Products(Terms):
    """The domain of terms that also looks up in tables that are not known."""

    meanings = lookups.MEANINGS + MEANINGS


class Lookups(Circuits):
    """The domain of circuits that also looks up bytes."""

    meanings = lookups.MEANINGS + Circuits.meanings


class Kernel:
    """A function of a back end, with what its results must be; see circuits.Unit."""

    contracts: dict | None = None

    def __init__(self, backend, *shape):
        self.backend, self.shape = backend, shape
        self.files = FILES[backend]
        self.target = BACKENDS.get(backend, "x86_64-linux-gnu")

    def __repr__(self):
        return "-".join(map(str, [self.backend, type(self).__name__, *self.shape]))

    def name(self, function):
        """Returns the name of a local function of the back end."""
        ending = "" if self.backend == "portable" else f"_{self.backend}"
        return f"{function}{ending}.{UNITS[self.backend]}"

    def __call__(self, machine, free):
        """Returns a Setting."""
        raise NotImplementedError

    def expected(self, domain, operands):
        """Returns what the results must be."""
        raise NotImplementedError

    def pairs(self, module, domain):
        """Runs the function; yields name and place of each bit, what it is and what it must be."""
        machine = Machine(module, domain, self.contracts)
        setting = self(machine, domain.free)
        operands = {name: codes.copy() for name, codes in setting.operands.items()}
        run(machine, setting)
        expected = self.expected(domain, operands)
        for name, codes in results(setting).items():
            for at, bits in enumerate(zip(codes, expected[name], strict=True)):
                yield (name, at, *bits)


class Formula(Kernel):
    """A function whose results are sums of products."""

    def prove(self, module):
        """Raises NotProved unless the results are those sums."""
        for name, at, code, right in self.pairs(module, Products()):
            if code != right:
                raise NotProved(f"{self!r}: bit {at} of {name} can be wrong")


class Numbered(Kernel):
    """A function that chooses by numbers: its results are compared as circuits."""

    def prove(self, module):
        """Raises NotProved unless the results are those of the circuits."""
        domain = Lookups()
        for name, at, code, right in self.pairs(module, domain):
            if domain.differ(code, right):
                raise NotProved(f"{self!r}: bit {at} of {name} can be wrong")


class AddProducts(Formula):
    """to_operands, then add_products: strips of so many bytes plus the sum of `count` blocks times
    strips of the right side, whose rows have bytes between them that are not read."""

    def __call__(self, machine, free):
        strips, count, width = self.shape
        out_stride, in_stride, a_stride = width + 64, width + 128, count + 8
        operands = {
            "out": free(8 * strips * out_stride),
            "blocks": free(64 * strips * a_stride),
            "in": free(8 * count * in_stride),
        }
        out, blocks, right = (place(machine, name, x) for name, x in operands.items())
        machine.call(self.name("to_operands"), [blocks, blocks, strips * a_stride])
        arguments = [out, out_stride, strips, blocks, a_stride, count, right, in_stride, width]
        result = {"out": (out, strips * out_stride)}
        return Setting(self.name("add_products"), arguments, operands, result)

    def expected(self, domain, operands):
        strips, count, width = self.shape
        out = operands["out"].reshape(strips, -1, 8).copy()
        # row i of a block is bits 0 to 7 of ... column by column: byte c is column c
        blocks = operands["blocks"].reshape(strips, -1, 8, 8)  # [strip][block][column][row]
        right = operands["in"].reshape(count, -1, 8)  # [strip][column][row]
        for s in range(strips):
            for j in range(count):
                for row in range(8):
                    columns = right[j, :width, row]
                    for to in range(8):
                        bit = np.full(width, blocks[s, j, row, to], dtype=object)
                        out[s, :width, to] ^= domain.both(bit, columns)
        return {"out": out.ravel()}


class Strips(Formula):
    """Between 64 rows of words and eight strips, or eight rows of 512 bits and a strip."""

    def __call__(self, machine, free):
        (function,) = self.shape
        operands = {"in": free(4096)}
        source, out = place(machine, "in", operands["in"]), machine.memory("out", 512)
        arguments = [out, 64, source]
        if function == "strips_to_words":
            arguments = [out, source, 64, 8]
        elif function in ("rows_to_strip", "strip_to_rows"):
            pointers = machine.memory("rows", 64)
            rows = source if function == "rows_to_strip" else out
            for at in range(8):
                pointers.memory.pointers[8 * at] = rows + 64 * at
            arguments = [out, pointers] if rows is source else [pointers, source]
        return Setting(self.name(function), arguments, operands, {"out": (out, 512)})

    def expected(self, domain, operands):
        (function,) = self.shape
        codes = operands["in"]
        if function == "words_to_strips":  # [strip][row][column] to [strip][column][row]
            return {"out": codes.reshape(8, 8, 64).swapaxes(1, 2).ravel()}
        if function == "strips_to_words":
            return {"out": codes.reshape(8, 64, 8).swapaxes(1, 2).ravel()}
        if function == "rows_to_strip":
            return {"out": codes.reshape(8, 512).T.ravel()}
        return {"out": codes.reshape(512, 8).T.ravel()}


class MoveBytes(Numbered):
    """64 bytes by their numbers."""

    def __call__(self, machine, free):
        operands = {"bytes": free(512), "source": free(512)}
        operands["source"].reshape(64, 8)[:, 6:] = 0
        pointers = [place(machine, name, codes) for name, codes in operands.items()]
        return Setting(self.name("move_bytes"), pointers, operands, {"bytes": (pointers[0], 64)})

    def expected(self, domain, operands):
        pool = operands["bytes"].reshape(64, 8)
        indices = operands["source"].reshape(64, 8)
        return {"bytes": np.concatenate([lookups.looked_up(domain, pool, i[:6]) for i in indices])}


class MakeSelection(Numbered):
    """The operands of the matrix that takes row place[c] for row c, and nothing if that is c."""

    def __call__(self, machine, free):
        reach = 128
        operands = {"place": free(16 * 64)}
        operands["place"].reshape(64, 16)[:, 7:] = 0
        numbers = place(machine, "place", operands["place"])
        out, work = machine.memory("out", 8 * reach), machine.memory("work", 8 * reach)
        name = self.name("make_selection")
        return Setting(name, [out, numbers, reach, work], operands, {"out": (out, 8 * reach)})

    def expected(self, domain, operands):
        bits = np.zeros((64, 128), dtype=np.int64)  # [row][row that is taken]
        for c, number in enumerate(operands["place"].reshape(64, 16)):
            for row in range(128):
                if row != c:
                    differ = domain.xor(number, np.array([row >> i & 1 for i in range(16)]))
                    bits[c, row : row + 1] = domain.equal(differ, np.zeros(16, dtype=np.int64))
        blocks = bits.reshape(8, 8, 16, 8).transpose(0, 2, 3, 1)  # [strip][block][column][row]
        if self.backend == "avx512":  # row i in byte 7 - i
            blocks = blocks.swapaxes(2, 3)[:, :, ::-1]
        return {"out": blocks.ravel()}


class Rows(Formula):
    """Plain words: adds to `words` words of rows the rows of b that coefficients select; the
    functions of bitmatrix_portable.c that do so for one row, two rows and a block of 64 rows."""

    def __call__(self, machine, free):
        function, words = self.shape
        stride = 9  # words between rows of b and of the result; more than a row has
        operands = {"out": free(64 * 64 * stride), "a": free(64 * 64 * 3)}
        operands["b"] = free(64 * 128 * stride)
        out, a, b = (place(machine, name, codes) for name, codes in operands.items())
        result = {"out": (out, 8 * 64 * stride)}
        scratch = machine.memory("scratch", 8 * 64 * SEGMENT)
        coefficients = [machine.codes(operands["a"][64 * i :][:64], 64).copy() for i in range(2)]
        arguments = {
            "add_rows": [out, coefficients[0], b, stride, words],
            "add_rows_to_two": [out, out + 8 * stride, *coefficients, b, stride],
            "add_blocks_to_block": [out, stride, words, a, 3, b, stride, 0, 2],
            "multiply_words_block": [out, stride, words, a, 3, scratch],
        }[function]
        return Setting(self.name(function), arguments, operands, result)

    def expected(self, domain, operands):
        function, words = self.shape
        out = operands["out"].reshape(64, 9, 64).copy()
        a = operands["a"].reshape(64, 3, 64)
        b = operands["b"].reshape(128, 9, 64)
        if function == "multiply_words_block":
            b, out = out, out.copy()
            out[:, :words] = 0
        rows = {"add_rows": 1, "add_rows_to_two": 2}.get(function, 64)
        blocks = 2 if function == "add_blocks_to_block" else 1
        for i in range(rows):
            own = operands["a"].reshape(-1, 64)[i : i + 1] if rows < 64 else a[i]
            for at in range(64 * blocks):
                bit = np.full((words, 64), own[at // 64, at % 64], dtype=object)
                out[i, :words] ^= domain.both(bit, b[at, :words])
        return {"out": out.ravel()}


class Words(Formula):
    """Plain words: transposing 64 x 64 bits, and the parities of 64 words."""

    def __call__(self, machine, free):
        (function,) = self.shape
        operands = {"x": free(4096)}
        x = place(machine, "x", operands["x"])
        result = {"x": (x, 512)} if function == "transpose_block" else {}
        return Setting(self.name(function), [x], operands, result, 64)

    def expected(self, domain, operands):
        bits = operands["x"].reshape(64, 64)
        if self.shape[0] == "transpose_block":
            return {"x": bits.T.ravel()}
        return {"value": domain.total(bits.T)}


class PivotRow(Formula):
    """Plain words: adds to a row of a block the one of later rows whose number is `place`."""

    def __call__(self, machine, free):
        (words,) = self.shape
        operands = {"rows": free(64 * 128 * 9), "place": free(16)}
        rows = place(machine, "rows", operands["rows"])
        number = np.concatenate([operands["place"], np.zeros(16, dtype=object)])
        arguments = [rows + 8 * 9 * 5, rows, 9, words, 6, 128, number]
        self.contracts = {f"ct_mask_equal_u32.{UNITS['portable']}": mask_equal}
        return Setting(
            self.name("add_pivot_row"), arguments, operands, {"rows": (rows, 8 * 128 * 9)}
        )

    def expected(self, domain, operands):
        (words,) = self.shape
        rows = operands["rows"].reshape(128, 9, 64).copy()
        total = rows[5, :words].copy()
        for r in range(6, 128):
            number = np.array([-(r >> i & 1) for i in range(16)], dtype=object)
            here = domain.equal(number, operands["place"])
            total ^= domain.both(np.full(total.shape, here[0], dtype=object), rows[r, :words])
        rows[5, :words] = total
        return {"rows": rows.ravel()}


def mask_equal(machine, arguments):
    """ct_mask_equal_u32"""
    a, b = (machine.codes(argument, 32) for argument in arguments)
    return np.repeat(machine.domain.equal(a, b), 32)
