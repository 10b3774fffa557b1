# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A core on its bus, bike_axi, hqc_axi or joint_axi: registers, official exchanges on the streams,
a refused start, errors, and no path from an input to an output. bench_kem_axi.py tests the bus by
itself."""

import os
import typing

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge, Timer, gather

from hardware.tests import simulated
from hardware.tests.benches.axi import (
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
from hardware.tests.benches.benches import parameters, seeded
from tools import known_answers

(BUILD,) = parameters("BUILD")
SERVER = 2
TOP = os.environ["BENCH_TOP"]
JOINT = TOP == "joint_axi"  # of which HQC is exercised here, and BIKE in one test
HQC = TOP != "bike_axi"
KEM = "HQC-1" if HQC else "BIKE-L1"
PACKETS = simulated.HqcPackets(1) if HQC else simulated.Packets(1)
BOTH = simulated.joint_cycles.JointCycles(LEVEL=1, PRESET=2)
FORMULA: typing.Any = {
    "bike_axi": simulated.cycles.Cycles(LEVEL=1, PRESET=2),
    "hqc_axi": simulated.hqc_cycles.HqcCycles(LEVEL=1, PRESET=2),
    "joint_axi": BOTH.hqc,
}[TOP]
BIKE, OF_HQC = simulated.cycles.PRESETS[2], simulated.hqc_cycles.PRESETS[2]
PRESET = OF_HQC if HQC else BIKE
BIKE_PARAM2 = BIKE["INV_STEPS"] << 16 | BIKE["INV_WORD"]
NAME, PARAM2_VALUE = {
    "bike_axi": (b"BIKE", BIKE_PARAM2),
    "hqc_axi": (b"HQC\0", OF_HQC["BM_CELLS"] << 16 | OF_HQC["RM_VALUES"]),
    "joint_axi": (b"BHQC", OF_HQC["BM_CELLS"] << 28 | OF_HQC["RM_VALUES"] << 24 | BIKE_PARAM2),
}[TOP]
ADDED = simulated.JointCore.HQC_OPERATIONS if JOINT else 0  # to an operation
ENCAPS, DECAPS = simulated.ENCAPS + ADDED, simulated.DECAPS + ADDED
UNKNOWN = 0 if JOINT else 6
# Addresses of the deepest memory: slots, or rows.
SLOTS = 4 if BUILD == SERVER and not JOINT else 5
WIPE_WORDS = FORMULA.words * SLOTS if HQC else 512


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
    assert (await bus.read(ID)).to_bytes(4, "little") == NAME
    assert await bus.read(VERSION) == 3
    assert await bus.read(PARAM0) == 1 << 16 | BUILD << 8 | 1
    assert await bus.read(PARAM1) == PRESET["LANES"] << 16 | PRESET["WORD"]
    assert await bus.read(PARAM2) == PARAM2_VALUE
    # No operation yet: wiping after reset, a cycle for each word of the deepest memory, and one.
    assert await bus.read(CYCLES) == WIPE_WORDS + 2


@cocotb.test()
async def encapsulates_and_decapsulates(dut):
    bus = await started(dut)
    packets = PACKETS
    record = known_answers.read_records(KEM)[0]
    error, cycles, out = await exchange(bus, ENCAPS, encaps_packet(record))
    assert error == 0
    assert cycles == FORMULA.encaps()  # the streams never made it wait
    assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]
    if BUILD == SERVER:
        return
    error, cycles, out = await exchange(
        bus, DECAPS, packets.decaps_packet(record["ct"], record["sk"])
    )
    assert error == 0
    assert packets.unpack(out, [32]) == record["ss"]


@cocotb.test(skip=not JOINT)
async def runs_both_schemes(dut):
    """One after the other, without a reset."""
    bus, bike = await started(dut), simulated.Packets(1)
    record = known_answers.read_records("BIKE-L1")[0]
    of_hqc = known_answers.read_records(KEM)[0]
    _, seed = known_answers.record_seeds("BIKE-L1", record)
    for _ in range(2):
        packet = bike.encaps_packet(record["pk"], seed + bytes(32))
        error, cycles, out = await exchange(bus, simulated.ENCAPS, packet)
        assert (error, cycles) == (0, BOTH.bike.encaps())
        assert bike.unpack(out, [*bike.ciphertext, 32]) == record["ct"] + record["ss"]
        error, _, out = await exchange(bus, ENCAPS, encaps_packet(of_hqc))
        assert error == 0
        assert PACKETS.unpack(out, [*PACKETS.ciphertext, 32]) == of_hqc["ct"] + of_hqc["ss"]


@cocotb.test()
async def keeps_to_the_protocols(dut):
    """With pauses on all channels, and a second start, which is refused and disturbs nothing."""
    bus = await started(dut, pauses=True)
    packets = PACKETS
    record = bus.source.choice(known_answers.read_records(KEM))
    packet = encaps_packet(record)
    for again in (None, 100, len(packet) - 1):
        error, _, out = await exchange(bus, ENCAPS, packet, again)
        assert error == simulated.ERROR_NONE
        assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]


@cocotb.test()
async def reports_errors(dut):
    bus = await started(dut)
    assert (await exchange(bus, UNKNOWN, []))[0] == simulated.ERROR_OP
    assert (await exchange(bus, ENCAPS, [1]))[0] == simulated.ERROR_SHORT


@cocotb.test()
async def reset_of_one_cycle_leaves_nothing_to_send(dut):
    """While words of a secret wait to be taken."""
    bus = await started(dut)
    packet = encaps_packet(known_answers.read_records(KEM)[0])
    await bus.write(CONTROL, ENCAPS)
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
    await bus.write(CONTROL, ENCAPS)
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
