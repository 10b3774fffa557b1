# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The picture of batches: current, and in words what it shows."""

import copy

from codekem_base import files
from evaluation import batch_plot, speed_plot


def test_picture_is_that_of_the_stored_figures(root):
    """Run evaluation/batch_plot.py if this fails."""
    kept = files.read_json(batch_plot.DATA)
    svg = batch_plot.PICTURE.read_text(encoding="utf-8")
    assert speed_plot.fingerprint(kept) in svg
    words = batch_plot.alternative(kept)
    assert f"<title>{words}</title>" in svg
    assert f"![{words}](speed/batch.svg)" in (root / "docs" / "performance.md").read_text()
    changed = copy.deepcopy(kept)
    changed["curves"]["BIKE-L1 keygen"][0]["ratio"] += 0.01
    assert speed_plot.fingerprint(changed) not in svg


def test_every_curve_has_every_size():
    kept = files.read_json(batch_plot.DATA)
    assert len(kept["curves"]) == len(batch_plot.CURVES)
    for points in kept["curves"].values():
        assert [point["batch"] for point in points] == batch_plot.SIZES
        for point in points:
            low, high = point["interval"]
            assert 0 < low <= point["ratio"] <= high
            assert point["samples"] >= point["runs"] == batch_plot.REPEATS


def test_a_figure_is_the_median_of_runs_not_the_best_of_them(monkeypatch):
    """Run after run the ratio grows; no run is better behaved than another."""
    ratios = iter([1.0, 5.0, 2.0, 4.0, 3.0, 9.0] * len(batch_plot.SIZES))

    def speed(command, size, backend):
        ratio = next(ratios)
        results = [
            {"kem": kem, "operation": operation, "ratio": ratio, "samples": 7}
            for kem, operation in batch_plot.CURVES
        ]
        return {"machine": {"cpu": "x"}, "results": results}

    monkeypatch.setattr(batch_plot, "speed", speed)
    for points in batch_plot.measure("codekem", "avx2")["curves"].values():
        for point in points:
            assert (point["ratio"], point["interval"]) == (3.5, [1.0, 9.0])
            assert (point["runs"], point["samples"]) == (6, 42)
