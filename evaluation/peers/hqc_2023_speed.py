#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints how long HQC of 2023 takes in codekem, liboqs 0.13 and PQClean, in turn on one machine.

usage: hqc_2023_speed.py CODEKEM FOLDER [ROUNDS]

CODEKEM is the command, built with codekem-legacy. The programs of evaluation/peers/hqc2023 are
built in FOLDER (needs cargo). In each of ROUNDS rounds (default 10) everybody runs once, some
milliseconds long, and gives a median for each operation; printed are the medians of the rounds in
microseconds, and of the ratios of single rounds: the peer's time over the back end's.
"""

import json
import pathlib
import statistics
import subprocess
import sys

from tests import hqc_2023_peer

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


OPERATIONS = ["keygen", "encaps", "decaps"]
PEER_ROUNDS = 5


def times_of_codekem(command, bits, backend):
    """Returns the median times in nanoseconds."""
    done = subprocess.run(
        [
            command,
            "speed",
            *("--kem", f"HQC-{bits}-2023"),
            *("--backend", backend),
            *("--seconds", "0.05", "--json"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = {row["operation"]: row for row in json.loads(done.stdout)["results"]}
    return [1000 * rows[operation]["median_us"] for operation in OPERATIONS]


def measure(command, backends, peers, bits, rounds):
    """Returns name: a list of times of the operations for each round."""
    samples = {name: [] for name in [*backends, *peers]}
    for _ in range(rounds):
        for backend in backends:
            samples[backend].append(times_of_codekem(command, bits, backend))
        for name, peer in peers.items():
            samples[name].append(peer.speed(bits, PEER_ROUNDS))
    return samples


def median_ratio(theirs, ours):
    return statistics.median(a / b for a, b in zip(theirs, ours, strict=True))


def print_rows(samples, backends, peers, bits):
    for i, operation in enumerate(OPERATIONS):
        column = {name: [row[i] for row in rows] for name, rows in samples.items()}
        cells = [f"HQC-{bits}-2023", operation]
        cells += [f"{statistics.median(column[name]) / 1000:.0f}" for name in samples]
        for peer in peers:
            for backend in backends:
                cells.append(f"{median_ratio(column[peer], column[backend]):.3g}")
        print(f"| {' | '.join(cells)} |", flush=True)


def supported(command):
    listed = subprocess.run(
        [command, "list", "--backends"], capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split() if name != "reference"]


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    command, rounds = sys.argv[1], int(sys.argv[3]) if len(sys.argv) == 4 else 10
    backends = supported(command)
    peers = {}
    for library in hqc_2023_peer.LIBRARIES:
        program, printed = hqc_2023_peer.build(ROOT, pathlib.Path(sys.argv[2]).resolve(), library)
        if program is None:
            sys.exit(printed)
        peers[library] = hqc_2023_peer.Peer(program)
    ratios = [f"{peer} / {backend}" for peer in peers for backend in backends]
    header = ["KEM", "operation", *backends, *peers, *ratios]
    print(f"| {' | '.join(header)} |\n|---|---|{'--:|' * (len(header) - 2)}")
    for bits in (128, 192, 256):
        samples = measure(command, backends, peers, bits, rounds)
        print_rows(samples, backends, peers, bits)
    for peer in peers.values():
        peer.__exit__()


if __name__ == "__main__":
    main()
