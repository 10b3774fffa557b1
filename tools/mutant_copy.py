# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The copy of the sources in which tools/mutants.py plants mistakes, its builds and programs.

There are two: one in which all happens, and one that is kept clean, builds included, from which the
first is made anew after each mistake. So only what a mistake changes is compiled.
"""

import contextlib
import filecmp
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from tools import made

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
TREE, CLEAN = WORK / "tree", WORK / "clean"
RESULTS = "tests/mutants.json"
# Of what a change makes a run begin with new builds, and measure again what tests take.
TRIED = (
    "src/",
    "include/",
    "tests/",
    "proofs/",
    "devices/",
    "bindings/tests/",
    "cmake/",
    "CMake",
    "pytest.ini",
)
UNTRIED = ("tests/packaging/", RESULTS)
# A command may take so many times the processor time that it takes without a mistake, or so many
# seconds.
TIMES, SHORTEST_LIMIT = 5, 20

# Builds: preset and options, and the file names whose code only they have.
LIBRARIES = [
    f"codekem_{name}" for name in ("static", "legacy", "sofia", "mceliece", "hybrid", "masked")
]
WITH_VECTORS = {
    "CMAKE_C_FLAGS": "-msimd128",
    "CODEKEM_BUILD_LEGACY": "ON",
    "CODEKEM_LEGACY_AES": "OFF",
}
BUILDS = {
    "gcc": ("gcc", {}),
    "clang": ("clang", {}),
    "aarch64": ("aarch64", {}),
    "armv7": ("armv7", {}),
    "riscv64": ("riscv64", {}),
    "riscv64-zbc": ("riscv64-zbc", {}),
    "cortex-m4": ("cortex-m4", {"CODEKEM_BUILD_MCELIECE": "ON"}),
    "wasm32": ("wasm32", WITH_VECTORS),
}
OWN_BUILD = {
    "neon32": ["armv7"],
    "neon": ["aarch64", "armv7"],
    "neon64": ["aarch64"],
    "neon_sha3": ["aarch64"],
    "rvv": ["riscv64"],
    "zbc": ["riscv64-zbc"],
    "m4": ["cortex-m4"],
    "wasm": ["wasm32"],
}
# Back ends of a build for another processor, portable code first, and the unit tests that
# `make test` runs there, for what known answers do not find.
EMULATED = {
    "aarch64": ["portable", "neon", "neon-sha3"],
    "armv7": ["portable", "neon"],
    "riscv64": ["portable", "rvv"],
    "riscv64-zbc": ["zbc"],
}
EMULATED_UNITS = {
    "aarch64": ["test_ct", "test_decoder", "test_hqc", "test_keccak", "test_sampling"],
    "armv7": ["test_ct", "test_sampling"],
    "riscv64": ["test_decoder", "test_sampling"],
    "riscv64-zbc": [],
}
UNITS = sorted(path.stem for path in (ROOT / "tests" / "unit").glob("test_*.c"))


class CampaignError(Exception):
    """The campaign cannot go on; the message says why."""


# --- The copy -------------------------------------------------------------------------------------


def same(a, b):
    """Says whether two files are as one left the other: length and time."""
    a, b = a.lstat(), b.lstat()
    return (a.st_mode, a.st_size, a.st_mtime_ns) == (b.st_mode, b.st_size, b.st_mtime_ns)


def alike(a, b):
    """Says whether two files have the same bytes."""
    return filecmp.cmp(a, b, shallow=False)


def make_alike(source, target):
    """Makes a folder like another one, times included."""
    target.mkdir(parents=True, exist_ok=True)
    wanted = {entry.name: pathlib.Path(entry.path) for entry in os.scandir(source)}
    for entry in os.scandir(target):
        path = pathlib.Path(entry.path)
        kept = wanted.get(entry.name)
        if kept is None or kept.is_symlink() or path.is_symlink() or kept.is_dir() != path.is_dir():
            shutil.rmtree(path) if entry.is_dir(follow_symlinks=False) else path.unlink()
    for name, path in wanted.items():
        if path.is_dir() and not path.is_symlink():
            make_alike(path, target / name)
        elif not (target / name).exists() or not same(path, target / name):
            shutil.copy2(path, target / name, follow_symlinks=False)


def tracked():
    """Returns the files of the project, as they are."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return [name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def prepare():
    """Makes the copy with its builds, or brings it up to date."""
    if CLEAN.exists():
        make_alike(CLEAN, TREE)
    changed = False
    for name in tracked():
        path = TREE / name
        if not path.exists() or path.read_bytes() != (ROOT / name).read_bytes():
            changed = changed or (name.startswith(TRIED) and not name.startswith(UNTRIED))
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, path)
    folders = [CLEAN / folder_of(name).relative_to(TREE) for name in BUILDS]
    if changed or not all(folder.exists() for folder in folders):
        (WORK / "baseline.json").unlink(missing_ok=True)
        for name in BUILDS:
            say(f"building {name}")
            build(name, configure=True)
            if programs_of(name):
                run(["ninja", *programs_of(name)], cwd=folder_of(name), must=True)
        make_alike(TREE, CLEAN)


