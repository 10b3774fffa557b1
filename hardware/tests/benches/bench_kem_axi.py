# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bus by itself, with a model in the core's place: registers, answers, events, streams."""

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge, Timer, gather
from cocotb.utils import get_sim_time

from hardware.tests.benches.axi import (
    ABORT,
    BUSY,
    CONTROL,
    CYCLES,
    DONE,
    EXPIRED,
    ID,
    IRQ_ENABLE,
    IRQ_STATUS,
    OKAY,
    PARAM0,
    PARAM1,
    PARAM2,
    READYS,
    REFUSED,
    SLVERR,
    STATUS,
    VALIDS,
    VERSION,
    WATCHDOG,
    WIPE_AFTER,
    Bus,
)
from hardware.tests.benches.benches import seeded

READ_ONLY = (ID, VERSION, PARAM0, PARAM1, PARAM2, STATUS, CYCLES)
UNKNOWN = (0x2C, 0x40, 0x54, 0x114, 0x814, 0xFFC)
# The bench builds the module with its default parameters: all of these are zero.
FIXED = {ID: 0, VERSION: 3, PARAM0: 0, PARAM1: 0, PARAM2: 0}
ERROR_SHORT, ERROR_ABORT = 2, 6


class Core:
    """In the core's place: takes a packet, sends its words inverted, in reverse order."""

    def __init__(self, dut, source):
        self.dut, self.source = dut, source
        self.task = None
        self.started, self.cycles, self.error = [], 0, 0
        self.aborted = False
        for name in ("busy_i", "done_i", "error_i", "in_ready_i", "out_valid_i", "step_i"):
            getattr(dut, name).value = 0
        for name in ("out_data_i", "out_last_i"):
            getattr(dut, name).value = 0
        self.task = cocotb.start_soon(self.run())
        cocotb.start_soon(self.stop())

    async def stop(self):
        """Aborts: whatever runs ends, and 20 cycles later the core is done."""
        while True:
            await FallingEdge(self.dut.aclk)
            if self.dut.aresetn.value != 1 or self.dut.abort_o.value != 1:
                continue
            self.task.cancel()
            await FallingEdge(self.dut.aclk)
            for name in ("in_ready_i", "out_valid_i", "done_i"):
                getattr(self.dut, name).value = 0
            self.dut.busy_i.value = 1
            for _ in range(20):
                await FallingEdge(self.dut.aclk)
                assert self.dut.s_axis_tready.value == 0 and self.dut.m_axis_tvalid.value == 0
                assert self.dut.in_valid_o.value == 0
            self.dut.done_i.value, self.dut.error_i.value = 1, ERROR_ABORT
            self.aborted = True
            await FallingEdge(self.dut.aclk)
            self.dut.done_i.value = self.dut.busy_i.value = 0
            self.task = cocotb.start_soon(self.run())

    async def cycle(self):
        assert self.dut.start_o.value == 0  # a start that is refused does not come here
        await FallingEdge(self.dut.aclk)
        self.cycles += 1

    async def run(self):
        while True:
            await FallingEdge(self.dut.aclk)
            if self.dut.aresetn.value == 1 and self.dut.start_o.value == 1:
                self.started.append(int(self.dut.op_o.value))
                await FallingEdge(self.dut.aclk)
                self.cycles = 1
                self.dut.busy_i.value = 1
                self.dut.error_i.value = self.source.randrange(8)  # counts with done_i only
                if self.started[-1] != 4:
                    await self.send(await self.receive())
                for _ in range(self.source.randrange(5)):
                    await self.cycle()
                self.dut.done_i.value = 1
                self.dut.error_i.value = self.error
                await FallingEdge(self.dut.aclk)
                self.dut.done_i.value = self.dut.busy_i.value = 0

    async def receive(self):
        packet, last = [], False
        while not last:
            ready = self.source.randrange(3) > 0
            self.dut.in_ready_i.value = int(ready)
            if ready and self.dut.in_valid_o.value == 1:
                packet.append(int(self.dut.in_data_o.value))
                last = self.dut.in_last_o.value == 1
            await self.cycle()
        self.dut.in_ready_i.value = 0
        return packet

    async def send(self, packet):
        for i, word in enumerate(reversed(packet)):
            self.dut.out_valid_i.value = 1
            self.dut.out_data_i.value = word ^ 0xFFFFFFFF
            self.dut.out_last_i.value = int(i == len(packet) - 1)
            taken = False
            while not taken:
                taken = self.dut.out_ready_o.value == 1
                await self.cycle()
            self.dut.out_valid_i.value = 0
            for _ in range(self.source.randrange(2)):
                await self.cycle()


