# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AXI4-Lite and AXI4-Stream from the outside of a core, in the words of cocotb.

Inputs change at falling edges, and what the module answers is looked at there, before: its outputs
come from registers, so what is there counts at the next rising edge. Signals that are not valid
have random values.
"""

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, gather

from hardware.tests.benches.benches import PERIOD

ENDLESS = 50_000  # more cycles than any answer or operation of these benches takes
OKAY, SLVERR = 0, 2
ID, VERSION, PARAM0, PARAM1, PARAM2, CONTROL, STATUS, CYCLES = range(0, 32, 4)
IRQ_STATUS, IRQ_ENABLE, WATCHDOG = range(32, 44, 4)
DONE, REFUSED, EXPIRED = 1, 2, 4  # of IRQ_STATUS and IRQ_ENABLE
ABORT, WIPE_AFTER = 8, 16  # of CONTROL
BUSY = 1  # of STATUS
VALIDS = ("s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "s_axis_tvalid")
READYS = ("s_axil_bready", "s_axil_rready", "m_axis_tready")


class Bus:
    """Both ends of the bus; pause() is how many cycles a partner waits, never by default."""

    def __init__(self, dut, source, pause=lambda: 0):
        self.dut, self.source, self.pause = dut, source, pause

    def signal(self, name):
        return getattr(self.dut, name)

    async def start_up(self):
        for name in VALIDS + READYS:
            self.signal(name).value = 0
        self.dut.aresetn.value = 0
        Clock(self.dut.aclk, PERIOD, unit="ns").start()
        for _ in range(3):
            await FallingEdge(self.dut.aclk)
        self.dut.aresetn.value = 1

    async def cycles(self, count):
        for _ in range(count):
            await FallingEdge(self.dut.aclk)

    async def offer(self, channel, **values):
        """Sends on a channel: what is offered stays until it is taken."""
        await self.cycles(self.pause())
        valid, ready = self.signal(f"{channel}valid"), self.signal(f"{channel}ready")
        for name, value in values.items():
            self.signal(f"{channel}{name}").value = value
        valid.value = 1
        for _ in range(ENDLESS):
            taken = ready.value == 1
            await FallingEdge(self.dut.aclk)
            if taken:
                break
        else:
            raise AssertionError(f"nothing is taken on {channel}")
        valid.value = 0
        for name in values:
            signal = self.signal(f"{channel}{name}")
            signal.value = self.source.getrandbits(len(signal))

    async def take(self, channel, *names):
        """Receives on a channel; what is offered must stay as it is while it waits."""
        valid, ready = self.signal(f"{channel}valid"), self.signal(f"{channel}ready")

        def offered():
            return [int(self.signal(f"{channel}{name}").value) for name in names]

        waiting, pause = None, self.pause()
        for _ in range(ENDLESS):
            ready.value = int(pause <= 0)
            before, waiting = waiting, offered() if valid.value == 1 else None
            assert before in (None, waiting), f"{channel} takes back what it offers"
            await FallingEdge(self.dut.aclk)
            if waiting is not None and pause <= 0:
                ready.value = 0
                return waiting
            pause -= 1
        raise AssertionError(f"nothing comes on {channel}")

    # --- Channels by themselves ---
    async def address_write(self, address):
        await self.offer("s_axil_aw", addr=address, prot=self.source.randrange(8))

    async def data_write(self, value, strobes=15):
        await self.offer("s_axil_w", data=value, strb=strobes)

    async def address_read(self, address):
        await self.offer("s_axil_ar", addr=address, prot=self.source.randrange(8))

    async def answer_write(self):
        (answer,) = await self.take("s_axil_b", "resp")
        return answer

    async def answer_read(self):
        return tuple(await self.take("s_axil_r", "data", "resp"))

    # --- Whole accesses ---
    async def write(self, address, value, strobes=15):
        """Returns the answer; address and data come in any order."""
        _, _, answer = await gather(
            self.address_write(address), self.data_write(value, strobes), self.answer_write()
        )
        return answer

    async def read(self, address):
        """Returns the value of a register that is there."""
        await self.address_read(address)
        value, answer = await self.answer_read()
        assert answer == OKAY
        return value

    async def send(self, packet):
        for i, word in enumerate(packet):
            await self.offer("s_axis_t", data=word, last=int(i == len(packet) - 1))

    async def receive(self):
        """Returns the words of a packet."""
        packet, last = [], 0
        while not last:
            word, last = await self.take("m_axis_t", "data", "last")
            packet.append(word)
        return packet

    async def until_idle(self):
        await self._until(STATUS, BUSY, 0)

    async def until_done(self):
        await self._until(IRQ_STATUS, DONE, DONE)

    async def _until(self, address, mask, value):
        for _ in range(ENDLESS // 25):
            if await self.read(address) & mask == value:
                return
        raise AssertionError(f"register {address:#x} does not become {value}")
