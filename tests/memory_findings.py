# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What memory prints, a program of tests/harness (memory.c)."""

import re

from tests import watched

LINE = re.compile(
    r"(?P<kem>\S+) (?P<operation>\S+) (?P<place>stack|workspace) stack=(?P<stack>\d+) "
    r"workspace=(?P<workspace>\d+) depth=(?P<depth>\d+) heap=(?P<heap>\d+) "
    r"residue=(?P<residue>\w+)$"
)
NUMBERS = ["stack", "workspace", "depth", "heap"]
PUBLIC = {"check-public", "check-ciphertext"}  # meet no secret and wipe nothing
SPARE_BYTES = 1024  # of what is wiped: for compilers that we do not have


def measure(folder, backend, subjects, *options, operations="all", before=()):
    """Measures subjects with the program in the folder of a build; before: what runs it. Returns a
    dict for each operation, and the bytes of stack that are wiped."""
    lines = [*options, *(f"{subject} {operations}" for subject in subjects)]
    done = watched.run(folder / "bin" / "memory", backend, lines, before)
    assert done.returncode == 0, done.stderr
    return findings_of(done.stdout)


def findings_of(text):
    """Returns a dict for each line, and the bytes of stack that are wiped."""
    first, *lines = text.splitlines()
    findings = []
    for line in lines:
        match = LINE.match(line)
        assert match, line
        finding = match.groupdict()
        findings.append(finding | {name: int(finding[name]) for name in NUMBERS})
    return findings, int(first.removeprefix("wiped "))


def check_residue(findings, wiped):
    """Nothing is left, and functions go less deep than what is wiped."""
    for finding in findings:
        assert finding["residue"] == "none", finding
        if finding["operation"] in PUBLIC:
            assert finding["depth"] == 0, finding
        else:
            assert 0 < finding["depth"] <= wiped - SPARE_BYTES, finding
