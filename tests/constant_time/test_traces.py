# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The machine code as it is shipped takes the same path for different secrets, on every back end.

Each run is single-stepped: see tests/harness/path.c. It also covers AVX-512, which valgrind cannot
run.
"""

import platform
import subprocess
import sys

import pytest

from tests import watched
from tools import mistakes

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="traces not compared: that needs an x86-64 processor"
)

OPERATIONS = ["keypair", "encaps", "decaps", "check"]
LEAK = 1
SOFIA = "SOFIA-4-128"


# Rows of Classic McEliece by what is noted of them. encaps-random draws an error that needs one
# attempt: how many there are is public, and shows.
ROWS = {"encaps": "encaps-random", "rows": "rows-make"}


@pytest.fixture(scope="module")
def compare(build, root, tmp_path_factory):
    """compare(compiler, back end, subject, operation, words..., leak=None) returns status and
    messages."""
    tables = {}

    def run(compiler, backend, subject, operation, *words, leak=None):
        folder = build(compiler, targets=("path", "path_leaky"))
        program = folder / "bin" / ("path_leaky" if leak else "path")
        if program not in tables:
            tables[program] = tmp_path_factory.mktemp("table") / "operands"
            script = root / "tests" / "constant_time" / "memory_operands.py"
            with open(tables[program], "w", encoding="ascii") as table:
                subprocess.run([sys.executable, script, program], stdout=table, check=True)
        row = ROWS.get(operation, operation) if subject.startswith("mceliece") else operation
        lines = [f"operands {tables[program]}", *([f"leak {leak}"] if leak else [])]
        done = watched.run(program, backend, [*lines, " ".join([subject, row, *words])])
        return done.returncode, done.stdout + done.stderr

    return run


def check_agreement(result):
    status, messages = result
    if status == watched.NO_BACKEND:
        pytest.skip(messages.strip())
    assert status == 0, messages
    assert "agree" in messages


# Two runs of each; `make test-long` makes three, also with other KEMs, back ends and compilers.
@pytest.fixture
def check_path(compare, checked):
    """check_path(compiler, back end, subject, operation, ...) demands one path for all secrets."""

    def run(compiler, backend, subject, operation, *words):
        check_agreement(compare(compiler, backend, subject, operation, *words))
        if subject != SOFIA:
            checked("traces", backend, compiler, "-O3", {subject: [operation]})

    return run


@pytest.fixture
def check_leak(compare):
    """check_leak(subject, operation, leak) demands that the leak shows, with the fastest back end
    that runs here."""

    def run(subject, operation, leak):
        for backend in ["avx512", "avx2", "portable"]:
            status, messages = compare("gcc", backend, subject, operation, "short", leak=leak)
            if status != watched.NO_BACKEND:
                break
        assert status == LEAK, messages
        assert "leak: case" in messages

    return run


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(name, marks=pytest.mark.long if name in ("keypair", "decaps") else [])
        for name in OPERATIONS
    ],
)
def test_avx512_takes_one_path(operation, check_path):
    check_path("gcc", "avx512", "BIKE-L1", operation, "short")


def test_avx512_takes_one_path_in_hqc(check_path):
    check_path("gcc", "avx512", "HQC-1", "decaps", "fixed-key", "short")


# valgrind does not know their products, and MemorySanitizer nothing of the assembly beside them.
@pytest.mark.parametrize(
    "backend", ["avx2-vpclmul", pytest.param("avx2-gfni", marks=pytest.mark.long)]
)
def test_products_of_avx2_take_one_path(check_path, backend):
    check_path("gcc", backend, "HQC-1", "encaps", "short")


# HQC's key generation shows how many draws were rejected, so its key stays the same. AVX2 has fewer
# cases, because it takes more instructions, and because valgrind watches it, too.
CASES = {
    "avx2": [
        *[("BIKE-L1", operation) for operation in OPERATIONS],
        ("HQC-1", "decaps", "fixed-key"),
    ],
    "avx2-vpclmul": [
        *[("BIKE-L1", operation) for operation in ("encaps", "decaps")],
        ("BIKE-L5", "encaps"),
        ("HQC-1", "decaps", "fixed-key"),
        ("HQC-3", "encaps"),
        ("HQC-5", "encaps"),
    ],
    "avx2-gfni": [
        ("BIKE-L1", "encaps"),
        ("HQC-1", "decaps", "fixed-key"),
        ("HQC-3", "encaps"),
        ("HQC-5", "decaps", "fixed-key"),
    ],
    "avx512": [
        *[("BIKE-L1", operation) for operation in OPERATIONS],
        ("BIKE-L3", "decaps"),
        ("BIKE-L5", "decaps"),
        ("BIKE-L1-v4.2-sha3", "encaps"),
        ("HQC-1", "encaps"),
        ("HQC-1", "decaps", "fixed-key"),
        ("HQC-1", "check", "fixed-key"),
        ("HQC-5", "decaps", "fixed-key"),
    ],
}


@pytest.mark.long
@pytest.mark.parametrize(
    "backend, arguments",
    [
        pytest.param(backend, arguments, id="-".join([backend, *arguments[:2]]))
        for backend, cases in CASES.items()
        for arguments in cases
    ],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_vector_back_ends_take_one_path(compiler, backend, arguments, check_path):
    check_path(compiler, backend, *arguments)


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("BIKE-L1", "encaps"),
        ("BIKE-L1", "check"),
        ("HQC-1", "encaps"),
        ("HQC-1", "decaps", "fixed-key"),
    ],
    ids=lambda arguments: "-".join(arguments[:2]),
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_portable_takes_one_path(compiler, arguments, check_path):
    check_path(compiler, "portable", *arguments)


# --- SOFIA ----------------------------------------------------------------------------------------
# The rounds are all that signing does with secrets before its hash is known. The system is the same
# in all runs: it is public and addresses tables. Millions of steps: minutes each.


@pytest.mark.long
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("backend", ["avx2", "avx512"])
@pytest.mark.parametrize("operation", ["keypair", "rounds"])
def test_sofia_takes_one_path(operation, backend, compiler, check_path):
    check_path(compiler, backend, SOFIA, operation, "short")


@pytest.mark.long
def test_leak_in_sofia_changes_the_path(check_leak):
    check_leak(SOFIA, "rounds", "branch")


# --- Classic McEliece -----------------------------------------------------------------------------
# Each step takes microseconds: portable decapsulation takes seconds, a key a minute and more.
MCELIECE = "mceliece348864f"


@pytest.mark.parametrize("operation", ["encaps", pytest.param("decaps", marks=pytest.mark.long)])
def test_mceliece_takes_one_path(operation, check_path):
    check_path("gcc", "avx512", MCELIECE, operation, "short")


@pytest.mark.long
@pytest.mark.parametrize("operation", ["keypair", "expand", "rows"])
def test_keys_of_mceliece_take_one_path(operation, check_path):
    check_path("gcc", "avx512", MCELIECE, operation, "short")


@pytest.mark.long
@pytest.mark.parametrize("operation", ["encaps", "decaps"])
@pytest.mark.parametrize("name", [MCELIECE, "mceliece6960119pcf", "mceliece8192128f"])
@pytest.mark.parametrize("backend", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_larger_mceliece_takes_one_path(compiler, backend, name, operation, check_path):
    check_path(compiler, backend, name, operation)


# The rest of them is in keys (test_checkers.py).
@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(leak, id=name, marks=[] if name == "verdict" else pytest.mark.long)
        for name, leak in mistakes.of("constant_time/mceliece").items()
        if leak.by in ("encaps", "decaps")
    ],
)
def test_leak_in_mceliece_changes_the_path(leak, check_leak):
    check_leak(MCELIECE, leak.by, leak.name)


# --- Tests of the test ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operation, leak",
    [
        pytest.param(operation, leak, marks=[] if is_quick else pytest.mark.long)
        for operation in ("encaps", "check")
        for leak in mistakes.of("constant_time/leak")
        for is_quick in [(operation, leak) == ("check", "leak1")]
    ],
)
def test_deliberate_leak_changes_the_path(leak, operation, check_leak):
    check_leak("BIKE-L1", operation, leak)
