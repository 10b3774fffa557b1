# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package beside pqcrypto, pyca/cryptography, and the C calls of the same library."""

import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PEERS = {"pqcrypto": "pqcrypto==1.0.0", "pyca": "cryptography==50.0.2"}
# With AVX-512, and with less.
GOALS = {"pqcrypto": (">= 100", ">= 60"), "pyca": ("<= 0.6", "<= 0.9")}
COMMAND = ROOT / "build" / "default" / "bin" / "codekem"
ROUNDS = {True: (9, 0.004), False: (51, 0.02)}  # quick or not: rounds, seconds of an operation


def run(*command):
    """Runs a command; raises OSError with its last lines if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def environment(work):
    """Returns the Python of an environment below work with the package and its peers."""
    from bindings import pack_python

    staged = pack_python.stage(work / "python")
    run(sys.executable, "-m", "venv", work / "environment")
    python = work / "environment" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, *PEERS.values())
    run(*pip, "--force-reinstall", "--no-deps", staged)
    return python


def rows_of_peers(told):
    """Returns a row for each pair that alternate.py timed."""
    rows = []
    for name, pair in told["pairs"].items():
        pyca = name.endswith("768")
        peer = "pyca" if pyca else "pqcrypto"
        sums = zip(pair["ours_sums"], pair["peer_sums"], strict=True)
        ratios = [ours / theirs if pyca else theirs / ours for ours, theirs in sums]
        rows.append(
            {
                "package": "Python",
                "operation set": name.partition(",")[0],
                "ours_us": pair["ours"],
                "peer": f"{PEERS[peer].replace('==', ' ')}" + (", ML-KEM-768" if pyca else ""),
                "peer_us": pair["peer"],
                "ratio": statistics.median(ratios),
                "goal": GOALS[peer][told["backend"] != "avx512"],
                "note": f"back end {told['backend']}",
            }
        )
    return rows


def row_of_binding(python, rounds, seconds):
    """Returns what a call from Python costs more than the C call, in microseconds."""
    ours, theirs = [], []
    for _ in range(rounds):
        text = run(python, "-m", "codekem", "--seconds", seconds, "HQC-1")
        ours.append([float(value) for value in text.split()[-3:]])
        text = run(COMMAND, "speed", "--json", "--kem", "HQC-1", "--seconds", seconds)
        results = {one["operation"]: one["median_us"] for one in json.loads(text)["results"]}
        theirs.append([results[name] for name in ("keygen", "encaps", "decaps")])
    more = [(sum(a) - sum(b)) / 3 for a, b in zip(ours, theirs, strict=True)]
    medians = [
        [statistics.median(column) for column in zip(*side, strict=True)] for side in (ours, theirs)
    ]
    return {
        "package": "Python",
        "operation set": "HQC-1, each call",
        "ours_us": medians[0],
        "peer": "the C call",
        "peer_us": medians[1],
        "ratio": statistics.median(more),
        "goal": "<= 1",
        "note": "µs more for a call, not a ratio",
    }


def measure(work, quick):
    """Returns the rows of the Python package; work is a folder for the environment."""
    work.mkdir(parents=True, exist_ok=True)
    python = environment(work)
    rounds, seconds = ROUNDS[quick]
    rows = rows_of_peers(json.loads(run(python, HERE / "alternate.py", rounds, seconds)))
    if COMMAND.is_file():
        rows.append(row_of_binding(python, rounds, 5 * seconds))
    return rows
