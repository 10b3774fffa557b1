# SPDX-License-Identifier: Apache-2.0 OR MIT
"""X25519 of the library: the vectors of RFC 7748, and the model on special and random points."""

import random

from tests.hybrid_model import GROUPS

MODEL = GROUPS["X25519"]
# RFC 7748, 5.2: scalar, u coordinate, result.
EXAMPLES = [
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
]
ITERATED = {
    1: "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    1000: "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
}


def check_examples(program, iterations):
    for scalar, point, result in EXAMPLES:
        assert program.x25519(bytes.fromhex(scalar), bytes.fromhex(point)).hex() == result
    k = u = (9).to_bytes(32, "little")
    for number in range(1, iterations + 1):
        k, u = program.x25519(k, u), k
        assert ITERATED.get(number, k.hex()) == k.hex()


def check_against_model(program, count):
    """Limbs that are full or empty, numbers around p and 2^255, small orders, random ones."""
    source = random.Random(7748)
    p = MODEL.prime
    points = [n % 2**256 for n in (*range(20), *range(p - 20, p + 20), *range(-40, 0))]
    points += [2**e + d for e in (25, 26, 51, 102, 153, 204, 230, 254) for d in (-1, 0, 19)]
    points += [source.getrandbits(256) for _ in range(count)]
    points += [source.getrandbits(256) | source.getrandbits(256) << 1 & p for _ in range(count)]
    for point in points:
        element, scalar = (point % 2**256).to_bytes(32, "little"), source.randbytes(32)
        assert program.x25519(scalar, element) == MODEL.secret(element, scalar), point


def check_x25519(program):
    check_examples(program, 10)
    check_against_model(program, 10)


def test_examples(best):
    check_examples(best, 1000)


def test_special_and_random_points(best):
    check_against_model(best, 100)
