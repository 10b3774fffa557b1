# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The places where implementations of Classic McEliece have leaked, each by name.

valgrind and MemorySanitizer watch with all secrets undefined. docs/mceliece.md has the list. Traces
of the same operations are in test_traces.py.
"""

import os
import subprocess

import pytest

from tests.checked_builds import build_checked
from tests.mceliece_library import NAMES, McEliece
from tools import mistakes

REPORTED = 99  # the exit status that the checkers are told to use
NO_BACKEND = 3
SMALL, PADDED = "mceliece348864f", "mceliece6960119pcf"

# Parts of mceliece_leaks.c, and what leaked elsewhere.
PARTS = {
    "keypair": "row operations that follow matrix bits, control bits that follow a permutation",
    "encaps": "sorted positions, zeros of the error that are skipped",
    "pieces": "the same, with a public key in pieces",
    "decaps": "weight and degree of the locator; the verdict",
    "prepared": "the same with a prepared key",
    "short_key": "the ordering of the field by a library's sort",
    "check": "comparison of a secret key",
    "derive": "support elements by table look-up",
    "rows": "rows of a secret matrix by its bits",
    "pages": "pivots and swaps of a secret matrix",
}


@pytest.fixture(scope="module")
def programs(build):
    """programs(checker, compiler, optimisation, target) is the path of a harness."""

    def made(checker, compiler="gcc", optimisation="-O2", target="mceliece_leaks"):
        targets = ("mceliece_leaks", "mceliece_leaks_leak")
        folder = build_checked(build, checker, compiler, optimisation, targets)
        return folder / "bin" / target

    return made


def watch(need, root, checker, program, *arguments, stop_early=False, keys=None):
    command = [program, *arguments]
    if checker == "valgrind":
        suppressions = root / "tests" / "constant_time" / "valgrind.supp"
        command = [
            need("valgrind"),
            "-q",
            f"--error-exitcode={REPORTED}",
            f"--suppressions={suppressions}",
            *["--exit-on-first-error=yes"] * stop_early,
            *command,
        ]
    with open(keys or os.devnull, "rb") as given:
        return subprocess.run(
            command,
            stdin=given,
            capture_output=True,
            text=True,
            check=False,
            env={"MSAN_OPTIONS": f"exit_code={REPORTED}"},
        )


def check_clean(done, part, *names):
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.splitlines() == [f"{name} {part} done" for name in names]


# With AVX2 all of them are quick.
PORTABLE = ["encaps", "decaps"]


@pytest.mark.parametrize(
    "part, backend",
    [
        pytest.param(part, backend, marks=[] if is_quick else pytest.mark.long)
        for part in PARTS
        for backend in ("portable", "avx2")
        for is_quick in [backend == "avx2" or part in PORTABLE]
    ],
)
def test_valgrind_finds_nothing(part, backend, programs, need, root, checked):
    program = programs("valgrind")
    check_clean(watch(need, root, "valgrind", program, backend, SMALL, part), part, SMALL)
    checked("valgrind", backend, "gcc", "-O2", {SMALL: [part]})


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("backend", ["portable", "avx2"])
@pytest.mark.parametrize(
    "compiler, optimisation",
    [("gcc", "-O3"), ("gcc", "-Os"), ("clang", "-O3"), ("clang-16", "-O2")],
)
def test_valgrind_finds_nothing_with_other_compilers(
    part, backend, compiler, optimisation, programs, need, root, checked
):
    program = programs("valgrind", compiler, optimisation)
    check_clean(watch(need, root, "valgrind", program, backend, PADDED, part), part, PADDED)
    checked("valgrind", backend, compiler, optimisation, {PADDED: [part]})


# --- Every set ------------------------------------------------------------------------------------
# Code may do something else where t is 96, 119 or 128.


@pytest.fixture(scope="module")
def mceliece(internals):
    return McEliece(internals)


@pytest.fixture(scope="module")
def keys(mceliece, tmp_path_factory):
    """A file with the keys of all sets, in the order of the library. Sets with confirmation of the
    plaintext have the keys of those without."""
    path, made = tmp_path_factory.mktemp("keys") / "keys", {}
    with path.open("wb") as file:
        for name in mceliece.names():
            one = name.replace("pc", "")
            if one not in made:
                made[one] = mceliece.keypair(mceliece.kem(one), bytes(32))
            file.writelines(made[one])
    return path


def test_every_set_of_the_library_is_here(mceliece):
    assert mceliece.names() == NAMES


@pytest.mark.parametrize("part", ["encaps", "decaps"])
@pytest.mark.parametrize("backend", [pytest.param("portable", marks=pytest.mark.long), "avx2"])
def test_valgrind_finds_nothing_in_any_set(part, backend, programs, need, root, keys, checked):
    done = watch(need, root, "valgrind", programs("valgrind"), backend, "all", part, keys=keys)
    check_clean(done, part, *NAMES)
    checked("valgrind", backend, "gcc", "-O2", {name: [part] for name in NAMES})


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["mceliece460896f", "mceliece6688128f", "mceliece6960119f", "mceliece8192128f"]
)
def test_valgrind_finds_nothing_in_keys_of_any_size(name, programs, need, root, checked):
    """Plain sets differ in how many attempts are made, those with confirmation in nothing."""
    done = watch(need, root, "valgrind", programs("valgrind"), "avx2", name, "keypair")
    check_clean(done, "keypair", name)
    checked("valgrind", "avx2", "gcc", "-O2", {name: ["keypair"]})


@pytest.mark.parametrize(
    "part, t",
    [
        *[("encaps", 119), ("decaps", 119), pytest.param("encaps", 96, marks=pytest.mark.long)],
        *[pytest.param("decaps", t, marks=pytest.mark.long) for t in (64, 96, 128)],
    ],
)
def test_leak_of_some_sets_is_reported(part, t, programs, need, root, keys):
    program = programs("valgrind", target="mceliece_leaks_leak")
    arguments = ("avx2", "all", part, f"t={t}")
    done = watch(need, root, "valgrind", program, *arguments, stop_early=True, keys=keys)
    assert done.returncode == REPORTED, done.stderr[-4000:]
    assert "wrap_codekem_mceliece_decode" in done.stderr or "find_repeat_of_t" in done.stderr


# --- AVX-512, which valgrind cannot run -----------------------------------------------------------
# MemorySanitizer does not follow carries: of the portable code, parts in which a comparison decides
# everything (the orders of keys that are sorted) would come out unmarked. valgrind follows them.
MSAN_PARTS = {
    "portable": ["encaps", "pieces", "decaps", "prepared", "derive", "rows"],
    "avx512": list(PARTS),
}


@pytest.mark.parametrize(
    "backend, part",
    [
        pytest.param(backend, part, marks=[] if backend == "avx512" else pytest.mark.long)
        for backend, parts in MSAN_PARTS.items()
        for part in parts
    ],
)
def test_memory_sanitizer_finds_nothing(backend, part, programs, need, root, checked):
    program = programs("msan", "clang-16")
    done = watch(need, root, "msan", program, backend, SMALL, part)
    if done.returncode == NO_BACKEND:
        pytest.skip(done.stderr.strip())
    check_clean(done, part, SMALL)
    checked("MemorySanitizer", backend, "clang-16", "-O2", {SMALL: [part]})


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "name", ["mceliece460896f", "mceliece6688128f", PADDED, "mceliece8192128f"]
)
def test_memory_sanitizer_finds_nothing_in_larger_sets(name, part, programs, need, root, checked):
    done = watch(need, root, "msan", programs("msan", "clang-16"), "avx512", name, part)
    if done.returncode == NO_BACKEND:
        pytest.skip(done.stderr.strip())
    check_clean(done, part, name)
    checked("MemorySanitizer", "avx512", "clang-16", "-O2", {name: [part]})


# --- Each leak, planted ---------------------------------------------------------------------------
# What MemorySanitizer loses: sorting in a library that is not instrumented, and carries.
LOST = ["sorted_positions", "verdict"]


# In `make test` MemorySanitizer finds the others, which is quicker.
@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(mistake, id=name, marks=[] if name in LOST else pytest.mark.long)
        for name, mistake in mistakes.of("constant_time/mceliece").items()
    ],
)
def test_valgrind_reports_planted(mistake, programs, need, root):
    program = programs("valgrind", target="mceliece_leaks_leak")
    arguments = ("portable", SMALL, mistake.by, mistake.name)
    done = watch(need, root, "valgrind", program, *arguments, stop_early=True)
    assert done.returncode == REPORTED, mistake.more["leaks"]


@pytest.mark.parametrize(
    "mistake",
    [case for case in mistakes.cases("constant_time/mceliece") if case.id not in LOST],
)
def test_memory_sanitizer_reports_planted(mistake, programs, need, root):
    program = programs("msan", "clang-16", target="mceliece_leaks_leak")
    done = watch(need, root, "msan", program, "portable", SMALL, mistake.by, mistake.name)
    assert done.returncode == REPORTED, mistake.more["leaks"]
