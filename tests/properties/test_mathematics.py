# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Laws of the ring, and hashing against Python's hashlib, on every back end."""

import hashlib
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

RINGS = [12323, 24659, 40973]


def elements(r_bits):
    """Ring elements: dense ones from a seed, and sparse ones, which shrink well."""
    dense = st.integers(0, 2**64 - 1).map(lambda seed: random.Random(seed).getrandbits(r_bits))
    sparse = st.sets(st.integers(0, r_bits - 1), max_size=8).map(
        lambda bits: sum(1 << bit for bit in bits)
    )
    return st.one_of(dense, sparse, st.sampled_from([0, 1, (1 << r_bits) - 1, 1 << (r_bits - 1)]))


def rotate(r_bits, a, k):
    k %= r_bits
    return (a << k | a >> (r_bits - k)) & ((1 << r_bits) - 1)


@pytest.fixture
def in_backend(backend_name, internals):
    """Runs the test in each back end."""
    with internals.backend(backend_name):
        yield


@pytest.fixture
def in_fast_backend(fast_backend_name, internals):
    """The same without the reference, which the unit tests compare with the others."""
    with internals.backend(fast_backend_name):
        yield


def ring_law(test):
    """Runs a test for each ring in each back end but the reference."""
    return pytest.mark.usefixtures("in_fast_backend")(
        pytest.mark.parametrize("r_bits", RINGS)(test)
    )


@ring_law
@given(data=st.data())
def test_product_commutes_and_distributes(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a, b, c = (data.draw(elements(r_bits)) for _ in range(3))
    assert internals.mul(ring, a, b) == internals.mul(ring, b, a)
    assert internals.mul(ring, a, b ^ c) == (internals.mul(ring, a, b) ^ internals.mul(ring, a, c))


@ring_law
@given(data=st.data())
def test_product_associates(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a, b, c = (data.draw(elements(r_bits)) for _ in range(3))
    assert internals.mul(ring, internals.mul(ring, a, b), c) == internals.mul(
        ring, a, internals.mul(ring, b, c)
    )


@ring_law
@given(data=st.data())
def test_one_is_neutral_and_a_monomial_rotates(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a = data.draw(elements(r_bits))
    k = data.draw(st.integers(0, r_bits - 1))
    assert internals.mul(ring, a, 1) == a
    assert internals.mul(ring, a, 1 << k) == rotate(r_bits, a, k)


@ring_law
@given(data=st.data())
def test_product_with_a_sparse_element_is_a_sum_of_rotations(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a = data.draw(elements(r_bits))
    bits = data.draw(st.sets(st.integers(0, r_bits - 1), max_size=20))
    expected = 0
    for bit in bits:
        expected ^= rotate(r_bits, a, bit)
    assert internals.mul(ring, a, sum(1 << bit for bit in bits)) == expected


@ring_law
@given(data=st.data())
def test_mul_add_is_the_sum_of_products(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a, b, c, d = (data.draw(elements(r_bits)) for _ in range(4))
    assert internals.mul_add(ring, a, b, c, d) == (
        internals.mul(ring, a, b) ^ internals.mul(ring, c, d)
    )


@ring_law
@given(data=st.data())
def test_squares_are_products_and_powers_add(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a, b = (data.draw(elements(r_bits)) for _ in range(2))
    k = data.draw(st.integers(1, 3 * r_bits))
    j = data.draw(st.integers(1, 200))
    assert internals.square_times(ring, a, 1) == internals.mul(ring, a, a)
    power = internals.square_times(ring, a, k)
    assert internals.square_times(ring, power, j) == internals.square_times(ring, a, k + j)
    # Frobenius: additive and multiplicative.
    assert internals.square_times(ring, a ^ b, j) == internals.square_times(
        ring, a, j
    ) ^ internals.square_times(ring, b, j)
    assert internals.square_times(ring, internals.mul(ring, a, b), j) == internals.mul(
        ring, internals.square_times(ring, a, j), internals.square_times(ring, b, j)
    )


@ring_law
@given(data=st.data())
def test_inverse_times_element_is_one(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a = data.draw(elements(r_bits))
    if a.bit_count() % 2 == 0:
        a ^= 1
    if a.bit_count() == r_bits:
        a = 1
    inverse = internals.invert(ring, a)
    assert internals.mul(ring, a, inverse) == 1
    assert internals.invert(ring, inverse) == a


@ring_law
@given(data=st.data())
def test_weight_is_the_number_of_ones(r_bits, data, internals):
    a = data.draw(elements(r_bits))
    assert internals.weight(internals.ring(r_bits), a) == a.bit_count()


@ring_law
@given(data=st.data())
def test_encoding_is_little_endian_and_folds(r_bits, data, internals):
    ring = internals.ring(r_bits)
    a = data.draw(elements(r_bits))
    assert internals.encode(ring, a) == a.to_bytes(ring.bytes, "little")
    padding = data.draw(st.integers(0, (1 << (8 * ring.bytes - r_bits)) - 1))
    raw = (a | padding << r_bits).to_bytes(ring.bytes, "little")
    assert internals.decode(ring, raw) == a ^ padding


# --- Hashing --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("in_backend")
def test_every_length_around_the_blocks(internals):
    data = random.Random(1).randbytes(600)
    lengths = [*range(420), 600]
    for length in lengths:
        for bits in (256, 384, 512):
            expected = hashlib.new(f"sha3_{bits}", data[:length]).digest()
            assert internals.sha3(bits, data[:length]) == expected, (bits, length)
        for bits in (128, 256):
            expected = getattr(hashlib, f"shake_{bits}")(data[:length]).digest(length + 1)
            assert internals.shake(bits, data[:length], length + 1) == expected, (bits, length)


@pytest.mark.usefixtures("in_backend")
def test_long_message(internals):
    data = random.Random(2).randbytes(1 << 20)
    assert internals.sha3(384, data) == hashlib.sha3_384(data).digest()
    assert internals.shake(128, data, 5000) == hashlib.shake_128(data).digest(5000)


@pytest.mark.usefixtures("in_backend")
@given(
    seed=st.integers(0, 2**32),
    cuts=st.lists(st.integers(0, 900), max_size=12),
    lengths=st.lists(st.integers(0, 400), max_size=8),
    kind=st.sampled_from(
        [
            ("sha3_256", 136, 6),
            ("sha3_384", 104, 6),
            ("sha3_512", 72, 6),
            ("shake_128", 168, 31),
            ("shake_256", 136, 31),
        ]
    ),
)
def test_pieces_do_not_matter(seed, cuts, lengths, kind, internals):
    data = random.Random(seed).randbytes(900)
    edges = [0, *sorted(cuts), 900]
    pieces = [data[start:end] for start, end in itertools.pairwise(edges)]
    name, rate, suffix = kind
    if name.startswith("sha3"):
        lengths = [hashlib.new(name).digest_size]
        expected = hashlib.new(name, data).digest()
    else:
        expected = getattr(hashlib, name)(data).digest(sum(lengths))
    assert b"".join(internals.sponge(rate, suffix, pieces, lengths)) == expected
