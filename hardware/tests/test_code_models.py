# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The models of HQC's codes, with which the benches compare the hardware, are the library's: also
for words that no message has, where back ends for speed agree among each other."""

import random

import pytest

from hardware.tests.benches import codes
from tests.c_library import FFI, call

CODES = {1: (46, 16, 15, 3), 3: (56, 24, 16, 5), 5: (90, 32, 29, 5)}  # n1, k, delta, copies
WORDS = 100  # of each kind


class Coder:
    """A code of the library, in the portable back end."""

    def __init__(self, library, level):
        self.n1, self.k, self.delta, self.copies = CODES[level]
        self.ops = library.ckem_hqc_codes_portable
        generator = codes.rs_product(2 * self.delta)[:-1]
        self.code = FFI.new("struct reed_solomon *", [self.n1, self.k, self.delta, generator])

    def encode(self, message):
        out = bytearray(self.n1)
        call(self.ops.reed_solomon_encode, self.code, out, bytes(message))
        return list(out)

    def decode(self, word):
        out = bytearray(self.k)
        call(self.ops.reed_solomon_decode, self.code, out, bytes(word))
        return list(out)

    def decode_symbol(self, copies):
        out = bytearray(1)
        data = b"".join(copy.to_bytes(16, "little") for copy in copies)
        call(self.ops.reed_muller_decode, out, data, 1, self.copies)
        return out[0]


@pytest.fixture(params=[pytest.param(n, marks=[] if n == 1 else pytest.mark.long) for n in CODES])
def coder(request, internals):
    return Coder(internals.c, request.param)


def test_reed_solomon(coder, seed):
    source = random.Random(seed)
    for count in range(coder.delta + 4):
        for _ in range(5):
            message = list(source.randbytes(coder.k))
            word = codes.rs_encode(message, coder.delta)
            assert word == coder.encode(message)
            word = codes.with_errors(source, word, count)
            decoded = codes.rs_decode(word, coder.delta)
            assert decoded == coder.decode(word)
            assert count > coder.delta or decoded == message
    for _ in range(WORDS):  # far from any codeword
        word = source.randbytes(coder.n1)
        assert codes.rs_decode(word, coder.delta) == coder.decode(word)


def test_reed_muller(coder, seed):
    source = random.Random(seed)
    for symbol in range(256):
        assert codes.rm_decode([codes.rm_word(symbol)] * coder.copies) == symbol
    for _ in range(WORDS):
        copies = [source.getrandbits(128) for _ in range(coder.copies)]
        assert codes.rm_decode(copies) == coder.decode_symbol(copies)
        copies = [codes.rm_word(source.randrange(256)) for _ in range(coder.copies)]
        assert codes.rm_decode(copies) == coder.decode_symbol(copies)
