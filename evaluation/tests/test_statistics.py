# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known distributions through the statistics: estimates, coverage of the intervals, verdicts."""

import math

import numpy
import pytest

from codekem_evaluation import comparison, statistics

TRIALS = 1500
# Coverage is a binomial proportion: three standard deviations of it at 95 %.
SLACK = 3 * math.sqrt(0.05 * 0.95 / TRIALS)


@pytest.fixture
def rng():
    return numpy.random.default_rng(20260102)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, size: rng.normal(100, 5, size),
        lambda rng, size: 90 + rng.exponential(10, size),
        lambda rng, size: numpy.where(rng.random(size) < 0.9, rng.normal(100, 1, size), 400),
    ],
)
@pytest.mark.parametrize("count", [7, 11, 40])
def test_interval_covers_the_median_as_often_as_it_says(rng, draw, count):
    median = float(numpy.median(draw(rng, 400_000)))
    found = [statistics.interval(draw(rng, count)) for _ in range(TRIALS)]
    covered = sum(each.low <= median <= each.high for each in found) / TRIALS
    assert found[0].confidence >= 0.95
    assert covered >= found[0].confidence - SLACK
    assert covered <= found[0].confidence + SLACK


@pytest.mark.parametrize(
    ("count", "ranks"),
    [(1, (0, 0)), (5, (0, 4)), (6, (0, 5)), (9, (1, 7)), (40, (13, 26)), (100, (39, 60))],
)
def test_ranks_are_those_of_the_tables(count, ranks):
    """The usual table of the sign test: the pair of order statistics for 95 %."""
    assert statistics.ranks(count)[:2] == ranks


def test_too_few_rounds_state_a_lower_confidence():
    assert statistics.interval([1, 2, 3]).confidence == pytest.approx(0.75)
    assert statistics.interval([5]).confidence == 0


def test_rounds_that_shift_together_widen_the_interval(rng):
    """Samples of one round are not independent: a thousand of them in five rounds are five."""
    shifts = rng.normal(100, 10, 7)
    rounds = [rng.normal(shift, 0.1, 1000) for shift in shifts]
    summary = statistics.summarise(rounds)
    assert summary.estimate.high - summary.estimate.low > 10
    assert summary.count == 7000


def test_quartiles_and_outliers(rng):
    samples = rng.normal(100, 1, 4000)
    clean = statistics.summarise([samples])
    assert clean.lower_quartile == pytest.approx(100 - 0.674, abs=0.1)
    assert clean.upper_quartile == pytest.approx(100 + 0.674, abs=0.1)
    assert clean.outliers == 0
    dirty = statistics.summarise([numpy.append(samples, [200.0] * 25)])
    assert dirty.outliers == 25
    assert dirty.median == pytest.approx(clean.median, abs=0.02)


def test_paired_ratio_is_blind_to_what_meets_both(rng):
    drift = [1, 1.3, 0.8, 1.1, 0.9, 1.2, 1]
    base = [rng.normal(100 * d, 0.5, 50) for d in drift]
    other = [rng.normal(250 * d, 1, 50) for d in drift]
    ratio = statistics.paired_ratio(other, base)
    assert ratio.median == pytest.approx(2.5, rel=0.01)
    assert ratio.half_width < 0.01


def test_paired_ratio_leaves_out_a_round_without_its_pair():
    """As in a run that was interrupted between two implementations."""
    base = [[100.0], [110.0], [90.0], [100.0]]
    other = [[200.0], [220.0], [180.0], [200.0], [900.0]]
    assert statistics.paired_ratio(other, base).median == pytest.approx(2)


def test_total_adds_the_operations_of_each_exchange():
    assert statistics.total([[1, 2], [3]], [[10, 20], [30]], [[100, 200], [300]]) == [
        [111, 222],
        [333],
    ]


def test_alike_runs_show_no_difference_as_often_as_stated(rng):
    wrong = 0
    for _ in range(300):
        a, b = ([rng.normal(rng.normal(100, 2), 1, 9) for _ in range(11)] for _ in range(2))
        wrong += statistics.differs(statistics.independent_ratio(a, b))
    assert wrong <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)


def test_a_real_difference_is_seen(rng):
    a, b = ([rng.normal(rng.normal(mean, 0.5), 1, 9) for _ in range(11)] for mean in (100, 105))
    ratio = statistics.independent_ratio(b, a)
    assert statistics.differs(ratio)
    assert ratio.low <= 1.05 <= ratio.high
    assert comparison.verdict(ratio).endswith("slower")


def test_comparison_of_two_runs(make_run):
    first, same, slower = make_run(1), make_run(2), make_run(3, factor=1.2)
    rows = comparison.compare(first, same).rows
    assert len(rows) == 10 * 4
    assert sum(row[-1].text != "no difference seen" for row in rows) <= 0.25 * len(rows)
    rows = comparison.compare(first, slower).rows
    assert all(row[-1].text.startswith("B ") and row[-1].text.endswith("slower") for row in rows)


def test_core_cycles_take_the_clock_out(make_run):
    first = make_run(1, core_hz=4e9)
    second = make_run(2, factor=1.25, core_hz=3.2e9)
    assert any("GHz" in line for line in comparison.warnings(first, second))
    verdicts = [row[-1].text for row in comparison.compare(first, second, core_cycles=True).rows]
    assert verdicts.count("no difference seen") >= 0.75 * len(verdicts)
    assert all(
        row[-1].text != "no difference seen" for row in comparison.compare(first, second).rows
    )


def test_comparison_says_what_a_run_lacks(make_run):
    first, second = make_run(1), make_run(2)
    second["times"] = [t for t in second["times"] if t["implementation"] != "avx2"]
    row = next(row for row in comparison.compare(first, second).rows if row[1].text == "avx2")
    assert row[-1].text == "not measured in run B"
    assert row[3].why == "not measured in run B"
