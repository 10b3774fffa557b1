# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other libraries: builds evaluation/peers/rust with what the crate registry has, and samples them.

A peer that cannot be built is one Unavailable; the others go on.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

import psutil

from codekem_base.errors import EvaluationError, Unavailable
from codekem_evaluation import alike, machine, paths, sampler
from codekem_evaluation.kems import scheme_of
from codekem_evaluation.measure import Subject

OLDEST = {"liboqs": (1, 80), "rustcrypto": (1, 85)}  # the oldest Rust that builds each feature
NAMES = {
    "liboqs": "liboqs (BIKE, Classic McEliece, HQC, ML-KEM)",
    "rustcrypto": "RustCrypto hqc-kem",
}
MINUTES = 20  # of processor time that building may take, far more than it does
LOOK_SECONDS = 0.5  # between two looks at what cargo does
LEVELS = {"ML-KEM-512": 1, "ML-KEM-768": 3, "ML-KEM-1024": 5}
AGAIN = "make evaluate ARGS=--peers"
OF_LIBRARIES = "'codekem-evaluation peers' says what a library must have"
# Debian's packages of a Rust that is new enough; those of Debian 12 are there for its browsers.
DEBIAN = {"12": "rustc-web cargo-web", "13": "rustc cargo"}


def rust(file="/etc/os-release"):
    """Returns what to do for Rust on this system."""
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)', text, re.MULTILINE))
    packages = DEBIAN.get(found.get("VERSION_ID", "")) if found.get("ID") == "debian" else None
    how = f"apt-get install {packages}" if packages else "install rustc and cargo 1.85 or later"
    return f"{how}, then {AGAIN}"


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
        return [], [Unavailable(NAMES[name], "there is no cargo", rust()) for name in OLDEST]
    good = [name for name, oldest in OLDEST.items() if version >= oldest]
    return good, [
        Unavailable(NAMES[name], "Rust %d.%d is too old" % version, rust())
        for name in OLDEST
        if name not in good
    ]


def spent(process):
    """Returns the seconds of the processor that a process and what it started have taken."""
    total = 0.0
    with contextlib.suppress(psutil.Error):
        for each in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                times = each.cpu_times()
                total += times.user + times.system
                # Of children that have ended; those that go on are counted by themselves.
                total += times.children_user + times.children_system
    return total


def objects_in(folder):
    """Returns how many files of C a build has compiled: of liboqs, cargo prints nothing of it."""
    return sum(1 for _ in pathlib.Path(folder).glob("release/build/*/out/**/*.o"))


def followed(command, folder, seconds, say):
    """Runs cargo, says what it compiles, and ends it after so many seconds of the processor.
    Returns (its status, or None if it was ended, and its lines)."""
    lines = []
    process = subprocess.Popen(
        command,
        cwd=paths.PEERS,
        env={**os.environ, "CARGO_TARGET_DIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that its compilers end with it
    )
    reader = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
    reader.start()
    ended = False
    try:
        watched = psutil.Process(process.pid)
        while process.poll() is None and not ended:
            compiling = [line.split()[1] for line in lines if line.startswith("   Compiling ")]
            if compiling:
                count = objects_in(folder)
                of_c = f", {count} files of C" if count else ""
                say(f"building the peers: {compiling[-1]}{of_c}")
            ended = spent(watched) > seconds
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join()
    return None if ended else process.returncode, lines


def cargo_build(names, folder, say):
    """Builds the program with these features; returns its path or raises Unavailable."""
    command = ["cargo", "build", "--release", "--locked", "--features", ",".join(names)]
    what = " and ".join(NAMES[name] for name in names)
    status, lines = followed(command, folder, 60 * MINUTES, say)
    if status is None:
        raise Unavailable(
            what,
            f"building took more than {MINUTES:g} minutes of the processor",
            f"it goes on where it stopped: {AGAIN}",
        )
    if status != 0:
        errors = [line.strip() for line in lines if line.startswith("error")]
        again = f"run '{' '.join(command)}' in {paths.PEERS} to see why"
        raise Unavailable(what, (errors or ["it does not build"])[0], again)
    return program_in(folder)


def program_in(folder):
    return pathlib.Path(folder) / "release" / "codekem-peers"


def found(folder=paths.PEERS_BUILD, say=lambda text: None):
    """Does what build does if it was done before, because then it takes no time; else says how to
    have it done."""
    names, missing = features()
    if not names or program_in(folder).is_file():
        return build(folder, say)
    not_built = [Unavailable(NAMES[name], "not built yet", f"{AGAIN} (minutes)") for name in names]
    return None, [*missing, *not_built]


def build(folder=paths.PEERS_BUILD, say=lambda text: None):
    """Returns (path of the program or None, what is missing). Tries each alone if not all build;
    say(text) shows what is being compiled."""
    names, missing = features()
    try:
        if names:
            return cargo_build(names, folder, say), missing
    except Unavailable:
        pass  # the next lines find out which of them failed
    good = []
    for name in names:
        try:
            cargo_build([name], folder, say)
            good.append(name)
        except Unavailable as error:
            missing = [*missing, error]
    if not good:
        return None, missing
    try:
        return cargo_build(good, folder, say), missing
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
    """Returns (NAME, VERSION or None, KEM, LIBRARY.so, CODE or None) of each
    NAME[@VERSION]:KEM=LIBRARY.so[@CODE], before anything is built."""
    found = []
    for pair in pairs:
        parts = re.fullmatch(r"([^:/@]+)(?:@([^:]+))?:([^=]+)=(.+?)(?:@([\w-]+))?", pair)
        if parts is None:
            raise EvaluationError(
                f"--peer {pair}: write NAME:KEM=LIBRARY, as in bike-kem:BIKE-L1=./libbike_L1.so"
            )
        if parts.group(5) not in (None, *alike.CODES):
            raise EvaluationError(
                f"--peer {pair}: after @ name the instructions that the library uses: "
                f"{' or '.join(alike.CODES)}"
            )
        if not pathlib.Path(parts.group(4)).is_file():
            raise EvaluationError(f"--peer {pair}: there is no {parts.group(4)}")
        found.append(parts.groups())
    return found


def check_kems(pairs, run):
    """Says before the peers are built if --peer names a KEM that codekem lacks."""
    kems = [kem["name"] for kem in run["kems"]]
    for pair, (_, _, kem, *_) in zip(pairs, check_pairs(pairs), strict=True):
        if kem not in kems:
            raise EvaluationError(
                f"--peer {pair}: codekem has no {kem} to set beside it; it has {', '.join(kems)}"
            )


def shared_libraries(program, run, pairs):
    """Returns subjects for NAME:KEM=LIBRARY.so, libraries with the functions of NIST's API."""
    found = []
    check_kems(pairs, run)
    for name, version, kem, path, code in check_pairs(pairs):
        known = next((i for i in run["implementations"] if i["name"] == name), None)
        if known is None:
            known = {"name": name, "kind": "peer", "version": version or "version not given"}
            run["implementations"].append(known)
        elif version not in (None, known["version"]):
            raise EvaluationError(f"--peer: {name} is {known['version']} and {version}: name two")
        if code is not None:
            known.setdefault("code", {})[kem] = code
        library = str(pathlib.Path(path).resolve())
        found.append(
            Subject(
                kem,
                name,
                lambda milliseconds, most, name=name, kem=kem, library=library: program.times(
                    *(kem, library, milliseconds, most, f"{kem} of {name}, {library}", OF_LIBRARIES)
                ),
            )
        )
    return found
