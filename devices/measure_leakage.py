#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Looks for leakage of HQC in shares in the machine code for the Cortex-M4.

usage: .venv/bin/python devices/measure_leakage.py [--runs N] [--whole N] [--level 1|3|5]...
                                                    [--second] [--curve FILE] [--program FILE]
                                                    [GADGET...]

Every gadget with N runs of a class (10,000), fixed against random secrets; with --whole N also
decapsulations, N of a class, a fixed key against random ones (1,000 take some minutes of a
processor). Points are Hamming weights of results, and the bits that change in registers, at the
operands of the arithmetic unit, on the bus and in memory (devices/leakage/lanes.h). The limit of
|t| is what one campaign with so many points in a thousand exceeds by chance, 4.5 at least. --second
also says the largest |t| of the second order, which two shares do not promise. --curve writes the
largest |t| over the instructions of the last decapsulation as SVG, beside that with masks that are
the same in all runs. --program: another build of devices/cortex-m4/leakage_gadgets.c.
The exit status is 1 if something leaks.
"""

import argparse
import math
import pathlib
import sys
import time
import typing

import numpy as np

from devices.leakage_machine import Machine, MachineError
from parameters.table import TABLE
from tools import known_answers, made

LANES, LOW = 46, 1
LONGEST = 17_000_000  # instructions that a curve has room for
KNOWN = 200  # runs of a class with known masks: enough to see them
ROOM = 4 * 1280  # bytes between two shares in the program
TURN = 16  # by which share 1 is rotated


def engine_of():
    return made.folder_of("gcc", {}) / "devices" / "leakage" / "libleakage_engine.so"


def build():
    """Returns the engine and the program, as the tests have them."""
    device = made.folder_of("cortex-m4", {"CODEKEM_BUILD_MCELIECE": "ON"})
    for folder in (device, made.folder_of("gcc", {})):
        if not made.make(["devices/tests/test_leakage.py"], name=folder.name):
            sys.exit(f"measure_leakage: {folder} could not be made")
    return engine_of(), device / "bin" / "leakage_gadgets"


def turned(words, by=TURN):
    return (words >> np.uint32(by)) | (words << np.uint32(32 - by))


def as_bytes(words):
    return np.ascontiguousarray(words).view(np.uint8).reshape(len(words), -1)


class Inputs:
    """Writes shares of secrets: fixed ones in the first half of the lanes, random ones behind."""

    def __init__(self, machine, seed):
        self.machine = machine
        self.lanes = machine.lanes
        self.generator = np.random.default_rng(seed)

    def words(self, count):
        return self.generator.integers(0, 2**32, (self.lanes, count), dtype=np.uint32)

    def seeds(self):
        """Other masks in every lane."""
        self.machine.write_each("leak_seed", as_bytes(self.words(8)))

    def planes(self, where, planes, lanes):
        """A number of so many planes; returns its words [lanes of the machine, words]."""
        words = -(-lanes // 32)
        count = planes * words
        ones = np.full(count, 0xFFFFFFFF, dtype=np.uint32)
        if lanes % 32:
            ones[words - 1 :: words] = (1 << lanes % 32) - 1
        secret = self.words(count)
        fixed = [0xA5C39B1E ^ (0x77D2048F * (i + 1) & 0xFFFFFFFF) for i in range(count)]
        secret[: self.lanes // 2] = np.array(fixed, dtype=np.uint32)
        secret &= ones
        mask = self.words(count) & ones
        if where == "sum":
            self.write(X, _subtract(secret, mask), turned(mask), ROOM)
        else:
            first = secret ^ mask
            at = X if where == "plain" else where
            self.write(at, first, mask if where == "plain" else turned(mask), ROOM)
        return secret

    def write(self, where, first, second, gap):
        address = self.machine.address_of(where)
        self.machine.write_each(address, as_bytes(first))
        self.machine.write_each(address + gap, as_bytes(second))

    def sponge(self, offset):
        """The state, or the rows behind it, of lanes as words; not looked at bit by bit."""
        secret = self.words(50)
        secret[: self.lanes // 2] = np.arange(50, dtype=np.uint32) * np.uint32(0x9E3779B9)
        mask = self.words(50)
        address = self.machine.address_of("leak_sponge") + offset
        self.write(address, secret ^ mask, turned(mask), 200)
        return secret

    def result(self, where, words):
        """Returns the value of words in shares."""
        address = self.machine.address_of(where)
        parts = [self.machine.read_each(address + ROOM * s, 4 * words) for s in (0, 1)]
        first, second = (np.ascontiguousarray(part).view(np.uint32) for part in parts)
        return first ^ turned(second)


X, Y, Z, CHOICE = "leak_x", "leak_y", "leak_z", "leak_choice"


def _any(x):
    return np.bitwise_or.reduce(x.reshape(len(x), -1, 2), axis=1)


def _all(x):
    return np.bitwise_and.reduce(x.reshape(len(x), -1, 2), axis=1)


def _less(x, y):
    """Compares numbers of ten planes in bit-sliced words."""
    borrow = np.zeros_like(x[:, :2])
    for b in range(10):
        p, q = x[:, 2 * b : 2 * b + 2], y[:, 2 * b : 2 * b + 2]
        borrow = (~p & (q | borrow)) | (q & borrow)
    return borrow


def _subtract(x, y):
    """The difference of numbers of ten planes, modulo 2^10."""
    return ~_add(~x, y)[:, :-2]


def _add(x, y):
    carry = np.zeros_like(x[:, :2])
    planes = []
    for b in range(10):
        p, q = x[:, 2 * b : 2 * b + 2], y[:, 2 * b : 2 * b + 2]
        planes.append(p ^ q ^ carry)
        carry = (p & q) | (carry & (p | q))
    return np.concatenate([*planes, carry], axis=1)


# Of each gadget: its inputs in order, as (where, planes, lanes), "state" or "rows"; where "plain"
# the words are not turned, where "sum" the shares are added up; and where the result is, with what
# it must be.
GADGETS: dict[str, typing.Any] = {
    "and": ([(X, 1, LANES), (Y, 1, LANES)], Z, lambda x, y: x & y),
    "and_scalars": ([(X, 1, LOW), (Y, 1, LOW)], Z, lambda x, y: x & y),
    "or": ([(X, 1, LANES), (Y, 1, LANES)], Z, lambda x, y: x | y),
    "not": ([(X, 1, LANES)], None, None),
    "xor": ([(X, 1, LANES), (Y, 1, LANES)], Z, lambda x, y: x ^ y),
    "xor_scalars": ([(X, 1, LOW), (Y, 1, LOW)], Z, lambda x, y: x ^ y),
    "copy": ([(X, 10, LANES)], Z, lambda x: x),
    "refresh": ([(X, 10, LANES)], X, lambda x: x),
    "mux": (
        [(CHOICE, 1, LANES), (X, 10, LANES), (Y, 10, LANES)],
        Z,
        lambda c, x, y: (np.tile(c, 10) & x) | (~np.tile(c, 10) & y),
    ),
    "spread": ([(X, 1, LANES)], None, None),
    "add": ([(X, 10, LANES), (Y, 10, LANES)], X, _add),
    "absolute": ([(X, 10, LANES)], None, None),
    "less": ([(X, 10, LANES), (Y, 10, LANES)], Z, _less),
    "any": ([(X, 10, LANES)], X, _any),
    "all": ([(X, 10, LANES)], X, _all),
    "fold": ([(X, 12, 32)], None, None),
    "bit_to_sum": ([(X, 1, LANES)], None, None),
    "sum_to_bits": ([("sum", 10, LANES)], Z, lambda x: x),
    "multiply": ([(X, 8, LANES), (Y, 8, LANES)], None, None),
    "square": ([(X, 8, LANES)], None, None),
    "invert": ([(X, 8, 16)], None, None),
    "chi": ("rows", None, None),
    "permute": ("state", None, None),
    "draw": ("state", None, None),
    "place": ([(X, 14, 6)], None, None),
    "reed_muller": ([("plain", 552, 32)], None, None),
    "reed_muller_encode": ([(X, 8, LANES)], None, None),
    "reed_solomon": ([(X, 8, LANES)], None, None),
    "reed_solomon_encode": ([("plain", 4, 32)], None, None),
    "refresh_element": ([("plain", 552, 32)], None, None),
    "refresh_bytes": ([("plain", 4, 32)], None, None),
}
LARGE = ["permute", "draw", "place", "reed_muller", "reed_muller_encode", "reed_solomon"]
LARGE += ["reed_solomon_encode"]


def examine_gadget(engine, program, name, runs, seed=1, second=False):
    """Returns the Report of a gadget with so many runs of each class; the result is right where
    GADGETS says it."""
    inputs, where, expected = GADGETS[name]
    with Machine(engine, program, 2 * runs) as machine:
        writer = Inputs(machine, seed)
        writer.seeds()
        machine.run("leak_start")
        if isinstance(inputs, str):
            writer.sponge(400 if inputs == "rows" else 0)
            secrets = []
        else:
            secrets = [writer.planes(*number) for number in inputs]
        report = machine.examine(f"leak_{name}", second=second)
        if expected is not None:
            right = expected(*secrets)
            if not np.array_equal(writer.result(where, right.shape[1]), right):
                raise MachineError(f"{name} has a wrong result")
        return report


# --- Decapsulation --------------------------------------------------------------------------------


def plain_parts(machine, kem, record):
    """Returns y and sigma of a secret key, as the library itself imports it."""
    machine.write("leak_key", record["sk"])
    machine.write("leak_seed", bytes(range(32)))
    machine.run(f"leak_import_{kem.name[-1]}")
    n = (kem.parameters.n + 7) // 8
    start = 32 + n + 32
    key = machine.read_each("leak_imported", start + 2 * (n + kem.parameters.k))[0]
    y, sigma = key[start : start + 2 * n], key[start + 2 * n :]
    return key[:start], y[:n] ^ y[n:], sigma[: kem.parameters.k] ^ sigma[kem.parameters.k :]


def write_keys(machine, kem, fixed, generator, masked=True):
    """A fixed key in shares in half of the lanes, and random y and sigma in the others."""
    public, y, sigma = fixed
    lanes, half = machine.lanes, machine.lanes // 2
    n, k = len(y), len(sigma)
    ys = np.zeros((lanes, n), dtype=np.uint8)
    sigmas = generator.integers(0, 256, (lanes, k), dtype=np.uint8)
    ys[:half], sigmas[:half] = y, sigma
    ys[half:] = random_keys(kem, lanes - half, generator)
    masks = masked * generator.integers(0, 256, (lanes, n), dtype=np.uint8)
    masks[:, -1] &= (1 << kem.parameters.n % 8) - 1
    sigma_masks = masked * generator.integers(0, 256, (lanes, k), dtype=np.uint8)
    machine.write("leak_key", public)
    machine.write_each(
        machine.address_of("leak_key") + len(public),
        np.concatenate([ys ^ masks, masks, sigmas ^ sigma_masks, sigma_masks], axis=1),
    )


def examine_decaps(engine, program, kem, runs, seed=1, second=False, masked=True):
    """Returns the Report of decapsulations of one ciphertext with keys whose y and sigma differ;
    those with the right key give the right secret, and the others another one. Not masked: the
    masks are the same in all runs, as if somebody knew them."""
    generator = np.random.default_rng(seed)
    record = known_answers.read_records(kem.name)[0]
    with Machine(engine, program, 2) as one:
        fixed = plain_parts(one, kem, record)
    with Machine(engine, program, 2 * runs) as machine:
        seeds = generator.integers(0, 256, (2 * runs, 32), dtype=np.uint8)
        machine.write_each("leak_seed", seeds if masked else 0 * seeds)
        write_keys(machine, kem, fixed, generator, masked)
        machine.write("leak_ciphertext", record["ct"])
        report = machine.examine(f"leak_decaps_{kem.name[-1]}", second=second, length=LONGEST)
        shares = machine.read_each("leak_secret", 64)
        right = np.all(shares[:, :32] ^ shares[:, 32:] == np.frombuffer(record["ss"], np.uint8), 1)
        if not right[:runs].all() or right[runs:].any():
            raise MachineError("decapsulation has a wrong result")
        return report


def random_keys(kem, count, generator):
    """Returns random y as dense bytes [count, length]."""
    keys = np.zeros((count, (kem.parameters.n + 7) // 8), dtype=np.uint8)
    for i in range(count):
        bits = np.zeros(8 * keys.shape[1], dtype=np.uint8)
        bits[generator.choice(kem.parameters.n, kem.parameters.weight, replace=False)] = 1
        keys[i] = np.packbits(bits, bitorder="little")
    return keys


def examine_plain_product(engine, program, kem, runs, seed=1):
    """The Report of u y without shares, for a fixed y and random ones: what the limit is for."""
    generator = np.random.default_rng(seed)
    record = known_answers.read_records(kem.name)[0]
    keys = random_keys(kem, 2 * runs, generator)
    keys[:runs] = keys[0]
    keys = np.pad(keys, ((0, 0), (0, -keys.shape[1] % 8 + 64)))
    with Machine(engine, program, 2 * runs) as machine:
        machine.write_each("leak_x", keys)
        machine.write("leak_ciphertext", record["ct"])
        return machine.examine("leak_plain_product")


def curve_of(report, known, title):
    """Returns a drawing of the largest |t| over the instructions, with masks and with those that
    are known (SVG)."""
    finite = known.curve[np.isfinite(known.curve)]
    top = 1.2 * max(float(report.curve.max()), float(finite.max()))
    across = -(-report.instructions // report.stride)

    def height(t):
        return 250 - 220 * math.log(min(max(t, 1), top)) / math.log(top)

    def line(one, colour):
        used = -(-one.instructions // one.stride)
        points = " ".join(
            f"{60 + 720 * i / max(across - 1, 1):.1f},{height(float(v)):.1f}"
            for i, v in enumerate(one.curve[:used])
        )
        return f'<polyline fill="none" stroke="{colour}" points="{points}"/>'

    marks = "".join(
        f'<text x="28" y="{height(t) + 4:.1f}">{t}</text>' for t in (1, 10, 100, 1000) if t < top
    )
    limit = height(report.limit)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 290" font-family="sans-serif" '
        'font-size="13"><rect width="800" height="290" fill="white"/>'
        f'<text x="60" y="18">{title}: masks drawn (blue) or known (grey)</text>'
        f'<line x1="60" x2="780" y1="{limit:.1f}" y2="{limit:.1f}" stroke="red"/>'
        f'<text x="640" y="{limit - 5:.1f}" fill="red">limit {report.limit:.2f}</text>'
        '<line x1="60" x2="780" y1="250" y2="250" stroke="black"/>'
        f'<line x1="60" x2="60" y1="30" y2="250" stroke="black"/>{marks}'
        f'<text x="360" y="278">instructions, to {report.instructions / 1e6:.1f} million</text>'
        f'<text x="4" y="150">|t|</text>{line(known, "grey")}{line(report, "steelblue")}</svg>\n'
    )


def say(name, report, seconds):
    """Prints a line; returns whether nothing leaks."""
    second = "" if report.largest_second is None else f" second {report.largest_second:.1f}"
    print(
        f"{name:20} {report.instructions:9} instructions {report.points:9} points "
        f"max {report.largest:.2f} limit {report.limit:.2f}{second} {seconds:.0f} s",
        flush=True,
    )
    for point in report.above[:10]:
        print(f"  {point.function} at {point.address:#x}: {point.kind}, t = {point.t:.1f}")
    return report.largest <= report.limit


FEWEST = 200  # runs of a class: with 20, Student's t is far from normal


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gadget", nargs="*", help=", ".join(GADGETS))
    parser.add_argument("--runs", type=int, default=10_000, help="of each class, of a gadget")
    parser.add_argument("--whole", type=int, help="of each class, of decapsulation")
    parser.add_argument("--level", action="append", choices="135")
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--curve", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    unknown = set(arguments.gadget) - GADGETS.keys()
    if unknown:
        parser.error(f"no such gadget: {', '.join(sorted(unknown))}")
    if min(arguments.runs, arguments.whole or FEWEST) < FEWEST:
        parser.error(
            f"give {FEWEST} runs of a class at least: t of fewer exceeds the limit by chance"
        )
    engine, program = build()
    program = arguments.program or program
    good = True
    try:
        for name in arguments.gadget or GADGETS:
            start = time.monotonic()
            report = examine_gadget(engine, program, name, arguments.runs, second=arguments.second)
            good = say(name, report, time.monotonic() - start) and good
        for level in arguments.level or ["1"] if arguments.whole else []:
            start = time.monotonic()
            kem = next(kem for kem in TABLE.current("hqc") if kem.name == f"HQC-{level}")
            report = examine_decaps(engine, program, kem, arguments.whole, second=arguments.second)
            good = say(kem.name, report, time.monotonic() - start) and good
            if arguments.curve is not None:
                known = examine_decaps(engine, program, kem, KNOWN, masked=False)
                title = f"{kem.name}, decapsulation, {arguments.whole} runs of a class"
                drawing = curve_of(report, known, title)
                arguments.curve.write_text(drawing, encoding="utf-8")
    except (MachineError, OSError) as error:
        sys.exit(f"measure_leakage: {error}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
