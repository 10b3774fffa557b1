# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the laboratory adds to the report: sections, the answer to a question, traces."""

import json
import re

import pytest

from codekem_base.errors import EvaluationError
from codekem_base.model import Answer
from codekem_lab import campaigns, dfr_campaign, paths, tables_dfr


def campaign_with(points):
    """Returns a campaign of decodings as `codekem-lab` stores it."""
    return {
        "schema": "codekem-dfr/1",
        "created": "2026-01-02T03:04:05Z",
        "kem": "BIKE-L1",
        "specification": {
            "r": 12323,
            "d": 71,
            "t": 134,
            "iterations": 5,
            "threshold_constant": 13.5,
            "threshold_slope": 0.0069,
            "threshold_minimum": 36,
        },
        "settings": {
            "seed": "0" * 64,
            "batch": 1000,
            "decodings": 100000,
            "failures": None,
            "backend": "auto",
        },
        "source": {},
        "complete": True,
        "points": [
            {
                "level": 1,
                "r": r,
                "t": 134,
                "class": keys,
                "parameter": parameter,
                "threshold": None,
                "backend": "public",
                "seed": "0" * 64,
                "batches": 100,
                "decodings": 100000,
                "failures": failures,
                "failed": [],
                "seconds": 1.0,
                "finished": True,
                "waiting": {},
            }
            for r, keys, parameter, failures in points
        ],
    }


def test_campaigns_of_decodings_are_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "KEPT", tmp_path / "none")
    assert "codekem-lab" in tables_dfr.section(tmp_path).sentences[0]
    (tmp_path / "dfr-BIKE-L1.json").write_text(
        json.dumps(
            campaign_with(
                [
                    (9803, "random", 0, 6000),
                    (9851, "random", 0, 2000),
                    (9901, "random", 0, 500),
                    (12323, "random", 0, 0),
                    (9851, "multiplicity", 20, 9000),
                ]
            )
        )
    )
    (tmp_path / "dfr-broken.json").write_text("{")
    section = tables_dfr.section(tmp_path)
    (table,) = section.tables
    assert len(table.rows) == 5
    assert [row[5].why for row in table.rows].count("no failure was seen") == 1
    assert any("dfr-broken.json" in sentence for sentence in section.sentences)
    assert any("The line through the last" in note for note in table.notes)
    seen, far, weak = (plot.chart.words() for plot in section.plots)
    assert "at 9803" in seen and "claimed" not in seen
    assert "claimed: 2^-128" in far and "random keys" in far and "none failed" in far
    assert "multiplicity" in weak and "at 20" in weak
    monkeypatch.setattr(paths, "RUNS", tmp_path)
    lines = tables_dfr.trace(table.rows[0][1].trace)
    assert any(line.startswith("decodings: 100000") for line in lines)
    for wrong in ("dfr/dfr-BIKE-L1/9", "dfr/none/0"):
        with pytest.raises(EvaluationError):
            tables_dfr.trace(wrong)


def test_campaigns_that_the_project_keeps_are_shown():
    kept = campaigns.kept(dfr_campaign)
    keys = {table.key for table in tables_dfr.section().tables}
    assert kept and keys >= {f"failures-{name.lower()}" for name in kept}


def test_the_answer_is_the_sentence_on_the_first_level():
    """At its own r, of the campaign that the project keeps."""
    first, *others = tables_dfr.section().sentences
    assert isinstance(first, Answer) and first.key == "failures"
    found = re.search(r"^BIKE-L1, BIKE-L1\..* the rate is at most 2\^-([\d.]+) with 95 %", first)
    assert found and float(found[1]) == pytest.approx(18.9, rel=0.02), first
    assert others and not any(isinstance(sentence, Answer) for sentence in others)
