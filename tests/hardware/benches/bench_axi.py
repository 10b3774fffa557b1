# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A core on its bus, bike_axi or hqc_axi: registers, official exchanges on the streams, a refused
start, errors, and no path from an input to an output. bench_kem_axi.py tests the bus by itself."""

import os

import cocotb
from axi import (
    BUSY,
    CONTROL,
    CYCLES,
    DONE,
    ID,
    IRQ_ENABLE,
    IRQ_STATUS,
    PARAM0,
    PARAM1,
    PARAM2,
    READYS,
    REFUSED,
    STATUS,
    VALIDS,
    VERSION,
    Bus,
)
from benches import parameters, seeded
from cocotb.triggers import FallingEdge, RisingEdge, Timer, gather

import known_answers
import simulated

(BUILD,) = parameters("BUILD")
SERVER = 2
HQC = os.environ["BENCH_TOP"] == "hqc_axi"
KEM = "HQC-1" if HQC else "BIKE-L1"
PACKETS = simulated.HqcPackets(1) if HQC else simulated.Packets(1)
FORMULA = (simulated.hqc_cycles.HqcCycles if HQC else simulated.cycles.Cycles)(LEVEL=1, PRESET=2)
PRESET = (simulated.hqc_cycles if HQC else simulated.cycles).PRESETS[2]
OWN = ("BM_CELLS", "RM_VALUES") if HQC else ("INV_STEPS", "INV_WORD")
# Addresses of the deepest memory: slots, or rows.
WIPE_WORDS = FORMULA.words * (4 if BUILD == SERVER else 5) if HQC else 512


def encaps_packet(record):
    """Returns the packet of an official record's encapsulation."""
    _, seed = known_answers.record_seeds(KEM, record)
    return PACKETS.encaps_packet(record["pk"], seed if HQC else seed + bytes(32))


async def started(dut, pauses=False):
    source = seeded(dut)
    bus = Bus(dut, source, (lambda: source.choice((0, 0, 1, 3))) if pauses else (lambda: 0))
    await bus.start_up()
    await bus.until_idle()  # it wipes itself
    return bus


async def exchange(bus, op, packet, again=None):
    """Runs an operation, waits for irq; returns error, cycles and output packet.

    again: after so many words are sent, a second start is written.
    """
    await bus.write(IRQ_ENABLE, DONE)
    await bus.write(CONTROL, op)

    async def send():
        for i, word in enumerate(packet):
            if i == again:
                await bus.write(CONTROL, simulated.WIPE)
                assert await bus.read(STATUS) == BUSY
                assert await bus.read(IRQ_STATUS) == REFUSED
            await bus.offer("s_axis_t", data=word, last=int(i == len(packet) - 1))

    async def until_irq():
        while bus.dut.irq.value == 0:
            await FallingEdge(bus.dut.aclk)

    receiving = cocotb.start_soon(bus.receive())
    await gather(send(), until_irq())
    assert await bus.read(IRQ_STATUS) == (DONE if again is None else DONE | REFUSED)
    await bus.write(IRQ_STATUS, DONE | REFUSED)
    out = receiving.result() if receiving.done() else None
    receiving.cancel()
    bus.dut.m_axis_tready.value = 0
    await bus.cycles(2)
    assert bus.dut.irq.value == 0
    return (await bus.read(STATUS)) >> 4, await bus.read(CYCLES), out


@cocotb.test()
async def registers_tell_the_core(dut):
    bus = await started(dut)
    assert (await bus.read(ID)).to_bytes(4, "little") == (b"HQC\0" if HQC else b"BIKE")
    assert await bus.read(VERSION) == 2
    assert await bus.read(PARAM0) == 1 << 16 | BUILD << 8 | 1
    assert await bus.read(PARAM1) == PRESET["LANES"] << 16 | PRESET["WORD"]
    assert await bus.read(PARAM2) == PRESET[OWN[0]] << 16 | PRESET[OWN[1]]
    # No operation yet: wiping after reset, a cycle for each word of the deepest memory, and one.
    assert await bus.read(CYCLES) == WIPE_WORDS + 2


@cocotb.test()
async def encapsulates_and_decapsulates(dut):
    bus = await started(dut)
    packets = PACKETS
    record = known_answers.read_records(KEM)[0]
    error, cycles, out = await exchange(bus, simulated.ENCAPS, encaps_packet(record))
    assert error == 0
    assert cycles == FORMULA.encaps()  # the streams never made it wait
    assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]
    if BUILD == SERVER:
        return
    error, cycles, out = await exchange(
        bus, simulated.DECAPS, packets.decaps_packet(record["ct"], record["sk"])
    )
    assert error == 0
    assert packets.unpack(out, [32]) == record["ss"]


@cocotb.test()
async def keeps_to_the_protocols(dut):
    """With pauses on all channels, and a second start, which is refused and disturbs nothing."""
    bus = await started(dut, pauses=True)
    packets = PACKETS
    record = bus.source.choice(known_answers.read_records(KEM))
    packet = encaps_packet(record)
    for again in (None, 100, len(packet) - 1):
        error, _, out = await exchange(bus, simulated.ENCAPS, packet, again)
        assert error == simulated.ERROR_NONE
        assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]


@cocotb.test()
async def reports_errors(dut):
    bus = await started(dut)
    assert (await exchange(bus, 6, []))[0] == simulated.ERROR_OP
    assert (await exchange(bus, simulated.ENCAPS, [1]))[0] == simulated.ERROR_SHORT


@cocotb.test()
async def reset_of_one_cycle_leaves_nothing_to_send(dut):
    """While words of a secret wait to be taken."""
    bus = await started(dut)
    packet = encaps_packet(known_answers.read_records(KEM)[0])
    await bus.write(CONTROL, simulated.ENCAPS)
    for i, word in enumerate(packet):
        await bus.offer("s_axis_t", data=word, last=int(i == len(packet) - 1))
    while dut.m_axis_tvalid.value == 0:
        await FallingEdge(dut.aclk)
    await bus.cycles(5)  # the registers of the stream are full
    dut.aresetn.value = 0
    await FallingEdge(dut.aclk)
    dut.aresetn.value = 1
    for _ in range(10):
        assert dut.m_axis_tvalid.value == 0
        await FallingEdge(dut.aclk)


@cocotb.test()
async def no_output_follows_an_input(dut):
    bus = await started(dut)
    await bus.write(CONTROL, simulated.ENCAPS)
    inputs = [
        *(*VALIDS, *READYS, "s_axil_awaddr", "s_axil_awprot", "s_axil_wdata", "s_axil_wstrb"),
        *("s_axil_araddr", "s_axil_arprot", "s_axis_tdata", "s_axis_tlast"),
    ]
    outputs = [
        *("s_axil_awready", "s_axil_wready", "s_axil_bresp", "s_axil_bvalid", "s_axil_arready"),
        *("s_axil_rdata", "s_axil_rresp", "s_axil_rvalid", "s_axis_tready", "m_axis_tdata"),
        *("m_axis_tvalid", "m_axis_tlast", "irq"),
    ]
    for _ in range(100):
        await RisingEdge(dut.aclk)
        await Timer(1, unit="ns")
        before = [int(bus.signal(name).value) for name in outputs]
        for _ in range(2):
            for name in inputs:
                bus.signal(name).value = bus.source.getrandbits(len(bus.signal(name)))
            await Timer(1, unit="ns")
            assert [int(bus.signal(name).value) for name in outputs] == before
