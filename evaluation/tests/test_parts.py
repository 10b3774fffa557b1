# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What other packages offer is taken, and what cannot be imported is said."""

import sys
import types
from importlib.metadata import EntryPoint

import pytest

from codekem_base.errors import EvaluationError
from codekem_base.model import Section
from codekem_evaluation import cli, parts, reporting, tracing
from tests import rooms


@pytest.fixture
def offer(monkeypatch):
    """offer(...) makes these modules all that are offered."""

    def only(*names):
        points = [EntryPoint(name, f"{name}.part", parts.GROUP) for name in names]
        monkeypatch.setattr(parts.importlib.metadata, "entry_points", lambda group: points)
        parts.loaded.cache_clear()

    yield only
    parts.loaded.cache_clear()


def test_sections_and_traces_of_a_part_are_in_the_report(offer, make_run, monkeypatch):
    made = types.ModuleType("other.part")
    made.TRACES = {"other": lambda name: [f"{name}, found"]}
    made.sections = lambda: [Section("other", "Another question?")]
    monkeypatch.setitem(sys.modules, "other", types.ModuleType("other"))
    monkeypatch.setitem(sys.modules, "other.part", made)
    offer("other")
    report = reporting.make(make_run(), "run.json")
    assert [section.key for section in report.sections][-2:] == ["other", "sources"]
    assert tracing.trace({}, "run.json", "other/1") == ["other/1, found"]


def test_without_parts_the_report_says_nothing_of_them(offer, make_run):
    offer()
    report = reporting.make(make_run(), "run.json")
    assert not {"dfr", "lab"} & {section.key for section in report.sections}
    with pytest.raises(EvaluationError, match="nothing called dfr/BIKE-L1/0"):
        tracing.trace({}, "run.json", "dfr/BIKE-L1/0")


def test_a_part_that_cannot_be_imported_is_said(offer, make_run):
    """As of a folder that was deleted and not uninstalled."""
    offer("gone")
    (line,) = [line for line in reporting.make(make_run(), "").unavailable if "gone" in line]
    assert line == "gone: No module named 'gone'; install it again, or uninstall gone"


def test_the_laboratory_is_a_part():
    rooms.need_room("lab")
    keys = [section.key for section in parts.sections()]
    assert keys == ["dfr", "lab"] and not parts.problems()
    assert "dfr" in [group.name for group in cli.app.registered_groups]
    assert "decodings: " in "\n".join(tracing.trace({}, "run.json", "dfr/BIKE-L1/0"))
