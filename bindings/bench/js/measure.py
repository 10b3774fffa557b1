# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package beside liboqs-js and noble-post-quantum, in Node.js; and its size."""

import gzip
import json
import pathlib
import shutil
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
LIBOQS, NOBLE = "@oqs/liboqs-js@0.15.1", "@noble/post-quantum@0.7.1"
ROUNDS = {True: (7, 0.005), False: (41, 0.02)}  # quick or not: rounds, seconds of an operation


def run(*command, cwd):
    """Runs a command; raises OSError with its last lines if it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise OSError(f"{command[0]} is missing: install Node.js 20 or newer, and npm")
    done = subprocess.run(
        [program, *map(str, command[1:])],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def row_of(name, pair, simd):
    """Returns the row of two sides that alternate.mjs timed."""
    noble = name == "ML-KEM-768"
    sums = [[sum(times) for times in pair[side]] for side in ("ours", "peer")]
    ratios = [a / b if noble else b / a for a, b in zip(*sums, strict=True)]
    medians = [
        [statistics.median(column) for column in zip(*pair[side], strict=True)]
        for side in ("ours", "peer")
    ]
    version = (NOBLE if noble else LIBOQS).rpartition("@")[2]
    return {
        "package": "JavaScript",
        "operation set": "HQC-1" if noble else name,
        "ours_us": medians[0],
        "peer": f"noble-post-quantum {version}, {name}" if noble else f"liboqs-js {version}",
        "peer_us": medians[1],
        "ratio": statistics.median(ratios),
        "goal": "<= 0.8" if noble else ">= 40",
        "note": ("with" if simd else "without") + " vectors",
    }


def row_of_size(work):
    """Returns what a page loads for all KEMs: bundled, minified, gzipped."""
    (work / "all.mjs").write_text('export * from "codekem";\n', encoding="ascii")
    command = ["npx", "--no-install", "esbuild", "all.mjs", "--bundle", "--minify", "--format=esm"]
    run(*command, "--outfile=all.out.mjs", "--log-level=warning", cwd=work)
    size = len(gzip.compress((work / "all.out.mjs").read_bytes(), 9))
    return {
        "package": "JavaScript",
        "operation set": "all six KEMs, size",
        "ours_us": None,
        "peer": "the goal",
        "peer_us": None,
        "ratio": size / 1000,
        "goal": "<= 30",
        "note": "kB gzipped, not a ratio",
    }


def measure(work, quick):
    """Returns the rows of the npm package; work is a folder for the environment."""
    from bindings import pack_js

    work.mkdir(parents=True, exist_ok=True)
    archive = pack_js.pack_archive(pack_js.stage(work / "stage"), work)
    tools = json.loads((ROOT / "bindings/js/package.json").read_text(encoding="utf-8"))
    esbuild = f"esbuild@{tools['devDependencies']['esbuild']}"
    (work / "package.json").write_text('{"private": true}', encoding="ascii")
    install = ["npm", "install", "--no-audit", "--no-fund", archive, LIBOQS, NOBLE, esbuild]
    run(*install, cwd=work)
    shutil.copy(HERE / "alternate.mjs", work)
    rounds, seconds = ROUNDS[quick]
    told = json.loads(run("node", "alternate.mjs", rounds, seconds, cwd=work))
    rows = [row_of(name, pair, told["simd"]) for name, pair in told["pairs"].items()]
    return [*rows, row_of_size(work)]
