# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The hash unit against hashlib: L, K and the words of the PRF [BIKE, S4], strings and cycles."""

import hashlib

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded

LEVEL, WORD, ROUNDS, BUFFERED = parameters("LEVEL", "WORD", "ROUNDS", "BUFFERED")
FORMULA = simulated.cycles.Cycles(
    LEVEL=LEVEL, WORD=WORD, KECCAK_ROUNDS=ROUNDS, KECCAK_BUFFERED=BUFFERED
)
BLOCK = 34  # words in a block of SHAKE256
BYTES, WORDS = FORMULA.bytes, FORMULA.words
L, K, SEED = 0, 1, 2
A0, A1, C = 0, 1, 2
M, C1, SS, SIGMA = range(4)


class State:
    """The core's memories beside the hash unit, with strings as bytes."""

    def __init__(self, dut):
        self.polynomials = Memory(dut, "poly")
        self.strings = Memory(dut, "str")

    def string(self, which):
        return b"".join(self.strings.words[4 * which + i].to_bytes(8, "little") for i in range(4))

    def set_string(self, which, data):
        for i in range(4):
            self.strings.words[4 * which + i] = int.from_bytes(data[8 * i : 8 * i + 8], "little")

    def polynomial(self, slot):
        """Returns the bytes of a polynomial; what is above them in the memory must not matter."""
        value = self.polynomials.polynomial(slot, WORD, WORDS)
        return (value & ((1 << 8 * BYTES) - 1)).to_bytes(BYTES, "little")

    def fill(self, bits):
        """Fills everything with values of bits(count)."""
        for slot in range(5):
            self.polynomials.fill(slot, bits(WORD * WORDS), WORD, WORDS)
        for which in range(4):
            self.set_string(which, bits(256).to_bytes(32, "little"))


def digest(data):
    return hashlib.sha3_384(data).digest()[:32]


def add(a, b):
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


async def check_hash(module, state, kind, target, sigma):
    if kind == L:
        mask = digest(state.polynomial(A0) + state.polynomial(A1))
        expected = add(mask, state.string(M if target == C1 else C1))
    else:
        expected = digest(
            state.string(SIGMA if sigma else M) + state.polynomial(C) + state.string(C1)
        )
    state.strings.touched = {}
    assert await module.run(kind_i=kind, target_i=target, sigma_i=sigma) == FORMULA.hash(
        "L" if kind == L else "K"
    )
    assert sorted(state.strings.touched) == [4 * target + i for i in range(4)]
    assert state.string(target) == expected


async def check_words(module, state, source, pauses):
    """Takes the words of five blocks and some; none in `pauses` of ten cycles."""
    dut, count = module.dut, 5 * BLOCK + 3
    assert await module.run(kind_i=SEED, sigma_i=source.randrange(2)) == FORMULA.hash("seed")
    stream = hashlib.shake_256(state.string(M)).digest(4 * count)
    taken, pause = 0, True
    while taken < count:
        missing = 0
        while dut.prf_valid_o.value == 0:  # the next block
            await module.cycle()
            missing += 1
        turned = taken and taken % BLOCK == 0 and not pause
        assert missing == (FORMULA.turn() if turned else 0)
        pause = source.randrange(10) < pauses
        dut.prf_next_i.value = int(not pause)
        (word,) = await module.cycle("prf_word_o")
        dut.prf_next_i.value = 0
        assert word == int.from_bytes(stream[4 * taken : 4 * taken + 4], "little")
        taken += not pause


@cocotb.test()
async def hashes(dut):
    source = seeded(dut)
    state = State(dut)
    module = Module(dut, state.polynomials, state.strings)
    for name in ("start_i", "prf_next_i", "sigma_i", "kind_i", "target_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    for bits in (
        source.getrandbits,
        lambda count: 0,
        lambda count: (1 << count) - 1,
        source.getrandbits,
    ):
        state.fill(bits)
        await check_hash(module, state, L, C1, 0)
        await check_hash(module, state, L, M, 1)
        await check_hash(module, state, K, SS, 0)
        await check_hash(module, state, K, SS, 1)
    await module.interrupt(source.randrange(1, FORMULA.hash("K")), kind_i=K)
    await check_hash(module, state, K, SS, 1)


@cocotb.test()
async def gives_words(dut):
    source = seeded(dut)
    state = State(dut)
    module = Module(dut, state.polynomials, state.strings)
    for name in ("start_i", "prf_next_i", "sigma_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    for pauses in (0, 5, 9):
        state.fill(source.getrandbits)
        await check_words(module, state, source, pauses)
    await check_hash(module, state, L, M, 0)  # after words, and words after a hash
    await check_words(module, state, source, 0)
