# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kinds of charts: the same rows in the page and in files."""

import json
import re

import pytest

from codekem_base import charts, charts_rates, drawing
from codekem_base.errors import EvaluationError
from codekem_base.model import Plot

DOTS = charts.Dots(
    "µs",
    (
        charts.Dot("A & B", "first_one", 2.0, 1.5, 3.0),
        charts.Dot("A & B", "second", 4.0, 4.0, 4.0, hollow=True),
        charts.Dot("C", "first_one", 8.0, 7.0, 9.0),
    ),
)
STACKS = charts.Stacks(
    "percent", {"x, y": {"a": 60.0, "b": 30.0, "c": 10.0}, "z": {"a": 100.0}}, ("a", "b")
)
LINES = charts.Lines(
    "r", "µs", {"up": [(2, 20.0), (1, 10.0, 9.0, 12.0)], "flat": [(1, 5.0)]}, x_values=(1, 2)
)
DESIGNS = charts.Designs(
    "LUT",
    "ms",
    {"ours": [charts.Point("p", 10.0, 1.0, 12.0, True)], "theirs": [charts.Point("q", 5.0, 9.0)]},
)
RATES = charts_rates.Rates(
    "r",
    (
        charts_rates.Rate("bgf", 9000, -8.0, -8.5, -7.5),
        charts_rates.Rate("bgf", 9100, None, None, -20.0),
        charts_rates.Rate("split", 9200, -60.0, -64.0, None),
    ),
    {"a line": ((9000, -8.0), (9200, -30.0))},
    ((9200, -128.0, "2^-128 claimed"),),
)
ALL = {"dots": DOTS, "stacks": STACKS, "lines": LINES, "designs": DESIGNS, "rates": RATES}


@pytest.fixture(params=ALL)
def plot(request):
    return Plot(f"plot-{request.param}", "A title, in [brackets]", ALL[request.param])


def test_page_has_every_row_and_can_be_read_as_json(plot):
    made = json.loads(json.dumps(plot.chart.described(), allow_nan=False))
    rows = made["spec"]["data"]["values"]
    assert len(rows) == {"dots": 3, "stacks": 6, "lines": 3, "designs": 2, "rates": 6}[plot.key[5:]]
    for column in (*made["choices"], *made["by"]):
        assert all(column in row for row in rows)
    used = re.findall(r'"field": "([^"]+)"', json.dumps(made["spec"]))
    assert used and all(field in rows[0] for field in used)


def test_drawings_are_the_same_each_time(plot):
    sketch = drawing.svg(plot.chart, drawing.STAND_INS)
    assert sketch == drawing.svg(plot.chart, drawing.STAND_INS)
    page, paper = drawing.in_page(sketch, plot.key), drawing.on_paper(sketch)
    assert "var(--ink)" in page and drawing.STAND_INS.ink not in page + paper
    assert "var(--" not in paper and drawing.ON_PAPER.ink in paper
    assert "width=" not in page.split(">")[0] and "viewBox=" in page.split(">")[0]
    assert drawing.pdf(plot.chart).startswith(b"%PDF")


def test_several_charts_are_one_file_of_the_kind_that_its_name_says(tmp_path):
    for kind, start in ((".svg", b"<svg"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        path = tmp_path / f"both{kind}"
        drawing.write(path, [RATES, LINES], ["first title", "second title"])
        assert path.read_bytes().startswith(start)
    text = (tmp_path / "both.svg").read_text()
    assert "first title" in text and "second title" in text and "bgf" in text and "flat" in text
    with pytest.raises(EvaluationError, match=r"none of \.svg, \.pdf, \.png"):
        drawing.write(tmp_path / "x.jpg", [LINES])


def test_marks_of_other_runs_and_assumed_clocks_are_hollow():
    for chart in (DOTS, DESIGNS):
        marks = chart.described()["spec"]["layer"][1]["encoding"]
        assert marks["fillOpacity"] == charts.HOLLOW and "fill" in marks
        assert [row["hollow"] for row in chart.described()["spec"]["data"]["values"]].count(True)


def boxes_of(names, width):
    return [(x, y - 6, x + 5.6 * len(name), y + 6) for x, y, name in charts.places(names, width)]


def test_names_beside_marks_stand_inside_and_apart():
    """Marks in a row, some with a line, so near to each other that names must give way."""
    marks = [(20.0 + 45 * i, 100.0 + i % 3, 30.0 + 45 * i, f"a name {i}") for i in range(12)]
    boxes = boxes_of(marks, 640)
    assert all(left >= 0 and right <= 640 for left, _, right, _ in boxes)
    taken = [*boxes, *((x - 6, y - 6, end + 6, y + 6) for x, y, end, _ in marks)]
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other in taken[:i] + taken[i + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (boxes[i], other)


def test_words_say_the_values(plot):
    words = {
        "dots": "A & B: first_one 2, second 4; C: first_one 8",
        "stacks": "x, y: a 60 %, b 30 %; z: a 100 %, b 0 %",
        "lines": "up: 10 at 1, 20 at 2; flat: 5 at 1",
        "designs": "p 10 (estimate) to 12 (raw) LUT and 1 ms at an assumed clock",
        "rates": "bgf: 2^-8.0 (2^-8.5 to 2^-7.5) at 9000, none failed: at most 2^-20.0 at 9100; "
        "split: 2^-60.0 (2^-64.0 to no upper end) at 9200; a line: 2^-8.0 at 9000, 2^-30.0 at "
        "9200; 2^-128 claimed at 9200",
    }[plot.key[5:]]
    assert words in plot.alternative


def test_names_stand_at_the_values_of_an_axis():
    chart = charts.Lines("day", "µs", {"a": [(1, 2.0), (2, 3.0)]}, x_values=(1, 2),
                         x_names=("first, 1", "last"))  # fmt: skip
    assert chart.words() == "a: 2 at first, 1, 3 at last"
    (label,) = {
        layer["encoding"]["x"]["axis"]["labelExpr"] for layer in chart.described()["spec"]["layer"]
    }
    assert label.startswith('[["first", "1"], ["last"]]')


def test_rest_of_a_stack_makes_it_whole():
    for bar in STACKS.bars:
        assert sum(share for name, _, share in STACKS.shares() if name == bar) == 100
