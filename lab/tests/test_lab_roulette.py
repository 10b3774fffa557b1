# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counting with Russian roulette: exact values, plain counts, a weight that is forgotten."""

import json
import math
import random

import pytest

from codekem_base.errors import EvaluationError
from codekem_lab import lab_campaign, lab_estimates, lab_points, lab_replay
from codekem_lab.dfr_worker import call
from codekem_lab.lab_points import LabPoint
from lab.tests.test_lab import KEYED, direct, keyed_rate

SEED = "0dd5" * 16
TABLES = {
    "group": 8,
    "by_weight": "0@0,1@168,3@180",
    "by_threes": "0@0,2@26",
    "by_wrong": "3@0,2@10,0@13",
}
NONE = dict.fromkeys(lab_campaign.TABLES, "0@0")


def groups(program, point, count, kept=0, **tables):
    words = [*point.words(), f"seed={SEED}"]
    return lab_campaign.groups_of(program, words, {**TABLES, **tables}, 0, count, kept)


def rate_of(found):
    """Returns (rate, its standard error), of independent groups."""
    draws = found["decodings"]
    return sum(found["sums"]) / draws, math.sqrt(sum(n * n for n in found["sums"])) / draws


def deviation(program, point, exact, count):
    rate, error = rate_of(groups(program, point, count))
    return (rate - exact) / error


@pytest.fixture(scope="module")
def model():
    """A model whose rate depends on key and error, and that rate."""
    point = LabPoint(**{**KEYED.as_row(), "r": 523, "flips": 33})
    return point, keyed_rate(point.r, point.d, point.t, point.flips)


def test_roulette_finds_exact_rates_and_misses_no_weight(lab_program, lab_planted, model):
    point, exact = model
    assert 2**-9 < exact < 2**-7
    found = groups(lab_program, point, 6000)
    assert found["decodings"] == 6000 * 64 and 3 * found["decoded"] < 2 * found["decodings"]
    assert sum(found["halvings"]) == found["failures"] > sum(found["halvings"][:1]) > 0
    assert abs(deviation(lab_program, point, exact, 6000)) < 3.5
    assert abs(deviation(lab_planted("roulette"), point, exact, 6000)) > 8


def test_roulette_agrees_with_a_plain_count(lab_program):
    """A real decoder: both times that lots are drawn, many draws are left out."""
    point = lab_points.toy(523)
    plain = direct(lab_program, point, 300000, seed=SEED)["failures"] / 300000
    found = groups(lab_program, point, 6000)
    rate, error = rate_of(found)
    assert found["completed"] < found["decoded"] / 2 < found["decodings"] / 2
    assert all(found["halvings"][k] > 0 for k in (0, 1))
    assert abs(rate - plain) < 3.5 * math.hypot(error, math.sqrt(plain / 300000))


