# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The register in a stream: nothing is lost, doubled or kept; one word in each cycle; no path."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from hardware.tests.benches.benches import PERIOD, seeded


async def start_up(dut):
    dut.in_valid_i.value = dut.out_ready_i.value = dut.rst_ni.value = 0
    Clock(dut.clk_i, PERIOD, unit="ns").start()
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1


async def pass_words(dut, source, words, in_rate, out_rate):
    """Returns the words that came out and the cycles that it took."""
    out, sent, held, waiting, cycles = [], 0, False, None, 0
    while len(out) < len(words):
        held = held or (sent < len(words) and source.random() < in_rate)
        dut.in_valid_i.value = int(held)
        dut.in_data_i.value = words[sent] if held else source.getrandbits(32)
        ready = source.random() < out_rate
        dut.out_ready_i.value = int(ready)
        if held and dut.in_ready_o.value == 1:
            sent, held = sent + 1, False
        offered = int(dut.out_data_o.value) if dut.out_valid_o.value == 1 else None
        assert waiting in (None, offered)
        if offered is None:
            assert dut.out_data_o.value == 0  # nothing is kept
        waiting = None if ready else offered
        if ready and offered is not None:
            out.append(offered)
        await FallingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 20 * len(words) + 100
    dut.in_valid_i.value = dut.out_ready_i.value = 0
    return out, cycles


@cocotb.test()
async def passes_every_word_once(dut):
    source = seeded(dut)
    await start_up(dut)
    for in_rate, out_rate in [(1, 1), (1, 0.3), (0.3, 1), (0.5, 0.5), (0.9, 0.9)]:
        words = [source.getrandbits(32) for _ in range(100)]
        out, cycles = await pass_words(dut, source, words, in_rate, out_rate)
        assert out == words
        if in_rate == out_rate == 1:
            assert cycles == len(words) + 1


@cocotb.test()
async def no_output_follows_an_input(dut):
    source = seeded(dut)
    await start_up(dut)
    outputs = [dut.in_ready_o, dut.out_valid_o, dut.out_data_o]
    for _ in range(100):
        await FallingEdge(dut.clk_i)
        before = [int(port.value) for port in outputs]
        for port in (dut.in_valid_i, dut.out_ready_i, dut.in_data_i):
            port.value = source.getrandbits(len(port))
        await Timer(1, unit="ns")
        assert [int(port.value) for port in outputs] == before


@cocotb.test()
async def reset_empties_it(dut):
    source = seeded(dut)
    await start_up(dut)
    dut.in_valid_i.value = 1
    dut.in_data_i.value = source.getrandbits(32) | 1
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    assert (int(dut.in_ready_o.value), int(dut.out_valid_o.value)) == (0, 1)
    dut.in_valid_i.value = dut.rst_ni.value = 0
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)
    assert [int(p.value) for p in (dut.in_ready_o, dut.out_valid_o, dut.out_data_o)] == [1, 0, 0]
