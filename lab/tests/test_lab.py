# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The decoder laboratory: its decoders against the library's and against slow ones, its estimators
against exact values and direct counts, mistakes planted in each."""

import json
import math
import random
import statistics

import numpy as np
import pytest

from codekem_base.errors import EvaluationError
from codekem_lab import dfr_worker, lab_campaign, lab_estimates, lab_points, lab_replay
from codekem_lab.dfr_statistics import clopper_pearson
from codekem_lab.dfr_worker import Point, call
from codekem_lab.lab_points import LabPoint
from lab.tests import lab_reference
from tools import known_answers

SEED = "5eed" * 16
LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


def words(point, **more):
    return [*point.words(), *(f"{name}={value}" for name, value in more.items())]


def direct(program, point, count, first=0, seed=SEED, **more):
    given = words(point, seed=seed, first=first, count=count, **more)
    return json.loads(call(program, "direct", *given))


# --- Decoders: the library's ---------------------------------------------------------------------


@pytest.fixture(scope="session")
def engines(lab_program):
    return json.loads(call(lab_program, "info"))["engines"]


@pytest.mark.parametrize(("r", "t", "count"), [(9805, 137, 1500), (12323, 166, 1500)])
def test_bgf_fails_where_the_library_fails(lab_program, dfr_program, engines, r, t, count):
    """At rates where many decodings fail, the same ones fail; every engine."""
    point = LabPoint("bgf-5", 1, r, 71, t)
    backend = "best" if r == 12323 else "public"
    stream = Point(1, r, t).stream(SEED)
    theirs = dfr_worker.run_batch(dfr_program, Point(1, r, t), SEED, backend, 0, count)
    for engine in engines:
        ours = direct(lab_program, point, count, seed=stream, engine=engine)
        assert ours["failures"] == theirs["failures"] > 20
        assert ours["failed"] == theirs["failed"]


@pytest.mark.parametrize("kem", LEVELS)
def test_bgf_takes_the_published_steps(lab_program, kem):
    """Weights, thresholds and flips of every step are those of the published stress vectors."""
    level, r, d = LEVELS[kem]
    records = known_answers.read_records(kem)
    cases = [
        case
        for case in known_answers.read_json("bike", "decoder")["cases"]
        if case["kem"] == kem and case.get("error_positions")
    ]
    assert len(cases) >= 8
    for case in cases:
        keys = np.frombuffer(records[case["record"]]["sk"][: 8 * d], dtype="<u4")
        point = LabPoint("bgf-5", level, r, d, len(case["error_positions"]))
        text = " ".join(map(str, [*keys, *case["error_positions"], 0])) + "\n"
        found = json.loads(call(lab_program, "given", *words(point), text=text))
        assert found["found"] == (sorted(case["error_positions"]) == positions_of(case, found))
        for ours, theirs in zip(found["steps"], case["steps"], strict=False):
            flips = theirs["flips_block0"] + theirs["flips_block1"]
            assert ours[1:4] == [theirs["syndrome_weight_before"], theirs["threshold"], flips]
        for theirs in case["steps"][len(found["steps"]) :]:
            assert theirs["flips_block0"] == theirs["flips_block1"] == 0


def positions_of(case, found):
    """The error, if the published decoding found all of it: its weight and a syndrome of zero."""
    if case["final_syndrome_weight"] == 0 and case["e_weight"] == len(case["error_positions"]):
        return sorted(case["error_positions"])
    return None


# --- Decoders: slow ones --------------------------------------------------------------------------

R, D, T = 151, 7, 9
RULE = lab_points.thresholds_2017(R, D, T, 4)
STEPS = lab_points.steps_of(RULE)


def cases_of(count, r=R, d=D, t=T, seed=1):
    generator = random.Random(seed)
    return [
        {
            "h0": generator.sample(range(r), d),
            "h1": generator.sample(range(r), d),
            "e": generator.sample(range(2 * r), t),
        }
        for _ in range(count)
    ]


def shown(program, given, cases):
    text = "".join(
        " ".join(map(str, [*c["h0"], *c["h1"], *c["e"], i])) + "\n" for i, c in enumerate(cases)
    )
    return [json.loads(line) for line in call(program, "given", *given, text=text).splitlines()]


def code(**more):
    return [
        f"{name}={value}"
        for name, value in {"r": R, "d": D, "t": T, "threshold": STEPS, **more}.items()
    ]


def agrees(program, given, cases, decode):
    failures = 0
    for ours, case in zip(shown(program, given, cases), cases, strict=True):
        state = lab_reference.State(case, R)
        decode(state)
        assert ours["steps"] == state.steps
        failures += not ours["found"]
    return failures


@pytest.mark.parametrize(
    ("level", "rule"),
    [(1, "13.530,0.0069722"), (3, "15.2588,0.005265,52"), (5, "17.8785,0.00402312")],
)
def test_affine_thresholds_are_the_levels(lab_program, level, rule):
    """The specification's affine functions, given as text, are the levels' thresholds."""
    r, d, t = lab_points.CODES[level]
    cases = cases_of(20, r, d, t + 30, seed=level)
    found = []
    for threshold in (None, rule):
        point = lab_points.LabPoint("bgf-5", level, r, d, t + 30, threshold)
        found.append([case["steps"] for case in shown(lab_program, point.words(), cases)])
        assert point.label == ("bgf-5" if threshold is None else f"bgf-5, {named(rule)}")
    assert found[0] == found[1]
    lower = lab_points.LabPoint("bgf-5", level, r, d, t + 30, "0,0,40")
    steps = [case["steps"] for case in shown(lab_program, lower.words(), cases)]
    assert all(case[0][2] == 40 for case in steps)


def named(rule):
    constant, slope, *least = rule.split(",")
    return f"{constant} + {slope} S" + "".join(f" >= {low}" for low in least)


@pytest.mark.parametrize("aware", [False, True])
def test_bgf_is_the_slow_one(lab_program, aware):
    cases = cases_of(60)
    for k in (0, 5, 30):  # near-codewords and a part of one: an aware decoder finds the whole
        case = cases_of(1, seed=k + 7)[0]
        case["e"] = [R + (p + k) % R for p in case["h1"]] + [3, 5]
        cases.append(case)
    given = code(decoder="bgf", iterations=4, margin=3, aware=int(aware))
    decode = lambda state: lab_reference.bgf(state, lambda w: RULE[w], 4, aware)  # noqa: E731
    failures = agrees(lab_program, given, cases, decode)
    assert 3 < failures < 60


@pytest.mark.parametrize("lower", [1, 2, 9])
def test_bgf_with_a_lower_first_threshold_is_the_slow_one(lab_program, lower):
    """The first threshold is lower, but not below the majority, 4, unless the rule itself is."""
    cases = cases_of(30)
    for steps in ("4@0,5@15,6@25,7@35", "3@0"):

        def rule(weight, steps=steps):
            return max(int(step[0]) for step in steps.split(",") if int(step[2:]) <= weight)

        given = code(decoder="bgf", iterations=4, margin=2, lower=lower, threshold=steps)
        decode = lambda state, rule=rule: lab_reference.bgf(  # noqa: E731
            state, rule, 4, margin=2, lower=lower
        )
        assert agrees(lab_program, given, cases, decode) > 0
        first = [item["steps"][0] for item in shown(lab_program, given, cases)]
        assert (first[0][2] < rule(first[0][1])) == (steps != "3@0")


@pytest.mark.parametrize("rounding", ["floor", "nearest", "ceil"])
def test_bike_flip_is_the_slow_one(lab_program, rounding):
    affine = (0.03, 3.1, 0.4)
    given = code(decoder="bike-flip", affine="0.03,3.1,0.4", rounding=rounding, iterations=7, t=5)
    decode = lambda state: lab_reference.bike_flip(state, affine, rounding)  # noqa: E731
    assert 0 < agrees(lab_program, given, cases_of(40, t=5), decode) < 40


def test_pickyfix_is_the_slow_one(lab_program):
    given = code(decoder="pickyfix", flips=5, iterations=3)
    decode = lambda state: lab_reference.pickyfix(state, lambda w: RULE[w], 5, 3)  # noqa: E731
    assert 0 < agrees(lab_program, given, cases_of(40), decode) < 40


def test_bf_max_flips_a_position_with_the_largest_counter(lab_program):
    """Its counters, kept up to date flip by flip, stay those of the definition: it ends at a
    syndrome of zero or after all flips, and thresholds are the largest counters."""
    cases = cases_of(20)
    found = shown(lab_program, code(decoder="bf-max", flips=18), cases)
    for item, case in zip(found, cases, strict=True):
        state = lab_reference.State(case, R)
        assert item["steps"][0][2] == state.counters().max()
        assert all(step[3] == 1 for step in item["steps"])
        assert item["found"] == (item["wrong"] == 0)
        weights = [step[1] for step in item["steps"]]
        counters = [step[2] for step in item["steps"]]
        for before, counter, after in zip(weights, counters, weights[1:], strict=False):
            assert after == before + D - 2 * counter
    assert 0 < sum(not item["found"] for item in found) < 20


def test_random_ties_depend_on_the_seed_of_the_case_alone(lab_program):
    given = code(decoder="step-by-step", flips=400)
    cases = cases_of(10)
    assert shown(lab_program, given, cases) == shown(lab_program, given, cases)
    tied = code(decoder="pickyfix", flips=5, iterations=3, ties="random")
    same = [cases[0]] * 10
    assert len({json.dumps(item["steps"]) for item in shown(lab_program, tied, same)}) > 1


# --- Estimators: exact values ---------------------------------------------------------------------

MODEL = LabPoint("model-half", 1, 587, 15, 18, "8@0", flips=17)
LEVELS_OF_MODEL = "11:3:10,13:3:10,14:2:10,15:1:10,16:1:10"
GATED_LEVELS = "11:3:10:6,13:3:10:7,14:2:10:7,15:1:10:8,16:1:10:8"


def half_rate(r, t, least):
    """P(at least so many of t positions are in the first half)."""
    return sum(math.comb(r, k) * math.comb(r, t - k) for k in range(least, t + 1)) / math.comb(
        2 * r, t
    )


def split_run(program, point, levels, run, particles, seed=SEED):
    given = words(point, seed=seed, run=run, particles=particles, kept=3, levels=levels)
    return json.loads(call(program, "split", *given))


KEYED = LabPoint("model-key", 1, 587, 15, 18, "8@0", flips=37)
LEVELS_OF_KEYED = "27:3:10,30:3:10,32:2:10,34:2:10,36:1:10"


def keyed_rate(r, d, t, least):
    """P(at least so many: of t positions in the first half, and of d and d more below r / 2)."""
    key = [math.comb(r // 2, k) * math.comb(r - r // 2, d - k) for k in range(d + 1)]
    error = [math.comb(r, k) * math.comb(r, t - k) for k in range(t + 1)]
    counts = np.convolve(np.convolve(key, key), error)  # of integers without bounds
    return sum(counts[least:]) / sum(counts)


def deviation(program, levels, exact, runs=40, particles=400, point=MODEL):
    """How many standard errors the mean of the runs is off."""
    rates = [
        2 ** lab_estimates.run_rate(split_run(program, point, levels, run, particles))
        for run in range(runs)
    ]
    return (statistics.mean(rates) - exact) / (statistics.stdev(rates) / math.sqrt(runs))


@pytest.mark.parametrize("levels", [LEVELS_OF_MODEL, GATED_LEVELS], ids=["plain", "gated"])
def test_splitting_finds_an_exact_rate(lab_program, levels):
    exact = half_rate(MODEL.r, MODEL.t, MODEL.flips)
    assert 2**-14 < exact < 2**-13.8
    assert abs(deviation(lab_program, levels, exact)) < 3.5


@pytest.mark.parametrize("mistake", ["move", "gate"])
def test_a_move_that_is_not_symmetric_is_found(lab_planted, mistake):
    exact = half_rate(MODEL.r, MODEL.t, MODEL.flips)
    levels = GATED_LEVELS if mistake == "gate" else LEVELS_OF_MODEL
    assert abs(deviation(lab_planted(mistake), levels, exact)) > 5


def test_splitting_finds_an_exact_rate_that_depends_on_the_key(lab_program):
    exact = keyed_rate(KEYED.r, KEYED.d, KEYED.t, KEYED.flips)
    assert 2**-14 < exact < 2**-12
    assert abs(deviation(lab_program, LEVELS_OF_KEYED, exact, point=KEYED)) < 3.5


def test_a_key_move_that_is_not_symmetric_is_found(lab_planted):
    exact = keyed_rate(KEYED.r, KEYED.d, KEYED.t, KEYED.flips)
    assert abs(deviation(lab_planted("key"), LEVELS_OF_KEYED, exact, point=KEYED)) > 5


@pytest.mark.long
def test_levels_after_the_fact_are_found(lab_program):
    """A run with levels of its own is refused; and with few particles its bias is seen."""
    pilot = split_run(lab_program, MODEL, "adaptive", lab_points.PILOT_RUN, 200)
    fixed = lab_campaign.levels_of(pilot)
    runs = [split_run(lab_program, MODEL, fixed, run, 200) for run in range(3)]
    row = {"pilot": {**pilot, "fixed": fixed}, "runs": runs}
    assert lab_estimates.of_runs(row).log2_rate == pytest.approx(-13.9, abs=1.5)
    other = split_run(lab_program, MODEL, "adaptive", 4, 200)
    for wrong in (other, pilot):
        with pytest.raises(EvaluationError, match=r"other levels|its own levels"):
            lab_estimates.of_runs({**row, "runs": [*runs, wrong]})
    exact = half_rate(MODEL.r, MODEL.t, MODEL.flips)
    assert abs(deviation(lab_program, "adaptive", exact, runs=1200, particles=4)) > 4


def test_bets_bound_the_rate_from_below():
    """In at most one of twenty repetitions the bound is above the rate, for runs with long tails
    and for runs that often die out; it is Markov's but for one bit, and better for runs that agree.
    """
    generator = random.Random(5)
    bets = lab_points.BETS

    def repetition(spread, alive):
        """Twenty runs with the mean 2^0, as log2."""
        mean = spread**2 * math.log(2) / 2 + math.log2(alive)
        return [
            generator.gauss(-mean, spread) if generator.random() < alive else -math.inf
            for _ in range(20)
        ]

    for spread, alive in ((0.5, 1.0), (2.0, 1.0), (4.0, 1.0), (1.0, 0.3)):
        repetitions = [repetition(spread, alive) for _ in range(400)]
        above = [lab_estimates.log2_bet(runs, 0.0, bets) >= math.log2(20) for runs in repetitions]
        assert sum(above) <= 0.05 * len(above)
        for runs, wrong in zip(repetitions[:5], above, strict=False):
            least = lab_estimates.lower_bound(runs, bets)
            markov = lab_estimates.lower_bound(runs, [])
            assert (least > 0) == wrong and markov - 1.001 <= least <= max(runs)
    agreeing = [-10 + 0.1 * (i % 5) for i in range(20)]
    assert -10.5 < lab_estimates.lower_bound(agreeing, bets) < -9.8
    assert lab_estimates.lower_bound(agreeing, []) < -14
    assert lab_estimates.lower_bound([-math.inf] * 20, bets) == -math.inf


NEAR = LabPoint("model-near", 1, 151, 7, 9, "4@0", flips=3)


def weighted_strata(program, count):
    """Returns (rate, its standard error) from the strata of the model."""
    rows = []
    for overlap in range(3, 8):
        point = LabPoint(
            "model-near", 1, 151, 7, 9, "4@0", 3, key_class="near-codeword", parameter=overlap
        )
        found = direct(program, point, count)
        rows.append({**point.as_row(), "decodings": count, "histogram": found["histogram"]})
    total, error = lab_estimates.total_of_strata(rows)
    return 2**total, error * 2**total


def test_strata_are_the_direct_count_and_a_wrong_weight_is_found(lab_program, lab_planted):
    """The model fails if some near-codeword has three positions or more of the error: many errors
    have several such near-codewords, which the weight 1 / M repairs."""
    count = 60000
    found = direct(lab_program, NEAR, count)["failures"] / count
    error = math.sqrt(found * (1 - found) / count)
    rate, own = weighted_strata(lab_program, 20000)
    assert found > 0.05
    assert abs(rate - found) < 3.5 * math.hypot(error, own)
    wrong, own = weighted_strata(lab_planted("weight"), 20000)
    assert abs(wrong - found) > 8 * math.hypot(error, own)


# --- Estimators: a real decoder on a toy ----------------------------------------------------------


@pytest.fixture(scope="session")
def toy_rate(lab_program):
    """Returns (failures, decodings) of the toy r = 523, by direct counts."""
    found = direct(lab_program, lab_points.toy(523), 1000000)
    return found["failures"], found["decodings"]


def toy_strata(program, r, counts):
    rows = []
    for overlap, count in counts.items():
        point = lab_points.toy(r, key_class="near-codeword", parameter=overlap)
        found = direct(program, point, count)
        rows.append({**point.as_row(), "decodings": count, "histogram": found["histogram"]})
    return lab_estimates.total_of_strata(rows)


@pytest.mark.long  # test_strata_are_the_direct_count has the weights of a model
def test_toy_strata_add_up_to_the_direct_count(lab_program, toy_rate):
    failures, decodings = toy_rate
    assert failures >= 400
    total, error = toy_strata(
        lab_program, 523, {1: 100000, 2: 800000, 3: 1000000, 4: 400000, 5: 60000, 6: 20000}
    )
    difference = math.log(2) * (total - math.log2(failures / decodings))
    assert abs(difference) < 2.58 * math.hypot(error, 1 / math.sqrt(failures))


@pytest.mark.long
@pytest.mark.parametrize("score", lab_points.SCORES)
def test_toy_splitting_is_within_a_fifth_of_a_bit(lab_program, toy_rate, score):
    point = lab_points.toy(523, score=score)
    pilot = split_run(lab_program, point, "adaptive", lab_points.PILOT_RUN, 400)
    fixed = lab_campaign.levels_of(pilot)
    runs = [split_run(lab_program, point, fixed, run, 400) for run in range(20)]
    found = lab_estimates.of_runs({"pilot": {**pilot, "fixed": fixed}, "runs": runs})
    assert abs(found.log2_rate - math.log2(toy_rate[0] / toy_rate[1])) < 0.2
    assert found.least == pytest.approx(found.log2_rate + math.log2(1 / 20))


@pytest.mark.long
def test_splitting_within_a_stratum_keeps_the_overlap(lab_program):
    """P(failure and L = 5 | the class) by counting and by splitting; and the overlap itself."""
    point = lab_points.toy(523, key_class="near-codeword", parameter=5)
    counted = direct(lab_program, point, 300000)
    total, _, own = lab_estimates.weighted(counted["histogram"])
    pilot = split_run(lab_program, point, "adaptive", lab_points.PILOT_RUN, 300)
    fixed = lab_campaign.levels_of(pilot)
    runs = [split_run(lab_program, point, fixed, run, 300) for run in range(12)]
    found = lab_estimates.of_runs({"pilot": {**pilot, "fixed": fixed}, "runs": runs})
    assert abs(found.log2_rate - math.log2(total / 300000)) < 0.4 and own > 100
    for failure in (f for run in runs for f in run["failures"]):
        overlaps = [
            sum((half * 523 + (p + k) % 523) in failure["e"] for p in failure[f"h{half}"])
            for half in range(2)
            for k in range(523)
        ]
        assert 5 in overlaps and len(set(failure["e"])) == 18


@pytest.mark.long
@pytest.mark.parametrize(
    ("r", "decodings", "strata"),
    [
        (587, 70_000_000, {2: 3 * 10**7, 3: 3 * 10**7, 4: 10**7, 5: 10**6, 6: 10**5}),
        (653, 200_000_000, {2: 6 * 10**7, 3: 6 * 10**7, 4: 3 * 10**7, 5: 10**7, 6: 10**6}),
    ],
)
def test_rarer_toys(lab_program, r, decodings, strata):
    """As above for rarer failures: direct counts, strata and splitting."""
    found = direct(lab_program, lab_points.toy(r), decodings)
    total, error = toy_strata(lab_program, r, strata)
    difference = math.log(2) * (total - math.log2(found["failures"] / decodings))
    assert abs(difference) < 2.58 * math.hypot(error, 1 / math.sqrt(found["failures"]))
    point = lab_points.toy(r)
    pilot = split_run(lab_program, point, "adaptive", lab_points.PILOT_RUN, 2000)
    fixed = lab_campaign.levels_of(pilot)
    runs = [split_run(lab_program, point, fixed, run, 2000) for run in range(20)]
    split = lab_estimates.of_runs({"pilot": {**pilot, "fixed": fixed}, "runs": runs})
    low, high = clopper_pearson(found["failures"], decodings)
    assert math.log2(low) - 0.2 < split.log2_rate < math.log2(high) + 0.2


# --- Failures, again ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "r", "t", "threshold"),
    [
        ("direct", 12323, 160, None),
        ("direct", 12323, 166, "12.53,0.0069722"),
        ("split", 9901, 134, None),
    ],
)
def test_failures_are_reproduced_by_the_library(lab_program, dfr_program, method, r, t, threshold):
    """Those found by counting and by splitting fail on every back end that takes this r, with as
    many positions left wrong."""
    settings = {"seed": SEED, "engine": "auto"}
    settings |= (
        {"batch": 200, "decodings": 200, "failures": None}
        if method == "direct"
        else {"runs": 1, "particles": 30, "kept": 3}
    )
    points = [LabPoint("bgf-5", 1, r, 71, t, threshold)]
    campaign = lab_campaign.new_campaign(method, points, settings)
    row = campaign["points"][0]
    given = lab_campaign.words_of(campaign, row)
    if method == "split":
        pilot = lab_campaign.unit_of(
            lab_program, "split", given, lab_points.PILOT_RUN, settings, "adaptive"
        )
        row["pilot"] = {**pilot, "fixed": lab_campaign.levels_of(pilot)}
    levels = row["pilot"]["fixed"] if method == "split" else None
    unit = lab_campaign.unit_of(lab_program, method, given, 0, settings, levels)
    lab_campaign.add_unit(campaign, row, 0, unit)
    row["failed"] = row.get("failed", [])[:6]
    for lower in (0, 2):
        done = lab_replay.replay(campaign, lab_program, dfr_program, lower)
        assert done.differences == 0
        (line,) = done.lines
        assert "public, reference" in line
    assert ("on public, reference, portable" in line) == (method == "direct")


def test_counts_over_t_are_continued_by_a_parabola():
    """A rate that is a parabola in log2 comes out where it was not counted."""
    curve = lambda t: -20 + 2.0 * (t - 150) - 0.08 * (t - 150) ** 2  # noqa: E731
    generator = np.random.default_rng(1)
    rows = [
        {"t": t, "failures": int(generator.binomial(10**8, 2 ** curve(t))), "decodings": 10**8}
        for t in range(150, 157)
    ]
    value, low, high, count = lab_estimates.over_t(rows, 142)
    assert count == 7 and low < curve(142) < high and high - low < 6 and low < value < high
    assert lab_estimates.over_t(rows[:3], 142) is None
