#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves gadgets of HQC in shares, and what is put together of them, at first order in the machine
code for the Cortex-M4.

usage: .venv/bin/python devices/prove_leakage.py [--program FILE] [GADGET...]

A gadget runs on symbols (devices/leakage_symbols.py): every secret bit is the sum of two shares,
every mask a variable. Each bit of a result, and of what changes in its register, at the operands,
on the bus and in memory is then a polynomial. It is shown that it has the same distribution for all
secrets, by a rule of maskVerif (ePrint 2018/562): where a random variable is added to a part of the
polynomial and is nowhere else in that part, the two may change places; what then has no secrets
says nothing. What the rule does not show is printed.
The exit status is 1 if there is such a bit.
"""

import argparse
import operator
import pathlib
import sys
import typing

from devices import measure_leakage
from devices.leakage_bits import ONE, SymbolsError
from devices.leakage_machine import Point
from devices.leakage_symbols import SHARES, Symbols

# Of each gadget: how many lanes of its inputs have secrets, where not all: lanes are treated alike,
# and long polynomials take time. The masks of all lanes are symbols.
GADGETS = {
    "and": 32,
    "and_scalars": 32,
    "or": 32,
    "not": 32,
    "xor": 32,
    "xor_scalars": 32,
    "copy": 32,
    "refresh": 32,
    "mux": 32,
    "spread": 32,
    "add": 2,
    "absolute": 32,
    "less": 2,
    "any": 32,
    "all": 32,
    "fold": 32,
    "bit_to_sum": 32,
    "multiply": 4,
    "square": 32,
    "invert": 1,
    "chi": 32,
    "reed_muller_encode": 1,
    "reed_solomon_encode": 32,
}


X, ROOM, TURN = measure_leakage.X, measure_leakage.ROOM, measure_leakage.TURN
first = operator.itemgetter(0)


class Result(typing.NamedTuple):
    """instructions; bits: polynomials that differ; unshown: Points of those that are not shown to
    be independent of secrets."""

    instructions: int
    bits: int
    unshown: list[Point]


class Prover:
    """Shows that bits do not depend on secrets. secrets: these variables; others are random."""

    def __init__(self, bits, secrets):
        self.bits = bits
        self.secrets = sum(1 << secret for secret in secrets)
        self._of_atoms = {ONE: 0}
        self._of_bits = {}

    def variables(self, bit):
        """Returns the variables that a bit has, each a bit of a number."""
        found = self._of_bits.get(bit)
        if found is None:
            found = 0
            for atom in bit:
                found |= self._variables_of(atom)
            self._of_bits[bit] = found
        return found

    def _variables_of(self, atom):
        found = self._of_atoms.get(atom)
        if found is None:
            factors = self.bits.factors.get(atom)
            found = 1 << atom
            if factors is not None:
                found = self.variables(factors[0]) | self.variables(factors[1])
            self._of_atoms[atom] = found
        return found

    def replace(self, bit, atom, by, done):
        """Returns a bit with another in the place of a variable; done: those that are known."""
        if not self.variables(bit) >> atom & 1:
            return bit
        if bit not in done:
            out = frozenset()
            for one in bit:
                if one == atom:
                    out ^= by
                elif self._variables_of(one) >> atom & 1:
                    a, b = (self.replace(f, atom, by, done) for f in self.bits.factors[one])
                    out ^= self.bits.product(a, b)
                else:
                    out ^= {one}
            done[bit] = out
        return done[bit]

    def levels(self, bit):
        """Yields the sums with secrets that a bit is made of: itself, factors in it, in these."""
        seen, level = {bit}, [bit]
        while level:
            yield level
            below = {
                factor
                for part in level
                for atom in part
                for factor in self.bits.factors.get(atom, ())
                if self.variables(factor) & self.secrets
            }
            level = sorted(below - seen, key=sorted)
            seen.update(below)

    def mask_of(self, bit, used):
        """Returns the last random variable that hides a bit and was not used, or ONE."""
        for atom in sorted(bit, reverse=True):
            taken = (self.secrets | used) >> atom & 1
            added = atom != ONE and atom not in self.bits.factors and not taken
            if added and not self.variables(bit - {atom}) >> atom & 1:
                return atom
        return ONE

    def independent(self, bit):
        """Returns whether a bit is shown to have one distribution for all secrets."""
        used = 0
        while self.variables(bit) & self.secrets:
            for level in self.levels(bit):
                # The last mask first: what it hides is longest.
                atom, part = max(((self.mask_of(part, used), part) for part in level), key=first)
                if atom != ONE:
                    break
            else:
                return False
            if part == bit:
                return True
            used |= 1 << atom
            bit = self.replace(bit, atom, part, {})  # the variable and the rest change places
        return True


class Number(typing.NamedTuple):
    """An input: where share 0 is, how far behind it share 1 is and by how much it is rotated."""

    address: int
    gap: int
    turn: int
    planes: int
    lanes: int


def inputs_of(machine, name):
    """Returns the Numbers that a gadget takes."""
    inputs, *_ = measure_leakage.GADGETS[name]
    if isinstance(inputs, str):
        rows = machine.address_of("leak_sponge") + (400 if inputs == "rows" else 0)
        return [Number(rows, 200, TURN, 50, 32)]
    return [
        Number(machine.address_of(X), ROOM, 0, planes, lanes)
        if where == "plain"
        else Number(machine.address_of(where), ROOM, TURN, planes, lanes)
        for where, planes, lanes in inputs
    ]


def write_inputs(machine, name):
    """Writes the inputs of a gadget as symbols; returns the variables that are secrets."""
    secrets = []
    for number in inputs_of(machine, name):
        words = -(-number.lanes // 32)
        for word in range(number.planes * words):
            shares = [[frozenset()] * 32 for _ in SHARES]
            for lane in range(min(32, number.lanes - 32 * (word % words))):
                mask = machine.bits.variable()
                both = {mask}
                if word % words == 0 and lane < GADGETS[name]:
                    secrets.append(machine.bits.variable())
                    both = {mask, secrets[-1]}
                shares[0][lane] = frozenset(both)
                shares[1][(lane + number.turn) % 32] = frozenset([mask])
            for share, bits in zip(SHARES, shares, strict=True):
                machine.write(number.address + number.gap * share + 4 * word, bits)
    return secrets


def prepare(engine, program, name):
    """Returns Symbols with the inputs of a gadget, and its secrets."""
    machine = Symbols(engine, program)
    secrets = write_inputs(machine, name)
    machine.make_fresh()  # after the inputs: the last masks hide most
    return machine, secrets


def examine(engine, program, name):
    """Returns the Result of a gadget."""
    machine, secrets = prepare(engine, program, name)
    instructions = machine.run(f"leak_{name}", look=True)
    prover = Prover(machine.bits, secrets)
    unshown = [point for bit, point in machine.points.items() if not prover.independent(bit)]
    return Result(instructions, len(machine.points), unshown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gadget", nargs="*", help=", ".join(GADGETS))
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    unknown = set(arguments.gadget) - GADGETS.keys()
    if unknown:
        parser.error(f"no such gadget: {', '.join(sorted(unknown))}")
    engine, program = measure_leakage.build()
    program = arguments.program or program
    good = True
    try:
        for name in arguments.gadget or GADGETS:
            result = examine(engine, program, name)
            print(
                f"{name:12} {result.instructions:5} instructions {result.bits:6} bits "
                f"{len(result.unshown)} not shown",
                flush=True,
            )
            for point in result.unshown[:10]:
                print(f"  {point.function} at {point.address:#x}: {point.kind}")
            good = good and result.bits > 0 and not result.unshown
    except (SymbolsError, OSError) as error:
        sys.exit(f"prove_leakage: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
