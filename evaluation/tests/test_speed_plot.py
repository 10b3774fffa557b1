# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The picture in the README: drawn from a run, current, and in words what it shows."""

import copy
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from codekem_base import files
from codekem_base.errors import EvaluationError
from evaluation import speed_plot

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def kept():
    """The figures of the picture in the README."""
    return files.read_json(speed_plot.DATA)


@pytest.fixture
def run_with_peers(make_run):
    """run_with_peers(builds) returns a made-up run with AVX-512, which takes what AVX2 does, and
    with these builds of liboqs."""

    def make(builds=("dist", "portable")):
        run = make_run()
        sources = {"avx512": "avx2", **{f"liboqs-0.16.0-{build}": "liboqs" for build in builds}}
        for name, source in sources.items():
            kind = "peer" if name.startswith("liboqs") else "codekem"
            run["implementations"].append({"name": name, "kind": kind, "version": "1"})
            run["times"] += [
                {**cell, "implementation": name}
                for cell in run["times"]
                if cell["implementation"] == source
            ]
        return run

    return make


def texts(svg):
    return [
        "".join(element.itertext()).strip()
        for element in xml.etree.ElementTree.fromstring(svg).iter(f"{SVG}text")
    ]


def test_picture_is_that_of_the_stored_figures(kept):
    """Run evaluation/speed_plot.py if this fails."""
    svg = speed_plot.PICTURE.read_text(encoding="utf-8")
    assert speed_plot.fingerprint(kept) in svg
    assert speed_plot.alternative(kept) in svg
    changed = copy.deepcopy(kept)
    changed["rows"][0]["peer_us"][0] += 1
    assert speed_plot.fingerprint(changed) not in svg


def test_readme_shows_the_picture_and_no_figure_of_it_again(kept, root):
    text = " ".join((root / "README.md").read_text(encoding="utf-8").split())
    picture = f"![{speed_plot.alternative(kept)}](docs/speed/speed.svg)"
    before, after = text.split(picture)
    for row in kept["rows"]:
        for figure in [row["codekem_us"][0], row["peer_us"][0]]:
            words = speed_plot.in_words(figure)
            assert words in picture
            assert words not in before + after, row


def test_readme_says_what_avx2_takes_in_the_kept_times(root):
    """On the processor of the picture, in the last full measurement that is kept."""
    kept = (root / "docs" / "speed" / "history.jsonl").read_text(encoding="utf-8").splitlines()
    times = [line for line in map(json.loads, kept) if line["mode"] == "full"][-1]["microseconds"]
    text = " ".join((root / "README.md").read_text(encoding="utf-8").split())
    bike, hqc = (speed_plot.in_words(times[kem]["avx2"][0]) for kem in ["BIKE-L1", "HQC-1"])
    assert f"With AVX2 instead of AVX-512 it takes {bike} with BIKE-L1 and {hqc} with HQC-1" in text


def test_figures_are_those_of_the_run(run_with_peers):
    data = speed_plot.figures(run_with_peers())
    assert [(row["kem"], row["backend"], row["peer"]) for row in data["rows"]] == [
        ("BIKE-L1", "avx512", "liboqs-0.16.0-dist"),
        ("BIKE-L1", "portable", "liboqs-0.16.0-portable"),
        ("HQC-1", "portable", "liboqs-0.16.0-portable"),
        ("HQC-1", "avx512", "liboqs-0.16.0-dist"),
    ]
    bike = data["rows"][0]
    assert bike["codekem_us"][0] == pytest.approx(250, rel=0.03)  # 80 + 20 + 150
    assert bike["peer_us"][0] == pytest.approx(1250, rel=0.03)  # 400 + 50 + 800
    assert bike["ratio"][0] == pytest.approx(5, rel=0.03)
    for row in data["rows"]:
        for key in ("codekem_us", "peer_us", "ratio"):
            median, low, high = row[key]
            assert low <= median <= high


def test_like_is_set_beside_like(run_with_peers):
    """Without liboqs's code for VPCLMULQDQ there is no ratio for AVX-512; with it there is."""
    without = speed_plot.figures(run_with_peers())["rows"][0]
    assert not without["alike"] and "without VPCLMULQDQ" in without["code"]
    with_it = speed_plot.figures(run_with_peers(("dist", "portable", "vpclmul")))["rows"][0]
    assert with_it["alike"] and with_it["peer"] == "liboqs-0.16.0-vpclmul"


def test_picture_says_what_is_compared(run_with_peers):
    data = speed_plot.figures(run_with_peers())
    svg = speed_plot.picture(data)
    shown = " ".join(texts(svg))
    for row in data["rows"]:
        assert row["kem"] in shown and row["code"] in shown
        assert speed_plot.in_words(row["codekem_us"][0]) in shown
    for text in ("liboqs 0.16.0", "codekem", "Some Processor", "gcc 12", "logarithmic"):
        assert text in shown
    ratios = [text for text in texts(svg) if text.endswith("×")]
    assert len(ratios) == sum(row["alike"] for row in data["rows"]) == 2
    assert "prefers-color-scheme: dark" in svg and not re.search(r"#0[1-9]0[1-9]0[1-9]", svg)


@pytest.mark.parametrize(
    ("microseconds", "words"),
    [(49.73, "49.7 µs"), (105.2, "105 µs"), (999.4, "999 µs"), (1000, "1 ms"), (21420, "21.4 ms")],
)
def test_times_in_words(microseconds, words):
    assert speed_plot.in_words(microseconds) == words


def test_ratio_has_the_digits_that_its_interval_allows():
    assert speed_plot.times_as_fast([3.811, 3.78, 3.86]) == "3.8 ×"
    assert speed_plot.times_as_fast([3.811, 3.2, 4.4]) == "4 ×"


def test_run_without_liboqs_is_refused(make_run, root, stored, tmp_path):
    with pytest.raises(EvaluationError, match=r"liboqs\.sh"):
        speed_plot.figures(make_run())
    for arguments, message in [
        ([stored(make_run())], "speed_plot.py: error: the run has not"),
        (["--measure"], "belong together"),
        ([tmp_path], "cannot read"),
    ]:
        done = subprocess.run(
            [sys.executable, root / "evaluation" / "speed_plot.py", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0 and message in done.stderr
