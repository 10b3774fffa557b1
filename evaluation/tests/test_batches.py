# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Batches in the report: the stored figures, as shares of a single call."""

import json

import pytest

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_evaluation import batches, tracing


def test_the_section_shows_the_stored_figures():
    (section,) = batches.section()
    data = files.read_json(batches.FILE)
    (plot,), (table,) = section.plots, section.tables
    assert set(plot.chart.series) == set(data["curves"])
    point = data["curves"]["BIKE-L1 keygen"][-1]
    size, value, low, high = plot.chart.series["BIKE-L1 keygen"][-1]
    assert (size, value) == (point["batch"], 100 / point["ratio"])
    assert low <= value <= high
    assert len(table.rows) == sum(map(len, data["curves"].values()))
    assert f"In batches of {size}, " in section.sentences[0]
    lines = tracing.trace({}, "run.json", table.rows[0][2].trace)
    assert f"ratio: {data['curves']['BIKE-L1 keygen'][0]['ratio']}" in lines
    with pytest.raises(EvaluationError, match="there is no batches/x/1"):
        batches.trace("batches/x/1")


def test_no_file_is_no_section_and_a_broken_one_is_a_sentence(tmp_path):
    assert batches.section(tmp_path / "none.json") == []
    broken = tmp_path / "batch.json"
    for text in ("{", "{}", json.dumps({"curves": {"x": [{"batch": 1, "ratio": 1.0}]}})):
        broken.write_text(text)
        (section,) = batches.section(broken)
        assert not section.plots and "batch.json" in section.sentences[0]
