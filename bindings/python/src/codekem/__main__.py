# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m codekem: version, back end, and how fast the KEMs are here."""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable

import codekem

SECONDS = 0.1  # for each operation


def median_microseconds(function: Callable[[], object], seconds: float) -> float:
    """Calls function for some time; returns the median time of a call in microseconds."""
    function()  # the first call chooses the back end and gets memory
    times: list[int] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter_ns()
        function()
        times.append(time.perf_counter_ns() - start)
    return statistics.median(times) / 1000


def speed(kem: codekem.KEM, seconds: float) -> list[float]:
    """Returns the median times of key generation, encapsulation and decapsulation."""
    pair = kem.generate_keypair()
    ciphertext = kem.encapsulate(pair.public_key).ciphertext
    return [
        median_microseconds(kem.generate_keypair, seconds),
        median_microseconds(lambda: kem.encapsulate(pair.public_key), seconds),
        median_microseconds(lambda: kem.decapsulate(pair.secret_key, ciphertext), seconds),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m codekem", description="Shows version, back end and speed."
    )
    parser.add_argument("--version", action="version", version=f"codekem {codekem.__version__}")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"time for each operation ({SECONDS})"
    )
    parser.add_argument("kem", nargs="*", help="measure these KEMs only")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.kem if name not in codekem.KEM_NAMES]
    if unknown:
        parser.error(f"there is no KEM {unknown[0]}; there are {', '.join(codekem.KEM_NAMES)}")
    names = arguments.kem or [n for n in codekem.KEM_NAMES if not codekem.KEM(n).superseded]
    print(f"codekem {codekem.__version__}, {platform.python_implementation()}", end=" ")
    print(f"{platform.python_version()}, {platform.machine()}")
    print(f"back end {codekem.backend()} of {', '.join(codekem.backends())}")
    width = max(map(len, ["KEM", *names]))
    print(f"\n{'KEM':{width}}   KeyGen   Encaps   Decaps   (µs, median)")
    for name in names:
        times = speed(codekem.KEM(name), arguments.seconds)
        print(f"{name:{width}}" + "".join(f"{value:9.1f}" for value in times), flush=True)


if __name__ == "__main__":
    main()
