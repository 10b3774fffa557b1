# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sponge in shares against hashlib and official records of HQC-1: all rates, lanes and random
words that come at once or late, how many random words it takes, that it waits for them, that no
share is a value, wiping, and the cycles."""

import hashlib

import cocotb

from hardware.tests.benches.benches import clock_up, seeded, tick
from hardware.tests.benches.hqc_models import Record
from tools import known_answers

ROUNDS_WORDS = 120  # random words of a permutation
FIRST_WORDS = 25  # and of the first block
# name: lanes of a block, first byte of the padding, function of message and length
KINDS = {
    "SHAKE256": (17, 0x1F, lambda message, length: hashlib.shake_256(message).digest(length)),
    "SHA3-256": (17, 0x06, lambda message, _: hashlib.sha3_256(message).digest()),
    "SHA3-384": (13, 0x06, lambda message, _: hashlib.sha3_384(message).digest()),
    "SHA3-512": (9, 0x06, lambda message, _: hashlib.sha3_512(message).digest()),
}


class Sponge:
    """The module and its source of random words; `late` of ten cycles have no lane, take none, or
    have no random word."""

    def __init__(self, dut, source):
        self.dut, self.source, self.now, self.words, self.late = dut, source, 0, 0, 0
        self.is_dry = False
        for name in ("start_i", "in_valid_i", "out_next_i", "in_last_i", "in_lane_i", "rate_i"):
            getattr(dut, name).value = 0

    def is_late(self):
        return self.source.randrange(10) < self.late

    async def tick(self):
        """Lets a cycle pass, for which the other inputs are set."""
        if self.dut.random_ready_o.value == 1:
            assert not self.is_dry
            self.words += 1
        self.now += 1
        await tick(self.dut)
        self.offer()

    def offer(self):
        self.dut.random_valid_i.value = int(not self.is_dry and not self.is_late())
        self.dut.random_i.value = self.source.getrandbits(64)

    async def settle(self):
        """Waits until outputs have followed inputs that were set in this cycle."""
        await cocotb.triggers.Timer(1, "step")

    async def start(self, rate):
        self.dut.start_i.value = 1
        self.dut.rate_i.value = rate
        self.offer()
        await self.settle()
        first = self.now
        await self.tick()
        self.dut.start_i.value = 0
        self.dut.rate_i.value = 31  # is not looked at any more
        return first

    async def absorb(self, lanes):
        dut = self.dut
        for i, lane in enumerate(lanes):
            taken = False
            while not taken:
                offered, mask = not self.is_late(), self.source.getrandbits(64)
                shares = mask << 64 | (lane ^ mask) if offered else self.source.getrandbits(128)
                dut.in_valid_i.value = int(offered)
                dut.in_lane_i.value = shares
                dut.in_last_i.value = int(i == len(lanes) - 1) if offered else 1
                await self.settle()
                taken = offered and dut.in_ready_o.value == 1
                assert dut.out_valid_o.value == 0
                await self.tick()
        dut.in_valid_i.value = 0

    async def squeeze(self, count):
        """Returns the lanes, each as its shares, and the cycle in which the first one was there."""
        dut, lanes, first = self.dut, [], None
        while len(lanes) < count:
            assert dut.in_ready_o.value == 0
            there = dut.out_valid_o.value == 1
            if there and first is None:
                first = self.now
            take = there and not self.is_late()
            if take:
                both = int(dut.out_lane_o.value)
                lanes.append((both & (1 << 64) - 1, both >> 64))
            dut.out_next_i.value = int(take)
            await self.settle()
            await self.tick()
        dut.out_next_i.value = 0
        return lanes, first


def lanes_of(message, suffix):
    padded = message + bytes([suffix])
    return [int.from_bytes(padded[i : i + 8], "little") for i in range(0, len(padded), 8)]


def joined(lanes):
    return b"".join((one ^ other).to_bytes(8, "little") for one, other in lanes)


async def check(sponge, kind, message, blocks, late):
    """Runs a message; returns the shares of the lanes given."""
    rate, suffix, function = KINDS[kind]
    expected = function(message, 8 * rate * blocks)
    lanes, sponge.late, sponge.words = lanes_of(message, suffix), late, 0
    begun = await sponge.start(rate)
    await sponge.absorb(lanes)
    given, first = await sponge.squeeze(len(expected) // 8)
    assert joined(given) == expected
    absorbed = -(-len(lanes) // rate)
    turns = absorbed + (len(given) - 1) // rate
    if len(given) % rate:  # else the next permutation may have begun
        assert sponge.words == FIRST_WORDS + ROUNDS_WORDS * turns
    if not late:
        assert first - begun == 170 * absorbed + 2
    return given


@cocotb.test()
async def agrees_with_hashlib(dut):
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    for kind, (rate, _, _) in KINDS.items():
        for length in (0, 8 * rate - 9, 8 * rate - 8, 8 * rate - 1, 8 * rate, 24 * rate - 1):
            late = source.choice((0, 0, 1, 5))
            await check(sponge, kind, source.randbytes(length), 2, late)


@cocotb.test()
async def gives_the_secrets_of_official_ciphertexts(dut):
    """That of a record is the first half of G(H(ek), m, salt); that of an altered ciphertext, which
    is refused, J(H(ek), sigma, c) [HQC, S10]."""
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    record = Record(1)
    h_ek = hashlib.sha3_256(record.ek + b"\1").digest()
    message = h_ek + record.message + record.salt + b"\0"
    given = await check(sponge, "SHA3-512", message, 1, 0)
    assert joined(given)[:32] == record.shared
    refused = (one for one in known_answers.rejections("HQC-1") if not one[-1])
    _, ciphertext, key, secret, _ = next(refused)
    ek, sigma = key[: len(record.ek)], key[len(record.ek) + 32 :][: len(record.sigma)]
    message = hashlib.sha3_256(ek + b"\1").digest() + sigma + ciphertext + b"\3"
    given = await check(sponge, "SHA3-256", message, 1, 0)
    assert joined(given) == secret


@cocotb.test()
async def shares_are_random_and_are_wiped(dut):
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    message = source.randbytes(50)
    one, other = [await check(sponge, "SHAKE256", message, 1, 0) for _ in range(2)]
    for share in (0, 1):  # 1,088 bits, of which about half differ
        bits = sum((a[share] ^ b[share]).bit_count() for a, b in zip(one, other, strict=True))
        assert 444 < bits < 644
        assert 444 < sum(lanes[share].bit_count() for lanes in one) < 644
    for cycles in (3, 100, 180):
        await sponge.start(17)
        dut.in_valid_i.value, dut.in_last_i.value = 1, 1
        dut.in_lane_i.value = source.getrandbits(128)
        for _ in range(cycles):
            await sponge.settle()
            await sponge.tick()
        dut.in_valid_i.value = 0
        dut.clear_i.value = 1
        await sponge.tick()
        dut.clear_i.value = 0
        await sponge.settle()
        assert dut.out_valid_o.value == 0 and dut.in_ready_o.value == 0
        for name in ("buffer", "first", "second", "past"):
            assert int(getattr(dut, name).value) == 0, name
        await check(sponge, "SHAKE256", message, 1, 0)


@cocotb.test()
async def waits_for_random_words(dut):
    """Without them no lane is taken and no round goes on, for any time."""
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    message = source.randbytes(20)
    expected = hashlib.shake_256(message).digest(32)
    for at in (0, 1, 24, 25, 26, 29, 80, 168):
        sponge.late = 0
        begun = await sponge.start(17)
        dut.in_valid_i.value, lanes = 1, lanes_of(message, 0x1F)
        while sponge.now - begun <= at or dut.out_valid_o.value == 0:
            dut.in_valid_i.value = int(bool(lanes))
            mask = source.getrandbits(64)
            dut.in_lane_i.value = mask << 64 | ((lanes[0] if lanes else 0) ^ mask)
            dut.in_last_i.value = int(len(lanes) == 1)
            await sponge.settle()
            if lanes and dut.in_ready_o.value == 1:
                lanes = lanes[1:]
            await sponge.tick()
            if sponge.now - begun == at + 1:
                sponge.is_dry = True
                sponge.offer()
                seen = []
                for _ in range(300):
                    await sponge.settle()
                    assert dut.in_ready_o.value == 0 and dut.out_valid_o.value == 0
                    seen.append(int(dut.past.value))
                    await sponge.tick()
                assert len(set(seen[10:])) == 1
                sponge.is_dry = False
                sponge.offer()
        given, _ = await sponge.squeeze(4)
        assert joined(given) == expected
