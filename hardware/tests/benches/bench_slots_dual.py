# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The memory of two ports against a dictionary: each port reads or writes in a cycle, both at once;
what a port reads is there one cycle later, or is kept; wiping of every address."""

import cocotb

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

SLOTS, WORDS, WORD = parameters("SLOTS", "WORDS", "WORD")
DEPTH = SLOTS * WORDS


def request(address):
    slot, word = divmod(address, WORDS)
    return slot << 10 | word


async def cycle(dut, *asked, hold=0):
    """Asks of each port None, an address to read, or (address, value) to write; returns what they
    read. A bit of hold is for each port."""
    writes = reads = data = 0
    for port, what in enumerate(asked):
        if isinstance(what, tuple):
            writes |= (1 << 13 | request(what[0])) << (14 * port)
            data |= what[1] << (WORD * port)
        elif what is not None:
            reads |= request(what) << (13 * port)
    dut.write_i.value, dut.read_i.value, dut.wdata_i.value = writes, reads, data
    dut.hold_i.value = hold
    await tick(dut)
    found = int(str(dut.rdata_o.value).replace("X", "1"), 2)  # X: a word that was never written
    return [found >> (WORD * port) & ((1 << WORD) - 1) for port in range(2)]


async def wipe(dut, addresses):
    dut.wipe_i.value = 1
    for address in addresses:
        dut.wipe_addr_i.value = address
        await cycle(dut, None, None)
    dut.wipe_i.value = dut.wipe_addr_i.value = 0


@cocotb.test()
async def keeps_words(dut):
    source = seeded(dut)
    dut.wipe_i.value = dut.wipe_addr_i.value = dut.hold_i.value = 0
    await clock_up(dut, clear=False)
    words = {address: source.getrandbits(WORD) for address in range(DEPTH)}
    for address, value in words.items():
        asked = [(address, value), None]
        source.shuffle(asked)
        await cycle(dut, *asked)
    kept = [None, None]  # what the ports read last, if it is known
    for _ in range(6 * DEPTH):
        asked, expected, hold = [], [], source.randrange(4)
        for address in source.sample(range(DEPTH), 2):
            write = source.random() < 0.4
            value = source.getrandbits(WORD)
            asked.append((address, value) if write else address)
            port = len(expected)
            held = hold >> port & 1 and not write
            expected.append(kept[port] if held else None if write else words[address])
            if write:
                words[address] = value
        kept = expected
        found = await cycle(dut, *asked, hold=hold)
        assert all(want in (None, got) for want, got in zip(expected, found, strict=True))
    both = source.randrange(DEPTH)
    assert await cycle(dut, both, both) == [words[both]] * 2
    kept = source.randrange(DEPTH)
    await wipe(dut, [address for address in range(DEPTH) if address != kept])
    for address in range(DEPTH):
        found = await cycle(dut, address, address)
        assert found == [words[kept] if address == kept else 0] * 2
    await wipe(dut, range(DEPTH + 1))  # the core goes on to the end of its deepest memory
    assert await cycle(dut, kept, kept) == [0, 0]
