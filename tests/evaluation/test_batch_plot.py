# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The picture of batches: current, and in words what it shows."""

import copy
import importlib.util
import sys

import pytest

from codekem_evaluation import store


@pytest.fixture(scope="module")
def batch_plot(root):
    sys.path.insert(0, str(root / "evaluation"))  # it takes its style from speed_plot.py
    try:
        spec = importlib.util.spec_from_file_location(
            "batch_plot", root / "evaluation" / "batch_plot.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def test_picture_is_that_of_the_stored_figures(batch_plot, root):
    """Run evaluation/batch_plot.py if this fails."""
    kept = store.read_json(batch_plot.DATA)
    svg = batch_plot.PICTURE.read_text(encoding="utf-8")
    assert batch_plot.fingerprint(kept) in svg
    words = batch_plot.alternative(kept)
    assert f"<title>{words}</title>" in svg
    assert f"![{words}](speed/batch.svg)" in (root / "docs" / "performance.md").read_text()
    changed = copy.deepcopy(kept)
    changed["curves"]["BIKE-L1 keygen"][0]["ratio"] += 0.01
    assert batch_plot.fingerprint(changed) not in svg


def test_every_curve_has_every_size(batch_plot):
    kept = store.read_json(batch_plot.DATA)
    assert len(kept["curves"]) == len(batch_plot.CURVES)
    for points in kept["curves"].values():
        assert [point["batch"] for point in points] == batch_plot.SIZES
        for point in points:
            low, high = point["quartiles"]
            assert 0 < low <= point["ratio"] <= high and point["samples"] >= 3
