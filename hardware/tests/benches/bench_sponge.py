# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sponge against hashlib: all rates, messages of every length around a block, lanes that come
and go fast or late, starts at any time, and the cycles."""

import hashlib

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

ROUNDS, BUFFERED = parameters("ROUNDS", "BUFFERED")
FORMULA = simulated.cycles.Cycles(KECCAK_ROUNDS=ROUNDS, KECCAK_BUFFERED=BUFFERED)


def shake256(message, length):
    return hashlib.shake_256(message).digest(length)


# name: lanes of a block, first byte of the padding, function of message and length
KINDS = {
    "SHAKE256": (17, 0x1F, shake256),
    "SHA3-256": (17, 0x06, lambda message, _: hashlib.sha3_256(message).digest()),
    "SHA3-384": (13, 0x06, lambda message, _: hashlib.sha3_384(message).digest()),
    "SHA3-512": (9, 0x06, lambda message, _: hashlib.sha3_512(message).digest()),
}


def lanes_of(message, suffix):
    """Returns the lanes of a message with the first byte of the padding."""
    padded = message + bytes([suffix])
    return [int.from_bytes(padded[i : i + 8], "little") for i in range(0, len(padded), 8)]


class Sponge:
    """The module; `late` of ten cycles have no lane, or take none."""

    def __init__(self, dut, source):
        self.dut, self.source, self.now = dut, source, 0
        for name in ("start_i", "in_valid_i", "out_next_i", "in_last_i", "in_lane_i", "rate_i"):
            getattr(dut, name).value = 0

    async def tick(self):
        self.now += 1
        await tick(self.dut)

    async def start(self, rate):
        self.dut.start_i.value = 1
        self.dut.rate_i.value = rate
        await self.tick()
        self.dut.start_i.value = 0
        self.dut.rate_i.value = 31  # is not looked at any more

    async def absorb(self, lanes, late):
        """Returns the cycle in which the first lane was taken."""
        dut, first = self.dut, None
        for i, lane in enumerate(lanes):
            while True:
                offered = self.source.randrange(10) >= late
                dut.in_valid_i.value = int(offered)
                dut.in_lane_i.value = lane if offered else self.source.getrandbits(64)
                dut.in_last_i.value = int(i == len(lanes) - 1) if offered else 1
                taken = offered and dut.in_ready_o.value == 1
                assert dut.out_valid_o.value == 0
                if taken and first is None:
                    first = self.now
                await self.tick()
                if taken:
                    break
        dut.in_valid_i.value = 0
        return first

    async def squeeze(self, count, late):
        """Returns the lanes and the cycles in which they were taken."""
        dut, lanes, times = self.dut, [], []
        while len(lanes) < count:
            assert dut.in_ready_o.value == 0
            take = dut.out_valid_o.value == 1 and self.source.randrange(10) >= late
            if take:
                lanes.append(int(dut.out_lane_o.value))
                times.append(self.now)
            dut.out_next_i.value = int(take)
            await self.tick()
        dut.out_next_i.value = 0
        return lanes, times


async def check(sponge, kind, length, blocks, late):
    rate, suffix, function = KINDS[kind]
    message = sponge.source.randbytes(length)
    lanes = lanes_of(message, suffix)
    await sponge.start(rate)
    first = await sponge.absorb(lanes, late)
    whole = function is shake256
    expected = function(message, 8 * rate * blocks)
    given, times = await sponge.squeeze(rate * blocks if whole else len(expected) // 8, late)
    assert b"".join(lane.to_bytes(8, "little") for lane in given) == expected
    if not late:
        absorbed = -(-len(lanes) // rate)
        assert times[0] - first == FORMULA.sponge(absorbed)
        for i in range(rate, len(times)):
            turn = 25 - rate + FORMULA.permutation()
            if BUFFERED:  # the next block is permuted while the lanes of this one go
                turn = max(2, FORMULA.permutation() - rate)
            assert times[i] - times[i - 1] == (1 if i % rate else 1 + turn)


def lengths(rate):
    return [0, 1, 8 * rate - 9, 8 * rate - 8, 8 * rate - 1, 8 * rate, 8 * rate + 1, 24 * rate - 1]


@cocotb.test()
async def agrees_with_hashlib(dut):
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    for kind, (rate, _, _) in KINDS.items():
        for length in lengths(rate):
            await check(sponge, kind, length, 3, 0)
            await check(sponge, kind, length, 2, source.choice((1, 5, 9)))


@cocotb.test()
async def begins_anew_at_any_time(dut):
    source = seeded(dut)
    sponge = Sponge(dut, source)
    await clock_up(dut)
    for _ in range(40):
        rate, suffix, _ = KINDS[source.choice(list(KINDS))]
        await sponge.start(rate)
        lanes = lanes_of(source.randbytes(source.randrange(16 * rate)), suffix)
        await sponge.absorb(lanes[: source.randrange(1 + len(lanes))], 0)
        for _ in range(source.randrange(40)):
            dut.out_next_i.value = int(dut.out_valid_o.value)
            await sponge.tick()
        dut.out_next_i.value = 0
        if source.randrange(2):
            dut.clear_i.value = 1
            await sponge.tick()
            dut.clear_i.value = 0
            assert dut.in_ready_o.value == 0 and dut.out_valid_o.value == 0
        kind = source.choice(list(KINDS))
        await check(sponge, kind, source.randrange(200), 2, 0)
