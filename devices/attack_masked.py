#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads the secret key of HQC-1 from simulated traces of u y on a Cortex-M4: without shares and,
for comparison, with them.

usage: .venv/bin/python devices/attack_masked.py [--traces N] [--noise SIGMA] [--program FILE]

The attacker chooses u = x^k for k from 0 to 31 and knows the program. In traces of keys of his own
he finds the stores of the product's words: their Hamming weights are those of windows of 32 bits of
y, and windows one bit apart show y bit by bit. Every weight has noise of SIGMA (1.0), and what
traces of one k show is averaged: 1,280 of them without shares, N with shares (9,984), for which he
is even told the random rotations. Prints how many of the 66 best places are ones. The exit status
is 1 if the plain key is not found, or if a share shows more than chance does.
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
OWN_KEYS = 16  # in which every word is some time not zero; shares are dense, and 2 are enough
OWN_SHARES = 2
PLAIN_TRACES = 40 * SHIFTS
AT_ONCE = 8 * SHIFTS  # with shares: traces of one rotation
SEEN = 60  # ones: few enough are left to try
BY_CHANCE = 4  # of 66 random places 0.25 are ones; 5 or more once in 10^6 times
STORES = "value"
LAST = 30_000  # instructions of the product of a share, among which its words are stored
PLAIN, SHARED = "leak_plain_product", "leak_shared_product"


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


def prepare(machine, shares, order):
    """Writes shares of keys [shares, lanes, N] as bits, u = x^(i mod 32) in lane i, and which
    rotations there are."""
    lanes = shares.shape[1]
    u = np.zeros((lanes, (N + 7) // 8), dtype=np.uint8)
    shifts = np.arange(lanes) % SHIFTS
    u[np.arange(lanes), shifts // 8] = 1 << shifts % 8
    machine.write_each("leak_ciphertext", u)
    machine.write("leak_order", order.to_bytes(4, "little"))
    for i, share in enumerate(shares):
        packed = np.pad(np.packbits(share, axis=1, bitorder="little"), ((0, 0), (0, 71)))
        machine.write_each(machine.address_of("leak_x") + i * measure_leakage.ROOM, packed)


def traces(engine, program, shares, part, order=0):
    """Returns weights of results [points, lanes] at the end of the product of a part of shares of
    keys [shares, lanes, N] and u."""
    name = PLAIN if len(shares) == 1 else SHARED
    with Machine(engine, program, 2) as machine:
        prepare(machine, shares[:, :2], order)
        end = machine.run(name) * (part + 1) // len(shares)
    with Machine(engine, program, shares.shape[1]) as machine:
        prepare(machine, shares, order)
        return machine.record(name, STORES, end - LAST, LAST + LAST // 2)


def stores_of(weights, own):
    """Returns at which points the product's words are [WORDS]; own: the keys or shares of the first
    lanes, SHIFTS of each."""
    expected = np.concatenate([windows(key) for key in own]).astype(np.uint8)
    weights = weights[:, : len(expected)]
    last = {row.tobytes(): p for p, row in enumerate(weights)}
    return np.array([last[expected[:, w].tobytes()] for w in range(WORDS)])


def plain_averages(engine, program, key, noise, generator):
    """Returns the average weights of the words [SHIFTS, WORDS] in traces of a key."""
    own = np.array([random_key(generator) for _ in range(OWN_KEYS)])
    keys = np.concatenate([np.repeat(own, SHIFTS, axis=0), np.tile(key, (PLAIN_TRACES, 1))])
    weights = traces(engine, program, keys[None], 0)
    return averages(weights, own, noise, generator)


def averages(weights, own, noise, generator):
    """The same of the lanes behind those of own keys."""
    values = weights[stores_of(weights, own), SHIFTS * len(own) :].astype(np.float32)
    values += generator.normal(0, noise, values.shape)
    return values.reshape(WORDS, -1, SHIFTS).mean(axis=1).T


def shared_averages(engine, program, key, part, count, noise, generator):
    """The same of count traces of shares of a key: of the product of one of them."""
    sums = np.zeros((SHIFTS, WORDS))
    for order in range(count // AT_ONCE):
        own = generator.integers(0, 2, (2, OWN_SHARES, N), dtype=np.uint8)
        masks = generator.integers(0, 2, (AT_ONCE, N), dtype=np.uint8)
        shares = np.concatenate(
            [np.repeat(own, SHIFTS, axis=1), np.array([masks ^ key, masks])], axis=1
        )
        weights = traces(engine, program, shares, part, order)
        sums += averages(weights, own[part], noise, generator)
    return sums / (count // AT_ONCE)


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
    key = random_key(generator)
    ones = set(np.flatnonzero(key).tolist())
    shown = [plain_averages(engine, program, key, noise, generator)]
    shown += [
        shared_averages(engine, program, key, part, count, noise, generator) for part in (0, 1)
    ]
    return [len(positions_of(weights) & ones) for weights in shown]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--traces", type=int, default=39 * AT_ONCE)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.traces < AT_ONCE or arguments.traces % AT_ONCE:
        parser.error(f"the number of traces is a multiple of {AT_ONCE}")
    engine, program = measure_leakage.build()
    program = arguments.program or program
    plain, *shares = attack(engine, program, arguments.traces, arguments.noise)
    print(f"without shares, {PLAIN_TRACES} traces: {plain} of 66 ones")
    for share, right in enumerate(shares):
        print(f"share {share}, {arguments.traces} traces: {right} of 66 ones")
    sys.exit(0 if plain > SEEN and max(shares) <= BY_CHANCE else 1)


if __name__ == "__main__":
    main()
