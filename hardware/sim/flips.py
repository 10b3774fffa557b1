#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Flips each bit of the registers that decide what leaves a core, in each cycle from the comparison
on, while an altered ciphertext is decapsulated.

usage: python -m hardware.sim.flips [--results FILE] [--drawn N] CASE...
       CASE     "HQC-1 fast"; or `all`
       --drawn  so many flips, drawn by chance, instead of all

The ciphertext is altered so that it still decrypts: the comparison alone stands between it and the
secret of its message. Prints a line for each unit, and with --results keeps the rows in FILE:
[{"case", "scheme", "parameters", "drawn" (0: all), "bits", "cycles",
"units": {unit: {fate: flips, "bits"}}, "made_from"}].
A case takes minutes.
"""

import collections
import hashlib
import pathlib
import sys
import tempfile
import typing

from hardware.sim import build
from hardware.syn import netlists
from hardware.tests import simulated
from tools import known_answers

COLUMNS = (*simulated.FATES, "bits")


class Case(typing.NamedTuple):
    """A decapsulation by a core."""

    kem: str
    scheme: str  # of the core
    parameters: dict
    compared_in: str  # the unit that compares
    last_cycles: int  # from before the comparison on

    def of(self, core):
        """Returns the running core, which core(scheme, **parameters) begins."""
        one = core(self.scheme, **self.parameters)
        if self.scheme != "joint":
            return one
        return one.hqc if self.kem.startswith("HQC") else one.bike


MASKED = "HQC-1 masked"
FAST, LIGHT = {"LEVEL": 1, "PRESET": 2}, {"LEVEL": 1, "PRESET": 0}
CASES = {
    "HQC-1 fast": Case("HQC-1", "hqc", FAST, "u_product", 2100),
    "HQC-1 light": Case("HQC-1", "hqc", LIGHT, "u_product", 15000),
    "BIKE-L1 fast": Case("BIKE-L1", "bike", FAST, "u_compare", 1400),
    "BIKE-L1 light": Case("BIKE-L1", "bike", LIGHT, "u_compare", 1800),
    "joint HQC-1 light": Case("HQC-1", "joint", LIGHT, "u_gather", 16000),
    MASKED: Case("HQC-1", "masked", {"LEVEL": 1}, "u_engine", 3000),
    "joint BIKE-L1 light": Case("BIKE-L1", "joint", LIGHT, "u_compare", 1800),
}


def altered(kem, packets):
    """Returns a packet of an altered ciphertext, and the secret that must not come out."""
    record = known_answers.read_records(kem)[0]
    _, seed = known_answers.record_seeds(kem, record)
    ciphertext = bytearray(record["ct"])
    if kem.startswith("HQC"):
        ciphertext[packets.bytes + 100] ^= 1  # a bit of v, which the code corrects
        secret = record["ss"]
    else:  # a bit of c1 is one of m'
        ciphertext[-1] ^= 1
        message = seed[:31] + bytes([seed[31] ^ 1])
        secret = hashlib.sha3_384(message + bytes(ciphertext)).digest()[:32]
    return packets.decaps_packet(bytes(ciphertext), record["sk"]), packets.words(secret, [32])


def cycles_of(one, case):
    """Returns the first cycle of a case, and the one behind its last."""
    packet, accepted = altered(case.kem, one.packets)
    error, cycles, rejected = one.run(simulated.DECAPS, packet)
    assert error == 0 and rejected != accepted
    return cycles - case.last_cycles, cycles


def campaign(one, case, count=0, seed=1, within=None):
    """Returns {register: {fate: flips}}: of `count` flips, drawn by seed, or of each bit in each
    cycle; within: other cycles, (first, behind the last)."""
    packet, accepted = altered(case.kem, one.packets)
    op = simulated.DECAPS + getattr(one, "added", 0)
    return one.flips(op, packet, accepted, within or cycles_of(one, case), count, seed)


def total(counts):
    """Returns {fate: flips} of all registers, or units."""
    return {fate: sum(one[fate] for one in counts.values()) for fate in simulated.FATES}


def telling(found):
    """Returns the registers with other fates than found or without effect."""
    usual = ("same", "upset")
    return [name for name, one in found.items() if any(one[f] for f in one if f not in usual)]


def unit_of(register):
    """Returns the unit of a register: "u_shell.gen_units.u_units.u_send.busy_q" is of "u_send", and
    "dut.u_send.u_control.state_q" of the masked core, too."""
    units = [part for part in register.split(".")[:-1] if part.startswith("u_")]
    if register.startswith("dut."):
        return units[0] if units else "masked_hqc"
    return units[-1] if units[1:] else "kem_shell"


def row_of(name, one, drawn=0):
    """Returns the row of a case: each bit in each cycle, or so many that are drawn."""
    case, units = CASES[name], collections.defaultdict(lambda: dict.fromkeys(COLUMNS, 0))
    first, last = cycles_of(one, case)
    bits = collections.Counter(one.places())
    for register, fates in campaign(one, case, drawn).items():
        unit = units[unit_of(register)]
        unit["bits"] += bits[register]
        for fate, number in fates.items():
            unit[fate] += number
    row = {
        "case": name,
        "scheme": case.scheme,
        "parameters": {k: v for k, v in case.parameters.items() if k == "PRESET"},
        "drawn": drawn,
        "bits": bits.total(),
        "cycles": last - first,
        "units": dict(sorted(units.items())),
    }
    return row | {"made_from": netlists.made_from("flips", row)}


def measure(name, drawn=0):
    """Builds the core of a case and returns its row."""
    case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        program = build.build_core(folder, case.parameters, scheme=case.scheme)

        one = case.of(lambda scheme, **parameters: simulated.begin(program, scheme, **parameters))
        row = row_of(name, one, drawn)
        one.close()
    return row


def main(arguments):
    results, drawn = None, "0"
    if arguments[:1] == ["--results"] and len(arguments) > 1:
        results, arguments = pathlib.Path(arguments[1]), arguments[2:]
    if arguments[:1] == ["--drawn"] and len(arguments) > 1:
        drawn, arguments = arguments[1], arguments[2:]
    names = list(CASES) if arguments == ["all"] else arguments
    if not names or not set(names) <= set(CASES) or not drawn.isdecimal():
        print(f"{__doc__.strip()}\n\nCases: {', '.join(CASES)}", file=sys.stderr)
        return 2
    for name in names:
        try:
            row = measure(name, int(drawn))
        except build.BuildError as error:
            print(f"flips.py: {error}", file=sys.stderr)
            return 1
        if results:
            netlists.keep(results, row, list(CASES))
        print(f"{name}: {row['bits']} bits in {row['cycles']} cycles")
        print(f"  {'unit':14}" + "".join(f"{column:>10}" for column in COLUMNS))
        for unit, counts in row["units"].items():
            print(f"  {unit:14}" + "".join(f"{counts[column]:>10}" for column in COLUMNS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
