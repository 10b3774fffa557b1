# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keccak against hashlib: SHA3-384 and SHAKE256 of one block and more, through the ring."""

import hashlib

import cocotb
from benches import clock_up, parameters, tick

(ROUNDS,) = parameters("ROUNDS")


async def rotate(dut, lane=0):
    """Moves the ring by one lane; returns the lane that was in front."""
    front = int(dut.lane_o.value)
    dut.rotate_i.value = 1
    dut.in_i.value = lane
    await tick(dut)
    dut.rotate_i.value = 0
    return front


async def permute(dut):
    dut.permute_i.value = 1
    await tick(dut)
    dut.permute_i.value = 0
    cycles = 0
    while dut.busy_o.value == 1:
        await tick(dut)
        cycles += 1
    assert cycles == 24 // ROUNDS


async def absorb(dut, message, rate, suffix):
    """Absorbs a message, permutes after each block; returns all lanes."""
    dut.clear_i.value = 1
    await tick(dut)
    dut.clear_i.value = 0
    padded = bytearray(message + bytes([suffix]) + bytes(-(len(message) + 1) % rate))
    padded[-1] |= 0x80
    for start in range(0, len(padded), rate):
        block = padded[start : start + rate] + bytes(200 - rate)
        for i in range(0, 200, 8):
            await rotate(dut, int.from_bytes(block[i : i + 8], "little"))
        await permute(dut)
    return b"".join([(await rotate(dut)).to_bytes(8, "little") for _ in range(25)])


@cocotb.test()
async def agrees_with_hashlib(dut):
    dut.rotate_i.value = 0
    dut.permute_i.value = 0
    await clock_up(dut)
    for length in (0, 1, 32, 64, 103, 104, 300):
        message = bytes((7 * i + length) % 256 for i in range(length))
        out = await absorb(dut, message, 104, 0x06)
        assert out[:48] == hashlib.sha3_384(message).digest()
        out = await absorb(dut, message, 136, 0x1F)
        assert out[:136] == hashlib.shake_256(message).digest(136)