# --- Running --------------------------------------------------------------------------------------


def say(text, end="\n"):
    print(text, end=end, file=sys.stderr, flush=True)


def run(command, cwd=TREE, limit=None, must=False):
    """Runs a command; returns its status, what it printed, and its processor time.

    limit: of processor time, for each process of it, in seconds.
    """

    def prepare_child():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    environment = os.environ | {"PYTHONPATH": str(TREE), "PYTHONDONTWRITEBYTECODE": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=prepare_child,
            start_new_session=True,
        )
        try:
            status = process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # nothing of it stays behind
        output.seek(0)
        text = output.read().decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if must and status != 0:
        raise CampaignError(f"{' '.join(map(str, command))} failed:\n{text[-3000:]}")
    return status, text, seconds


def make(paths, preset, stage):
    """Makes what tests in paths need in the copy, with one preset and gcc, or all; what cannot be
    made fails the tests."""
    command = [sys.executable, "tools/made.py", *paths, *(["--long"] if stage == "long" else [])]
    for one in dict.fromkeys([preset, "gcc"]) if preset else [None]:
        run([*command, "--build", one] if one else command)


def folder_of(name):
    """Returns where a build is, which is where the tests look for it (tests/fixtures.py)."""
    return made.folder_of(*BUILDS[name], TREE / "build")


def libraries_of(name):
    """Returns what is compiled of src/ in a build."""
    only = {"wasm32": LIBRARIES[:2], "cortex-m4": ["codekem_static", "codekem_mceliece"]}
    return only.get(name, LIBRARIES)


def programs_of(name):
    """Returns the C programs that a build runs in the first stage."""
    checks = ["kat_check", "mceliece_check", "sofia_check"]
    if name == "gcc":
        return checks + UNITS
    return checks + EMULATED_UNITS[name] if name in EMULATED else []


def build(name, configure=False):
    """Compiles the libraries of a build; returns whether all compiled."""
    preset, options = BUILDS[name]
    if configure:
        words = [f"-D{key}={value}" for key, value in options.items()]
        run(["cmake", "--preset", preset, "-B", folder_of(name), "-S", TREE, *words], must=True)
    return run(["ninja", *libraries_of(name)], cwd=folder_of(name), must=configure)[0] == 0


def changed_files(name, pattern):
    """Returns the files of a build that are not what they are without the mistake."""
    found = []
    for path in filter(pathlib.Path.is_file, folder_of(name).rglob(pattern)):
        clean = CLEAN / path.relative_to(TREE)
        if not clean.exists() or not (same(path, clean) or alike(path, clean)):
            found.append(path)
    return found
