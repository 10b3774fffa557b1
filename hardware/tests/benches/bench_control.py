# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The control: every operation's begin and end, refused starts, faults, wiping after reset; aborts,
upsets, wiping before the end; cycles.

A model in Python follows random inputs, cycle by cycle.
"""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly

from hardware.tests.benches.benches import PERIOD, parameters, seeded, tick

(WIPE_WORDS,) = parameters("WIPE_WORDS")
WIPE_CYCLES = WIPE_WORDS + 2  # one in which all units are cleared, and one for each address
IDLE, RUN, DRAIN, WIPE, DONE = "idle", "run", "drain", "wipe", "done"
OP_WIPE = 4
ERR_NONE, ERR_OP, ERR_SHORT, ERR_LONG, ERR_KEY, ERR_BUSY, ERR_ABORT, ERR_UPSET = range(8)
INPUTS = (
    "rst_ni",
    "start_i",
    "op_i",
    "known_i",
    "finished_i",
    "fault_i",
    "in_valid_i",
    "in_last_i",
    "in_taken_i",
    "abort_i",
    "upset_i",
    "wipe_after_i",
)
OUTPUTS = ("accept_o", "drain_o", "busy_o", "done_o", "clear_o", "wipe_o", "wipe_addr_o")


class Model:
    """What docs/hardware.md says of starts, errors and wiping."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.state, self.error, self.left, self.told = WIPE, ERR_NONE, WIPE_CYCLES, False

    def outputs(self, given):
        wiping = self.state == WIPE and self.left < WIPE_CYCLES
        return {
            "accept_o": self.state == IDLE
            and given["start_i"]
            and given["known_i"]
            and not self.stops(given),
            "drain_o": self.state == DRAIN,
            "busy_o": self.state != IDLE,
            "done_o": self.state == DONE,
            "clear_o": self.state in (WIPE, DRAIN),
            "wipe_o": wiping,
            "wipe_addr_o": WIPE_CYCLES - 1 - self.left if wiping else 0,
        }

    def stops(self, given):
        """Says whether everything ends by wiping; a wipe goes on, and what is done is done."""
        return self.state != WIPE and (
            given["abort_i"] or (given["upset_i"] and self.state != DONE)
        )

    def step(self, given):
        if not given["rst_ni"]:
            self.reset()
        elif self.stops(given):
            self.error = ERR_ABORT if given["abort_i"] else ERR_UPSET
            self.told = bool(self.told or given["abort_i"] or given["start_i"])
            self.state, self.left = WIPE, WIPE_CYCLES
        elif self.state == IDLE:
            if given["start_i"]:
                self.begin(given)
        else:
            self.go_on(given)

    def begin(self, given):
        self.told, self.left, self.error = True, WIPE_CYCLES, ERR_NONE
        if given["known_i"]:
            self.state = RUN
        elif given["op_i"] == OP_WIPE:
            self.state = WIPE
        else:
            self.state, self.error = DONE, ERR_OP

    def go_on(self, given):
        ends = given["in_last_i"] and (
            given["in_taken_i"] if self.state == RUN else given["in_valid_i"]
        )
        # A second start is told with the end, unless a worse error is.
        if given["start_i"] and self.told and self.error == ERR_NONE and self.state != DONE:
            self.error = ERR_BUSY
        if self.state == RUN:
            if given["fault_i"]:
                self.error, self.state = given["fault_i"], WIPE if ends else DRAIN
                self.left = WIPE_CYCLES
            elif given["finished_i"]:
                self.state = WIPE if given["wipe_after_i"] else DONE
        elif self.state == DRAIN:
            self.state = WIPE if ends else DRAIN
        elif self.state == WIPE:
            self.left -= 1
            if self.left == 0:
                self.state = DONE if self.told else IDLE
        else:
            self.state = IDLE


