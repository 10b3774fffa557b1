# SPDX-License-Identifier: Apache-2.0 OR MIT
"""For each power 2^k that an inversion needs, the numbers of rows of the two bit matrices that
carry it out (src/kem/gf2x/gf2x_power.h)."""

SMALLEST_K = 5  # below, repeated squaring is faster
SHORTEST_ROW = 64  # bits of a row that the vector back ends need
MAX_BLOCKS = 6  # a matrix has at most MAX_BLOCKS * 64 rows and columns


def chain(r):
    """Returns the exponents k of all 2^k-th powers in the inversion [BIKE, S8.2]."""
    n = r - 2
    ks = set()
    for i in range(1, n.bit_length()):
        ks.add(1 << (i - 1))
        if n >> i & 1:
            ks.add(n % (1 << i))
    return sorted(ks)


def find_plan(r, k):
    """Returns small d and e with d * 2^-k = e or -e (mod r), as in struct gf2x_power_plan; the
    fewest 64 x 64 blocks win. None where there are none."""
    inverse_power = pow(pow(2, k, r), -1, r)
    best = None
    for d in range(1, 64 * MAX_BLOCKS + 1):
        e = d * inverse_power % r
        negative = int(e > r - e)
        e = min(e, r - e)
        if e == 0 or e > 64 * MAX_BLOCKS:
            continue
        if r // max(d, e) < SHORTEST_ROW:
            continue
        rows_in, rows_out = -(-r // e), -(-r // d)
        largest = max(d, e, rows_in, rows_out)
        blocks = -(-largest // 64)
        # The two matrices take at most half of GF2X_SCRATCH_WORDS.
        if blocks > MAX_BLOCKS or 2 * 64 * blocks**2 > 10 * -(-r // 64):
            continue
        cost = (blocks, max(d, e) + max(rows_in, rows_out), d)
        if best is None or cost < best[0]:
            best = (cost, (k, d, e, pow(d, -1, r), blocks, negative))
    return best[1] if best else None


def plans_of(r):
    """Returns the plans of a ring."""
    return [plan for k in chain(r) if k >= SMALLEST_K and (plan := find_plan(r, k))]
