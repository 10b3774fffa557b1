# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make stale` names the records that are older than what they are about, and how to renew them."""

import types

import pytest

from tools import stale, stored_results


@pytest.fixture
def records(monkeypatch):
    """Two made-up rows, of which one is old, and a room that was deleted; no stored results."""
    rows = [{"name": "a", "date": "2026-01-01"}, {"name": "b", "date": "2026-01-02"}]
    record = types.SimpleNamespace(
        key=("name",), read=lambda: rows, is_old=lambda row: row["name"] == "a"
    )
    monkeypatch.setattr(stale, "RECORDS", {"tests.made_up": "do it", "nowhere.made_up": "never"})
    loaded = {"tests.made_up": types.SimpleNamespace(RECORD=record)}
    monkeypatch.setattr(stale.importlib, "import_module", loaded.__getitem__)
    monkeypatch.setattr(stored_results, "stale", list)
    monkeypatch.setattr(stale.artefacts, "make", lambda: True)
    return rows


def test_old_rows_are_named_with_the_command(records, capsys):
    with pytest.raises(SystemExit) as ended:
        stale.main()
    assert ended.value.code == 1
    assert capsys.readouterr().out == "stale: a: of 2026-01-01\n    make anew by: do it\n"


def test_nothing_old_is_said(records, capsys):
    del records[0]
    with pytest.raises(SystemExit) as ended:
        stale.main()
    assert ended.value.code == 0
    assert capsys.readouterr().out == "records of tests: all are about these sources\n"
