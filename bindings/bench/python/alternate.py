# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times the package beside others that are installed in the same environment; prints JSON.

usage: alternate.py ROUNDS SECONDS    (each operation is called for so long in each round)

In each round every operation runs with ours and then with the peer; its time is that of the thread
on its processor, without waiting for it, as the median of batches of calls. What is printed for
each pair: the medians of all rounds in microseconds, and the sums of the three operations in each
round.
"""

import importlib
import json
import statistics
import sys
import time

from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey

import codekem

BATCH = 200_000  # nanoseconds: much longer than asking for the time takes


def median_microseconds(function, seconds):
    """Returns the median time of a call."""
    start = time.thread_time_ns()
    function()
    count = max(1, BATCH // max(1, time.thread_time_ns() - start))
    times = []
    while not times or sum(times) * count < seconds * 1e9:
        start = time.thread_time_ns()
        for _ in range(count):
            function()
        times.append((time.thread_time_ns() - start) / count)
    return statistics.median(times) / 1000


def of_classes(private_class):
    """Returns the three operations of key classes, ours or pyca's."""
    key = private_class.generate()
    public = key.public_key()
    ciphertext = public.encapsulate()[1]
    return private_class.generate, public.encapsulate, lambda: key.decapsulate(ciphertext)


def of_pqcrypto(name):
    """Returns the three operations of a module of pqcrypto."""
    module = importlib.import_module(f"pqcrypto.kem.{name}")
    public, secret = module.keygen()
    ciphertext = max(module.encaps(public), key=len)
    return module.keygen, lambda: module.encaps(public), lambda: module.decaps(secret, ciphertext)


PAIRS = {
    "HQC-1": (codekem.HQC1PrivateKey, "pqcrypto", "hqc_128"),
    "HQC-3": (codekem.HQC3PrivateKey, "pqcrypto", "hqc_192"),
    "HQC-5": (codekem.HQC5PrivateKey, "pqcrypto", "hqc_256"),
    "HQC-1, ML-KEM-768": (codekem.HQC1PrivateKey, "pyca", None),
}


def alternate(ours, peer, rounds, seconds):
    """Returns the times of both, taken in turn: {"ours": [[k, e, d], ...], "peer": ...}."""
    out = {"ours": [], "peer": []}
    for _ in range(rounds):
        row = [
            [median_microseconds(operation, seconds) for operation in pair]
            for pair in zip(ours, peer, strict=True)
        ]
        out["ours"].append([pair[0] for pair in row])
        out["peer"].append([pair[1] for pair in row])
    return out


def main():
    rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
    found = {}
    for name, (private_class, library, module) in PAIRS.items():
        peer = of_pqcrypto(module) if library == "pqcrypto" else of_classes(MLKEM768PrivateKey)
        times = alternate(of_classes(private_class), peer, rounds, seconds)
        found[name] = {
            side: [statistics.median(column) for column in zip(*rows, strict=True)]
            for side, rows in times.items()
        } | {f"{side}_sums": [sum(row) for row in rows] for side, rows in times.items()}
    print(json.dumps({"backend": codekem.backend(), "time": time.time(), "pairs": found}))


if __name__ == "__main__":
    main()
