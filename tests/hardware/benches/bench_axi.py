# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The core on its bus: registers, an exchange on the streams, a refused start, an unknown
operation."""

import cocotb
from benches import PERIOD, parameters, seeded
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

import known_answers
import simulated

(BUILD,) = parameters("BUILD")
SERVER = 2
ID, VERSION, PARAM0, PARAM1, PARAM2, CONTROL, STATUS, CYCLES = range(0, 32, 4)


async def write(dut, address, value, source=None):
    """Writes a register; with a source, in any order of the channels and slow to take the
    answer."""
    first = source.choice(("address", "data", "both")) if source else "address"
    dut.s_axil_awaddr.value = address
    dut.s_axil_wdata.value = value
    dut.s_axil_awvalid.value = int(first != "data")
    dut.s_axil_wvalid.value = int(first != "address")
    dut.s_axil_bready.value = int(source is None)
    if first != "both":
        await FallingEdge(dut.aclk)
        assert (int(dut.s_axil_awready.value), int(dut.s_axil_wready.value)) == (0, 0)
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 1
    await FallingEdge(dut.aclk)
    dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 0
    for _ in range(source.randrange(4) if source else 0):
        assert dut.s_axil_bvalid.value == 1  # waits to be taken
        await FallingEdge(dut.aclk)
    dut.s_axil_bready.value = 1
    assert (int(dut.s_axil_bvalid.value), int(dut.s_axil_bresp.value)) == (1, 0)
    await FallingEdge(dut.aclk)
    assert dut.s_axil_bvalid.value == 0


async def read(dut, address, source=None):
    """Reads a register; with a source, slow to take the answer, which must stay as it is."""
    dut.s_axil_araddr.value = address
    dut.s_axil_arvalid.value = 1
    dut.s_axil_rready.value = int(source is None)
    while dut.s_axil_arready.value == 0:
        await FallingEdge(dut.aclk)
    await FallingEdge(dut.aclk)
    dut.s_axil_arvalid.value = 0
    assert dut.s_axil_rvalid.value == 1
    value = int(dut.s_axil_rdata.value)
    for _ in range(source.randrange(4) if source else 0):
        await FallingEdge(dut.aclk)
        assert (int(dut.s_axil_rvalid.value), int(dut.s_axil_rdata.value)) == (1, value)
    dut.s_axil_rready.value = 1
    await FallingEdge(dut.aclk)
    assert dut.s_axil_rvalid.value == 0
    return value


async def start_up(dut):
    for name in (
        "s_axil_awvalid",
        "s_axil_wvalid",
        "s_axil_arvalid",
        "s_axis_tvalid",
        "m_axis_tready",
        "s_axis_tlast",
        "s_axis_tdata",
    ):
        getattr(dut, name).value = 0
    dut.s_axil_wstrb.value = 15
    dut.s_axil_bready.value = 1
    dut.s_axil_rready.value = 1
    dut.aresetn.value = 0
    Clock(dut.aclk, PERIOD, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.aclk)
    dut.aresetn.value = 1
    while await read(dut, STATUS) & 1:  # it wipes itself
        pass


async def exchange(dut, op, packet, source=None, again=None):
    """Runs an operation; returns error, cycles and output packet.

    With a source both streams pause; after `again` words sent a second start is written.
    """
    await write(dut, CONTROL, op, source)
    out, sent, held, waiting = [], 0, False, None
    while dut.irq.value == 0:
        if again is not None and sent >= again and not held:
            dut.s_axis_tvalid.value = dut.m_axis_tready.value = 0
            await write(dut, CONTROL, simulated.WIPE, source)
            assert await read(dut, STATUS, source) & 3 == 1  # busy, not done
            again = None
        # A word that is offered stays until it is taken.
        held = held or (sent < len(packet) and (source is None or source.randrange(3) > 0))
        dut.s_axis_tvalid.value = int(held)
        dut.s_axis_tdata.value = packet[sent] if held else 0
        dut.s_axis_tlast.value = int(held and sent == len(packet) - 1)
        dut.m_axis_tready.value = int(source is None or source.randrange(3) > 0)
        await cocotb.triggers.ReadOnly()
        if held and dut.s_axis_tready.value == 1:
            sent, held = sent + 1, False
        if dut.m_axis_tvalid.value == 1:
            word = int(dut.m_axis_tdata.value)
            assert waiting in (None, word)
            waiting = word
            if dut.m_axis_tready.value == 1:
                out.append(word)
                waiting = None
        else:
            assert waiting is None
        await FallingEdge(dut.aclk)
    status = await read(dut, STATUS)
    assert status & 3 == 2
    return status >> 4, await read(dut, CYCLES), out


@cocotb.test()
async def registers_tell_the_core(dut):
    await start_up(dut)
    assert (await read(dut, ID)).to_bytes(4, "little") == b"BIKE"
    assert await read(dut, VERSION) == 1
    assert await read(dut, PARAM0) == 1 << 16 | BUILD << 8 | 1
    preset = simulated.cycles.PRESETS[2]
    assert await read(dut, PARAM1) == preset["LANES"] << 16 | preset["WORD"]
    assert await read(dut, PARAM2) == preset["INV_STEPS"] << 16 | preset["INV_WORD"]
    # No operation yet: wiping after reset, a cycle for each row of the deepest memory, and one.
    assert await read(dut, CYCLES) == 512 + 1


@cocotb.test()
async def encapsulates_and_decapsulates(dut):
    await start_up(dut)
    packets = simulated.Packets(1)
    record = known_answers.read_records("BIKE-L1")[0]
    _, seed = known_answers.record_seeds("BIKE-L1", record)
    formula = simulated.cycles.Cycles(LEVEL=1, PRESET=2)
    error, cycles, out = await exchange(
        dut, simulated.ENCAPS, packets.encaps_packet(record["pk"], seed + bytes(32))
    )
    assert error == 0
    assert abs(cycles - formula.encaps()) <= 4  # the packet begins some cycles after the start
    assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]
    if BUILD == SERVER:
        return
    error, cycles, out = await exchange(
        dut, simulated.DECAPS, packets.decaps_packet(record["ct"], record["sk"])
    )
    assert error == 0
    assert packets.unpack(out, [32]) == record["ss"]


@cocotb.test()
async def keeps_to_the_protocols(dut):
    """With pauses on all channels, and a second start, which is refused and disturbs nothing."""
    source = seeded(dut)
    await start_up(dut)
    packets = simulated.Packets(1)
    record = source.choice(known_answers.read_records("BIKE-L1"))
    _, seed = known_answers.record_seeds("BIKE-L1", record)
    packet = packets.encaps_packet(record["pk"], seed + bytes(32))
    for again, expected in [
        (None, simulated.ERROR_NONE),
        (100, simulated.ERROR_BUSY),
        (len(packet), simulated.ERROR_BUSY),
    ]:
        error, _, out = await exchange(dut, simulated.ENCAPS, packet, source, again)
        assert error == expected
        assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]
    for address in (ID, VERSION, PARAM0, PARAM1, PARAM2):
        assert await read(dut, address, source) == await read(dut, address)


@cocotb.test()
async def reports_errors(dut):
    await start_up(dut)
    assert (await exchange(dut, 6, []))[0] == simulated.ERROR_OP
    assert (await exchange(dut, simulated.ENCAPS, [1]))[0] == simulated.ERROR_SHORT
