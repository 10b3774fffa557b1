# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decisions of division steps against the plain rule [BY19]; each is there when a stage of a
sweep takes it."""

import cocotb
from cocotb.triggers import ReadOnly

from hardware.tests.benches.benches import clock_up, parameters, seeded, tick

STEPS, STAGE, RATE = parameters("STEPS", "STAGE", "RATE")
STAGES = STEPS // STAGE


def decisions(delta, f, g):
    """Returns swap and add, bit i for step i, and delta after them."""
    swaps = adds = 0
    for i in range(STEPS):
        add = g & 1
        swap = int(delta > 0 and add)
        swaps |= swap << i
        adds |= add << i
        f, g = (g if swap else f), (g ^ (f if add else 0)) >> 1
        delta = 1 + (-delta if swap else delta)
    return swaps, adds, delta


def patterns(source, run):
    """Returns low coefficients of f and g: random ones, and some without a swap for long."""
    f, g = source.getrandbits(STEPS) | 1, source.getrandbits(STEPS)
    shift = {3: STEPS // 2, 5: STEPS - 1, 6: STEPS}.get(run % 8, 0)
    return f, g << shift & ((1 << STEPS) - 1)


async def load(dut, f, g, restart):
    """Loads; returns the cycles until enough_o, and (swap_o, add_o) of each cycle from then on."""
    dut.load_i.value, dut.restart_i.value = 1, int(restart)
    dut.f_i.value, dut.g_i.value = f, g
    enough, seen = None, []
    for cycle in range(STEPS // RATE + STAGES + 6):
        await ReadOnly()
        if dut.enough_o.value == 1:
            assert enough is None
            enough = cycle
        seen.append((int(dut.swap_o.value), int(dut.add_o.value)))
        await tick(dut)
        dut.load_i.value = dut.restart_i.value = 0
        dut.f_i.value = dut.g_i.value = 0
    return enough, seen


@cocotb.test()
async def decides(dut):
    source = seeded(dut)
    dut.load_i.value = dut.restart_i.value = 0
    await clock_up(dut)
    late = [-(-STAGE * (i + 1) // RATE) - i - 2 for i in range(STAGES)]
    delta = 1
    for run in range(200):
        f, g = patterns(source, run)
        restart = run % 50 == 0
        swaps, adds, delta = decisions(1 if restart else delta, f, g)
        enough, seen = await load(dut, f, g, restart)
        assert enough == max(0, *late)
        for stage in range(STAGES):
            low, mask = STAGE * stage, (1 << STAGE) - 1
            for swap, add in seen[enough + 3 + stage :]:
                assert swap >> low & mask == swaps >> low & mask
                assert add >> low & mask == adds >> low & mask
        for step in range(STEPS):
            swap, add = seen[step // RATE + 2]
            assert (swap >> step & 1, add >> step & 1) == (swaps >> step & 1, adds >> step & 1)