async def started(dut, pauses=False):
    source = seeded(dut)
    pause = (lambda: source.choice((0, 0, 1, 2, 5))) if pauses else (lambda: 0)
    bus, core = Bus(dut, source, pause), Core(dut, source)
    await bus.start_up()
    return bus, core


@cocotb.test()
async def registers_answer(dut):
    bus, _ = await started(dut, pauses=True)
    for address in [*range(0, 0x2C, 4)]:
        assert await bus.read(address) == FIXED.get(address, 0)
    for address in UNKNOWN:
        await bus.address_read(address)
        assert await bus.answer_read() == (0, SLVERR)
    for address in (*READ_ONLY, *UNKNOWN):
        assert await bus.write(address, bus.source.getrandbits(32)) == SLVERR
    for address, value in FIXED.items():
        assert await bus.read(address + bus.source.randrange(4)) == value  # low bits do not count
    assert await bus.write(IRQ_ENABLE + 3, 0xFFFFFFFF) == OKAY
    every = DONE | REFUSED | EXPIRED
    assert await bus.read(IRQ_ENABLE) == every
    for strobes, expected in [(0b1110, every), (0b0001, REFUSED)]:
        assert await bus.write(IRQ_ENABLE, REFUSED, strobes) == OKAY
        assert await bus.read(IRQ_ENABLE) == expected


async def reads_of(bus, addresses):
    async def ask():
        for address in addresses:
            await bus.address_read(address)

    async def answers():
        return [await bus.answer_read() for _ in addresses]

    return (await gather(ask(), answers()))[1]


async def writes_of(bus, writes):
    async def addresses():
        for address, _ in writes:
            await bus.address_write(address)

    async def values():
        for _, value in writes:
            await bus.data_write(value)

    async def answers():
        return [await bus.answer_write() for _ in writes]

    return (await gather(addresses(), values(), answers()))[2]


@cocotb.test()
async def every_access_is_answered_once(dut):
    """Reads and writes at the same time, with pauses on all five channels."""
    bus, _ = await started(dut, pauses=True)
    for _ in range(4):
        reads = [bus.source.choice((*FIXED, *UNKNOWN)) for _ in range(100)]
        writes = [
            (bus.source.choice((IRQ_ENABLE, *UNKNOWN, *READ_ONLY)), bus.source.getrandbits(32))
            for _ in range(100)
        ]
        answers, written = await gather(reads_of(bus, reads), writes_of(bus, writes))
        assert answers == [(FIXED[a], OKAY) if a in FIXED else (0, SLVERR) for a in reads]
        assert written == [OKAY if a == IRQ_ENABLE else SLVERR for a, _ in writes]
        last = [value for address, value in writes if address == IRQ_ENABLE][-1]
        assert await bus.read(IRQ_ENABLE) == last & 7


@cocotb.test()
async def one_access_in_each_cycle(dut):
    bus, _ = await started(dut)
    count = 40

    async def timed(*jobs):
        begun = get_sim_time("ns")
        await gather(*jobs)
        return round((get_sim_time("ns") - begun) / 10)

    writes, reads = [(IRQ_ENABLE, 0)] * count, [ID] * count
    assert await timed(reads_of(bus, reads)) == count + 2
    assert await timed(writes_of(bus, writes)) == count + 2
    # Neither waits for the end of the other.
    both = await timed(reads_of(bus, reads), writes_of(bus, writes))
    assert 2 * count <= both <= 2 * count + 3
    fewer = reads_of(bus, reads[:4]), writes_of(bus, writes)
    took = []

    async def first():
        await fewer[0]
        took.append(get_sim_time("ns"))

    begun = get_sim_time("ns")
    await gather(first(), fewer[1])
    assert took[0] - begun <= 10 * 14