class Bench:
    def __init__(self, dut):
        self.dut, self.model = dut, Model()
        self.given = dict.fromkeys(INPUTS, 0)

    async def power_up(self):
        self.set(rst_ni=0)
        Clock(self.dut.clk_i, PERIOD, unit="ns").start()
        await tick(self.dut)
        await tick(self.dut)

    def set(self, **values):
        self.given |= values
        for name, value in self.given.items():
            getattr(self.dut, name).value = value

    async def cycle(self, **values):
        """One cycle with these inputs, all others zero; returns whether the core is done."""
        self.set(**dict.fromkeys(INPUTS, 0) | {"rst_ni": 1} | values)
        await ReadOnly()
        expected = {name: int(value) for name, value in self.model.outputs(self.given).items()}
        assert {name: int(getattr(self.dut, name).value) for name in OUTPUTS} == expected
        if expected["done_o"]:
            assert int(self.dut.error_o.value) == self.model.error
        self.model.step(self.given)
        await tick(self.dut)
        return bool(expected["done_o"])


def random_inputs(source):
    """Returns inputs of a cycle; in_taken_i is in_valid_i and the readiness of the receiver."""

    def chance(n):
        return int(source.randrange(n) == 0)

    valid = chance(2)
    return {
        "start_i": chance(6),
        "op_i": source.randrange(8),
        "known_i": chance(2),
        "finished_i": chance(40),
        "fault_i": source.choice((ERR_SHORT, ERR_LONG, ERR_KEY)) * chance(30),
        "in_valid_i": valid,
        "in_last_i": chance(4),
        "in_taken_i": valid and chance(2),
        "rst_ni": 1 - chance(400),
        "abort_i": chance(90),
        "upset_i": chance(120),
        "wipe_after_i": chance(2),
    }


@cocotb.test()
async def follows_the_model(dut):
    source = seeded(dut)
    bench = Bench(dut)
    await bench.power_up()
    for _ in range(20000):
        given = random_inputs(source)
        if given["op_i"] == OP_WIPE:
            given["known_i"] = 0  # the sequencer has no such operation
        await bench.cycle(**given)


@cocotb.test()
async def ends_each_operation(dut):
    bench = Bench(dut)
    await bench.power_up()
    for _ in range(WIPE_CYCLES):
        assert not await bench.cycle()
    assert dut.busy_o.value == 0
    for given, cycles, error in [
        ({"op_i": 1, "known_i": 1}, None, ERR_NONE),
        ({"op_i": 6}, 1, ERR_OP),
        ({"op_i": OP_WIPE}, WIPE_CYCLES + 1, ERR_NONE),
    ]:
        await bench.cycle(start_i=1, **given)
        if cycles is None:
            await bench.cycle()
            await bench.cycle(finished_i=1)
            cycles = 1
        for _ in range(cycles - 1):
            assert not await bench.cycle()
        assert dut.error_o.value == error
        assert await bench.cycle()
        assert dut.busy_o.value == 0


@cocotb.test()
async def a_flipped_bit_wipes(dut):
    """Any bit of the state, of `clear` or of `wipe`, while an operation runs."""
    bench = Bench(dut)
    await bench.power_up()
    for _ in range(WIPE_CYCLES):
        await bench.cycle()
    for register in (dut.state_q, dut.clear_q, dut.wipe_q):
        for bit in range(len(register)):
            await bench.cycle(start_i=1, op_i=3, known_i=1)
            await bench.cycle()
            register.value = int(register.value) ^ 1 << bit
            bench.set(**dict.fromkeys(INPUTS, 0) | {"rst_ni": 1})
            await tick(dut)
            assert dut.clear_o.value == 1 and dut.wipe_o.value == 0
            await tick(dut)
            bench.model.state, bench.model.left, bench.model.error = (
                WIPE,
                WIPE_CYCLES - 1,
                ERR_UPSET,
            )
            for _ in range(WIPE_CYCLES - 1):
                assert not await bench.cycle()
            assert dut.error_o.value == ERR_UPSET
            assert await bench.cycle()
