#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads what the Reed-Muller encoder of HQC-1 encodes from one simulated trace each on a Cortex-M4:
without shares, where a word of zeros or ones stands for each bit, and with shares.

usage: .venv/bin/python devices/attack_encoder.py [--noise SIGMA]... [--program FILE]

The attacker has learned from TAUGHT traces of known symbols, and with shares of known shares, which
results' Hamming weights go with a bit; of these he takes the best and a linear sum. Every weight
has noise of SIGMA (1, 4 and 16). Prints how many of the bits, and of the symbols of eight, are read
right; half of the bits are by guessing. With shares both have to be read. The exit status is 1 if
not one of the noises lets the symbols without shares be read.
"""

import argparse
import pathlib
import sys

import numpy as np

from devices import measure_leakage
from devices.leakage_machine import Machine

LENGTH = 46
TARGETS = (0, 5, 11, 17, 23, 31, 38, 45)  # symbols that are read
TAUGHT, READ = 1600, 400
BEST = 24  # points for a bit
RIDGE = 0.01
POINTS = 120_000  # more than there are
ORDERS = 40  # of a shuffled encoder, drawn by the program; nobody tells the attacker which
BEFORE, AFTER = "leak_plain_encoder", "leak_shared_encoder"


def weights_in_order(engine, program, name, order, symbols, generator):
    """Returns weights of results [points, lanes] for symbols [shares, lanes, LENGTH]; what is
    shuffled is in the order of this number."""
    lanes = symbols.shape[1]
    with Machine(engine, program, lanes) as machine:
        machine.write("leak_order", order.to_bytes(4, "little"))
        for share, part in enumerate(symbols):
            gap = share * measure_leakage.ROOM
            machine.write_each(machine.address_of("leak_x") + gap, part)
            sums = generator.integers(0, 256, (lanes, LENGTH * 6 * 8), dtype=np.uint8)
            machine.write_each(machine.address_of("leak_y") + gap, sums)
        return machine.record(name, "value", 0, POINTS)


def weights_of(engine, program, name, generator):
    """Returns weights of results [points, lanes] and the bits that were encoded, of each share
    [shares, bits, lanes]."""
    shares = 2 if name == AFTER else 1
    lanes = TAUGHT + READ
    symbols = generator.integers(0, 256, (shares, lanes, LENGTH), dtype=np.uint8)
    parts = np.split(np.arange(lanes), ORDERS)
    weights = np.concatenate(
        [
            weights_in_order(engine, program, name, i, symbols[:, parts[i]], generator)
            for i in range(ORDERS)
        ],
        axis=1,
    )
    chosen = symbols[:, :, TARGETS]
    bits = np.unpackbits(chosen[..., None], axis=3, bitorder="little")
    return weights, bits.reshape(shares, lanes, -1).transpose(0, 2, 1)


def read_bits(weights, bits, noise, generator):
    """Returns which bits [bits, lanes] are read in the lanes behind those that teach."""
    values = generator.standard_normal(weights.shape, dtype=np.float32) * np.float32(noise)
    values += weights
    values -= values[:, :TAUGHT].mean(axis=1, keepdims=True)
    taught, seen = values[:, :TAUGHT], values[:, TAUGHT:]
    known = bits[:, :TAUGHT].astype(np.float32) - 0.5
    scale = taught.std(axis=1) + 1e-6
    alike = np.abs(known @ taught.T) / scale
    out = np.zeros((len(bits), seen.shape[1]), dtype=np.uint8)
    for i, row in enumerate(alike):
        best = np.argsort(row)[-BEST:]
        x = taught[best] / scale[best, None]
        square = x @ x.T / TAUGHT + RIDGE * np.eye(BEST, dtype=np.float32)
        factors = np.linalg.solve(square, x @ known[i] / TAUGHT)
        out[i] = factors @ (seen[best] / scale[best, None]) > 0
    return out


def attack(engine, program, name, noises, seed=1):
    """Returns, for each noise, the parts of the bits and of the symbols that are read right."""
    generator = np.random.default_rng(seed)
    weights, bits = weights_of(engine, program, name, generator)
    truth = np.bitwise_xor.reduce(bits, axis=0)[:, TAUGHT:]
    parts = []
    for noise in noises:
        flat = bits.reshape(-1, bits.shape[2])
        read = read_bits(weights, flat, noise, generator).reshape(*bits.shape[:2], READ)
        right = np.bitwise_xor.reduce(read, axis=0) == truth
        symbols = right.reshape(len(TARGETS), 8, READ).all(axis=1)
        parts.append((float(right.mean()), float(symbols.mean())))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--noise", type=float, action="append")
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    noises = arguments.noise or [1.0, 4.0, 16.0]
    engine, program = measure_leakage.build()
    program = arguments.program or program
    read = False
    for name, what in ((BEFORE, "without shares"), (AFTER, "with shares")):
        for noise, (bits, symbols) in zip(
            noises, attack(engine, program, name, noises), strict=True
        ):
            print(f"{what}, noise {noise:g}: {bits:.1%} of bits, {symbols:.1%} of symbols")
            read = read or (name == BEFORE and symbols > 0.95)
    sys.exit(0 if read else 1)


if __name__ == "__main__":
    main()
