# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of constants of which every word counts: a changed bit fails a proof."""

import pytest

from proofs.kernels.constants import unnoticed
from proofs.kernels.fields import FILES, FieldCall

# struct gf2m_level: words of gamma by planes, three numbers, words of the twist by planes.
LEVELS, LEVEL_BYTES = 8, 1344
GAMMA, HIGH, TWIST = 0, 832, 896
CALLS = {
    12: [("evaluate", 65), ("power_sums", 128)],
    13: [("evaluate", 129), ("power_sums", 256)],
}


def words(degree):
    """Yields (level, part, plane, word, bit in the table) of some bit of every word."""
    for level in range(LEVELS):
        at = 8 * level * LEVEL_BYTES
        for plane in range(degree):
            for word in range(8):
                bit = (17 * word + 5 * plane + level) % 64
                yield level, GAMMA, plane, word, at + 8 * GAMMA + 64 * (8 * plane + word) + bit
            for word in range(4):
                bit = (17 * word + 5 * plane + level) % 64
                yield level, TWIST, plane, word, at + 8 * TWIST + 64 * (4 * plane + word) + bit
        for word in range(3):
            yield level, HIGH, 0, word, at + 8 * HIGH + 16 * word + (3 * word + level) % degree


def is_read(degree, level, part, _, word, bit):
    """Tells whether the lengths of the schemes need a bit: the first level has no twist, levels
    below the last blocks have no higher ones, and in GF(2^12), where polynomials are shorter, there
    is a level less, and every other lane has a coefficient."""
    if part == TWIST:
        return level > 0 and (degree == 13 or (level < LEVELS - 1 and bit % 2 == 0))
    if part == HIGH:
        return word < degree - 10 - level
    return degree == 13 or level < LEVELS - 1


@pytest.mark.long
@pytest.mark.parametrize("degree", CALLS)
def test_every_word_of_the_levels_counts(need, sources, degree):
    """Of those that are read, by one of the proofs in test_fields.py."""
    need("clang")
    places = list(words(degree))
    left = {bit for *_, bit in places}
    for backend in FILES:
        for operation, count in CALLS[degree]:
            call = FieldCall(backend, operation, degree, count)
            module = sources.module(call.files, call.target)
            left = set(unnoticed(module, call, f"levels_{degree}.gf2m_{degree}", sorted(left), 2))
    unread = {place[-1] for place in places if not is_read(degree, *place)}
    assert left == unread


# frobenius[k] is for polynomials of 2^k + 1 coefficients: the k of the schemes.
USED = {12: 6, 13: 7}


@pytest.mark.long
@pytest.mark.parametrize("degree", [12, 13])
def test_every_number_of_a_frobenius_map_counts(need, sources, degree):
    """Of the one that the longest Goppa polynomials take, and of no other."""
    need("clang")
    numbers = [(k, i) for k in range(9) for i in range(degree)]
    bits = {8 * (16 + 2 * (13 * k + i)) + (3 * i + k) % degree: k for k, i in numbers}
    operation, count = CALLS[degree][0]
    call = FieldCall("avx2", operation, degree, count)
    module = sources.module(call.files)
    left = unnoticed(module, call, f"ckem_gf2m_{degree}", list(bits), 2)
    assert set(left) == {bit for bit, k in bits.items() if k != USED[degree]}
