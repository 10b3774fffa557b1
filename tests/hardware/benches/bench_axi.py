# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The core on its bus: registers, an exchange on the streams, a refused start, an unknown operation."""

import cocotb
import known_answers
import simulated
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

ID, VERSION, PARAM0, PARAM1, PARAM2, CONTROL, STATUS, CYCLES = range(0, 32, 4)


async def write(dut, address, value):
    dut.s_axil_awaddr.value = address
    dut.s_axil_wdata.value = value
    dut.s_axil_awvalid.value = 1
    await FallingEdge(dut.aclk)  # the address first, then the data
    assert dut.s_axil_awready.value == 0
    dut.s_axil_wvalid.value = 1
    await FallingEdge(dut.aclk)
    dut.s_axil_awvalid.value = 0
    dut.s_axil_wvalid.value = 0
    while dut.s_axil_bvalid.value == 0:
        await FallingEdge(dut.aclk)
    assert dut.s_axil_bresp.value == 0
    await FallingEdge(dut.aclk)


async def read(dut, address):
    dut.s_axil_araddr.value = address
    dut.s_axil_arvalid.value = 1
    while dut.s_axil_arready.value == 0:
        await FallingEdge(dut.aclk)
    await FallingEdge(dut.aclk)
    dut.s_axil_arvalid.value = 0
    while dut.s_axil_rvalid.value == 0:
        await FallingEdge(dut.aclk)
    return int(dut.s_axil_rdata.value)


async def start_up(dut):
    for name in ("s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "s_axis_tvalid",
                 "m_axis_tready", "s_axis_tlast", "s_axis_tdata"):
        getattr(dut, name).value = 0
    dut.s_axil_wstrb.value = 15
    dut.s_axil_bready.value = 1
    dut.s_axil_rready.value = 1
    dut.aresetn.value = 0
    Clock(dut.aclk, 10, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.aclk)
    dut.aresetn.value = 1
    while await read(dut, STATUS) & 1:  # it wipes itself
        pass


async def exchange(dut, op, packet):
    """Runs an operation; returns error, cycles and output packet."""
    await write(dut, CONTROL, op)
    out, sent = [], 0
    dut.m_axis_tready.value = 1
    while dut.irq.value == 0:
        dut.s_axis_tvalid.value = int(sent < len(packet))
        dut.s_axis_tdata.value = packet[sent] if sent < len(packet) else 0
        dut.s_axis_tlast.value = int(sent == len(packet) - 1)
        await cocotb.triggers.ReadOnly()
        sent += int(dut.s_axis_tvalid.value == 1 and dut.s_axis_tready.value == 1)
        if dut.m_axis_tvalid.value == 1:
            out.append(int(dut.m_axis_tdata.value))
        await FallingEdge(dut.aclk)
    status = await read(dut, STATUS)
    assert status & 3 == 2
    return status >> 4, await read(dut, CYCLES), out


@cocotb.test()
async def registers_tell_the_core(dut):
    await start_up(dut)
    assert (await read(dut, ID)).to_bytes(4, "little") == b"BIKE"
    assert await read(dut, VERSION) == 1
    assert await read(dut, PARAM0) == 1 << 16 | 1
    preset = simulated.cycles.PRESETS[2]
    assert await read(dut, PARAM1) == preset["LANES"] << 16 | preset["WORD"]
    assert await read(dut, PARAM2) == preset["INV_STEPS"] << 16 | preset["INV_WORD"]


@cocotb.test()
async def encapsulates_and_decapsulates(dut):
    await start_up(dut)
    packets = simulated.Packets(1)
    record = known_answers.read_records("BIKE-L1")[0]
    _, seed = known_answers.record_seeds("BIKE-L1", record)
    formula = simulated.cycles.Cycles(LEVEL=1, PRESET=2)
    error, cycles, out = await exchange(
        dut, simulated.ENCAPS, packets.encaps_packet(record["pk"], seed + bytes(32)))
    assert error == 0
    assert abs(cycles - formula.encaps()) <= 4  # the packet begins some cycles after the start
    assert packets.unpack(out, [*packets.ciphertext, 32]) == record["ct"] + record["ss"]
    error, cycles, out = await exchange(
        dut, simulated.DECAPS, packets.decaps_packet(record["ct"], record["sk"]))
    assert error == 0
    assert packets.unpack(out, [32]) == record["ss"]


@cocotb.test()
async def reports_errors(dut):
    await start_up(dut)
    assert (await exchange(dut, 6, []))[0] == simulated.ERROR_OP
    assert (await exchange(dut, simulated.DECAPS, [1]))[0] == simulated.ERROR_SHORT
