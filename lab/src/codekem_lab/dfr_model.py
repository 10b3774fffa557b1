# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is known without decoding: how rare the keys and errors of a class are, and which r to
take."""

import math


def log2_binomial(n, k):
    """Returns log2 of n over k."""
    if not 0 <= k <= n:
        return -math.inf
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


# --- How rare they are ----------------------------------------------------------------------------


def log2_density(key_class, parameter, r, d, t):
    """Returns log2 of an upper bound for the share of keys in a class (in h0 or in h1) [Vas21], or
    of errors.

    A bound, because a key may have the property for several distances, in h0 and in h1, and an
    error for several near-codewords; it is close where the share is small. None for random keys.
    """
    distances = math.log2((r - 1) / 2)
    if key_class == "progression":  # a start and a distance; the other positions anywhere
        return min(
            0.0,
            1
            + math.log2(r)
            + distances
            + log2_binomial(r - parameter, d - parameter)
            - log2_binomial(r, d),
        )
    expected = log2_expected(key_class, parameter, r, d, t)
    return None if expected is None else min(0.0, expected)


def log2_expected(key_class, parameter, r, d, t):
    """Returns log2 of the expected number of instances of a class with exactly that parameter:
    distances in h0 and h1, shifts of h1, near-codewords; None if that is not known exactly. r: for
    distances, a prime."""
    all_keys = log2_binomial(r, d)
    if key_class == "multiplicity":  # positions in d - parameter runs around a circle
        runs = d - parameter
        return (
            1
            + math.log2((r - 1) / 2)
            + math.log2(r / runs)
            + log2_binomial(d - 1, runs - 1)
            + log2_binomial(r - d - 1, runs - 1)
            - all_keys
        )
    if key_class == "intersection":  # a shift of h1 against h0
        return (
            math.log2(r)
            + log2_binomial(d, parameter)
            + log2_binomial(r - d, d - parameter)
            - all_keys
        )
    if key_class == "near-codeword":  # one of 2 r near-codewords
        return (
            math.log2(2 * r)
            + log2_binomial(d, parameter)
            + log2_binomial(2 * r - d, t - parameter)
            - log2_binomial(2 * r, t)
        )
    return None


# --- Which r -------------------------------------------------------------------------------------


def is_prime(n):
    return n > 1 and all(n % p for p in range(2, math.isqrt(n) + 1))


def two_is_primitive(r):
    """Whether 2 generates the multiplicative group mod the prime r: then x^r - 1 has only the
    factor x - 1 and one other, as BIKE wants it."""
    if not is_prime(r):
        return False
    factors, rest = set(), r - 1
    for p in range(2, math.isqrt(rest) + 1):
        while rest % p == 0:
            factors.add(p)
            rest //= p
    if rest > 1:
        factors.add(rest)
    return all(pow(2, (r - 1) // p, r) != 1 for p in factors)


def nearest_r(wanted):
    """Returns the nearest r that BIKE could use."""
    for distance in range(wanted):
        for r in (wanted - distance, wanted + distance):
            if r % 2 and two_is_primitive(r):
                return r
    raise ValueError(wanted)
