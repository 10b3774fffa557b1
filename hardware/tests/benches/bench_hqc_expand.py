# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The expansion of h: words in order, the padding cleared, late lanes, no word too early for the
row writers, the end and the cycles; once h of an official record."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded
from hardware.tests.benches.hqc_models import Record, sampling, xof

N, WORD, STRIDE = parameters("N", "WORD", "STRIDE")
LANES = -(-N // 64)
ROWS = WORD // STRIDE


class Lanes:
    """The stream: lane i comes gaps[i] cycles after the one before it was taken. Notes the words
    and their cycles."""

    def __init__(self, dut):
        self.dut, self.lanes, self.gaps = dut, [], []
        self.now, self.ready, self.words, self.times = 0, 0, [], []

    def load(self, lanes, gaps):
        self.lanes, self.gaps = list(lanes), list(gaps)
        self.now, self.ready, self.words, self.times = -2, 1 + gaps[0], [], []

    def drive(self):
        self.now += 1
        valid = bool(self.lanes) and self.now >= self.ready
        self.dut.lane_valid_i.value = int(valid)
        self.dut.lane_i.value = self.lanes[0] if valid else 0xA5A5A5A5A5A5A5A5

    def observe(self):
        dut = self.dut
        if dut.lane_next_o.value == 1:
            self.lanes.pop(0)
            self.gaps.pop(0)
            self.ready = self.now + 1 + (self.gaps[0] if self.gaps else 0)
        first, last = dut.feed_first_o.value == 1, dut.feed_last_o.value == 1
        if dut.feed_valid_o.value == 1:
            assert first == (not self.words)
            self.words.append((int(dut.feed_word_o.value), last))
            self.times.append(self.now)
        else:
            assert not (first or last)


async def check(module, stream, lanes, gaps):
    """Offers a lane more than is taken."""
    stream.load([*lanes, (1 << 64) - 1], [*gaps, 0])
    cycles = await module.run()
    value = sum(lane << 64 * i for i, lane in enumerate(lanes)) & ((1 << N) - 1)
    count = -(-N // WORD)
    assert stream.words == [
        (value >> WORD * i & ((1 << WORD) - 1), i == count - 1) for i in range(count)
    ]
    assert all(b - a >= ROWS for a, b in zip(stream.times, stream.times[1:], strict=False))
    assert len(stream.lanes) == 1
    assert cycles == stream.times[-1] + 2 * ROWS + 1
    if not any(gaps) and ROWS <= WORD // 64:
        assert cycles == count * WORD // 64 + 2 * ROWS + 1
    return cycles


@cocotb.test()
async def expands(dut):
    source = seeded(dut)
    stream = Lanes(dut)
    module = Module(dut, stream)
    dut.start_i.value = 0
    await clock_up(dut)
    for late in (0, 3, 0):
        gaps = [source.choice((0, 1, 1, 5)) if late else 0 for _ in range(LANES)]
        await check(module, stream, [source.getrandbits(64) for _ in range(LANES)], gaps)
    await check(module, stream, [(1 << 64) - 1] * LANES, [0] * LANES)
    for rest in (source.randrange(2, LANES), 1):
        stream.load([(1 << 64) - 1] * (LANES - rest), [0] * (LANES - rest))
        await module.interrupt(LANES)
        await check(module, stream, [source.getrandbits(64) for _ in range(LANES)], [0] * LANES)


@cocotb.test()
async def keeps_up_with_the_sponge(dut):
    """As the core runs it, on the stream of a record, with the sponge's pauses."""
    stream = Lanes(dut)
    module = Module(dut, stream)
    dut.start_i.value = 0
    await clock_up(dut)
    (level,) = [level for level, (n, *_) in sampling.LEVELS.items() if n == N]
    record = Record(level)
    data = xof(record.seed_ek, 8 * LANES)
    lanes = [int.from_bytes(data[8 * i : 8 * i + 8], "little") for i in range(LANES)]
    for buffered in (0, 1):
        keccak = simulated.cycles.Cycles(KECCAK_BUFFERED=buffered)
        gaps = [0] * LANES
        for i in range(17, LANES, 17):
            gaps[i] = sampling.next_block(keccak, -2 if i == 17 else 0, 16) - 17
        cycles = await check(module, stream, lanes, gaps)
        if ROWS <= WORD // 64 or not buffered:  # else a block's lanes take longer than the gaps say
            assert cycles == sampling.expand_cycles(keccak, level, WORD, STRIDE)
        h = sum(word << WORD * i for i, (word, _) in enumerate(stream.words))
        assert h == record.h
