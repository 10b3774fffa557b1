# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other libraries: builds evaluation/peers/rust with what the crate registry has, and samples them.

A peer that cannot be built is one Unavailable; the others go on.
"""

import os
import pathlib
import re
import shutil
import subprocess
import time

from codekem_evaluation import alike, machine, paths, sampler
from codekem_evaluation.errors import EvaluationError, Unavailable
from codekem_evaluation.kems import scheme_of
from codekem_evaluation.measure import Subject

OLDEST = {"liboqs": (1, 80), "rustcrypto": (1, 85)}  # the oldest Rust that builds each feature
NAMES = {
    "liboqs": "liboqs (BIKE, Classic McEliece, HQC, ML-KEM)",
    "rustcrypto": "RustCrypto hqc-kem",
}
MINUTES = 4  # that building may take
LEVELS = {"ML-KEM-512": 1, "ML-KEM-768": 3, "ML-KEM-1024": 5}
RUST = "install Rust (rustc and cargo, 1.85 or later) and run again"


def cargo_version():
    """Returns cargo's version as a pair; None if there is no cargo."""
    text = machine.output_of(["cargo", "--version"]) if shutil.which("cargo") else None
    found = re.match(r"cargo (\d+)\.(\d+)", text or "")
    return tuple(int(part) for part in found.groups()) if found else None


def features():
    """Returns (features that this Rust can build, what is missing)."""
    if not paths.PEERS.is_dir():  # the package is installed, and there is no checkout around it
        return [], [
            Unavailable(
                NAMES[name], f"there is no folder {paths.PEERS}", "run in a checkout of codekem"
            )
            for name in OLDEST
        ]
    version = cargo_version()
    if version is None:
        return [], [Unavailable(NAMES[name], "there is no cargo", RUST) for name in OLDEST]
    good = [name for name, oldest in OLDEST.items() if version >= oldest]
    return good, [
        Unavailable(NAMES[name], "Rust %d.%d is too old" % version, RUST)
        for name in OLDEST
        if name not in good
    ]


def cargo_build(names, folder, deadline):
    """Builds the program with these features; returns its path or raises Unavailable."""
    command = ["cargo", "build", "--release", "--locked", "--features", ",".join(names)]
    what = " and ".join(NAMES[name] for name in names)
    again = f"run '{' '.join(command)}' in {paths.PEERS} to see why"
    try:
        done = subprocess.run(
            command,
            cwd=paths.PEERS,
            timeout=max(1, deadline - time.monotonic()),
            env={**os.environ, "CARGO_TARGET_DIR": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(
            what,
            f"building took more than {MINUTES} minutes",
            "run again, it goes on where it stopped",
        ) from error
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if line.startswith("error")]
        raise Unavailable(what, (errors or ["it does not build"])[0], again)
    return pathlib.Path(folder) / "release" / "codekem-peers"


def build(folder=paths.PEERS_BUILD):
    """Returns (path of the program or None, what is missing). Tries each alone if not all build."""
    names, missing = features()
    deadline = time.monotonic() + 60 * MINUTES
    try:
        if names:
            return cargo_build(names, folder, deadline), missing
    except Unavailable:
        pass  # the next lines find out which of them failed
    good = []
    for name in names:
        try:
            cargo_build([name], folder, deadline)
            good.append(name)
        except Unavailable as error:
            missing = [*missing, error]
    if not good:
        return None, missing
    try:
        return cargo_build(good, folder, deadline), missing
    except Unavailable as error:
        return None, [*missing, error]


def subjects(program, run):
    """Adds the peers' KEMs and implementations to a run; returns the subjects to sample."""
    found = []
    for row in sampler.call([program, "list"], "peers", "build again with 'make evaluate'"):
        library, kem = row["library"], row["kem"]
        if kem not in {known["name"] for known in run["kems"]}:
            run["kems"].append(
                {
                    "name": kem,
                    "scheme": "ML-KEM",
                    "level": LEVELS[kem],
                    "version": "FIPS 203",
                    "legacy": False,
                    **{key: row[key] for key in row if key.endswith("_bytes")},
                }
            )
        known = next((i for i in run["implementations"] if i["name"] == library), None)
        if known is None:
            known = {"name": library, "kind": "peer", "version": row["version"]}
            run["implementations"].append(known)
        add_note(known, f"{scheme_of(kem)} is {row['note']}" if row["note"] else "")
        found.append(
            Subject(
                kem,
                library,
                lambda milliseconds, most, library=library, kem=kem: sampler.call(
                    [program, "times", library, kem, milliseconds, most],
                    f"{kem} of {library}",
                    "run again",
                ),
            )
        )
    return found


def add_note(implementation, note):
    """Adds what a reader must know of one scheme of a peer, once: "HQC is ...; BIKE is ..."."""
    notes = [each for each in implementation.get("note", "").split("; ") if each]
    if note and note not in notes:
        implementation["note"] = "; ".join([*notes, note])


def check_pairs(pairs):
    """Returns (NAME, KEM, LIBRARY.so, CODE or None) of each NAME:KEM=LIBRARY.so[@CODE], before
    anything is built."""
    found = []
    for pair in pairs:
        parts = re.fullmatch(r"([^:/]+):([^=]+)=(.+?)(?:@([\w-]+))?", pair)
        if parts is None:
            raise EvaluationError(
                f"--peer {pair}: write NAME:KEM=LIBRARY, as in bike-kem:BIKE-L1=./libbike_L1.so"
            )
        if parts.group(4) not in (None, *alike.CODES):
            raise EvaluationError(
                f"--peer {pair}: after @ stands what instructions the library uses: "
                f"{' or '.join(alike.CODES)}"
            )
        if not pathlib.Path(parts.group(3)).is_file():
            raise EvaluationError(f"--peer {pair}: there is no {parts.group(3)}")
        found.append(parts.groups())
    return found


def check_kems(pairs, run):
    """Says before the peers are built if --peer names a KEM that codekem lacks."""
    kems = [kem["name"] for kem in run["kems"]]
    for pair, (_, kem, *_) in zip(pairs, check_pairs(pairs), strict=True):
        if kem not in kems:
            raise EvaluationError(
                f"--peer {pair}: codekem has no {kem} to set beside it; it has {', '.join(kems)}"
            )


def shared_libraries(program, run, pairs):
    """Returns subjects for NAME:KEM=LIBRARY.so, libraries with the functions of NIST's API."""
    found = []
    check_kems(pairs, run)
    for name, kem, path, code in check_pairs(pairs):
        known = next((i for i in run["implementations"] if i["name"] == name), None)
        if known is None:
            known = {"name": name, "kind": "peer", "version": "given with --peer"}
            run["implementations"].append(known)
        if code is not None:
            known.setdefault("code", {})[kem] = code
        library = str(pathlib.Path(path).resolve())
        found.append(
            Subject(
                kem,
                name,
                lambda milliseconds, most, kem=kem, library=library: program.times(
                    kem, library, milliseconds, most
                ),
            )
        )
    return found
