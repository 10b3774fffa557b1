# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ratios: digits that their intervals allow, and none where they contradict the medians."""

import numpy
import pytest

from codekem_evaluation import ratios
from codekem_evaluation.statistics import Interval


@pytest.mark.parametrize(
    ("median", "low", "high", "text"),
    [
        (4.8321, 4.781, 4.889, "4.83 (4.78 to 4.89)"),
        (138.53, 137.26, 139.99, "139 (137 to 140)"),
        (15.67, 14.2, 18.9, "16 (14 to 19)"),
        (132.4, 101.0, 148.0, "130 (100 to 150)"),
        (0.60412, 0.60102, 0.60711, "0.604 (0.601 to 0.608)"),
        (1.0, 0.9, 1.1, "1.0 (0.9 to 1.1)"),
        (7.0, 7.0, 7.0, "7.00 (7.00 to 7.00)"),
        (1.0, 1.0, 1.0, "1"),
    ],
)
def test_digits_are_those_that_the_interval_allows(median, low, high, text):
    assert ratios.as_text(Interval(median, low, high, 0.95)) == text


def test_written_interval_holds_the_true_one():
    rng = numpy.random.default_rng(13)
    for _ in range(500):
        middle = float(rng.lognormal(2, 2))
        spread = middle * float(rng.uniform(1e-4, 0.3))
        interval = Interval(middle, middle - spread, middle + spread, 0.95)
        text = ratios.as_text(interval)
        low, high = (float(part) for part in text[text.index("(") + 1 : -1].split(" to "))
        assert low <= interval.low and interval.high <= high
        assert high - low <= 5 * (interval.high - interval.low) or len(text.split()[0]) <= 5
        assert low <= float(text.split()[0]) <= high


def test_a_steady_clock_gives_a_ratio_whatever_moves_both():
    rng = numpy.random.default_rng(13)
    drift = rng.uniform(0.7, 1.3, 11)
    base = [rng.normal(100 * d, 0.5, 50) for d in drift]
    other = [rng.normal(250 * d, 1, 50) for d in drift]
    ratio = ratios.paired(other, base)
    assert ratio.doubt is None
    assert ratio.interval.low <= 2.5 <= ratio.interval.high


def test_ratio_that_contradicts_the_medians_is_none():
    """The case of a busy machine: round by round 15.7, but the medians of the row give 21.4."""
    ratio = ratios.judged(Interval(15.67, 15.1, 16.2, 0.98), 21.4)
    assert ratio.doubt == ratios.MOVED
    assert ratio.cell("times/x").text == "at least 15.1"


@pytest.mark.parametrize(
    ("interval", "quotient", "bound"),
    [
        ((2.0, 1.61, 3.0), 2.0, "at least 1.6"),
        ((2.0, 1.61, 3.0), 1.2, "at least 1.2"),
        ((0.5, 0.3, 0.711), 0.5, "at most 0.72"),
        ((1.2, 0.9, 2.0), 1.2, None),
        ((1.5, 1.4, 1.6), 0.9, None),
    ],
)
def test_a_ratio_in_doubt_may_still_say_which_is_faster(interval, quotient, bound):
    ratio = ratios.judged(Interval(*interval, 0.98), quotient)
    assert ratio.doubt == ratios.MOVED and ratio.bound == bound
    cell = ratio.cell("times/x")
    assert cell.text == bound or (bound is None and cell.why.startswith("no ratio: the times"))


def test_wide_interval_gives_no_ratio():
    assert ratios.judged(Interval(15, 12, 19, 0.98), 15).doubt == ratios.MOVED
    assert ratios.judged(Interval(15, 12, 17.9, 0.98), 15).doubt is None


def test_too_few_rounds_give_no_ratio():
    base = [[1.0], [1.1], [0.9], [1.0]]
    other = [[2.0], [2.1], [1.9], [2.0]]
    assert ratios.paired(other, base).doubt == ratios.TOO_FEW
    assert ratios.paired(other + other, base + base).doubt is None


def test_printed_values_leave_their_rounding_open():
    ratio = ratios.of_printed(0.27, 0.05, 0.01)
    assert ratio.interval.low == pytest.approx(0.265 / 0.055)
    assert ratio.interval.high == pytest.approx(0.275 / 0.045)
    assert ratio.text == "5.4 (4.8 to 6.2)"
