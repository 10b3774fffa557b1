# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tables of what was proved: from the record, of these sources, and no broader than it."""

import types

import pytest

from proofs import proof_record
from proofs import proof_table as table
from proofs.kernels.coverage import Entry, Kernel

FILE = "test_fields.py"
NAME = "test_a_map_is_that_of_the_specification[avx2-square-13-2-out-a]"
ENTRY = Entry(Kernel("gf2m_ops.square", "avx2"), (f"{FILE}: avx2-square-*",), None)
NOTE = {
    "file": f"kernels/{FILE}",
    "compiler": "clang 14.0.6",
    "proof": NAME,
    "kinds": ["quick"],
}


def rows_of(*notes):
    return proof_record.RECORD.merge([], notes, "2026-01-01")


@pytest.mark.parametrize("path", table.SECTIONS, ids=lambda path: path.name)
def test_page_has_the_tables(path):
    """Run proofs/proof_table.py if this fails; it says which proofs are of older sources."""
    page = path.read_text(encoding="utf-8")
    assert table.page_with_tables(path, proof_record.RECORD.read()) == page


def state(rows, *names):
    return table.state_of(ENTRY, table.passed(rows), [f"{FILE}::{name}" for name in names])


def test_a_proof_that_did_not_run_proves_nothing():
    assert state([], NAME) == "not run"
    assert state(rows_of(NOTE | {"proof": NAME.replace("avx2", "neon")}), NAME) == "not run"
    assert state(rows_of(NOTE), NAME) == "proved"


def test_a_function_is_proved_if_all_of_its_proofs_ran():
    longer = NAME.replace("13-2", "12-700")
    assert state(rows_of(NOTE), NAME, longer) == "1 of 2 proofs ran"
    assert state(rows_of(NOTE, NOTE | {"proof": longer}), NAME, longer) == "proved"


def test_older_sources_are_said_to_be_older():
    (row,) = rows_of(NOTE)
    old = row | {"sources": "0" * 16}
    assert state([old], NAME) == "of older sources"
    soundness = old | {"file": "soundness/test_hqc.py"}
    assert "of older sources" in table.soundness([soundness])[-1]
    assert "of older sources" not in table.soundness([row | {"file": "soundness/test_hqc.py"}])[-1]


def test_notes_are_of_proofs_that_passed():
    """Not of mistakes, which must be noticed, nor of other tests."""
    names = [
        f"proofs/kernels/{FILE}::{NAME}",
        f"proofs/kernels/{FILE}::test_a_changed_constant_is_found[x]",
        "tests/unit/test_units.py::test_unit[x]",
    ]
    reports = [
        types.SimpleNamespace(nodeid=name, when=when, keywords={"long": 1})
        for name in names
        for when in ("setup", "call")
    ]
    reporter = types.SimpleNamespace(stats={"passed": reports})
    (note,) = proof_record.notes(reporter)
    assert (note["proof"], note["kinds"]) == (NAME, ["long"])
    assert note["compiler"].startswith("clang ")
