# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak against hashlib: SHA3-384 and SHAKE256 of one block and more, added to the state."""

import hashlib

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, tick

(ROUNDS,) = parameters("ROUNDS")


async def load(dut, state, permute):
    """Sets the state, alone or with the start of a permutation, of which it counts the cycles."""
    dut.load_i.value = 1
    dut.next_i.value = state
    dut.permute_i.value = int(permute)
    await tick(dut)
    dut.load_i.value = dut.permute_i.value = 0
    dut.next_i.value = 0
    if permute:
        cycles = 0
        while dut.busy_o.value == 1:
            cycles += 1
            assert dut.last_o.value == (cycles == 24 // ROUNDS)
            await tick(dut)
        assert cycles == 24 // ROUNDS


async def absorb(dut, message, rate, suffix):
    """Absorbs a message, permutes after each block; returns the state."""
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = 0
    padded = bytearray(message + bytes([suffix]) + bytes(-(len(message) + 1) % rate))
    padded[-1] |= 0x80
    for start in range(0, len(padded), rate):
        block = int.from_bytes(padded[start : start + rate], "little")
        state = int(dut.state_o.value) ^ block
        if len(message) % 2:  # before the permutation, too
            await load(dut, state, False)
        await load(dut, state, True)
    return int(dut.state_o.value).to_bytes(200, "little")


@cocotb.test()
async def agrees_with_hashlib(dut):
    dut.load_i.value = dut.permute_i.value = dut.next_i.value = 0
    await clock_up(dut)
    for length in (0, 1, 32, 64, 103, 104, 300):
        message = bytes((7 * i + length) % 256 for i in range(length))
        out = await absorb(dut, message, 104, 0x06)
        assert out[:48] == hashlib.sha3_384(message).digest()
        out = await absorb(dut, message, 136, 0x1F)
        assert out[:136] == hashlib.shake_256(message).digest(136)


@cocotb.test()
async def stops_when_cleared(dut):
    dut.load_i.value = dut.permute_i.value = dut.next_i.value = 0
    await clock_up(dut)
    dut.permute_i.value = 1
    await tick(dut)
    dut.permute_i.value = 0
    await tick(dut)
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = 0
    assert dut.busy_o.value == 0 and dut.state_o.value == 0
