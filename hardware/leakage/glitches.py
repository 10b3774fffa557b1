#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Gate-level traces of a masked module, with glitches, and Welch's t: fixed against random secrets.

usage: python -m hardware.leakage.glitches [--traces N] [--delays D] [--draws K] MODULE
                                           [NAME=VALUE]...
       --traces  how many, half of them with the same secrets in all; 100000 unless it is given
       --delays  each gate, input and register has a delay of its own of 1 to D steps; 4
       --draws   of delays, each with traces of its own; 3

MODULE is one of hardware/rtl/masked that hardware.leakage.probing takes. In each cycle its inputs
are shared anew. After a clock edge changes run through the gates, and each change of a wire counts:
a sample is how many wires change in a step. All traces are simulated at once, a bit of an integer
for each. What passes is not proved to be secure: probing.py decides that.

Prints the largest |t| of the means for each draw, as written and as built; exit status 1 if one is
above 4.5.
"""

import argparse
import itertools
import random
import sys

from hardware.leakage import gates, probing
from hardware.sim import build
from tools.flow import run_tool

THRESHOLD = 4.5
CYCLES = 4


class Counters:
    """How many of the bits that are added are set, for each trace: one integer for each binary
    digit."""

    def __init__(self):
        self.digits = []

    def add(self, bits):
        for i, digit in enumerate(self.digits):
            self.digits[i], bits = digit ^ bits, digit & bits
            if not bits:
                return
        self.digits.append(bits)

    def moments(self, chosen):
        """Returns the number of chosen traces, the mean and the variance of their counts."""
        count = chosen.bit_count()
        digits = [digit & chosen for digit in self.digits]
        mean = sum(digit.bit_count() << i for i, digit in enumerate(digits)) / count
        square = sum(
            (one & other).bit_count() << (i + j)
            for (i, one), (j, other) in itertools.product(enumerate(digits), repeat=2)
        )
        return count, mean, square / count - mean * mean


def welch(one, other):
    """Returns |t| of two sets' (number, mean, variance)."""
    (n, a, v), (m, b, w) = one, other
    spread = v / n + w / m
    if spread == 0:
        return 0.0 if a == b else float("inf")
    return abs(a - b) / spread**0.5


class Simulation:
    """A netlist with a delay for each wire; values: {wire: a bit for each trace}."""

    def __init__(self, net, delays, every, values):
        self.net, self.delays, self.every = net, delays, every
        self.values = {0: 0, 1: every} | values
        self.readers = {}
        for wire, (_, pins) in net.gates.items():
            for pin in pins:
                self.readers.setdefault(pin, []).append(wire)
        self._settle()

    def _settle(self):
        """Sets the gates' outputs to what their inputs give."""
        left = dict(self.net.gates)
        while left:
            ready = [w for w, (_, pins) in left.items() if all(pin in self.values for pin in pins)]
            for wire in ready:
                table, pins = left.pop(wire)
                self.values[wire] = self._value(table, pins)

    def _value(self, table, pins):
        return probing.chosen(table, [self.values[pin] for pin in pins], self.every)

    def edge(self, inputs):
        """Lets registers take what is before them, then inputs change; yields the Counters of each
        step until nothing changes."""
        taken = {q: self.values[d] for q, d in self.net.registers.items()} | inputs
        agenda = {}  # of each step: {wire: value, or None for what its gate then gives}
        for wire, value in taken.items():
            if value != self.values[wire]:
                agenda.setdefault(self.delays[wire], {})[wire] = value
        step = 0
        while agenda:
            step += 1
            counters, changed = Counters(), set()
            for wire, value in agenda.pop(step, {}).items():
                flips = self.values[wire] ^ value
                if flips:
                    counters.add(flips)
                    self.values[wire] = value
                    changed.add(wire)
            for wire in {r for one in changed for r in self.readers.get(one, ())}:
                later = agenda.setdefault(step + self.delays[wire], {})
                later[wire] = self._value(*self.net.gates[wire])
            yield counters


def traces(net, count, most, source):
    """Returns the largest |t| over all steps of CYCLES cycles, with delays of 1 to `most` steps."""
    unrolled, every = probing.Unrolled(net, is_held=False), (1 << count) - 1
    is_random = source.getrandbits(count)
    wires = [*unrolled.given, *net.registers, *net.gates]
    delays = {wire: source.randint(1, most) for wire in sorted(wires)}
    secrets = sorted(set(unrolled.secret.values()))
    constant = {secret: source.getrandbits(1) for secret in secrets}

    def inputs():
        values = {wire: source.getrandbits(count) for wire in sorted(unrolled.random)}
        values |= dict.fromkeys(unrolled.public, every)
        masks = {}
        for wire, secret in sorted(unrolled.secret.items()):
            if secret in masks:  # the other share
                other = source.getrandbits(count) & is_random
                same = every * constant[secret] & ~is_random
                values[wire] = masks[secret] ^ other ^ same
            else:
                values[wire] = masks[secret] = source.getrandbits(count)
        return values

    zero = dict.fromkeys([*unrolled.given, *net.registers], 0)
    simulation = Simulation(net, delays, every, zero)
    largest = 0.0
    for _ in range(CYCLES):
        for counters in simulation.edge(inputs()):
            sets = (counters.moments(chosen) for chosen in (is_random, every ^ is_random))
            largest = max(largest, welch(*sets))
    return largest


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--delays", type=int, default=4)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("module")
    parser.add_argument("parameters", nargs="*")
    chosen = parser.parse_args(arguments)
    if min(chosen.traces // 100, chosen.delays, chosen.draws) < 1:
        parser.error("at least 100 traces, a delay of 1 and one draw")
    parameters = probing.parameters_of(parser, chosen)
    source, found = random.Random(chosen.seed), []
    for kind in gates.BUILDS:
        files = build.files_for(chosen.module)
        net = probing.without_control(gates.read(chosen.module, files, kind, **parameters))
        largest = [traces(net, chosen.traces, chosen.delays, source) for _ in range(chosen.draws)]
        found += largest
        shown = ", ".join(f"{t:.1f}" for t in largest)
        print(f"{chosen.module}, {kind}: {chosen.traces} traces a draw; largest |t| {shown}")
    return int(max(found) > THRESHOLD)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (gates.GateError, run_tool.ToolError) as failure:
        sys.exit(f"glitches.py: {failure}")