def test_without_tables_all_draws_are_decoded(lab_program):
    """Then weights are 1; a group can be run alone; its failures are there with key and error."""
    point = lab_points.toy(491)
    found = groups(lab_program, point, 300, kept=1000, **NONE)
    assert found["decoded"] == found["completed"] == found["decodings"] == 300 * 64
    assert found["halvings"][0] == found["failures"] == sum(found["sums"]) > 10
    for case in found["cases"]:
        assert len(set(case["e"])) == 18 and max(case["e"]) < 2 * 491
    text = "".join(
        " ".join(map(str, [*c["h0"], *c["h1"], *c["e"], c["ties"]])) + "\n" for c in found["cases"]
    )
    again = call(lab_program, "given", *point.words(), text=text).splitlines()
    assert not any(json.loads(line)["found"] for line in again)
    first = lab_campaign.groups_of(
        lab_program,
        [*point.words(), f"seed={SEED}"],
        {"group": 8, **NONE},
        found["failed"][0] // 64,
        1,
    )
    assert first["failed"] == [i for i in found["failed"] if i // 64 == found["failed"][0] // 64]


def test_lots_are_drawn_by_what_the_tables_say(lab_program):
    """With one in 2^15 above a limit, the failures are those below it, of a plain run."""
    point = lab_points.toy(491)
    cases = groups(lab_program, point, 300, kept=1000, **NONE)["cases"]
    drawn = [
        lab_replay.Failure(point, *(tuple(case[name]) for name in ("h0", "h1", "e")), 0)
        for case in cases
    ]
    for table, values in (
        ("by_weight", [len(failure.syndrome()) for failure in drawn]),
        ("by_threes", [failure.threes() for failure in drawn]),
    ):
        limit = sorted(values)[len(values) // 2]
        some = groups(lab_program, point, 300, **{**NONE, table: f"0@0,15@{limit}"})
        assert some["failures"] == sum(value < limit for value in values) > 30
        wanted = [c["index"] for c, value in zip(cases, values, strict=True) if value < limit]
        assert some["failed"] == wanted


def test_errors_are_uniform_and_differ(lab_program):
    """Every position is as likely, in each of the two parts, and the parts do not overlap."""
    point = LabPoint("model-half", 1, 65, 5, 8, "8@0", flips=1)
    found = groups(lab_program, point, 100, kept=10000, group=4, **NONE)
    counts = [0] * 130
    for case in found["cases"]:
        assert len(set(case["e"])) == 8
        for position in case["e"]:
            counts[position] += 1
    mean = sum(counts) / 130
    assert len(found["cases"]) > 1500 and mean > 90
    # A part is in four draws of a group: the counts vary four times as much, at most.
    assert sum((n - mean) ** 2 for n in counts) / 130 < 1.5 * 4 * mean


def test_failures_of_a_roulette_are_drawn_again(lab_program, dfr_program):
    settings = {"seed": SEED, "engine": "auto", "batch": 640, "decodings": 1280, "failures": None}
    settings |= {"group": 8, **NONE, "by_weight": "2@0,0@4900", "by_wrong": "2@0,0@90"}
    campaign = lab_campaign.new_campaign(
        "roulette", [LabPoint("bgf-5", 1, 12323, 71, 157)], settings
    )
    (row,) = campaign["points"]
    for number in range(2):
        words = lab_campaign.words_of(campaign, row)
        unit = lab_campaign.unit_of(lab_program, "roulette", words, number, settings)
        lab_campaign.add_unit(campaign, row, number, unit)
    assert row["decodings"] == 1280 and row["finished"]
    row["failed"] = row["failed"][:4]
    done = lab_replay.replay(campaign, lab_program, dfr_program)
    assert done.differences == 0 and "library's decoder on public, reference" in done.lines[0]
    row["failed"] = [row["failed"][0] + 1 if row["failed"][0] + 1 != row["failed"][1] else 0]
    with pytest.raises(EvaluationError, match="does not fail here"):
        lab_replay.failures_of(campaign, lab_program)


def test_the_interval_has_the_expected_sum():
    """In at most one of twenty repetitions it has it not; with weights of 1 it is that of Poisson's
    law, known from tables: 10 counts come from 4.80 to 18.39."""
    assert lab_estimates.gamma_interval([1] * 10, 1, 0.95) == pytest.approx(
        (4.795, 18.390), abs=1e-3
    )
    assert lab_estimates.gamma_interval([], 1, 0.95) == pytest.approx((0, 3.689), abs=1e-3)
    generator = random.Random(3)

    def poisson(mean):
        count, product = 0, generator.random()
        while product > math.exp(-mean):
            count, product = count + 1, product * generator.random()
        return count

    for means in ({1: 40.0, 2: 5.0, 16: 0.3}, {1: 3.0, 8: 0.1}, {16: 5.0}):
        expected = sum(weight * mean for weight, mean in means.items())
        missed = 0
        for _ in range(200):
            sums = [weight for weight, mean in means.items() for _ in range(poisson(mean))]
            low, high = lab_estimates.gamma_interval(sums, 16, 0.95)
            missed += not low <= expected <= high
        assert missed <= 18