@cocotb.test()
async def operations_pass_through(dut):
    """Packets with pauses everywhere; `done` and the error stay until they are acknowledged."""
    bus, core = await started(dut, pauses=True)
    for op in (1, 2, 3, 7):
        packet = [bus.source.getrandbits(32) for _ in range(bus.source.randrange(1, 60))]
        core.error = bus.source.choice((0, ERROR_SHORT))
        assert await bus.write(CONTROL, op) == OKAY
        _, out = await gather(bus.send(packet), bus.receive())
        assert out == [word ^ 0xFFFFFFFF for word in reversed(packet)]
        await bus.until_done()
        assert core.started == [op]
        core.started.clear()
        for _ in range(3):  # reading does not acknowledge
            assert await bus.read(IRQ_STATUS) == DONE
        assert await bus.read(STATUS) == core.error << 4
        assert await bus.read(CONTROL) == op
        assert await bus.write(IRQ_STATUS, REFUSED) == OKAY  # acknowledges something else
        assert await bus.read(IRQ_STATUS) == DONE
        assert await bus.write(IRQ_STATUS, DONE) == OKAY
        assert await bus.read(IRQ_STATUS) == 0
        assert await bus.read(STATUS) == core.error << 4


@cocotb.test()
async def done_stays_through_the_next_operation(dut):
    bus, core = await started(dut)
    core.error = ERROR_SHORT
    for _ in range(2):
        await bus.write(CONTROL, 4)
        while await bus.read(STATUS) & BUSY:
            assert await bus.read(STATUS) >> 4 in (0, ERROR_SHORT)
        assert await bus.read(IRQ_STATUS) == DONE
        assert await bus.read(STATUS) == ERROR_SHORT << 4
    assert core.started == [4, 4]


@cocotb.test()
async def a_start_while_busy_is_refused(dut):
    bus, core = await started(dut)
    packet = [1, 2, 3]
    await bus.write(CONTROL, 3)
    await bus.send(packet[:2])  # the first two words, and the end is still to come
    assert await bus.read(STATUS) == BUSY
    await bus.write(CONTROL, 4)
    assert await bus.read(IRQ_STATUS) == REFUSED
    await gather(bus.send([3]), bus.receive())
    await bus.until_done()
    assert core.started == [3]
    assert await bus.read(IRQ_STATUS) == DONE | REFUSED
    await bus.write(IRQ_STATUS, REFUSED)
    assert await bus.read(IRQ_STATUS) == DONE
    # Two starts one directly behind the other: the second one is refused, whatever the core says.
    core.started.clear()
    await writes_of(bus, [(IRQ_STATUS, 3), (CONTROL, 4), (CONTROL, 4), (CONTROL, 4)])
    await bus.until_done()
    assert core.started == [4]
    assert await bus.read(IRQ_STATUS) == DONE | REFUSED
    core.started.clear()
    await bus.write(IRQ_STATUS, 3)
    assert await bus.write(CONTROL, 4, strobes=0b1110) == OKAY  # writes nothing
    await bus.cycles(5)
    assert core.started == [] and await bus.read(STATUS) & BUSY == 0


@cocotb.test()
async def irq_follows_what_is_enabled(dut):
    bus, _ = await started(dut)
    for enabled in (0, DONE, REFUSED, DONE | REFUSED):
        await bus.write(IRQ_ENABLE, enabled)
        await writes_of(bus, [(CONTROL, 4), (CONTROL, 4)])
        await bus.until_done()
        assert await bus.read(IRQ_STATUS) == DONE | REFUSED
        for acknowledged, left in ((REFUSED, DONE), (DONE, 0)):
            await bus.write(IRQ_STATUS, acknowledged)
            await bus.cycles(2)
            assert dut.irq.value == int(bool(left & enabled))
        await bus.write(IRQ_ENABLE, 0)
    await bus.write(CONTROL, 4)
    await bus.until_done()
    assert dut.irq.value == 0
    await bus.write(IRQ_ENABLE, DONE)  # later than the event
    await bus.cycles(2)
    assert dut.irq.value == 1
    await bus.write(IRQ_ENABLE, 0)
    await bus.cycles(2)
    assert dut.irq.value == 0
    await bus.write(IRQ_STATUS, DONE)


