# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times of SOFIA, as the command `codekem speed` measures them: every back end in each round."""

import pathlib

from codekem_evaluation import sampler

SCHEME = "SOFIA-4-128"
OPERATIONS = ("keygen", "sign", "verify")
SECONDS = {"quick": 0.02, "full": 0.1}  # of one operation in one round, and at least three calls


def backends(run):
    """Returns the back ends that are measured: not the reference, which takes a hundred times as
    long."""
    return [
        implementation["name"]
        for implementation in run["implementations"]
        if implementation["kind"] == "codekem" and implementation["name"] != "reference"
    ]


def measure(build, backend, seconds):
    """Returns {operation: result} of one round on one back end."""
    document = sampler.call(
        [
            pathlib.Path(build) / "bin" / "codekem",
            *["speed", "--json", "--kem", SCHEME, "--backend", backend],
            *["--seconds", seconds],
        ],
        SCHEME,
        "build with CODEKEM_BUILD_SOFIA=ON, as 'make evaluate' does",
    )
    return {row["operation"]: row for row in document["results"]}


def take(run, build, progress):
    """Fills run["signatures"]: for each back end and operation the medians of all rounds."""
    rounds, names = run["settings"]["rounds"], backends(run)
    cells = {
        (name, operation): {
            "scheme": SCHEME,
            "implementation": name,
            "operation": operation,
            "nanoseconds": [],
            "cycles": None if run["clock"]["cycles"] is None else [],
        }
        for name in names
        for operation in OPERATIONS
    }
    for number in range(rounds):
        progress(number, rounds, f"{SCHEME}: round {number + 1} of {rounds}")
        for name in names if number % 2 == 0 else names[::-1]:
            for operation, found in measure(build, name, SECONDS[run["mode"]]).items():
                cell = cells[name, operation]
                cell["nanoseconds"].append([found["median_us"] * 1000])
                if cell["cycles"] is not None:
                    cell["cycles"].append([found["median_cycles"]])
    run["signatures"] = list(cells.values())
    progress(rounds, rounds, f"{SCHEME} measured")
