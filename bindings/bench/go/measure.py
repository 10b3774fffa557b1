# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Go package beside crypto/mlkem, and its WebAssembly beside the portable C code."""

import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
MODULE = "github.com/codekem/codekem/bindings/go"
NEEDED = "Go 1.25 or later and gcc are needed"
ROUNDS = {True: 9, False: 51}  # quick or not
# A round lasts some milliseconds.
FAST, SLOW = "HQC-1 60", "HQC-1 6"


def run(*command, **options):
    """Runs a command and returns what it prints; raises OSError with its last lines if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    if done.returncode != 0:
        raise OSError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def programs(work):
    """Returns the paths of the program with cgo and of the one without."""
    from bindings import pack_go

    if shutil.which("go") is None:
        raise OSError(NEEDED)
    os.environ.setdefault("CODEKEM_ALLOW_DIRTY", "1")  # nothing is published
    pack_go.pack(work / "archives")
    module = work / "module"
    module.mkdir()
    shutil.copy(HERE / "main.go", module)
    proxy = run("go", "env", "GOPROXY").strip()
    environment = os.environ | {
        "GOPROXY": f"{(work / 'archives' / 'go').as_uri()},{proxy}",
        "GONOSUMDB": MODULE,
        "GOMODCACHE": str(work / "modules"),
        "GOFLAGS": "-mod=mod -modcacherw",
        "GOTOOLCHAIN": "local",
        # The command keeps lists of a module's files by its version, which stays the same here.
        "GODEBUG": "goindex=0",
    }
    try:
        run("go", "mod", "init", "example.org/measure", cwd=module, env=environment)
        run("go", "get", f"{MODULE}@latest", cwd=module, env=environment)
        for name, cgo in [("cgo", "1"), ("wazero", "0")]:
            run(
                *["go", "build", "-o", work / name, "."],
                cwd=module,
                env=environment | {"CGO_ENABLED": cgo},
            )
    except OSError as error:
        raise OSError(f"{NEEDED}: {error}") from error
    return work / "cgo", work / "wazero"


def measure(work, quick):
    """Returns the rows of the Go package; work is a folder for what is built."""
    from bindings.bench.timed_program import Program, compare

    cgo, wazero = programs(work)
    version = run("go", "env", "GOVERSION").strip()
    with (
        Program(cgo) as best,
        Program(wazero) as wasm,
        Program(cgo, env=os.environ | {"CODEKEM_CPU": "portable"}) as portable,
    ):
        pairs = [
            (
                *["Go, cgo", f"crypto/mlkem of {version}, ML-KEM-768", "<= 0.6", ""],
                lambda: best.time(FAST),
                lambda: best.time("ML-KEM-768 60"),
            ),
            (
                *["Go, wazero", "codekem, portable C", "<= 2", "WebAssembly with vectors"],
                lambda: wasm.time(SLOW),
                lambda: portable.time(SLOW),
            ),
        ]
        rows = []
        for package, peer, goal, note, ours, theirs in pairs:
            our_times, peer_times, ratio = compare(ours, theirs, ROUNDS[quick])
            rows.append(
                {
                    "package": package,
                    "operation set": "HQC-1",
                    "ours_us": our_times,
                    "peer": peer,
                    "peer_us": peer_times,
                    "ratio": ratio,
                    "goal": goal,
                    "note": note,
                }
            )
    return rows
