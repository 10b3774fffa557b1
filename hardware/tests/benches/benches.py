# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the test benches share: parameters, random source, clock, and the core's memories as
models."""

import os
import random
import re

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

PERIOD = 10  # of the clock, in ns
ENDLESS = 200_000  # more cycles than any module of these benches takes


def parameters(*names):
    """Returns the values of the module's parameters with which the bench was started."""
    return tuple(int(os.environ[f"BENCH_{name}"]) for name in names)


def seeded(dut):
    """Returns a source of random values; test_modules.py chooses the seed, and prints it."""
    seed = int(os.environ["BENCH_SEED"])
    dut._log.info("seed %d", seed)
    return random.Random(seed)


async def tick(dut):
    """Waits for the next falling edge: inputs change there, outputs are stable there."""
    await FallingEdge(dut.clk_i)


def ports(dut, suffix):
    """Returns the ports of a module whose names end so."""
    return [port for port in dut if re.fullmatch(rf"\w+{suffix}", port._name)]


def settle_inputs(dut):
    """In a simulation of four states, sets the inputs that the bench leaves open to zero."""
    for port in ports(dut, "_i"):
        if not port.value.is_resolvable:
            port.value = 0


async def outputs_are_known(dut, unknown):
    """From the second cycle of reset on, no output is X or Z, but those that are named."""
    watched = [port for port in ports(dut, "_o") if port._name not in unknown]
    await tick(dut)
    while True:
        await tick(dut)
        for port in watched:
            assert port.value.is_resolvable, f"{port._name} is {port.value}"


async def clock_up(dut, clear=True):
    """Starts the clock and clears the module, if it has the port."""
    if "BENCH_UNKNOWN" in os.environ:
        settle_inputs(dut)
        cocotb.start_soon(outputs_are_known(dut, os.environ["BENCH_UNKNOWN"].split()))
    if clear:
        dut.clear_i.value = 1
    Clock(dut.clk_i, PERIOD, unit="ns").start()
    await tick(dut)
    await tick(dut)
    if clear:
        dut.clear_i.value = 0
        await tick(dut)


# The requests of kem_pkg.sv: the widths of their fields, from the upper bits down. In the key of a
# word the fields of its address are a tuple, or one number where the memory has no slots.
REQUESTS: dict[str, tuple[tuple[int, ...], int | None]] = {  # of the address; of the data
    "poly": ((3, 10), None),  # slot, word; the data goes beside the request
    "str": ((5,), 64),  # four lanes of each string
    "list": ((9,), 17),
}


def fields_of(value, widths):
    """Splits a packed struct into its fields."""
    fields = []
    for width in reversed(widths):
        fields.append(value & ((1 << width) - 1))
        value >>= width
    return tuple(reversed(fields))


