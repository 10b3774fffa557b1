# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Reed-Solomon decoder: every number of wrong symbols from none to three more than it corrects,
in which case the message is that of the software; bursts, lanes, cycles."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded
from hardware.tests.benches.codes import gf_mul, rs_decode, rs_encode, rs_product, with_errors

K, DELTA, CELLS, RINGS = parameters("K", "DELTA", "CELLS", "RINGS")
GAP = 2 * DELTA // RINGS  # the least that is allowed
LATENCY = simulated.code_cycles.rs_decoder(K, DELTA, CELLS, RINGS)
OUTPUTS = ("lane_valid_o", "lane_o", "lane_data_o", "done_o")


async def send(module, word, gap):
    module.dut.start_i.value = 1
    await module.cycle()
    module.dut.start_i.value = 0
    for number, symbol in enumerate(word):
        module.dut.symbol_valid_i.value, module.dut.symbol_i.value = 1, symbol
        await module.cycle()
        module.dut.symbol_valid_i.value = 0
        if number < len(word) - 1:
            for _ in range(gap - 1):
                assert (await module.cycle(*OUTPUTS))[0] == 0


async def decode(module, word, gap=GAP):
    """Returns the message, whose lanes come from done_o on, each until it is taken."""
    await send(module, word, gap)
    for cycle in range(1, LATENCY + 1):
        valid, lane, data, done = await module.cycle(*OUTPUTS)
        assert valid == done == (cycle == LATENCY)
        assert lane == 0
    lanes = []
    for pause in range(K // 8):
        for ready in (*[0] * pause, 1):
            module.dut.lane_ready_i.value = ready
            valid, lane, data, done = await module.cycle(*OUTPUTS)
            assert (valid, lane, done) == (1, len(lanes), 0)
        lanes.append(data)
    assert await module.cycle("lane_valid_o", "lane_o") == [0, 0]
    module.dut.lane_ready_i.value = 0
    return b"".join(lane.to_bytes(8, "little") for lane in lanes)


async def check(module, word, message=None, gap=GAP):
    """Without a message, it is that of the model."""
    expected = rs_decode(word, DELTA) if message is None else list(message)
    assert list(await decode(module, word, gap)) == expected


async def corrects_neighbours(module, source):
    """Each with the same error."""
    for first in (0, 2 * DELTA - 3, 2 * DELTA, K + DELTA):
        message = source.randbytes(K)
        word = rs_encode(message, DELTA)
        for j in range(first, first + DELTA):
            word[j % len(word)] ^= 0x80
        await check(module, word, message)


async def corrects_with_gaps(module, source):
    """The first syndromes are zero, the next one is not."""
    for zeros in (1, 2, 5, DELTA - 1):
        for more in {0, min(3, DELTA - 1 - zeros)}:
            message = source.randbytes(K)
            word = rs_encode(message, DELTA)
            first = source.randrange(len(word) - zeros)
            for j, coefficient in enumerate(rs_product(zeros)):
                word[first + j] ^= gf_mul(coefficient, 0x53)
            others = [j for j in range(len(word)) if not first <= j <= first + zeros]
            for j in source.sample(others, more):
                word[j] ^= source.randrange(1, 256)
            await check(module, word, message)


@cocotb.test()
async def corrects(dut):
    source = seeded(dut)
    module = Module(dut)
    dut.start_i.value = dut.symbol_valid_i.value = dut.lane_ready_i.value = 0
    await clock_up(dut)
    await check(module, [0] * (K + 2 * DELTA), bytes(K))
    for count in range(DELTA + 4):
        for _ in range(2):
            message = source.randbytes(K)
            word = with_errors(source, rs_encode(message, DELTA), count)
            gap = source.choice([GAP, GAP + 1, GAP + 7])
            await check(module, word, message if count <= DELTA else None, gap)
    await corrects_neighbours(module, source)
    await corrects_with_gaps(module, source)
    for _ in range(6):  # far from any codeword
        await check(module, source.randbytes(K + 2 * DELTA))
    for value in (1, 255):
        await check(module, [value] * (K + 2 * DELTA))


@cocotb.test()
async def begins_anew(dut):
    """After a clear, and after a start in the middle of the symbols."""
    source = seeded(dut)
    module = Module(dut)
    dut.start_i.value = dut.symbol_valid_i.value = dut.lane_ready_i.value = 0
    await clock_up(dut)
    message = source.randbytes(K)
    word = with_errors(source, rs_encode(message, DELTA), DELTA)
    for cycles in (1, GAP + 2, LATENCY // 2, LATENCY - 2):
        await send(module, word, GAP)
        for _ in range(cycles):
            await module.cycle()
        dut.clear_i.value = 1
        await module.cycle()
        dut.clear_i.value = 0
        for _ in range(LATENCY):
            assert (await module.cycle(*OUTPUTS))[0] == 0
        await check(module, word, message)
    await send(module, source.randbytes(7), GAP)
    for _ in range(GAP):
        await module.cycle()
    await check(module, word, message)