@cocotb.test()
async def an_event_in_the_cycle_of_an_acknowledgement_is_kept(dut):
    bus, core = await started(dut)
    await bus.write(IRQ_ENABLE, DONE)
    core.source = random.Random(1)  # every operation takes the same time
    for wait in range(16):
        core.source.seed(1)
        raised = False
        await bus.write(CONTROL, 4)

        async def acknowledge(wait=wait):
            await bus.cycles(wait)
            await bus.write(IRQ_STATUS, DONE)

        task = cocotb.start_soon(acknowledge())
        for _ in range(30):
            await FallingEdge(dut.aclk)
            raised = raised or dut.irq.value == 1
        await task
        assert raised, wait
        await bus.write(IRQ_STATUS, DONE)


@cocotb.test()
async def done_waits_for_the_output(dut):
    bus, core = await started(dut)
    await bus.write(CONTROL, 2)
    await bus.send([5])
    await bus.cycles(40)  # the core has ended, its word is here
    assert dut.busy_i.value == 0
    assert await bus.read(STATUS) == BUSY
    assert await bus.read(IRQ_STATUS) == 0
    await bus.write(CONTROL, 2)
    assert await bus.read(IRQ_STATUS) == REFUSED
    assert await bus.receive() == [5 ^ 0xFFFFFFFF]
    await bus.until_done()
    assert core.started == [2]


@cocotb.test()
async def cycles_are_counted(dut):
    bus, core = await started(dut)
    for _ in range(5):
        await bus.write(CONTROL, 4)
        await bus.until_idle()
        assert await bus.read(CYCLES) == core.cycles
        await bus.cycles(7)
        assert await bus.read(CYCLES) == core.cycles  # it stands still


@cocotb.test()
async def reset_clears_everything(dut):
    bus, _ = await started(dut)
    await bus.write(IRQ_ENABLE, 3)
    await writes_of(bus, [(CONTROL, 4), (CONTROL, 4)])
    await bus.until_done()
    await bus.offer("s_axis_t", data=7, last=0)
    await bus.offer("s_axis_t", data=8, last=0)
    assert dut.s_axis_tready.value == 0
    dut.aresetn.value = 0
    await bus.cycles(2)
    dut.aresetn.value = 1
    await bus.cycles(1)
    assert dut.irq.value == 0 and dut.s_axis_tready.value == 1
    assert dut.in_valid_o.value == 0 and dut.in_data_o.value == 0
    for address in (CONTROL, STATUS, CYCLES, IRQ_STATUS, IRQ_ENABLE, WATCHDOG):
        assert await bus.read(address) == 0


@cocotb.test()
async def no_output_follows_an_input(dut):
    """Inputs of any value, changed between clock edges: outputs change at clock edges only."""
    source = seeded(dut)
    bus = Bus(dut, source)
    await bus.start_up()
    core_inputs = ("busy_i", "done_i", "error_i", "in_ready_i", "out_valid_i", "step_i")
    inputs = [
        *VALIDS,
        *READYS,
        *core_inputs,
        *("s_axil_awaddr", "s_axil_awprot", "s_axil_wdata", "s_axil_wstrb", "s_axil_araddr"),
        *("s_axil_arprot", "s_axis_tdata", "s_axis_tlast", "out_data_i", "out_last_i"),
    ]
    outputs = [
        *("s_axil_awready", "s_axil_wready", "s_axil_bresp", "s_axil_bvalid", "s_axil_arready"),
        *("s_axil_rdata", "s_axil_rresp", "s_axil_rvalid", "s_axis_tready", "m_axis_tdata"),
        *("m_axis_tvalid", "m_axis_tlast", "irq", "start_o", "op_o", "in_valid_o", "in_data_o"),
        *("in_last_o", "out_ready_o", "abort_o", "wipe_after_o"),
    ]
    for _ in range(400):
        await RisingEdge(dut.aclk)
        await Timer(1, unit="ns")
        before = [int(bus.signal(name).value) for name in outputs]
        for _ in range(3):
            for name in inputs:
                signal = bus.signal(name)
                signal.value = source.getrandbits(len(signal))
                if "addr" in name and source.randrange(2):  # mostly registers that are there
                    signal.value = source.randrange(0x2C)
            await Timer(1, unit="ns")
            assert [int(bus.signal(name).value) for name in outputs] == before


