# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of Classic McEliece, and their products with rows of the public matrix, in the machine
code of the Cortex-M4: errors.py and quadratic.py say what is proved, and how."""

import numpy as np

from proofs.kernels.errors import FindRepeat, Place
from proofs.kernels.machine_code import MachineCall, processor_for
from proofs.kernels.quadratic import PARTNER_BYTES, Rows


def halves(codes, words):
    """Returns numbers of 16 bits as so many words; the rest is zero."""
    padded = np.zeros(32 * words, dtype=codes.dtype)
    padded[: codes.size] = codes
    return padded


class FindRepeatCode(FindRepeat):
    """Whether two numbers are equal."""

    def __init__(self, count):
        super().__init__("m4", count)

    def _run(self, module, domain, codes):
        processor = processor_for(module, domain)
        positions = processor.allocate(self.count)  # two numbers in a word; half of it is not set
        for k in range(self.count):
            processor.store_part(positions + 2 * k, codes[16 * k : 16 * k + 16], 16)
        return processor.codes(processor.call("find_repeat_m4", [positions, self.count]))


class PlaceCode(Place):
    """The ones of an error."""

    def __init__(self, count, words):
        super().__init__("m4", count, words)

    def _run(self, module, domain, codes):
        processor = processor_for(module, domain)
        error = processor.allocate(2 * self.words)
        positions = processor.allocate(0, halves(codes, (self.count + 1) // 2))
        processor.call("place_m4", [error, self.words, positions, self.count])
        return processor.memory(error, 2 * self.words)


class RowsCode(MachineCall, Rows):
    """`multiply` for rows that are not a multiple of those that it takes at once."""

    count = 40

    def __init__(self, row_bytes):
        Rows.__init__(self, "m4", row_bytes)

    def __call__(self, processor, free):
        bits = 8 * self.row_bytes
        operands = {"rows": free(bits * self.count), "partner": free(bits)}
        out = processor.allocate(-(-self.count // 32))
        rows = processor.allocate(0, halves(operands["rows"], self.count * self.row_bytes // 4))
        partner = processor.allocate(0, halves(operands["partner"], PARTNER_BYTES // 4))
        processor.store_part(out + 4, 0, 32)  # what has no parity
        arguments = [out, rows, self.count, self.row_bytes, partner]
        return "multiply_m4", arguments, operands, {"parities": (out, 2)}

    model = Rows.model
    model_degree = Rows.model_degree
