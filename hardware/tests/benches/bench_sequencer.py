# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sequencer: random lists of steps on units that take random times; order, waiting, clearing.

The model knows the rules alone: a step begins two cycles after the one before it, or after the
end of the last unit that it waits for, if that is later.
"""

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

(UNITS,) = parameters("UNITS")
ALL = (1 << UNITS) - 1
END = (0, ALL, 0)


def random_steps(source, count):
    """Returns [(target, needs, cycles)] with masks of units."""
    needs = source.choice(
        (
            lambda: ALL,  # one unit at a time
            lambda: 0,
            lambda: source.getrandbits(UNITS) & source.getrandbits(UNITS),
        )
    )
    return [
        (1 << source.randrange(UNITS), needs(), source.choice((1, 2, 5, 20))) for _ in range(count)
    ]


def schedule(steps):
    """Returns {cycle in which a step begins: its target} and the cycle of the end, from 1."""
    begin, done, begins = 0, [0] * UNITS, {}
    for target, needs, cycles in steps:
        waits_for = [done[i] for i in range(UNITS) if (target | needs) >> i & 1]
        begin = 2 + max([begin, *waits_for])
        begins[begin] = target
        done[target.bit_length() - 1] = begin + cycles
    return begins, 2 + max([begin, *done])


async def run(dut, steps, cycles=None):
    """Runs a list of steps to its end, or for some cycles; the times must be those of the model."""
    begins, end = schedule(steps)
    ends = {}  # of units, {cycle: mask}
    waiting = [*steps[1:], END, END]  # numbers of steps are from 1
    step = steps[0]
    dut.start_i.value = 1
    await tick(dut)
    dut.start_i.value = 0
    for now in range(1, 1 + (min(cycles or end, end))):
        target, needs, takes = step
        dut.target_i.value, dut.needs_i.value = target, needs
        dut.done_i.value = ends.pop(now, 0)
        await ReadOnly()
        started = int(dut.start_o.value)
        assert (started, int(dut.end_o.value)) == (begins.get(now, 0), int(now == end)), now
        if started:
            ends[now + takes] = ends.get(now + takes, 0) | started
        assert int(dut.next_o.value) == (now in begins or now == end)
        assert dut.upset_o.value == 0
        if dut.next_o.value == 1:
            step = waiting[int(dut.at_o.value) - 1]
        await tick(dut)
    dut.done_i.value = 0


async def assert_quiet(dut):
    for done in (0, ALL, 0):  # nobody listens to units now
        dut.done_i.value = done
        await tick(dut)
        assert (int(dut.start_o.value), int(dut.end_o.value)) == (0, 0)


@cocotb.test()
async def keeps_the_order(dut):
    source = seeded(dut)
    dut.start_i.value = dut.done_i.value = dut.target_i.value = dut.needs_i.value = 0
    await clock_up(dut)
    await assert_quiet(dut)
    for _ in range(60):
        steps = random_steps(source, source.randrange(1, 30))
        await run(dut, steps)
        await assert_quiet(dut)
        await run(dut, steps, cycles=source.randrange(1, 60))  # and cleared in the middle
        dut.clear_i.value = 1
        await tick(dut)
        dut.clear_i.value = 0
        await assert_quiet(dut)


@cocotb.test()
async def tells_an_upset(dut):
    source = seeded(dut)
    dut.start_i.value = dut.done_i.value = dut.target_i.value = dut.needs_i.value = 0
    await clock_up(dut)
    for name in ("running_q", "go_q", "busy_q", "at_q", "guard_q"):
        register = getattr(dut, name)
        for bit in range(len(register)):
            await run(dut, random_steps(source, 8), cycles=source.randrange(1, 20))
            await FallingEdge(dut.clk_i)
            register.value = int(register.value) ^ 1 << bit
            await ReadOnly()
            assert dut.upset_o.value == 1, (name, bit)
            await tick(dut)
            dut.clear_i.value = 1
            await tick(dut)
            dut.clear_i.value = 0
            assert dut.upset_o.value == 0
