# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Models for the benches: sparse products, counters and thresholds of the decoder, division steps.

Polynomials are integers: bit j is the coefficient of x^j.
"""

LEVELS = {
    1: (12323, 71, 1353000000, 697220, 36),
    3: (24659, 103, 1525880000, 526500, 52),
    5: (40973, 137, 1787850000, 402312, 69),
}  # r, d, and the threshold's numbers [BIKE, S7.3]


def rotate(value, k, r):
    """Returns value x^k modulo x^r - 1."""
    k %= r
    return (value << k | value >> (r - k)) & ((1 << r) - 1)


def multiply(value, positions, r):
    """Returns the product by a sparse polynomial modulo x^r - 1."""
    total = 0
    for k in positions:
        total ^= rotate(value, k, r)
    return total


def threshold(level, weight, lower=0):
    """Returns the threshold of an unmasked iteration for a syndrome of this weight; lower: by how
    much it is to be lower."""
    *_, a, b, minimum = LEVELS[level]
    return max((a + b * weight) // 10**8 - lower, minimum)


def masked_threshold(level):
    return (LEVELS[level][1] + 1) // 2 + 1


def counters(syndrome, positions, r):
    """Returns bit planes: for each j the number of k in positions with coefficient j + k set."""
    planes = [0] * len(positions).bit_length()
    for k in positions:
        carry = rotate(syndrome, -k, r)
        for i, plane in enumerate(planes):
            planes[i], carry = plane ^ carry, plane & carry
    return planes


def at_least(planes, bound, r):
    """Returns the polynomial of the counters that are at least a bound."""
    whole = (1 << r) - 1
    if bound >= 1 << len(planes):
        return 0
    greater, equal = 0, whole
    for i in reversed(range(len(planes))):
        if bound >> i & 1:
            equal &= planes[i]
        else:
            greater |= equal & planes[i]
            equal &= whole ^ planes[i]
    return greater | equal


def division_steps(f, g, swap, add, count):
    """Makes `count` steps on polynomials as the hardware does; bit i of swap and add decides step
    i."""
    for i in range(count):
        f, g = (g if swap >> i & 1 else f) << 1, g ^ (f if add >> i & 1 else 0)
    return f, g
