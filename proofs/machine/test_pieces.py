# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is cut from a word is what its bits say, for all values of the bits that were added."""

import itertools
import random

import numpy as np

from proofs.machine.pieces import Pieces

BITS, INPUTS = 32, 4
FACTORS = (1, 2, 3, 15, 16, 17, 255, 256, -1, -256, 1 << 16, 0x10001, -(1 << 16), 1 << 31)


def numbers(sum_, inputs):
    """Returns the values of a sum for all values of the inputs; None if it has other bits."""
    if not sum_.keys() <= {(), *((bit,) for bit in inputs)}:
        return None
    return [
        sum_.get((), 0) + sum(sum_.get((bit,), 0) for bit, value in pairs if value)
        for pairs in (
            list(zip(inputs, values, strict=True))
            for values in itertools.product((0, 1), repeat=len(inputs))
        )
    ]


def test_a_part_of_a_word_is_what_its_bits_say():
    """The lower part and the upper part, wherever a word of a random sum is cut."""
    choose, compared = random.Random(1), 0
    for _ in range(60):
        domain = Pieces()
        inputs = domain.free(INPUTS)
        total = {(bit,): choose.choice(FACTORS) for bit in inputs}
        total[()] = choose.choice((0, 127, 1 << 15, 0x80008000))
        for bit in inputs:
            domain.sum_of(np.array([bit]))  # so that its limits are known
        right = [value % 2**BITS for value in numbers(total, inputs)]
        codes = domain.codes_of(total, BITS)
        for at in range(1, BITS):
            parts = [(codes[:at], at, [v % 2**at for v in right])]
            parts += [(codes[at:], BITS - at, [v >> at for v in right])]
            for part, size, wanted in parts:
                found = numbers(domain.sum_of(part), inputs)
                if found is not None:
                    assert [v % 2**size for v in found] == wanted
                    compared += 1
    assert compared > 500


def test_a_comparison_has_one_code():
    """However it is written; and another one if it is another one."""
    domain = Pieces()
    inputs = domain.free(INPUTS)
    number = {(bit,): factor for bit, factor in zip(inputs, (1, -2, 4, -1), strict=True)}
    for bit in inputs:
        domain.sum_of(np.array([bit]))
    codes = domain.codes_of(number, BITS)
    opposite = domain.codes_of({atom: -factor for atom, factor in number.items()}, BITS)
    top = np.array([-(i == BITS - 1) for i in range(BITS)], dtype=object)
    biased = domain.add(codes, top)
    zero = domain.equal(codes, np.zeros(BITS, dtype=object))
    negative = domain.less(biased, top)[0]
    assert negative == codes[-1]
    assert domain.less(top, biased)[0] == opposite[-1]
    assert domain.either(zero, codes[-1:])[0] == ~opposite[-1]
    assert len({codes[-1], ~codes[-1], opposite[-1], ~opposite[-1], zero[0]}) == 5