class Memory:
    """A memory beside a module that is tested: answers its reads and takes its writes.

    `name` begins the names of the ports: NAME_read_o, NAME_rdata_i and NAME_write_o carry the
    requests of kem_pkg.sv (a memory's own bench has ports of single fields: NAME_raddr_o and so
    on). `words` holds what is there: address -> integer, where the address in the polynomial memory
    is (slot, word). A module that does not write must drive zeros, for the core joins the units'
    ports by OR; `touched` notes the addresses written. A word that is read in the cycle in which it
    is written comes wrong, as it may from a block RAM. With NAME_hold_o the word stays. NAME_late_i
    is that of kem_late, which NAME_merge_o and NAME_forward_o ask for what they say there.
    """

    def __init__(self, dut, name, addressed=False):
        self.addressed = addressed  # the address may stand before it is known whether to write
        ports = {
            port: getattr(dut, f"{name}_{port}", None)
            for port in (
                *("rslot_o", "raddr_o", "rdata_i", "we_o", "wslot_o", "waddr_o", "wdata_o"),
                *("read_o", "write_o"),
            )
        }
        self.address_bits, self.data_bits = REQUESTS.get(name, ((), None))
        self.read_request, self.write_request = ports["read_o"], ports["write_o"]
        self.read = [ports[port] for port in ("rslot_o", "raddr_o") if ports[port] is not None]
        self.write = [ports[port] for port in ("wslot_o", "waddr_o") if ports[port] is not None]
        self.rdata, self.we, self.wdata = ports["rdata_i"], ports["we_o"], ports["wdata_o"]
        self.hold = getattr(dut, f"{name}_hold_o", None)
        self.merge = getattr(dut, f"{name}_merge_o", None)
        self.forward = getattr(dut, f"{name}_forward_o", None)
        self.late = getattr(dut, f"{name}_late_i", None)
        self.words, self.touched = {}, {}
        self._address, self._collision, self._held = 0, False, False
        self._now, self._late, self._keeps = 0, 0, False  # the word; late_i; a word was written
        for port in (self.rdata, self.late):
            if port is not None:
                port.value = 0

    @staticmethod
    def _key(numbers):
        return numbers if len(numbers) > 1 else numbers[0]

    def _read_key(self):
        if self.read_request is None:
            return self._key(tuple(int(port.value) for port in self.read))
        return self._key(fields_of(int(self.read_request.value), self.address_bits))

    def _written(self):
        """Returns (key, data) of the write of this cycle, or None."""
        if self.write_request is None:
            if self.we is None:
                return None
            if self.we.value == 1:
                return self._key(tuple(int(port.value) for port in self.write)), int(
                    self.wdata.value
                )
            assert not any(int(port.value) for port in [*self.write, self.wdata])
            return None
        widths = [1, *self.address_bits]
        if self.data_bits is not None:
            widths.append(self.data_bits)
        valid, *fields = fields_of(int(self.write_request.value), widths)
        data = fields.pop() if self.data_bits is not None else int(self.wdata.value)
        merges = self.merge is not None and self.merge.value == 1
        if valid:
            return self._key(tuple(fields)), data | (self._late if merges else 0)
        assert not any([*fields * (not self.addressed), data, merges])
        return None

    def drive(self):
        """Drives the word of the address of the last cycle, or the same again."""
        for port in (self.rdata, self.late):
            if port is not None and not self._held:
                word = self.words.get(self._address, 0)
                self._now = word ^ (1 << len(port)) - 1 if self._collision else word
        if self.rdata is not None:
            self.rdata.value = self._now
        if self.late is not None:
            self.late.value = self._late

    def observe(self):
        """Takes the address and the write of a cycle."""
        self._collision = False
        self._held = self.hold is not None and self.hold.value == 1
        if self.rdata is not None or self.late is not None:
            self._address = self._read_key()
        written = self._written()
        if self.forward is not None and self.forward.value == 1:
            self._late = written[1]
        elif not self._keeps:
            self._late = self._now
        self._keeps = written is not None
        if written is not None:
            key, data = written
            self._collision = key == self._address
            self.words[key] = self.touched[key] = data

    def is_idle(self):
        """Says whether the module drives zeros."""
        outputs = [
            *[self.read_request, self.write_request, self.we, self.wdata],
            *[*self.read, *self.write],
        ]
        return not any(int(port.value) for port in outputs if port is not None)

    # --- Polynomials: integers of `count` words of `width` bits in a slot ---
    def fill(self, slot, value, width, count):
        for i in range(count):
            self.words[slot, i] = value >> (width * i) & ((1 << width) - 1)

    def polynomial(self, slot, width, count):
        return sum(self.words.get((slot, i), 0) << (width * i) for i in range(count))


class Feed:
    """Notes the words that come out, and in which cycle."""

    def __init__(self, dut):
        self.dut, self.cycle, self.seen = dut, 0, []

    def drive(self):
        self.cycle += 1

    def observe(self):
        flags = int(self.dut.feed_first_o.value), int(self.dut.feed_last_o.value)
        if self.dut.feed_valid_o.value == 1:
            self.seen.append((self.cycle, flags, int(self.dut.feed_word_o.value)))
        else:
            assert flags == (0, 0)


class Module:
    """A module with its partners, cycle by cycle. The test sets inputs at falling edges.

    A partner has drive(), which sets inputs at the beginning of a cycle, and observe(), which looks
    at the outputs when all signals have settled.
    """

    def __init__(self, dut, *partners):
        self.dut, self.partners = dut, partners

    async def cycle(self, *names):
        """Lets a cycle pass; returns the settled values of the outputs named."""
        for partner in self.partners:
            partner.drive()
        await ReadOnly()
        seen = [int(getattr(self.dut, name).value) for name in names]
        for partner in self.partners:
            partner.observe()
        await tick(self.dut)
        return seen

    def begin(self, **inputs):
        self.dut.start_i.value = 1
        for name, value in inputs.items():
            getattr(self.dut, name).value = value

    async def run(self, **inputs):
        """Starts the module and waits until it is done; returns the cycles from start to done.

        The module must be idle before and after, and drive zeros then.
        """
        await self.assert_idle()
        self.begin(**inputs)
        for cycles in range(ENDLESS):
            (done,) = await self.cycle("done_o")
            self.dut.start_i.value = 0
            if done:
                await self.assert_idle()
                return cycles
        raise AssertionError("the module does not end")

    async def interrupt(self, cycles, **inputs):
        """Starts the module and clears it some cycles later; it must then be idle."""
        self.begin(**inputs)
        for _ in range(cycles):
            await self.cycle()
            self.dut.start_i.value = 0
        self.dut.clear_i.value = 1
        await self.cycle()
        self.dut.clear_i.value = 0
        await self.assert_idle()

    async def assert_idle(self):
        (done,) = await self.cycle("done_o")
        assert not done
        assert all(partner.is_idle() for partner in self.partners if isinstance(partner, Memory))
