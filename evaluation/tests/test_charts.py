# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kinds of charts: the same rows in the page, in files and in LaTeX."""

import json
import re

import pytest

from codekem_base import charts, charts_rates
from codekem_base.model import Plot
from codekem_evaluation import charts_page, charts_pgf, plots

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
    made = json.loads(json.dumps(charts_page.described(plot.chart), allow_nan=False))
    rows = made["spec"]["data"]["values"]
    assert len(rows) == {"dots": 3, "stacks": 6, "lines": 3, "designs": 2, "rates": 6}[plot.key[5:]]
    for column in (*made["choices"], *made["by"]):
        assert all(column in row for row in rows)
    used = re.findall(r'"field": "([^"]+)"', json.dumps(made["spec"]))
    assert used and all(field in rows[0] for field in used)


def test_files_are_the_same_each_time(plot):
    drawing, document = plots.svg_file(plot), plots.pdf_file(plot)
    assert drawing == plots.svg_file(plot)
    assert "var(--" not in drawing and "#010203" not in drawing
    assert document == plots.pdf_file(plot)
    assert document.startswith(b"%PDF")
    assert "var(--ink)" in plots.svg(plot)


def test_latex_is_balanced_and_has_every_series(plot):
    text = charts_pgf.picture(plot)
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    body = re.sub(r"\\[%&$#_{}]", "", "\n".join(lines))
    assert body.count("{") == body.count("}") and body.count("[") == body.count("]")
    count = {"dots": 2, "stacks": 3, "lines": 2, "designs": 2, "rates": 5}[plot.key[5:]]
    assert body.count(r"\addplot") == body.count(r"\addlegendentry") == count
    assert not re.search(r"(?<!\\)[&#_]", "\n".join(lines))
    assert r"\begin{axis}" in text and r"\end{axis}" in text


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
    assert "{first, 1}, {last}" in charts_pgf.picture(Plot("plot-x", "X", chart))
    assert '[\\"first, 1\\", \\"last\\"]' in json.dumps(charts_page.described(chart)["spec"])


def test_rest_of_a_stack_makes_it_whole():
    for bar in STACKS.bars:
        assert sum(share for name, _, share in STACKS.shares() if name == bar) == 100
