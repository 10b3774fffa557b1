# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The picture in the README: drawn from a run, current, and in words what it shows."""

import copy
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


PEERS = (
    "bike-kem-all-gcc",
    "bike-kem-avx2-gcc",
    "liboqs-0.16.0-portable",
    "authors-avx2-gcc",
    "authors-avx2-clang",
    "authors-portable-gcc",
)


@pytest.fixture
def run_with_peers(make_run):
    """run_with_peers() returns a made-up run with AVX-512, which takes what AVX2 does, and with all
    peers of the picture; the one named `slow` takes twice as long."""

    def make(slow=None):
        run = make_run()
        for name in ("avx512", *PEERS):
            kind = "peer" if name in PEERS else "codekem"
            run["implementations"].append({"name": name, "kind": kind, "version": "1"})
            for cell in list(run["times"]):
                if cell["implementation"] == ("liboqs" if name in PEERS else "avx2"):
                    run["times"].append(twice(cell) if name == slow else cell)
                    run["times"][-1] = {**run["times"][-1], "implementation": name}
        return run

    return make


def twice(part):
    """Returns a part of a run with every number doubled."""
    if isinstance(part, dict):
        return {key: twice(value) for key, value in part.items()}
    if isinstance(part, list):
        return [twice(value) for value in part]
    return part if isinstance(part, str | bool) or part is None else 2 * part


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


def test_figures_are_those_of_the_run(run_with_peers):
    data = speed_plot.figures(run_with_peers())
    assert [(row["kem"], row["backend"], row["build"]) for row in data["rows"]] == [
        ("BIKE-L1", "avx512", "bike-kem-all-gcc"),
        ("BIKE-L1", "avx2", "bike-kem-avx2-gcc"),
        ("BIKE-L1", "portable", "liboqs-0.16.0-portable"),
        ("HQC-1", "avx512", "authors-avx2-gcc"),
        ("HQC-1", "avx2", "authors-avx2-gcc"),
        ("HQC-1", "portable", "authors-portable-gcc"),
    ]
    bike = data["rows"][0]
    assert bike["codekem_us"][0] == pytest.approx(250, rel=0.03)  # 80 + 20 + 150
    assert bike["peer_us"][0] == pytest.approx(1250, rel=0.03)  # 400 + 50 + 800
    assert bike["ratio"][0] == pytest.approx(5, rel=0.03)
    for row in data["rows"]:
        for key in ("codekem_us", "peer_us", "ratio"):
            median, low, high = row[key]
            assert low <= median <= high


def test_the_fastest_build_of_a_peer_is_shown(run_with_peers):
    for slow, shown in {"gcc": "clang", "clang": "gcc"}.items():
        data = speed_plot.figures(run_with_peers(f"authors-avx2-{slow}"))
        assert data["rows"][4]["build"] == f"authors-avx2-{shown}"


def test_vector_code_stands_beside_vector_code(run_with_peers):
    """Only our AVX-512 beside AVX2 is not of like with like, and has no ratio."""
    rows = speed_plot.figures(run_with_peers())["rows"]
    assert [row["backend"] for row in rows if not row["alike"]] == ["avx512"]
    for row in rows:
        assert ("portable" in row["build"]) == (row["backend"] == "portable")


def test_picture_says_what_is_compared(run_with_peers):
    data = speed_plot.figures(run_with_peers())
    svg = speed_plot.picture(data)
    shown = " ".join(texts(svg))
    for row in data["rows"]:
        assert row["kem"] in shown and row["code"] in shown
        assert speed_plot.in_words(row["codekem_us"][0]) in shown
        assert row["peer"] in shown
    for text in ("codekem", "Some Processor", "gcc 12", "logarithmic"):
        assert text in shown
    ratios = [text for text in texts(svg) if text.endswith("×")]
    assert len(ratios) == sum(row["alike"] for row in data["rows"]) == 5
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


def test_run_without_peers_is_refused(make_run, root, stored, tmp_path):
    with pytest.raises(EvaluationError, match=r"build\.py"):
        speed_plot.figures(make_run())
    for arguments, message in [
        ([stored(make_run())], "speed_plot.py: error: the run has no"),
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