async def next_is_right(bus, core):
    """The next operation gets its own packet alone."""
    packet = [bus.source.getrandbits(32) for _ in range(9)]
    core.aborted = False
    core.started.clear()
    await bus.write(IRQ_STATUS, DONE | REFUSED | EXPIRED)
    await bus.write(CONTROL, 2 | WIPE_AFTER)
    assert bus.dut.wipe_after_o.value == 1
    _, out = await gather(bus.send(packet), bus.receive())
    assert out == [word ^ 0xFFFFFFFF for word in reversed(packet)]
    await bus.until_done()
    assert core.started == [2] and not core.aborted
    assert await bus.read(STATUS) == 0
    assert await bus.read(IRQ_STATUS) == DONE


@cocotb.test()
async def an_abort_ends_what_waits(dut):
    """For the rest of a packet, for the output to be taken, or for nothing; words are dropped."""
    bus, core = await started(dut)
    for words in (0, 1, 2, 5):
        await bus.write(IRQ_STATUS, DONE)
        await bus.write(CONTROL, 3)
        for word in range(words):
            await bus.offer("s_axis_t", data=word, last=0)
        await bus.cycles(bus.source.randrange(30))
        assert await bus.write(CONTROL, ABORT) == OKAY
        await bus.until_done()
        assert core.aborted and await bus.read(STATUS) == ERROR_ABORT << 4
        assert await bus.read(IRQ_STATUS) == DONE
        assert await bus.read(CONTROL) == 0
        await next_is_right(bus, core)
    await bus.write(IRQ_STATUS, DONE)
    await bus.write(CONTROL, 3)
    await bus.send([1, 2, 3])
    await bus.cycles(60)  # words wait to be taken
    assert dut.m_axis_tvalid.value == 1
    await bus.write(CONTROL, ABORT)
    await bus.until_done()
    assert dut.m_axis_tvalid.value == 0
    await next_is_right(bus, core)
    core.aborted = False
    await bus.write(CONTROL, ABORT)  # while nothing runs
    await bus.until_idle()
    assert core.aborted
    await next_is_right(bus, core)


@cocotb.test()
async def the_watchdog_waits_for_progress(dut):
    bus, core = await started(dut)
    assert await bus.write(WATCHDOG, 50) == OKAY
    await bus.write(IRQ_STATUS, DONE | REFUSED | EXPIRED)
    await bus.write(IRQ_ENABLE, EXPIRED)
    await bus.write(CONTROL, 1)
    for _ in range(6):  # words, or steps, that come in time
        await bus.cycles(30)
        if bus.source.randrange(2):
            await bus.offer("s_axis_t", data=5, last=0)
        else:
            dut.step_i.value = 1
            await bus.cycles(1)
            dut.step_i.value = 0
        assert not core.aborted and await bus.read(STATUS) == BUSY
    await bus.cycles(100)
    assert core.aborted and dut.irq.value == 1
    assert await bus.read(STATUS) == ERROR_ABORT << 4
    assert await bus.read(IRQ_STATUS) == DONE | EXPIRED
    await bus.cycles(200)  # nothing runs: it does not count
    assert await bus.read(IRQ_STATUS) == DONE | EXPIRED
    await next_is_right(bus, core)
    await bus.write(WATCHDOG, 0)
    await bus.write(CONTROL, 1)
    core.aborted = False
    await bus.cycles(300)
    assert not core.aborted
    await bus.write(CONTROL, ABORT)
    await bus.until_done()
