# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No branch and no address depends on a secret: valgrind and MemorySanitizer watch every KEM.

docs/security.md says what each check can and cannot see.
"""

import concurrent.futures
import subprocess

import pytest

from tests.checked_builds import BUILDS, build_checked
from tools import mistakes

OPERATIONS = ["keypair", "encaps", "decaps", "check"]
REPORTED = 99  # the exit status that the checkers are told to use
NO_BACKEND = 3  # that of the harness if the processor lacks the back end
TOOLS = {"valgrind": "valgrind", "msan": "MemorySanitizer"}  # in the table of what was checked


@pytest.fixture
def watch(need, root):
    """watch(checker, program, arguments...) runs a harness; returns status, output and reports.
    With first=True it ends at the first report, as MemorySanitizer always does."""
    suppressions = root / "tests" / "constant_time" / "valgrind.supp"

    def run(checker, program, *arguments, first=False):
        command = [program, *arguments]
        if checker == "valgrind":
            command = [
                need("valgrind"),
                "-q",
                f"--error-exitcode={REPORTED}",
                f"--suppressions={suppressions}",
                *["--exit-on-first-error=yes"] * first,
                *command,
            ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env={"MSAN_OPTIONS": f"exit_code={REPORTED}"},
        )
        return done.returncode, done.stdout, done.stderr

    return run


def operations_of(output):
    """Returns {KEM: operations} of what a harness printed, a line "KEM operation done" each."""
    found = {}
    for line in output.splitlines():
        kem, operation, _ = line.split()
        found.setdefault(kem, set()).add(operation)
    return found


def check_clean(result, names):
    """Returns what was found clean, as operations_of; each operation of each of these KEMs."""
    status, output, reports = result
    if status == NO_BACKEND:
        pytest.skip(reports.strip())
    assert status == 0, reports[-5000:]
    found = operations_of(output)
    assert found == {
        name: {"keypair", "encaps", "decaps", "decaps-rejected", "check", "check-refused"}
        for name in names
    }
    return found


@pytest.fixture
def kems(internals):
    """kems(aes=True) returns {name: whether it is superseded} of the KEMs of both libraries."""

    def names(aes=True):
        every = [*internals.kems(), *internals.legacy_kems()]
        return {kem.name: kem.superseded for kem in every if aes or "-aes" not in kem.name}

    return names


@pytest.fixture
def run_both(build, watch, checked, kems):
    """run_both(compiler, optimisation, "current" or "old") checks the KEMs of such versions with
    the two back ends that valgrind can run, side by side."""

    def run(compiler, optimisation, versions):
        program = build_checked(build, "valgrind", compiler, optimisation) / "bin" / "ct_harness"
        names = [name for name, old in kems().items() if old == (versions == "old")]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            results = {
                backend: pool.submit(watch, "valgrind", program, backend, "--kems", versions)
                for backend in ["portable", "avx2"]
            }
        for backend, result in results.items():
            clean = check_clean(result.result(), names)
            checked("valgrind", backend, compiler, optimisation, clean)

    return run


# Of `make test`; the others are the same code for other lengths, or draw and hash otherwise.
LEVEL_1 = ["BIKE-L1", "HQC-1"]


@pytest.mark.slow
@pytest.mark.parametrize("kem", LEVEL_1)
@pytest.mark.parametrize("backend", ["portable", "avx2"])
def test_valgrind_finds_nothing_at_level_1(kem, backend, build, watch, checked):
    program = build_checked(build, "valgrind", "gcc", "-O2") / "bin" / "ct_harness"
    clean = check_clean(watch("valgrind", program, backend, "--kem", kem), [kem])
    checked("valgrind", backend, "gcc", "-O2", clean)


@pytest.mark.parametrize("kem", LEVEL_1)
def test_memory_sanitizer_finds_nothing_at_level_1(kem, build, watch, checked):
    """With AVX-512, which valgrind cannot run."""
    program = build_checked(build, "msan", "clang-16", "-O2") / "bin" / "ct_harness"
    clean = check_clean(watch("msan", program, "avx512", "--kem", kem), [kem])
    checked("MemorySanitizer", "avx512", "clang-16", "-O2", clean)


@pytest.mark.long
@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_valgrind_finds_nothing(compiler, optimisation, run_both):
    run_both(compiler, optimisation, "current")


# The old versions differ in sampling and hashing alone.
@pytest.mark.long
@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_valgrind_finds_nothing_in_old_versions(compiler, optimisation, run_both):
    run_both(compiler, optimisation, "old")


@pytest.mark.long
@pytest.mark.parametrize("optimisation", ["-O2", "-O3"])
@pytest.mark.parametrize("backend", ["portable", "avx512"])
def test_memory_sanitizer_finds_nothing(backend, optimisation, build, watch, checked, kems):
    program = build_checked(build, "msan", "clang-16", optimisation) / "bin" / "ct_harness"
    clean = check_clean(watch("msan", program, backend), kems(aes=False))
    checked("MemorySanitizer", backend, "clang-16", optimisation, clean)


BATCH_OPERATIONS = [
    "keypair-batch",
    "encaps-batch",
    "decaps-batch",
    "encaps-batch-one-key",
    "decaps-batch-one-key",
]


def check_clean_batch(result):
    status, output, reports = result
    if status == NO_BACKEND:
        pytest.skip(reports.strip())
    assert status == 0, reports[-5000:]
    assert [line.split()[1] for line in output.splitlines()] == BATCH_OPERATIONS
    return operations_of(output)


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
@pytest.mark.parametrize(
    "checker, backend", [("valgrind", "portable"), ("valgrind", "avx2"), ("msan", "avx512")]
)
def test_batches_leak_nothing(checker, backend, kem, build, watch, checked):
    """Batches and single calls share their steps, so one KEM of each scheme shows the rest."""
    compiler = "gcc" if checker == "valgrind" else "clang-16"
    program = build_checked(build, checker, compiler, "-O2") / "bin" / "ct_harness"
    clean = check_clean_batch(
        watch(checker, program, backend, "--kem", kem, "--operation", "batch")
    )
    checked(TOOLS[checker], backend, compiler, "-O2", clean)


def check_mathematics(result):
    status, output, reports = result
    if status == NO_BACKEND:
        pytest.skip(reports.strip())
    assert status == 0, reports[-5000:]
    assert "matrices factored" in output
    return {"mceliece": ["mathematics"]}


@pytest.mark.parametrize("compiler, optimisation", BUILDS)
@pytest.mark.parametrize("backend", ["portable", "avx2"])
def test_valgrind_finds_nothing_in_mathematics(
    backend, compiler, optimisation, build, watch, checked
):
    program = build_checked(build, "valgrind", compiler, optimisation) / "bin" / "ct_mathematics"
    clean = check_mathematics(watch("valgrind", program, backend))
    checked("valgrind", backend, compiler, optimisation, clean)


@pytest.mark.parametrize("backend", [pytest.param("portable", marks=pytest.mark.long), "avx512"])
def test_memory_sanitizer_finds_nothing_in_mathematics(backend, build, watch, checked):
    program = build_checked(build, "msan", "clang-16", "-O2") / "bin" / "ct_mathematics"
    clean = check_mathematics(watch("msan", program, backend))
    checked("MemorySanitizer", backend, "clang-16", "-O2", clean)


# --- Tests of the tests: what leaks is reported ---------------------------------------------------


@pytest.mark.parametrize(
    "operation",
    [
        *[pytest.param(name, marks=pytest.mark.long) for name in OPERATIONS if name != "decaps"],
        *("decaps", "batch"),
    ],
)
@pytest.mark.parametrize("leak", mistakes.of("constant_time/leak"))
@pytest.mark.parametrize("checker", ["valgrind", "msan"])
def test_deliberate_leak_is_reported(checker, leak, operation, build, watch):
    compiler = "gcc" if checker == "valgrind" else "clang-16"
    program = build_checked(build, checker, compiler, "-O2") / "bin" / f"ct_harness_{leak}"
    status, _, reports = watch(
        checker, program, "portable", "--kem", "BIKE-L1", "--operation", operation, first=True
    )
    assert status == REPORTED, reports
    assert "leak.c" in reports  # the report is about the leak, not about something else


@pytest.mark.parametrize(
    "operation",
    [pytest.param(name, marks=[] if name == "decaps" else pytest.mark.long) for name in OPERATIONS],
)
@pytest.mark.parametrize("checker", ["valgrind", "msan"])
def test_reference_is_reported(checker, operation, build, watch):
    """The reference back end is not constant time, by design."""
    compiler = "gcc" if checker == "valgrind" else "clang-16"
    program = build_checked(build, checker, compiler, "-O2") / "bin" / "ct_harness"
    status, _, reports = watch(
        checker, program, "reference", "--kem", "BIKE-L1", "--operation", operation, first=True
    )
    assert status == REPORTED, reports


def test_harness_refuses_to_run_unwatched(build):
    program = build_checked(build, "valgrind", "gcc", "-O2") / "bin" / "ct_harness"
    done = subprocess.run([program, "portable"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "valgrind" in done.stderr
