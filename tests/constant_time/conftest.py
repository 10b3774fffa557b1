# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checkers of constant time: valgrind and MemorySanitizer over programs of tests/harness."""

import itertools

import pytest

from tests import watched
from tests.checked_builds import build_checked

TOOLS = {"valgrind": "valgrind", "msan": "MemorySanitizer"}  # in the table of what was checked
COMPILERS = {"valgrind": "gcc", "msan": "clang-16"}  # of `make test`
ALTERED = {"decaps": "decaps-rejected", "check": "check-refused"}
SCHEMES = {"goppa": "mceliece", "SOFIA-4-128": "SOFIA"}  # in the same table


@pytest.fixture
def watch(build, need, root):
    """watch(checker, backend, lines, ...) runs rows; returns status, output and reports. With
    first=True it ends at the first report, as MemorySanitizer always does."""
    suppressions = root / "tests" / "constant_time" / "valgrind.supp"

    def run(checker, backend, lines, target="taint", built=None, first=False, keys=None):
        compiler, optimisation = built or (COMPILERS[checker], "-O2")
        folder = build_checked(build, checker, compiler, optimisation)
        before = []
        if checker == "valgrind":
            before = [need("valgrind"), "-q", f"--error-exitcode={watched.REPORTED}"]
            before += [f"--suppressions={suppressions}", *["--exit-on-first-error=yes"] * first]
        options = f"exit_code={watched.REPORTED}"
        done = watched.run(
            folder / "bin" / target, backend, lines, before, keys, MSAN_OPTIONS=options
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def clean(watch, checked):
    """clean(checker, backend, {subject: rows}, ...) demands that rows leak nothing, also on altered
    inputs, and notes what was checked: the rows, or the names of {name: rows}."""

    def run(checker, backend, subjects, built=None, keys=None, target="taint"):
        lines, expected = [], {}
        for subject, parts in subjects.items():
            rows = list(itertools.chain(*parts.values()) if isinstance(parts, dict) else parts)
            lines += [f"{subject} keys"] * (keys is not None) + watched.lines_of(subject, rows)
            expected[subject] = {*rows, *(ALTERED[row] for row in rows if row in ALTERED)}
        status, output, reports = watch(checker, backend, lines, target, built, keys=keys)
        if status == watched.NO_BACKEND:
            pytest.skip(reports.strip())
        assert status == 0, reports[-5000:]
        assert watched.operations_of(output) == expected
        noted = {
            SCHEMES.get(subject, subject): list(parts)
            if isinstance(parts, dict)
            else expected[subject]
            for subject, parts in subjects.items()
        }
        checked(TOOLS[checker], backend, *(built or (COMPILERS[checker], "-O2")), noted)

    return run
