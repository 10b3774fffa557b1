# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels of HQC: as software they give what the library gives, and the cores the same.

The cycles of each run are those that were computed before.
"""

import hashlib
import random

import pytest

from tests.c_library import FFI, call

QUICK = {
    "keccak_f.perf": 75,
    "sparse_product.mid": 18614,
    "rs_encode.perf": 64,
}
LONG = {
    "fixed_weight.perf": 2478,
    "rs_syndromes.perf": 123,
    "rm_decode.comp": 54926,
    "rm_encode.comp": 738,
    "shake256.perf": 230,
    "keccak_f.comp": 4614,
    "shake256.pure": 223,
    "sparse_product.perf": 4820,
    "rm_encode.perf": 280,
    "rm_decode.perf": 1704,
    "rs_encode.comp": 1056,
    "rs_syndromes.comp": 1673,
}
N, WEIGHT = 17669, 66
GENERATOR = [89, 69, 153, 116, 176, 117, 111, 75, 73, 233, 242, 233, 65, 210, 21]
GENERATOR += [139, 103, 173, 67, 118, 105, 210, 174, 110, 74, 69, 228, 82, 255, 181]


def field_product(a, b):
    result = 0
    for bit in range(8):
        result ^= (a << bit) * (b >> bit & 1)
    for bit in range(15, 7, -1):
        result ^= (0x11D << (bit - 8)) * (result >> bit & 1)
    return result


def keccak_f(chosen, _internals):
    """A message of one block: the state after it gives the output of SHAKE256."""
    message = chosen.randbytes(100)
    block = bytearray(message + b"\x1f" + bytes(35))
    block[-1] ^= 0x80
    state = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 136, 8)] + [0] * 8
    out = hashlib.shake_256(message).digest(136)
    return {"a": state}, {"a": [int.from_bytes(out[i : i + 8], "little") for i in range(0, 136, 8)]}


def shake256(chosen, _internals):
    message = chosen.randbytes(chosen.randrange(136, 271))
    block = bytearray(message + b"\x1f" + bytes(271 - len(message)))
    block[-1] ^= 0x80
    lanes = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 272, 8)]
    out = hashlib.shake_256(message).digest(64)
    return {"in": lanes}, {
        "out": [int.from_bytes(out[i : i + 8], "little") for i in range(0, 64, 8)]
    }


def sparse_product(chosen, _internals, word=64):
    dense, sums = chosen.getrandbits(N), chosen.getrandbits(N)
    positions = chosen.sample(range(N), WEIGHT)
    total = sums
    for position in positions:
        moved = dense << position
        total ^= (moved & (1 << N) - 1) ^ moved >> N
    words = -(-N // word)
    mask = (1 << word) - 1
    doubled = dense | dense << N

    def split(number, count):
        return [number >> (word * i) & mask for i in range(count)]

    inputs = {
        "dense": split(doubled, 2 * words + 2),
        "sum": split(sums, words),
        "positions": positions,
    }
    return inputs, {"sum": split(total, words)[:-1]}


def rm_encode(chosen, internals):
    message = chosen.randbytes(46)
    code = FFI.new("uint64_t[]", 276)
    internals.internal["reed_muller_encode"](code, message, 46, 3)
    return {"message": list(message)}, {"code": list(code)}


def rm_decode(chosen, internals):
    """Code words with some wrong bits, and some that are noise: ties count, too."""
    _, expected = rm_encode(chosen, internals)
    code = [
        word ^ (chosen.getrandbits(64) & chosen.getrandbits(64) if chosen.random() < 0.7 else 0)
        for word in expected["code"]
    ]
    code[:12] = [chosen.choice([0, (1 << 64) - 1, chosen.getrandbits(64)]) for _ in range(12)]
    decoded = bytearray(46)
    call(internals.c.ckem_hqc_codes_portable.reed_muller_decode, decoded, code, 46, 3)
    return {"code": code}, {"message": list(decoded)}


def rs_encode(chosen, internals):
    message = chosen.randbytes(16)
    code = FFI.new("struct reed_solomon *", [46, 16, 15, GENERATOR])
    word = bytearray(96)
    call(internals.c.ckem_hqc_codes_portable.reed_solomon_encode, code, word, message)
    return {"message": list(message)}, {"code": list(word)[:46]}


def rs_syndromes(chosen, internals):
    """All are zero for a code word; for others, the values of the polynomial."""
    _, expected = rs_encode(chosen, internals)
    word = expected["code"]
    for _ in range(chosen.randrange(4)):
        word[chosen.randrange(46)] = chosen.randrange(256)
    syndromes, power = [], 1
    for _ in range(30):
        power = field_product(power, 2)
        value = 0
        for symbol in reversed(word):
            value = field_product(value, power) ^ symbol
        syndromes.append(value)
    return {"code": word}, {"syndromes": syndromes}


def fixed_weight(chosen, internals):
    """Small numbers bring positions that were drawn before."""
    top = chosen.choice([1 << 32, 1 << 24])
    numbers = [chosen.randrange(top) for _ in range(WEIGHT)]
    drawn = [i + (number * (N - i) >> 32) for i, number in enumerate(numbers)]
    for i in reversed(range(WEIGHT)):
        if drawn[i] in drawn[i + 1 :]:
            drawn[i] = i
    assert len(set(drawn)) == WEIGHT
    return {"random": numbers}, {"positions": drawn}


def check(name, latency, flavour, internals, seed, runs):
    design, run = flavour(name)
    assert design.latency() == latency
    make = globals()[name.split(".")[0]]
    chosen = random.Random(seed)
    word = {"word": 128} if name == "sparse_product.perf" else {}
    for number in range(runs):
        values, expected = make(chosen, internals, **word)
        core, software = run(design, values, seed + number)
        for array, numbers in expected.items():
            assert software.arrays[array][: len(numbers)] == numbers, f"the C, array {array}"
            assert core.arrays[array][: len(numbers)] == numbers, f"the core, array {array}"
        assert core.arrays == software.arrays
        assert core.cycles == latency


@pytest.mark.parametrize("name", QUICK)
def test_kernel(name, flavour, internals):
    check(name, QUICK[name], flavour, internals, seed=1, runs=3)


@pytest.mark.long
@pytest.mark.parametrize("name", LONG | QUICK)
def test_all_flavours(name, flavour, internals):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    check(name, (LONG | QUICK)[name], flavour, internals, seed, runs=30)
