#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads what the codes of HQC-1 encode or decode from one simulated trace each on a Cortex-M4:
without shares and with shares.

usage: .venv/bin/python devices/attack_codes.py [--noise SIGMA]... [--program FILE] [CODE...]

CODE: inner-encoder, the Reed-Muller code, where without shares a word of zeros or ones stands for
each bit; outer-encoder and outer-decoder, the Reed-Solomon code. The attacker has learned from
TAUGHT traces of known symbols, and with shares of known shares, which results' Hamming weights go
with each of the 255 sums of the bits of a symbol; of these he takes the best and a linear sum, and
the most likely symbol. Every weight has noise of SIGMA (1, 4 and 16). Prints which part of the
symbols is read right; guessing finds 0.4 %. The exit status is 1 if not one of the noises lets
the symbols of a code without shares be read, or if more than MOST of those with shares are.
"""

import argparse
import pathlib
import sys
import typing

import numpy as np

from devices import measure_leakage
from devices.leakage_machine import Machine


class Code(typing.NamedTuple):
    """plain, shared: the functions that take length symbols; prepared: in planes, with shares.
    targets: the symbols that are read; of_plain: those that are read without shares."""

    plain: str
    shared: str
    prepared: bool
    length: int
    targets: tuple[int, ...]
    of_plain: tuple[int, ...]


CODES = {
    "inner-encoder": Code(
        plain="leak_plain_encoder",
        shared="leak_reed_muller_encode",
        prepared=True,
        length=46,
        targets=(0, 17, 31, 45),
        of_plain=(0, 17, 31, 45),
    ),
    # The last symbol is taken first, and is read first; it has to be known for the next one.
    "outer-encoder": Code(
        plain="leak_plain_outer_encoder",
        shared="leak_reed_solomon_encode",
        prepared=False,
        length=16,
        targets=(0, 5, 10, 15),
        of_plain=(15,),
    ),
    "outer-decoder": Code(
        plain="leak_plain_outer_decoder",
        shared="leak_reed_solomon",
        prepared=True,
        length=46,
        targets=(0, 45),
        of_plain=(45,),
    ),
}
POINTS = 150_000  # results that are looked at: of the decoder all that makes syndromes
TAUGHT, READ = 1600, 400
FITTED = 1000  # of those that teach
BELIEVED = 0.15  # correlation: of the others it is 0.04 by chance
BEST = 24  # points for a sum of bits
RIDGE = 0.01
ORDERS = 40  # of what is shuffled, drawn by the program; nobody tells the attacker which
LEAST = 0.95  # of symbols without shares that are read, or the attack is too weak
MOST = 0.02  # of symbols: five times what guessing finds


def weights_in_order(engine, program, code, order, symbols, generator):
    """Returns weights of results [points, lanes] for symbols [shares, lanes, length]; what is
    shuffled is in the order of this number."""
    shares, lanes, _ = symbols.shape
    with Machine(engine, program, lanes) as machine:
        machine.write("leak_order", order.to_bytes(4, "little"))
        for share, part in enumerate(symbols):
            gap = share * measure_leakage.ROOM
            machine.write_each(machine.address_of("leak_x") + gap, part)
            sums = generator.integers(0, 256, (lanes, 46 * 6 * 8), dtype=np.uint8)
            machine.write_each(machine.address_of("leak_y") + gap, sums)
        measure_leakage.Inputs(machine, order).seeds()
        machine.run("leak_start")
        if shares == 2 and code.prepared:
            machine.run("leak_prepare")
        name = code.plain if shares == 1 else code.shared
        return machine.record(name, "value", 0, POINTS)


def weights_of(engine, program, code, shares, generator):
    """Returns weights of results [points, lanes] that are not the same in all traces, and the
    shares of the symbols that are read [shares, symbols, lanes]."""
    lanes = TAUGHT + READ
    symbols = generator.integers(0, 256, (shares, lanes, code.length), dtype=np.uint8)
    parts = np.split(np.arange(lanes), ORDERS)
    weights = np.concatenate(
        [
            weights_in_order(engine, program, code, i, symbols[:, parts[i]], generator)
            for i in range(ORDERS)
        ],
        axis=1,
    )
    seen = (weights != weights[:, :1]).any(axis=1)
    targets = code.of_plain if shares == 1 else code.targets
    return weights[seen], symbols[:, :, targets].transpose(0, 2, 1)


def characters():
    """Returns the 255 sums of bits of a symbol, as 1 or -1 [sums, values]."""
    sums = np.arange(1, 256)[:, None] & np.arange(256)
    return 1.0 - 2.0 * (np.bitwise_count(sums) % 2).astype(np.float32)


def with_noise(weights, noise, generator):
    values = generator.standard_normal(weights.shape, dtype=np.float32)
    values *= np.float32(noise)
    values += weights
    values -= values[:, :TAUGHT].mean(axis=1, keepdims=True)
    values /= values[:, :TAUGHT].std(axis=1, keepdims=True) + np.float32(1e-6)
    return values


def likelihoods(values, symbols):
    """Returns how likely every value of a symbol is [values, traces] in the traces behind those
    that teach. Of each sum of bits the best points are taken in the first FITTED of these, and a
    linear sum of them; the others say how much to believe it."""
    signs = characters()
    known = signs[:, symbols[:TAUGHT]]
    alike = np.abs(known[:, :FITTED] @ values[:, :FITTED].T)
    score = np.zeros((256, values.shape[1] - TAUGHT))
    for i, row in enumerate(alike):
        x = values[np.argpartition(row, -BEST)[-BEST:]].astype(np.float64)
        square = x[:, :FITTED] @ x[:, :FITTED].T / FITTED + RIDGE * np.eye(BEST)
        shown = np.linalg.solve(square, x[:, :FITTED] @ known[i, :FITTED] / FITTED) @ x
        shown /= shown[:TAUGHT].std() + 1e-9
        trust = float(np.corrcoef(shown[FITTED:TAUGHT], known[i, FITTED:])[0, 1])
        if trust > BELIEVED:
            trust = min(trust, 0.999)
            score += np.outer(signs[i], shown[TAUGHT:] * trust / (1 - trust * trust))
    score -= score.max(axis=0)
    out = np.exp(score)
    return out / out.sum(axis=0)


def attack(engine, program, code, shares, noises, seed=1):
    """Returns, for each noise, the part of the symbols that are read right."""
    generator = np.random.default_rng(seed)
    weights, symbols = weights_of(engine, program, code, shares, generator)
    truth = np.bitwise_xor.reduce(symbols, axis=0)[:, TAUGHT:]
    each = np.arange(256)
    parts = []
    for noise in noises:
        values = with_noise(weights, noise, generator)
        right = []
        for i in range(symbols.shape[1]):
            found = likelihoods(values, symbols[0, i])
            for share in symbols[1:, i]:  # all pairs of shares of a value
                other = likelihoods(values, share)
                found = np.array([(found * other[each ^ value]).sum(axis=0) for value in each])
            right.append(found.argmax(axis=0) == truth[i])
        parts.append(float(np.mean(right)))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("code", nargs="*", help=", ".join(CODES))
    parser.add_argument("--noise", type=float, action="append")
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    unknown = set(arguments.code) - CODES.keys()
    if unknown:
        parser.error(f"no such code: {', '.join(sorted(unknown))}")
    noises = arguments.noise or [1.0, 4.0, 16.0]
    engine, program = measure_leakage.build()
    program = arguments.program or program
    good = True
    for name in arguments.code or CODES:
        best = {}
        for shares, what in ((1, "without shares"), (2, "with shares")):
            found = attack(engine, program, CODES[name], shares, noises)
            for noise, part in zip(noises, found, strict=True):
                print(f"{name} {what}, noise {noise:g}: {part:.1%} of symbols", flush=True)
            best[shares] = max(found)
        good = good and best[1] > LEAST and best[2] < MOST
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
