# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A memory against a dictionary: random reads and writes, latency, wiping of every address.

Serves kem_memory, kem_strings, and kem_slots, which has slots; the last two by each of their read
ports.
"""

import os

import cocotb
from cocotb.triggers import FallingEdge

from hardware.tests.benches.benches import clock_up, parameters, seeded

TOP = os.environ["BENCH_TOP"]
if TOP == "kem_memory":
    WIDTH, DEPTH = parameters("WIDTH", "DEPTH")
    PORTS = 1
elif TOP == "kem_strings":
    STRINGS, PORTS = parameters("STRINGS", "READ_PORTS")
    WIDTH, DEPTH = 64, 4 * STRINGS
else:
    SLOTS, WORDS, WIDTH, PORTS = parameters("SLOTS", "WORDS", "WORD", "READ_PORTS")
    DEPTH = SLOTS * WORDS
PORT_BITS = {"kem_strings": 5, "kem_slots": 13}


def request(address):
    """Returns the fields of an address as kem_pkg.sv packs them."""
    if TOP == "kem_strings":
        return address
    slot, word = divmod(address, WORDS)
    return slot << 10 | word


async def cycle(dut, write=None, asked=None):
    """Writes (address, value) and reads, by all ports; returns the word, if one is asked for."""
    read = asked or 0
    address, value = write or (0, 0)
    valid = int(write is not None)
    if TOP == "kem_memory":
        dut.we_i.value, dut.waddr_i.value, dut.wdata_i.value = valid, address, value
        dut.raddr_i.value = read
    else:
        fields = valid << PORT_BITS[TOP] | request(address)
        if TOP == "kem_strings":
            fields = fields << 64 | value
        else:
            dut.wdata_i.value = value
        dut.write_i.value = fields
        dut.read_i.value = sum(request(read) << (PORT_BITS[TOP] * i) for i in range(PORTS))
    await FallingEdge(dut.clk_i)
    if asked is None:
        return None
    found = int(dut.rdata_o.value)
    words = {found >> (WIDTH * i) & ((1 << WIDTH) - 1) for i in range(PORTS)}
    assert len(words) == 1
    return words.pop()


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
    if TOP != "kem_memory":
        dut.hold_i.value = 0
    await clock_up(dut, clear=False)
    words = {}
    order = source.sample(range(DEPTH), DEPTH)
    for address in order:
        words[address] = source.getrandbits(WIDTH)
        await cycle(dut, write=(address, words[address]))
    for address in range(DEPTH):
        assert await cycle(dut, asked=address) == words[address], address
    for _ in range(4 * DEPTH):  # both ports at once, at different addresses
        target, address = source.sample(range(DEPTH), 2)
        value = source.getrandbits(WIDTH)
        assert await cycle(dut, write=(target, value), asked=address) == words[address]
        words[target] = value
    if TOP != "kem_memory":  # a port keeps its word, whatever is asked for and written
        held, other = source.sample(range(DEPTH), 2)
        before = words[held]
        assert await cycle(dut, asked=held) == before
        dut.hold_i.value = (1 << PORTS) - 1
        words[held] = source.getrandbits(WIDTH)
        assert await cycle(dut, write=(held, words[held]), asked=other) == before
        dut.hold_i.value = 0
        assert await cycle(dut, asked=held) == words[held]
    kept = source.randrange(DEPTH)
    await wipe(dut, [address for address in order if address != kept])
    for address in range(DEPTH):
        assert await cycle(dut, asked=address) == (words[kept] if address == kept else 0)
    await wipe(dut, range(3 * DEPTH))  # the core goes on to the end of its deepest memory
    assert await cycle(dut, asked=kept) == 0
