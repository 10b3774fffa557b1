# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels of others: the list, the table of the trial, and the trial again."""

import collections
import os
import pathlib
import re

import pytest

from hls.tests import foreign

PEERS = os.environ.get("CODEKEM_HLS_PEERS", "")


def test_list():
    suites, listed = foreign.kernels()
    names = [foreign.name_of(kernel) for kernel in listed]
    assert len(set(names)) == len(names) == 80
    found = collections.Counter(kernel["suite"] for kernel in listed)
    assert found == {"MachSuite": 19, "CHStone": 20, "Dynamatic": 27, "PolyBench": 12, "Rosetta": 2}
    assert all(re.fullmatch("[0-9a-f]{40}", suite["revision"]) for suite in suites.values())


def test_table():
    """None is wrong, at least 68 are right, and each refusal has its line and what to do."""
    rows = foreign.stored()
    listed = foreign.kernels()[1]
    assert [foreign.key_of(row) for row in rows] == [foreign.key_of(one) for one in listed]
    results = collections.Counter(row["result"] for row in rows)
    assert set(results) <= {"right", "refused"} and results["right"] >= 68
    for row in rows:
        assert bool(row["cycles"]) == (row["result"] == "right")
        told = re.match(r"\S+\.(c|h|cpp):\d+: .*(; | declare | use | write )", row["message"])
        assert bool(told) == (row["result"] == "refused"), row["message"]


def test_table_in_docs(root):
    """`python -m hls.tests.foreign --table` prints it."""
    text = (root / "docs" / "results" / "hls.md").read_text(encoding="utf-8")
    assert not [line for line in foreign.table(foreign.stored()) if line not in text]


def test_control():
    """HQC's reference code, no line changed: each row is right, or says what the compiler lacks."""
    rows, (suites, listed) = foreign.stored("control"), foreign.kernels("control")
    assert set(suites) == {"HQC"}
    assert [foreign.key_of(row) for row in rows] == [foreign.key_of(one) for one in listed]
    assert {row["result"] for row in rows} == {"right", "refused"}
    assert all(row["lines changed"] == "0" for row in rows)
    assert all(bool(row["cycles"]) == (row["result"] == "right") for row in rows)


@pytest.mark.long
@pytest.mark.skipif(not PEERS, reason="CODEKEM_HLS_PEERS names no folder with the suites")
def test_trial(tmp_path):
    """The kernels that take few cycles, once more."""
    suites, listed = foreign.kernels()
    folder = pathlib.Path(PEERS)
    foreign.searched(folder, suites)
    stored = {foreign.key_of(row): row for row in foreign.stored()}
    for kernel in listed:
        row = stored[foreign.key_of(kernel)]
        if row["result"] == "refused" or int(row["cycles"].split()[0]) < 10_000:
            found = foreign.tried(kernel, folder, tmp_path)
            assert {key: str(value) for key, value in found.items()} == row
