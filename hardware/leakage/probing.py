#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decides exactly whether a masked module keeps its secrets from one probe, with glitches.

usage: python -m hardware.leakage.probing [--held] [--follow] [--no-transitions]
       MODULE [NAME=VALUE]...
       --held            the inputs stay as they are for all cycles, but for random ones; else each
                         cycle has other secrets and other shares
       --follow         b_i has the shares that a_i had a cycle before
       --no-transitions  a probe does not see the cycle before, too

A module of hardware/rtl/masked: one clock, `random_i` fresh in each cycle, `chi_i` public, `odd_i`
1 in every other cycle, `accumulate_i` 1 in two of four, and each other input in two
shares, of which the lower half of its bits is the first. It is never cleared (`clear_i`) and never
waits (`enable_i`), which would show nothing else, and has nothing added (`add_i`), which would only
hide. A probe on a wire sees all
inputs and registers behind it, since with glitches the wire may have any function of them for a
while, and what they held in the cycle before (Faust et al.: TCHES 2018(3)). What it sees tells
nothing of the secrets if and only if for each sum of it and each sum of secrets that is not empty,
these are equal for half of all values of shares and random bits. All values are tried, so a secret
that leaks is found, and one that does not is proved not to, for one probe and the inputs above;
that modules stay secure behind each other is not. Both the source and what is built of it for
Xilinx 7-series are tried.

