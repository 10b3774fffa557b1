# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Locator and evaluator for syndromes of errors, and of none, against Berlekamp's algorithm with
inversions: values at the positions, up to one factor for both, and when they come."""

import cocotb

from hardware.tests import simulated
from hardware.tests.benches.benches import Module, clock_up, parameters, seeded
from hardware.tests.benches.codes import (
    ALPHA,
    evaluate,
    gf_mul,
    rs_locator,
    rs_syndromes,
    with_errors,
)

K, DELTA, CELLS = parameters("K", "DELTA", "CELLS")
LATENCY = simulated.code_cycles.rs_locator(K, DELTA, CELLS)
GROUPS = -(-(DELTA + 1) // CELLS)


class Syndromes:
    """Gives the syndromes round and round."""

    def __init__(self, dut):
        self.dut, self.values, self.taken = dut, [0] * (2 * DELTA), 0

    def drive(self):
        self.dut.syndrome_i.value = self.values[self.taken % (2 * DELTA)]

    def observe(self):
        self.taken += int(self.dut.next_o.value)


async def check(module, syndromes, values):
    syndromes.values, syndromes.taken = values, 0
    sigma = rs_locator(values, DELTA)
    omega = [0] * DELTA
    for i in range(DELTA):
        for j in range(i + 1):
            omega[i] ^= gf_mul(sigma[j], values[i - j])
    module.dut.start_i.value = 1
    for cycle in range(LATENCY + 5):
        valid, wrong, odd, value = await module.cycle("valid_o", "wrong_o", "odd_o", "value_o")
        module.dut.start_i.value = 0
        place, rest = divmod(cycle - LATENCY + (K - 1) * GROUPS, GROUPS)
        assert valid == int(rest == 0 and 0 <= place < K), cycle
        if valid:
            x = ALPHA[place]
            assert wrong == int(evaluate(sigma, x) == 0)
            odd_there = evaluate([c if i % 2 else 0 for i, c in enumerate(sigma)], x)
            value_there = gf_mul(x, evaluate(omega, x))
            assert gf_mul(odd, value_there) == gf_mul(value, odd_there)
            assert bool(odd) == bool(odd_there)
            assert bool(value) == bool(value_there)


@cocotb.test()
async def finds(dut):
    source = seeded(dut)
    syndromes = Syndromes(dut)
    module = Module(dut, syndromes)
    dut.start_i.value = 0
    await clock_up(dut)
    for count in range(DELTA + 4):
        errors = with_errors(source, [0] * (K + 2 * DELTA), count)
        word = [0] * 255  # the error that x = alpha^i shows is at position -i
        for i, error in enumerate(errors):
            word[-i % 255] = error
        await check(module, syndromes, rs_syndromes(word, DELTA))
    for density in (0.1, 0.5, 1):  # any sequence, with zeros
        for _ in range(4):
            values = [source.randrange(256) * (source.random() < density) for _ in range(2 * DELTA)]
            await check(module, syndromes, values)
    module.dut.start_i.value = 1
    await module.cycle()
    module.dut.start_i.value = 0
    for _ in range(source.randrange(LATENCY)):
        await module.cycle()
    dut.clear_i.value = 1
    await module.cycle()
    dut.clear_i.value = 0
    await check(module, syndromes, [source.randrange(256) for _ in range(2 * DELTA)])
