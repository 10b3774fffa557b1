#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads the secret key of HQC-1 from simulated traces of u y on a Cortex-M4: without shares and,
for comparison, with them.

usage: .venv/bin/python devices/attack_masked.py [--traces N] [--noise SIGMA] [--program FILE]

The attacker chooses u = x^k for k from 0 to 31 and knows the program. In traces of keys of his own
he finds the stores of the product's words: their Hamming weights are those of windows of 32 bits of
y, and windows one bit apart show y bit by bit. Every weight has noise of SIGMA (1.0), and what
traces of one k show is averaged: 1,280 of them without shares, N with shares (9,984). Prints how
many of the 66 best places are ones. The exit status is 1 if the plain key is not found, or if a
share shows more than chance does.
"""

import argparse
import pathlib
import sys

import numpy as np

from devices import measure_leakage
from devices.leakage_machine import Machine
from parameters.table import TABLE

KEM = next(kem for kem in TABLE.current("hqc") if kem.name == "HQC-1")
N = KEM.parameters.n
WORDS = (N + 31) // 32
SHIFTS = 32
OWN_KEYS = 16  # in which every word is some time not zero
PLAIN_TRACES = 40 * SHIFTS
SEEN = 60  # ones: few enough are left to try
BY_CHANCE = 4  # of 66 random places 0.25 are ones; 5 or more once in 10^6 times
STORES = "value"
LAST = 30_000  # instructions of a product, among which its words are stored


def random_key(generator):
    """Returns y as bits."""
    key = np.zeros(N, dtype=np.uint8)
    key[generator.choice(N, KEM.parameters.weight, replace=False)] = 1
    return key


def windows(key):
    """Returns the weights of the words of x^k y [SHIFTS, WORDS] for a key as bits."""
    out = np.zeros((SHIFTS, WORDS), dtype=np.int64)
    for k in range(SHIFTS):
        bits = np.zeros(32 * WORDS, dtype=np.int64)
        bits[:N] = np.roll(key, k)
        out[k] = bits.reshape(WORDS, 32).sum(axis=1)
    return out


def traces(engine, program, keys, shares, begin, generator):
    """Returns weights of results [points, lanes] of products of keys [lanes, N] with u = x^(i mod
    32) in lane i, from an instruction of the program on."""
    lanes = len(keys)
    u = np.zeros((lanes, 2209), dtype=np.uint8)
    shifts = np.arange(lanes) % SHIFTS
    u[np.arange(lanes), shifts // 8] = 1 << shifts % 8
    packed = np.pad(np.packbits(keys, axis=1, bitorder="little"), ((0, 0), (0, 71)))
    masks = np.zeros_like(packed)
    if shares == 2:
        bits = generator.integers(0, 2, keys.shape, dtype=np.uint8)
        masks[:, : packed.shape[1] - 71] = np.packbits(bits, axis=1, bitorder="little")
    with Machine(engine, program, lanes) as machine:
        machine.write_each("leak_x", packed ^ masks)
        machine.write_each(machine.address_of("leak_x") + measure_leakage.ROOM, masks)
        machine.write_each("leak_ciphertext", u)
        name = "leak_shared_product" if shares == 2 else "leak_plain_product"
        return machine.record(name, STORES, begin, LAST + LAST // 2)


def begin_of(engine, program):
    """Returns the instruction LAST before the end of a product."""
    with Machine(engine, program, 2) as machine:
        machine.write("leak_ciphertext", b"\x01")
        return machine.run("leak_plain_product") - LAST


def stores_of(engine, program, begin, generator):
    """Returns at which points the product's words are [WORDS], as the attacker finds them with keys
    of his own."""
    own = [random_key(generator) for _ in range(OWN_KEYS)]
    keys = np.repeat(np.array(own), SHIFTS, axis=0)
    weights = traces(engine, program, keys, 1, begin, generator)
    expected = np.concatenate([windows(key) for key in own]).astype(np.uint8)
    last = {weights[p].tobytes(): p for p in range(len(weights))}
    return np.array([last[expected[:, w].tobytes()] for w in range(WORDS)])


def averages(engine, program, key, share, count, stores, begin, noise, generator):
    """Returns the average weights of the words [SHIFTS, WORDS] in count traces; share: None for the
    plain key, or which of two is multiplied."""
    keys = np.tile(key, (count, 1))
    if share == 1:  # the same instructions, as much later as a product takes
        begin += second_start(engine, program)
    weights = traces(engine, program, keys, 1 if share is None else 2, begin, generator)
    values = weights[stores].astype(np.float32)
    values += generator.normal(0, noise, values.shape)
    return values.reshape(WORDS, -1, SHIFTS).mean(axis=1).T


def second_start(engine, program):
    """Returns the distance of the two products, in instructions."""
    with Machine(engine, program, 2) as machine:
        machine.write("leak_ciphertext", b"\x01")
        once = machine.run("leak_plain_product")
        twice = machine.run("leak_shared_product")
    return twice - once


def positions_of(weights):
    """Returns the 66 positions that windows [SHIFTS, WORDS] show best: with a 1 at j the window
    from j on has one more than the next, and that from j - 31 on one more than the one before."""
    start = np.zeros(32 * WORDS + 1)  # at j: the window that begins with bit j
    for k in range(SHIFTS):
        at = 32 * np.arange(WORDS) - k
        start[at[at >= 0]] = weights[k, at >= 0]
    step = start[:-1] - start[1:]
    score = step[: 32 * (WORDS - 1)].copy()
    score[32:] -= step[: 32 * (WORDS - 2)]
    return set(np.argsort(score)[-KEM.parameters.weight :].tolist())


def attack(engine, program, count, noise):
    """Returns, for the plain key and each share, how many of its ones were found."""
    generator = np.random.default_rng(1)
    begin = begin_of(engine, program)
    stores = stores_of(engine, program, begin, generator)
    key = random_key(generator)
    ones = set(np.flatnonzero(key).tolist())
    found = []
    for share in (None, 0, 1):
        size = PLAIN_TRACES if share is None else count
        shown = averages(engine, program, key, share, size, stores, begin, noise, generator)
        named = positions_of(shown)
        found.append(len(named & ones))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--traces", type=int, default=312 * SHIFTS)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.traces < SHIFTS or arguments.traces % SHIFTS:
        parser.error(f"the number of traces is a multiple of {SHIFTS}")
    engine, program = measure_leakage.build()
    program = arguments.program or program
    plain, *shares = attack(engine, program, arguments.traces, arguments.noise)
    print(f"without shares, {PLAIN_TRACES} traces: {plain} of 66 ones")
    for share, right in enumerate(shares):
        print(f"share {share}, {arguments.traces} traces: {right} of 66 ones")
    sys.exit(0 if plain > SEEN and max(shares) <= BY_CHANCE else 1)


if __name__ == "__main__":
    main()
