# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crates beside hqc-kem, oqs and pqcrypto-hqc, TLS handshakes, the build and the archives."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

from bindings import pack_rust

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent

# (KEM or group, other crate): the goals with AVX-512, and with less; None: there is none.
GOALS = {
    ("HQC-1", "hqc-kem"): (">= 12", ">= 6"),
    ("HQC-3", "hqc-kem"): (">= 12", ">= 6"),
    ("HQC-5", "hqc-kem"): (">= 12", ">= 6"),
    ("HQC-1", "pqcrypto-hqc"): (">= 100", None),
    ("HQC-1", "oqs"): (">= 60", None),
    ("BIKE-L1", "oqs"): (">= 4", ">= 1.5"),
    ("BIKE-L5", "oqs"): (">= 4", ">= 1.5"),
    ("x25519_hqc1", "X25519"): ("<= 1.35", None),
    ("x25519_bikel1", "X25519"): ("<= 1.5", None),
}
MOST_SECONDS, MOST_KILOBYTES = 30, 300
ROUNDS = {True: ("5", "5"), False: ("15", "20")}  # quick or not: rounds, ms of an operation


def run(*command, cwd, **environment):
    """Runs a command; raises OSError with its last lines if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def programs(work, quick):
    """Builds codekem-beside with each set of other crates; returns the paths.

    oqs and pqcrypto-hqc define the same functions of C, so they cannot be in one program. Without
    oqs, which takes a minute to compile, if quick.
    """
    source = work / "beside"
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("*.py", "target", "__pycache__"))
    paths = []
    for features in ["hqc-kem,tls" if quick else "hqc-kem,tls,oqs", "pqcrypto"]:
        run(
            *["cargo", "build", "--quiet", "--release", "--locked", "--features", features],
            cwd=source,
            CARGO_TARGET_DIR=str(work / "target"),
        )
        path = work / f"beside-{len(paths)}"
        shutil.copy(work / "target" / "release" / "codekem-beside", path)
        paths.append(path)
    return paths


def row_of(pair, backend):
    """Returns the row of a pair that codekem-beside timed, None if it has no goal."""
    crate = pair["peer"].partition(" ")[0]
    goal = GOALS.get((pair["kem"], crate), (None, None))[backend != "avx512"]
    if goal is None:
        return None
    sides = [
        [statistics.median(column) for column in zip(*pair[side], strict=True)]
        for side in ("ours", "theirs")
    ]
    tls = crate == "X25519"
    ratios = [
        sum(ours) / sum(theirs) if tls else sum(theirs) / sum(ours)
        for ours, theirs in zip(pair["ours"], pair["theirs"], strict=True)
    ]
    note = f"back end {backend}"
    if tls:
        note = f"handshake in memory, {sides[0][0]:.0f} and {sides[1][0]:.0f} µs; {note}"
    elif crate in ("oqs", "pqcrypto-hqc") and pair["kem"].startswith("HQC"):
        note = f"theirs is of 2023; {note}"
    return {
        "package": "Rust",
        "operation set": pair["kem"],
        "ours_us": None if tls else sides[0],
        "peer": pair["peer"],
        "peer_us": None if tls else sides[1],
        "ratio": statistics.median(ratios),
        "goal": goal,
        "note": note,
    }


def row_of_size(what, peer, value, most, note):
    return {
        "package": "Rust",
        "operation set": what,
        "ours_us": None,
        "peer": peer,
        "peer_us": None,
        "ratio": round(value, 1),
        "goal": f"<= {most}",
        "note": note,
    }


def row_of_build(work):
    """Returns how long `codekem` takes to build with everything it needs, downloads apart."""
    run("cargo", "fetch", "--quiet", "--locked", cwd=work / "rust")
    start = time.monotonic()
    run(
        *["cargo", "build", "--quiet", "--release", "--locked", "--package", "codekem"],
        cwd=work / "rust",
        CARGO_TARGET_DIR=str(work / "cold"),
    )
    seconds = time.monotonic() - start
    return row_of_size("cold build", "", seconds, MOST_SECONDS, "seconds, not a ratio")


def measure(work, quick):
    """Returns the rows of the crates; work is an empty folder for what is built."""
    if pack_rust.cargo_version() < pack_rust.NEEDED:
        version = ".".join(map(str, pack_rust.NEEDED))
        raise OSError(f"the crates need cargo {version} or later: install it with rustup")
    pack_rust.stage(work / "rust")
    rows = [row_of_build(work)]
    os.environ.setdefault("CODEKEM_ALLOW_DIRTY", "1")  # nothing is published
    largest = max(path.stat().st_size for path in pack_rust.pack(work / "archives"))
    note = "kB of the largest, not a ratio"
    rows.append(row_of_size("archives", "", largest / 1000, MOST_KILOBYTES, note))
    told = []
    for path in programs(work, quick):
        first = json.loads(run(path, "times", *ROUNDS[quick], cwd=work))
        told.append(first)
        if first["backend"] == "avx512":  # and as on machines with less
            again = run(path, "times", *ROUNDS[quick], cwd=work, CODEKEM_CPU="avx2")
            told.append(json.loads(again))
    found = [row_of(pair, one["backend"]) for one in told for pair in one["pairs"]]
    return rows + [row for row in found if row is not None]
