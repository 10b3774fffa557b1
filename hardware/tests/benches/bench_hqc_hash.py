# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC's hash unit against hashlib and the official records: all messages, streams of words and of
lanes, strings and cycles."""

import hashlib

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Memory, Module, clock_up, parameters, seeded
from hardware.tests.benches.hqc_models import Record, sampling, xof
from tools import known_answers

LEVEL, WORD, ROUNDS, BUFFERED = parameters("LEVEL", "WORD", "ROUNDS", "BUFFERED")
KECCAK = simulated.cycles.Cycles(KECCAK_ROUNDS=ROUNDS, KECCAK_BUFFERED=BUFFERED)
N, MESSAGE, CODE, *_ = sampling.LEVELS[LEVEL]
RING = -(-N // 8)
WORDS = -(-N // WORD)
SEEDS, HASH_I, HASH_H, HASH_G, HASH_J, XOF = range(6)
SLOT_A, SLOT_B, SLOT_S, SLOT_U, SLOT_V = range(5)
SEED_EK, SEED_DK, SIGMA, M, SALT, H_EK, K, THETA = range(8)
NAMES = ("SEEDS", "I", "H", "G", "J", "XOF")
TARGETS = {
    SEEDS: (K, SIGMA),
    HASH_I: (SEED_DK, SEED_EK),
    HASH_H: (H_EK,),
    HASH_G: (K, THETA),
    HASH_J: (SEED_DK,),
}


def cycles(kind):
    return sampling.hash_cycles(KECCAK, LEVEL, NAMES[kind])


class State:
    """The core's memories beside the hash unit, with strings as bytes."""

    def __init__(self, dut):
        self.polynomials = Memory(dut, "poly")
        self.strings = Memory(dut, "str")
        self.module = Module(dut, self.polynomials, self.strings)

    def string(self, which, length=32):
        lanes = [self.strings.words[4 * which + i].to_bytes(8, "little") for i in range(4)]
        return b"".join(lanes)[:length]

    def set_string(self, which, data):
        for i in range(0, len(data), 8):
            self.strings.words[4 * which + i // 8] = int.from_bytes(data[i : i + 8], "little")

    def polynomial(self, slot, length):
        """Returns the bytes of a slot; what is above them in the memory must not matter."""
        value = self.polynomials.polynomial(slot, WORD, WORDS)
        return (value & ((1 << 8 * length) - 1)).to_bytes(length, "little")

    def set_polynomial(self, slot, data, above=0):
        value = int.from_bytes(data, "little") | above << 8 * len(data)
        self.polynomials.fill(slot, value, WORD, WORDS)

    def fill(self, bits):
        """Fills everything with values of bits(count)."""
        for slot in range(5):
            self.polynomials.fill(slot, bits(WORD * WORDS), WORD, WORDS)
        for which in range(8):
            self.set_string(which, bits(256).to_bytes(32, "little"))

    def expected(self, kind):
        """Returns what the strings of the targets must get."""
        if kind == SEEDS:
            return xof(self.string(M), 32 + MESSAGE)
        if kind == HASH_I:
            return hashlib.sha3_512(self.string(K) + b"\2").digest()
        if kind == HASH_H:
            ek = self.string(SEED_EK) + self.polynomial(SLOT_S, RING)
            return hashlib.sha3_256(ek + b"\1").digest()
        if kind == HASH_G:
            message = self.string(H_EK) + self.string(M, MESSAGE) + self.string(SALT, 16)
            return hashlib.sha3_512(message + b"\0").digest()
        ciphertext = self.polynomial(SLOT_U, RING) + self.polynomial(SLOT_V, CODE)
        ciphertext += self.string(SALT, 16)
        message = self.string(H_EK) + self.string(SIGMA, MESSAGE) + ciphertext
        return hashlib.sha3_256(message + b"\3").digest()

    async def check(self, kind):
        expected, before = self.expected(kind), dict(self.strings.words)
        lanes = [4 * TARGETS[kind][i // 4] + i % 4 for i in range(len(expected) // 8)]
        self.strings.touched = {}
        taken = await self.module.run(kind_i=kind)
        assert taken == cycles(kind), (kind, taken, cycles(kind))
        assert self.strings.touched == {
            lane: int.from_bytes(expected[8 * i : 8 * i + 8], "little")
            for i, lane in enumerate(lanes)
        }
        assert {key for key in before if before[key] != self.strings.words[key]} <= set(lanes)


async def start(dut):
    state = State(dut)
    for name in ("start_i", "word_next_i", "lane_next_i", "kind_i", "string_i"):
        getattr(dut, name).value = 0
    await clock_up(dut)
    return state


@cocotb.test()
async def hashes(dut):
    source = seeded(dut)
    state = await start(dut)
    for bits in (source.getrandbits, lambda count: 0, lambda count: (1 << count) - 1):
        for kind in TARGETS:
            state.fill(bits)
            await state.check(kind)
    for kind in (HASH_J, HASH_G):
        await state.module.interrupt(source.randrange(1, cycles(kind)), kind_i=kind)
        await state.check(kind)


@cocotb.test()
async def agrees_with_official_records(dut):
    source = seeded(dut)
    state = await start(dut)
    record = Record(LEVEL)
    above = source.getrandbits(WORD * WORDS - 8 * RING)
    state.fill(source.getrandbits)
    state.set_string(M, record.seed_kem)
    await state.check(SEEDS)
    assert state.string(SIGMA, MESSAGE) == record.sigma
    await state.check(HASH_I)
    assert (state.string(SEED_DK), state.string(SEED_EK)) == (record.seed_dk, record.seed_ek)
    state.set_polynomial(SLOT_S, record.s, above)
    await state.check(HASH_H)
    state.set_string(M, record.message)
    state.set_string(SALT, record.salt)
    await state.check(HASH_G)
    assert (state.string(K), state.string(THETA)) == (record.shared, record.theta)
    cases = [case for case in known_answers.rejections(f"HQC-{LEVEL}") if not case[4]]
    own = [case for case in cases if case[2][: len(record.ek)] == record.ek]
    padding = [case for case in own if "padding" in case[0]]
    assert padding
    for _, ciphertext, secret, shared, _ in [source.choice(own), *padding[:1]]:
        state.set_string(SIGMA, secret[len(record.ek) + 32 :][:MESSAGE])
        state.set_polynomial(SLOT_U, ciphertext[:RING], above)
        state.set_polynomial(SLOT_V, ciphertext[RING:-16], above)
        state.set_string(SALT, ciphertext[-16:])
        await state.check(HASH_J)
        assert state.string(SEED_DK) == shared


async def check_stream(state, source, late, by_words):
    """Takes two blocks and some as words, which come first, and as lanes; not in `late` of ten
    cycles."""
    dut, module, count = state.module.dut, state.module, 2 * 34 + 10
    which = source.randrange(8)
    stream = xof(state.string(which), 8 * 2 * count)
    assert await module.run(kind_i=XOF, string_i=which) == cycles(XOF)
    at, pause = 0, True
    while at < len(stream) // 2:
        missing = 0
        while dut.xof_valid_o.value == 0:  # the next block
            await module.cycle()
            missing += 1
        fresh = at and at % (8 * 17) == 0 and not pause
        if not late:
            begin = -2 if at == 8 * 17 else 0  # of a block of lanes that are taken from 0 on
            turn = KECCAK.turn() if by_words else sampling.next_block(KECCAK, begin, 16) - 17
            assert missing == (turn if fresh else 0)
        pause = source.randrange(10) < late
        words = at < 4 * by_words
        dut.word_next_i.value = int(words and not pause)
        dut.lane_next_i.value = int(not words and not pause)
        given = await module.cycle("word_o", "lane_o")
        dut.word_next_i.value = dut.lane_next_i.value = 0
        size = 4 if words else 8
        assert given[not words] == int.from_bytes(stream[at : at + size], "little")
        at += 0 if pause else size


@cocotb.test()
async def gives_streams(dut):
    source = seeded(dut)
    state = await start(dut)
    for late in (0, 5, 9):
        for by_words in (1000, 0):
            state.fill(source.getrandbits)
            await check_stream(state, source, late, by_words)
    await check_stream(state, source, 3, 20)  # words, then lanes
    await state.check(HASH_G)  # after a stream, and a stream after a hash
    await check_stream(state, source, 0, 0)
