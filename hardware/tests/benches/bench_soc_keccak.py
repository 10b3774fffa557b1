# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak as a piece of the system, against hashlib: SHA3-256 of a block; what stays in it."""

import hashlib

import cocotb
from cocotb.clock import Clock

from hardware.tests.benches.benches import PERIOD, seeded, tick

WORDS, RATE = 50, 136


async def started(dut):
    for name in ("rst_ni", "push_i", "data_i", "pop_i", "start_i"):
        getattr(dut, name).value = 0
    Clock(dut.clk_i, PERIOD, unit="ns").start()
    for _ in range(3):
        await tick(dut)
    dut.rst_ni.value = 1


async def push(dut, state):
    dut.push_i.value = 1
    for i in range(0, 4 * WORDS, 4):
        dut.data_i.value = int.from_bytes(state[i : i + 4], "little")
        await tick(dut)
    dut.push_i.value = dut.data_i.value = 0


async def pop(dut):
    found = b""
    for _ in range(WORDS):
        found += int(dut.data_o.value).to_bytes(4, "little")
        dut.pop_i.value = 1
        await tick(dut)
        dut.pop_i.value = 0
    return found


async def permute(dut):
    """Returns the cycles that it takes."""
    dut.start_i.value = 1
    await tick(dut)
    dut.start_i.value = 0
    cycles = 0
    while dut.busy_o.value == 1:
        assert dut.data_o.value == 0
        cycles += 1
        await tick(dut)
    return cycles


@cocotb.test()
async def agrees_with_hashlib_and_leaves_nothing(dut):
    random = seeded(dut)
    await started(dut)
    for length in (0, 32, RATE - 1):
        message = random.randbytes(length)
        block = bytearray(message + b"\x06" + bytes(RATE - 1 - length))
        block[-1] |= 0x80
        await push(dut, bytes(block) + bytes(4 * WORDS - RATE))
        assert await permute(dut) == 24
        assert (await pop(dut))[:32] == hashlib.sha3_256(message).digest()
        assert await pop(dut) == bytes(4 * WORDS)


@cocotb.test()
async def keeps_what_was_moved_in(dut):
    random = seeded(dut)
    await started(dut)
    state = random.randbytes(4 * WORDS)
    await push(dut, state)
    assert await pop(dut) == state
