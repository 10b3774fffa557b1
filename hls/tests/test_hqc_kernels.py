# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels of HQC that work on its vectors, keys and ciphertexts: samplers, comparison, conversions,
decoding of Reed-Solomon words. The C and the core give what Python gives, in the cycles computed.
"""

import random

import pytest

from hls.tests.hqc_operations import Memory
from hls.tests.kernel_designs import KERNELS, read_design
from tools import known_answers

N, WEIGHT, WEIGHT_R, WORDS, CODE_WORDS = 17669, 66, 75, 277, 276
BOUND = N * (2**24 // N)
STREAM = Memory(1).own + 38
CYCLES = {
    "rs_decode.perf": 2583,
    "sample_fixed.perf": 658,
    "sample_rejection.perf": 1064,
    "vect_add.perf": 280,
    "compare.perf": 280,
    "compare_64.perf": 11,
    "ciphertext_to_string.perf": 561,
    "ciphertext_from_string.perf": 562,
    "public_key_from_string.perf": 285,
}


def words_of(data, count=0):
    data += bytes(max(-len(data) % 8, 8 * count - len(data)))
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def bits_of(positions):
    return words_of(sum(1 << one for one in positions).to_bytes(8 * WORDS, "little"))


def stream_memory(chosen):
    return [chosen.getrandbits(64) for _ in range(Memory(1).words)]


def stream_of(data):
    return b"".join(word.to_bytes(8, "little") for word in data[STREAM:])


def rs_decode(chosen):
    """Up to 15 of 46 symbols of the code word of A.4 in the specification are wrong."""
    parity = "2fc3a689f1c339ad73f21c3915e1df64fb8e7630dfa921b4e7b9545acad4"
    word = list(bytes.fromhex(parity)) + list(range(16))
    for place in chosen.sample(range(46), chosen.choice([0, 1, 14, 15])):
        word[place] ^= chosen.randrange(1, 256)
    return {"code": word}, {"message": list(range(16))}


def sample_fixed(chosen):
    data = stream_memory(chosen)
    for word in chosen.sample(range(STREAM, STREAM + 110), 20):
        data[word] &= 0x00FFFFFF00FFFFFF  # small numbers bring positions that were drawn before
    first, to = chosen.choice([0, 75, 150]), chosen.choice([0, 128])
    text = stream_of(data)
    numbers = [int.from_bytes(text[4 * (first + i) :][:4], "little") for i in range(WEIGHT_R)]
    drawn = [i + (number * (N - i) >> 32) for i, number in enumerate(numbers)]
    for i in reversed(range(WEIGHT_R)):
        if drawn[i] in drawn[i + 1 :]:
            drawn[i] = i
    before = [chosen.getrandbits(16) for _ in range(256)]
    after = before[:to] + drawn + before[to + WEIGHT_R :]
    inputs = {"data": data, "positions": before, "bits": [3] * WORDS, "first": first, "to": to}
    return inputs, {"positions": after, "bits": bits_of(drawn)}


def sample_rejection(chosen):
    data = stream_memory(chosen)
    text = bytearray(stream_of(data))
    opening = chosen.choice([0, 66, 98])
    for candidate in chosen.sample(range(opening, opening + 66), 16):
        again = text[:3] if candidate & 1 else b"\xff\xff\xff"  # drawn before, or too large
        text[3 * candidate : 3 * candidate + 3] = again
    data[STREAM:] = words_of(bytes(text))
    drawn, place = [], opening
    while len(drawn) < WEIGHT:
        candidate = int.from_bytes(text[3 * place :][:3], "little")
        place += 1
        if candidate < BOUND and candidate % N not in drawn:
            drawn.append(candidate % N)
    keep = chosen.randrange(2)
    before = [chosen.getrandbits(16) for _ in range(256)]
    inputs = {"data": data, "positions": before, "bits": [3] * WORDS}
    expected = {"positions": [*(drawn if keep else before[:WEIGHT]), *before[WEIGHT:-1]]}
    return inputs | {"opening": opening, "keep": keep}, expected | {
        "bits": bits_of(drawn),
        "result": place,
    }


def vect_add(chosen):
    a, b = ([chosen.getrandbits(64) for _ in range(WORDS)] for _ in range(2))
    return {"a": a, "b": b}, {"sum": [x ^ y for x, y in zip(a, b, strict=True)]}


def compare(chosen, count=WORDS):
    a = [chosen.getrandbits(64) for _ in range(count)]
    b = list(a)
    different = chosen.randrange(2)
    b[chosen.choice([0, count - 1, chosen.randrange(count)])] ^= different << chosen.randrange(64)
    return {"a": a, "b": b}, {"result": different}


def compare_64(chosen):
    return compare(chosen, 8)


def ciphertext(chosen):
    """The parts of an official ciphertext, and its words."""
    text = chosen.choice(known_answers.read_records("HQC-1"))["ct"]
    u, v, salt = text[:2209], text[2209:4417], text[4417:]
    parts = {"u": words_of(u), "v": words_of(v), "salt": words_of(salt)}
    return parts, {"text": words_of(text)}


def ciphertext_to_string(chosen):
    return ciphertext(chosen)


def ciphertext_from_string(chosen):
    parts, text = ciphertext(chosen)
    return text, parts


def public_key_from_string(chosen):
    key = chosen.choice(known_answers.read_records("HQC-1"))["pk"]
    return {"key": words_of(key)}, {"seed": words_of(key[:32]), "s": words_of(key[32:])}


@pytest.fixture(scope="module")
def kernels(cores):
    """All kernels as one program, which saves time; kernels(name) gives its design and run."""
    designs = {name: read_design(KERNELS / f"{name}.toml") for name in CYCLES}
    run = cores.build("hqc_kernels", list(designs.values()))
    return lambda name: (designs[name], run)


@pytest.mark.parametrize("name", CYCLES)
def test_kernel(name, kernels):
    check(name, *kernels(name), seed=7, runs=6)


@pytest.mark.long
def test_small_decoder(cores):
    design = read_design(KERNELS / "rs_decode.comp.toml")
    check("rs_decode.comp", design, cores.build("rs_decode.comp", [design]), seed=7, runs=60)


def check(name, design, run, seed, runs):
    chosen = random.Random(seed)
    for number in range(runs):
        values, expected = globals()[name.split(".")[0]](chosen)
        core, software = run(design, values, number)
        for found in (software, core):
            for array, numbers in expected.items():
                if array == "result":
                    assert found.result == numbers
                else:
                    assert found.arrays[array][: len(numbers)] == numbers, array
        assert core.arrays == software.arrays
        assert core.cycles == design.latency()
        assert core.cycles == CYCLES.get(name, core.cycles)
