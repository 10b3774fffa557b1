# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Weak keys of BIKE, for which many honest ciphertexts do not decode: what a lower first threshold
changes is seen with a few of them."""

import random

from tests.library import STATUS, options
from tests.samples import dirty

# Level, and how many pairs of positions of h0 have the distance 1.
LEVELS = {"BIKE-L1": (1, 34), "BIKE-L3": (3, 50), "BIKE-L5": (5, 67)}


def weak_key(library, internals, name, count):
    """Returns the KEM of that name, the bytes of a weak secret key, and `count` honest ciphertexts
    with their secrets."""
    level, pairs = LEVELS[name]
    kem, params = library.kem(name), internals.c.pointer_to(f"ckem_bike_level{level}")
    ring, d, generator = params.ring, params.key_weight, random.Random(name)
    starts = sorted(generator.sample(range(1, ring.r_bits // 2 - d), d - pairs))
    longer, h0 = pairs // (d - pairs), []
    for i, start in enumerate(starts):
        length = 1 + longer + (i < pairs % (d - pairs))
        h0 += [2 * start + 3 * i + k for k in range(length)]
    supports = [sorted(set(h0)), sorted(generator.sample(range(ring.r_bits), d))]
    assert len(supports[0]) == d and supports[0][-1] < ring.r_bits
    h = [sum(1 << p for p in support) for support in supports]
    public = internals.mul(ring, internals.invert(ring, h[0]), h[1]).to_bytes(ring.bytes, "little")
    lists = b"".join(p.to_bytes(4, "little") for support in supports for p in support)
    dense = b"".join(half.to_bytes(ring.bytes, "little") for half in h)
    secret = lists + dense + public + bytes(range(32))
    assert library.call["kem_check_secret_key"](kem, secret) == STATUS.OK
    return kem, secret, [library.encaps(kem, public, bytes([i]) * 32) for i in range(count)]


def secrets_of(library, kem, secret, ciphertexts, lower):
    """Returns the shared secrets of ciphertexts by a batch with lower_first_threshold."""
    out = dirty(32 * len(ciphertexts))
    call, given = library.call["kem_decaps_batch"], options(lower_first_threshold=lower)
    whole = b"".join(ciphertexts)
    assert call(kem, len(ciphertexts), out, whole, secret, 0, given) == STATUS.OK
    return [bytes(out[i : i + 32]) for i in range(0, len(out), 32)]