Prints a line for each netlist, and one for each probe that finds something; exit status 1 then.
"""

import argparse
import dataclasses
import itertools
import sys

from hardware.leakage import gates
from hardware.sim import build
from tools.flow import run_tool

RANDOM = "random_i"
PUBLIC = {"chi_i"}
FIXED = {"clear_i": 0, "enable_i": 1, "add_i": 0}
CLOCKED = {"odd_i": lambda cycle: cycle & 1, "accumulate_i": lambda cycle: int(cycle % 4 > 1)}
LOOPED = 6  # cycles of a module with registers in a loop: more than a sum takes
MOST = 24  # variables of a probe of which all values are tried


class TooLarge(Exception):
    """A probe depends on too many shares and random bits."""


@dataclasses.dataclass(frozen=True)
class Found:
    """A probe that tells something."""

    wire: str
    cycle: int
    sees: tuple[str, ...]  # a sum of what it sees that depends on secrets


class Unrolled:
    """A netlist in its first cycles, in which registers begin with 0.

    A variable is a cycle and an input; is_held: those of all inputs but the random ones are of
    cycle 0. follows: b_i is what a_i was a cycle before, at first 0.
    """

    def __init__(self, net, is_held, follows=False):
        self.net, self.is_held = net, is_held
        self.random = set(net.inputs.get(RANDOM, ()))
        self.public, self.secret = {}, {}  # of each input: port and number of its value
        self.clocked = {w: port for port in CLOCKED for w in net.inputs.get(port, ())}
        self.before = {}
        if follows:
            self.before = dict(zip(net.inputs["b_i"], net.inputs["a_i"], strict=True))
        for port, wires in net.inputs.items():
            if port in PUBLIC:
                self.public |= {w: (port, i) for i, w in enumerate(wires)}
            elif port != RANDOM and port not in CLOCKED:
                half = len(wires) // 2
                self.secret |= {w: (port, i % half) for i, w in enumerate(wires)}
        self.given = self.random | set(self.public) | set(self.secret)
        self._behind = {}

    def variables(self, cycle, wire):
        """Returns the variables that a wire depends on in a cycle."""
        key = cycle, wire
        if key not in self._behind:
            if wire in self.clocked:
                found = frozenset()
            elif wire in self.before:
                found = self.variables(cycle - 1, self.before[wire]) if cycle else frozenset()
            elif wire in self.given:
                held = self.is_held and wire not in self.random
                found = frozenset([(0 if held else cycle, wire)])
            elif wire in self.net.registers:
                before = self.net.registers[wire]
                found = self.variables(cycle - 1, before) if cycle else frozenset()
            else:
                pins = self.net.gates[wire][1] if wire > 1 else []
                found = frozenset().union(*(self.variables(cycle, pin) for pin in pins))
            self._behind[key] = found
        return self._behind[key]

    def tables(self, signals):
        """Returns the variables of signals, (cycle, wire), and the truth table of each signal: its
        bit i is for the values that are the bits of i."""
        variables = sorted(frozenset().union(*(self.variables(*one) for one in signals)))
        if len(variables) > MOST:
            raise TooLarge(f"{len(variables)} shares and random bits in one probe")
        every = (1 << (1 << len(variables))) - 1
        known = {one: pattern(number, len(variables)) for number, one in enumerate(variables)}

        def table(cycle, wire):
            if wire < 2:
                return every * wire
            if wire in self.clocked:
                return every * CLOCKED[self.clocked[wire]](cycle)
            if wire in self.before:
                return table(cycle - 1, self.before[wire]) if cycle else 0
            if wire in self.given:
                (variable,) = self.variables(cycle, wire)
                return known[variable]
            key = cycle, wire
            if key not in found:
                if wire in self.net.registers:
                    value = table(cycle - 1, self.net.registers[wire]) if cycle else 0
                else:
                    of, pins = self.net.gates[wire]
                    value = chosen(of, [table(cycle, pin) for pin in pins], every)
                found[key] = value
            return found[key]

        found = {}
        return variables, [table(*one) for one in signals]


def pattern(number, count):
    """Returns the truth table of a variable, of so many: 2^number zeros, as many ones, and so
    on."""
    run = 1 << number
    return ((1 << (1 << count)) - 1) // ((1 << run) + 1) << run


def chosen(of, pins, every):
    """Returns the table of a gate from those of its inputs: it chooses by the last one first."""
    if not pins:
        return every * (of & 1)
    half = 1 << (len(pins) - 1)
    low, high = of & ((1 << half) - 1), of >> half
    if low == high:
        return chosen(low, pins[:-1], every)
    zero, one = (chosen(part, pins[:-1], every) for part in (low, high))
    return zero ^ ((zero ^ one) & pins[-1])


def sums(tables):
    """Yields each sum of tables, with the number whose bits say of which."""
    which = total = 0
    yield which, total
    for number in range(1, 1 << len(tables)):  # by one table each: Gray's code
        bit = (number & -number).bit_length() - 1
        total ^= tables[bit]
        which ^= 1 << bit
        yield which, total


def telling(unrolled, signals):
    """Returns the signals whose sum depends on secrets, or (); what is public is known."""
    variables, tables = unrolled.tables(signals)
    known = [i for i, (_, wire) in enumerate(variables) if wire in unrolled.public]
    tables += [pattern(number, len(variables)) for number in known]
    shares = {}
    for number, (cycle, wire) in enumerate(variables):
        if wire in unrolled.secret:
            shares.setdefault((cycle, unrolled.secret[wire]), []).append(number)
    count = len(variables)
    # A secret of which one share is not there cannot be told.
    pairs = [pair for pair in shares.values() if len(pair) == 2]
    secrets = [pattern(one, count) ^ pattern(other, count) for one, other in pairs]
    of_secrets = [total for which, total in sums(secrets) if which]
    for which, total in sums(tables):
        if any((total ^ secret).bit_count() != 1 << (count - 1) for secret in of_secrets):
            return tuple(one for i, one in enumerate(signals) if which >> i & 1)
    return ()


def is_uniform(net):
    """Says whether the first share of the outputs has all values equally often, whatever the
    secrets are, if the inputs' shares and random bits have: what the next module needs."""
    unrolled, cycle = Unrolled(net, is_held=True), depth(net)
    signals = [(cycle, w) for wires in net.outputs.values() for w in wires[: len(wires) // 2]]
    variables, tables = unrolled.tables(signals)
    shares = {}
    for number, (_, wire) in enumerate(variables):
        if wire in unrolled.secret:
            name = unrolled.secret[wire]
            shares[name] = shares.get(name, 0) ^ pattern(number, len(variables))
        elif wire in unrolled.public:
            shares[wire] = pattern(number, len(variables))
    half = 1 << (len(variables) - 1)
    given = [total for _, total in sums(list(shares.values()))]
    return all(
        (total ^ secret).bit_count() == half
        for which, total in sums(tables)
        if which
        for secret in given
    )


def seen_with(net, wires, cycle):
    """Returns what a probe on logic behind all of the wires sees, with what it saw a cycle
    before."""
    behind = net.sources()
    seen = frozenset().union(*(behind[wire] for wire in wires))
    return sorted(itertools.product((cycle - 1, cycle), seen))


def depth(net):
    """Returns the most registers behind each other."""
    behind = net.sources()
    stages = dict.fromkeys(net.registers, 1)
    for _ in net.registers:
        later = {
            q: 1 + max((stages[w] for w in behind[d] if w in stages), default=0)
            for q, d in net.registers.items()
        }
        if later == stages:
            return max(stages.values(), default=0)
        stages = later
    raise gates.GateError("registers in a loop")


def without_control(net):
    """Returns the Gates without the inputs of FIXED."""
    return gates.fixed(net, {port: FIXED[port] for port in FIXED if port in net.inputs})


def cycles_of(net):
    """Returns how many cycles a check takes."""
    try:
        return depth(net) + 2
    except gates.GateError:
        return LOOPED


def check(net, is_held=False, transitions=True, follows=False):
    """Returns the number of probes that see most, and what Found of them tell something."""
    unrolled, behind = Unrolled(net, is_held, follows), net.sources()
    probes = {}
    for cycle in range(cycles_of(net)):
        for wire, seen in behind.items():
            cycles = (cycle - 1, cycle) if transitions and cycle else (cycle,)
            signals = frozenset(itertools.product(cycles, seen))
            signals = frozenset(one for one in signals if unrolled.variables(*one))
            probes.setdefault(signals, (wire, cycle))
    largest = [one for one in probes if not any(one < other for other in probes)]
    found = []
    for one in sorted(largest, key=lambda signals: probes[signals][::-1]):
        if told := telling(unrolled, sorted(one)):
            wire, cycle = probes[one]
            sees = tuple(f"{net.names.get(w, w)} in {c}" for c, w in told)
            found.append(Found(str(net.names.get(wire, wire)), cycle, sees))
    return len(largest), found


def parameters_of(parser, chosen_ones):
    """Returns the parameters {name: value} of the module that is chosen; refuses others."""
    if not (build.MASKED / f"{chosen_ones.module}.sv").exists():
        parser.error(f"hardware/rtl/masked has no {chosen_ones.module}")
    try:
        pairs = (one.split("=", 1) for one in chosen_ones.parameters)
        return {name: int(value) for name, value in pairs}
    except ValueError:
        parser.error("parameters are NAME=VALUE, a number")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--follow", action="store_true")
    parser.add_argument("--no-transitions", action="store_true")
    parser.add_argument("module")
    parser.add_argument("parameters", nargs="*")
    chosen_ones = parser.parse_args(arguments)
    parameters = parameters_of(parser, chosen_ones)
    leaks = 0
    for kind in gates.BUILDS:
        files = build.files_for(chosen_ones.module)
        net = without_control(gates.read(chosen_ones.module, files, kind, **parameters))
        transitions, follows = not chosen_ones.no_transitions, chosen_ones.follow
        probes, found = check(net, chosen_ones.held, transitions, follows)
        leaks += len(found)
        size = f"{len(net.gates)} gates, {len(net.registers)} registers"
        print(f"{chosen_ones.module}, {kind}: {size}; {len(found)} of {probes} probes tell secrets")
        for one in found:
            print(f"  {one.wire} in cycle {one.cycle}: {' + '.join(one.sees)}")
    return int(leaks > 0)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (gates.GateError, TooLarge, run_tool.ToolError) as failure:
        sys.exit(f"probing.py: {failure}")
