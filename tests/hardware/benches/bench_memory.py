# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A memory against a dictionary: random reads and writes, latency, wiping of every address.

Serves kem_memory, kem_strings, which answers in the same cycle, and kem_slots, which has
slots.
"""

import os

import cocotb
from benches import clock_up, parameters, seeded
from cocotb.triggers import FallingEdge, ReadOnly

import simulated

TOP = os.environ["BENCH_TOP"]
SLOTS = 5
if TOP == "kem_memory":
    WIDTH, DEPTH = parameters("WIDTH", "DEPTH")
elif TOP == "kem_strings":
    WIDTH, DEPTH = 64, 16
else:
    LEVEL, WIDTH = parameters("LEVEL", "WORD")
    DEPTH = SLOTS * simulated.cycles.Cycles(LEVEL=LEVEL, WORD=WIDTH).words


def set_address(dut, port, address):
    if TOP == "kem_slots":
        slot, address = divmod(address, DEPTH // SLOTS)
        getattr(dut, f"{port[0]}slot_i").value = slot
    getattr(dut, port).value = address


async def cycle(dut, write=None, read=None):
    """Writes (address, value) and reads; returns the word read, at once or one cycle later."""
    dut.we_i.value = int(write is not None)
    set_address(dut, "waddr_i", write[0] if write else 0)
    dut.wdata_i.value = write[1] if write else 0
    set_address(dut, "raddr_i", read or 0)
    await ReadOnly()
    now = dut.rdata_o.value
    await FallingEdge(dut.clk_i)
    return now if TOP == "kem_strings" else dut.rdata_o.value


async def wipe(dut, addresses):
    dut.wipe_i.value = 1
    for address in addresses:
        dut.wipe_addr_i.value = address
        await cycle(dut)
    dut.wipe_i.value = 0
    dut.wipe_addr_i.value = 0


@cocotb.test()
async def keeps_words(dut):
    source = seeded(dut)
    dut.wipe_i.value = dut.wipe_addr_i.value = 0
    await clock_up(dut, clear=False)
    words = {}
    order = source.sample(range(DEPTH), DEPTH)
    for address in order:
        words[address] = source.getrandbits(WIDTH)
        await cycle(dut, write=(address, words[address]))
    for address in range(DEPTH):
        assert int(await cycle(dut, read=address)) == words[address], address
    for _ in range(4 * DEPTH):  # both ports at once, at different addresses
        target, address = source.sample(range(DEPTH), 2)
        value = source.getrandbits(WIDTH)
        assert int(await cycle(dut, write=(target, value), read=address)) == words[address]
        words[target] = value
    kept = source.randrange(DEPTH)
    await wipe(dut, [address for address in order if address != kept])
    for address in range(DEPTH):
        assert int(await cycle(dut, read=address)) == (words[kept] if address == kept else 0)
    await wipe(dut, range(3 * DEPTH))  # the core goes on to the end of its deepest memory
    assert int(await cycle(dut, read=kept)) == 0
