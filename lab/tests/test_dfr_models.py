# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Failure rates: statistics, extrapolation, classes of keys and errors, and HQC's formula."""

import collections
import io
import itertools
import json
import math
import os
import random
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from codekem_lab import (
    dfr_campaign,
    dfr_hqc,
    dfr_model,
    dfr_report,
    dfr_statistics,
    dfr_worker,
    lab_running,
)
from codekem_lab.cli import app
from codekem_lab.dfr_worker import Point

SEED = "5eed" * 16


# --- Statistics ----------------------------------------------------------------------------------


def test_exact_interval_of_textbooks():
    assert dfr_statistics.clopper_pearson(0, 100) == (0.0, pytest.approx(1 - 0.025**0.01))
    assert dfr_statistics.clopper_pearson(100, 100) == (pytest.approx(0.025**0.01), 1.0)
    assert dfr_statistics.clopper_pearson(1, 10) == pytest.approx((0.0025286, 0.4450161), abs=1e-7)


@pytest.mark.parametrize("rate", [0.002, 0.05, 0.5])
def test_interval_holds_the_rate_as_often_as_it_says(rate):
    draws = np.random.default_rng(1).binomial(400, rate, 3000)
    ends = {k: dfr_statistics.clopper_pearson(k, 400) for k in set(map(int, draws))}
    inside = sum(ends[int(k)][0] <= rate <= ends[int(k)][1] for k in draws)
    assert inside / 3000 >= 0.94


def synthetic(curve, r_values, decodings, seed):
    generator = np.random.default_rng(seed)
    return [(r, int(generator.binomial(decodings, 2.0 ** curve(r))), decodings) for r in r_values]


def test_extrapolation_finds_a_line_that_is_known():
    def line(r):
        return -5 - 0.05 * (r - 9850)

    found = [
        dfr_statistics.extrapolate(
            synthetic(line, range(9850, 10050, 25), 300000, seed), 1, 12323, -128, tail=6, seed=seed
        )
        for seed in range(4)
    ]
    assert all(abs(100 * item.slope + 5) < 0.8 for item in found)
    inside = [item.interval[0] <= line(12323) <= item.interval[1] for item in found]
    assert sum(inside) >= 3  # of 4, at 95 %
    claimed = 9850 + (128 - 5) / 0.05
    assert all(
        item.claim_r_interval[0] - 100 < claimed < item.claim_r_interval[1] + 100 for item in found
    )


def test_parabola_must_be_concave():
    def convex(r):
        return -5 - 0.05 * (r - 9850) + 0.0001 * (r - 9850) ** 2

    def concave(r):
        return -5 - 0.03 * (r - 9850) - 0.0001 * (r - 9850) ** 2

    r_values = range(9850, 10050, 25)
    assert (
        dfr_statistics.extrapolate(synthetic(convex, r_values, 300000, 1), 2, 12323, -128) is None
    )
    found = dfr_statistics.extrapolate(synthetic(concave, r_values, 300000, 1), 2, 12323, -128)
    assert found.interval[0] < concave(12323) < found.interval[1]


def test_a_parabola_that_says_nothing_is_no_result():
    interval = (-1083.0, 0.0)
    found = SimpleNamespace(points=1, log2_rate=-382.4, interval=interval)
    assert dfr_report.parabola_sentence(found) == (
        "A parabola through 1 point says nothing there: its interval is 2^-1083.0 to 2^0.0."
    )
    found.interval = (-400.0, -370.0)
    assert "at 2^-382.4 there (2^-400.0 to 2^-370.0)" in dfr_report.parabola_sentence(found)


@pytest.mark.parametrize(
    ("text", "count"),
    [("150000 100000\n", 2), ("50000 100000\n", 1), ("max 100000\n", 8), ("900000 100000", 8)],
)
def test_processors_are_those_of_the_container(text, count, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    (tmp_path / "cpu.max").write_text(text)
    assert lab_running.processors(tmp_path / "cpu.max") == count
    assert lab_running.processors(tmp_path / "none") == 8


def test_a_log_shows_how_far_a_campaign_is(monkeypatch):
    times = iter([0, 30, 61, 100, 130])
    monkeypatch.setattr(lab_running.time, "monotonic", lambda: next(times))
    said = io.StringIO()
    lines = lab_running.Lines(Console(file=said))
    for number in range(4):
        lines(f"r={r}: {number} of 9" for r in (1, 2))
    assert said.getvalue() == "r=1: 1 of 9; r=2: 1 of 9\nr=1: 3 of 9; r=2: 3 of 9\n"


def test_too_few_points_give_no_line():
    assert dfr_statistics.extrapolate([(9803, 500, 10000)], 1, 12323, -128) is None
    assert dfr_statistics.extrapolate([(9803, 9, 10000), (9901, 5, 10000)], 1, 12323, -128) is None


# --- Classes of keys -----------------------------------------------------------------------------


def keys_of(dfr_program, point, count):
    text = dfr_worker.call(dfr_program, "keys", *point.settings(SEED, "public"), 0, count)
    return [json.loads(line) for line in text.splitlines()]


def test_errors_and_keys_are_uniform(dfr_program):
    """Every eighth of the positions is hit as often, up to five standard deviations."""
    point = Point(1, 9803, 134)
    keys = keys_of(dfr_program, point, 400)
    for name, limit, weight in [("h0", 9803, 71), ("h1", 9803, 71), ("e", 2 * 9803, 134)]:
        hits = collections.Counter(8 * p // limit for key in keys for p in key[name])
        expected = 400 * weight / 8
        assert all(abs(hits[i] - expected) < 5 * math.sqrt(expected) for i in range(8))
        assert all(len(set(key[name])) == weight and max(key[name]) < limit for key in keys)
    assert len({tuple(key["h0"]) for key in keys}) == 400


def pairs_at(support, distance, r):
    return sum((p + distance) % r in support for p in support)


@pytest.mark.parametrize("r", [9803, 9805])  # a prime, and a number with factors
@pytest.mark.parametrize("parameter", [0, 7, 40])
def test_classes_have_the_property_they_claim(dfr_program, r, parameter):
    for key in keys_of(dfr_program, Point(1, r, 134, "multiplicity", parameter), 20):
        assert len(set(key["h0"])) == 71
        assert pairs_at(set(key["h0"]), key["distance"], r) == parameter
    for key in keys_of(dfr_program, Point(1, r, 134, "intersection", parameter), 20):
        moved = {(p + key["distance"]) % r for p in key["h1"]}
        assert len(moved) == 71
        assert len(moved & set(key["h0"])) == parameter
    for key in keys_of(dfr_program, Point(1, r, 134, "progression", parameter), 20):
        start, distance = key["h0"][0], key["distance"]
        terms = {(start + i * distance) % r for i in range(parameter)}
        assert terms <= set(key["h0"]) and len(terms) == parameter
        assert len(set(key["h0"])) == 71
    for key in keys_of(dfr_program, Point(1, r, 134, "near-codeword", parameter), 20):
        half, shift = divmod(key["distance"], r)
        near = {half * r + (p + shift) % r for p in key[f"h{half}"]}
        assert len(near & set(key["e"])) == parameter and len(set(key["e"])) == 134
        assert max(key["e"]) < 2 * r


def test_near_codewords_have_syndromes_of_their_own_weight(dfr_program):
    """x^k h0 has weight d and syndrome x^k h0^2, of weight d again; other such vectors have
    more."""
    r = 9803
    (key,) = keys_of(dfr_program, Point(1, r, 134, "near-codeword", 0), 1)
    half, shift = divmod(key["distance"], r)
    h = key[f"h{half}"]

    def syndrome_weight(vector):
        return sum(
            n % 2 for n in collections.Counter((p + q) % r for p in vector for q in h).values()
        )

    assert syndrome_weight([(p + shift) % r for p in h]) == 71
    assert syndrome_weight(range(71)) > 1000


def test_densities_are_those_of_an_exhaustive_count():
    r, d = 17, 5
    sets = [set(s) for s in itertools.combinations(range(r), d)]
    distances = range(1, (r - 1) // 2 + 1)
    for m in range(1, d):
        share = sum(pairs_at(s, 1, r) == m for s in sets) / len(sets)
        assert dfr_model.log2_density("multiplicity", m, r, d, 0) == pytest.approx(
            min(0, math.log2(2 * len(distances) * share))
        )
        h0 = set(range(d))  # any one: the shifts of h1 are what is counted
        share = sum(len(s & h0) == m for s in sets) / len(sets)
        assert dfr_model.log2_density("intersection", m, r, d, 0) == pytest.approx(
            min(0, math.log2(r * share))
        )
    t = 6
    errors = [set(e) for e in itertools.combinations(range(r), t)]  # as if 2 r were 17
    for m in range(1, d + 1):
        share = sum(len(e & h0) == m for e in errors) / len(errors)
        assert dfr_model.log2_density("near-codeword", m, r / 2, d, t) == pytest.approx(
            min(0, math.log2(r * share))
        )
    for f in range(3, d + 1):
        weak = sum(
            any({(a + i * t) % r for i in range(f)} <= s for a in range(r) for t in distances)
            for s in sets
        ) / len(sets)
        bound = 2 ** dfr_model.log2_density("progression", f, r, d, 0)
        assert 2 * weak <= bound * 1.000001 or bound == 1
        assert f < d or bound < 3 * weak


def test_weak_keys_fail_more_often(dfr_program):
    weak, usual = (
        dfr_worker.run_batch(dfr_program, point, SEED, "auto", 0, 100)["failures"]
        for point in (Point(1, 12323, 134, "multiplicity", 40), Point(1, 12323, 134))
    )
    assert weak > 80 and usual == 0


@pytest.mark.parametrize(
    ("n", "primitive"), [(12323, True), (24659, True), (40973, True), (10007, False), (9805, False)]
)
def test_block_lengths_of_bike(n, primitive):
    assert dfr_model.two_is_primitive(n) is primitive
    assert dfr_model.two_is_primitive(dfr_model.nearest_r(n))


# --- HQC -----------------------------------------------------------------------------------------

HQC = {"HQC-1": (46, 15, 384), "HQC-3": (56, 16, 640), "HQC-5": (90, 29, 640)}


@pytest.mark.parametrize("kem", HQC)
def test_hqc_symbols_are_wrong_as_the_formula_says(dfr_program, kem):
    """The bound is for the nearest of 255 other words; that many symbols, and not many fewer, are
    wrong. The formula's results are near what the specification claims."""
    specification = dfr_worker.specification_of(dfr_program, kem)
    assert (
        specification["outer_length"],
        specification["outer_errors"],
        specification["inner_length"],
    ) == HQC[kem]
    _, bound, failures = dfr_hqc.formula(specification)
    assert abs(failures - dfr_report.CLAIMS[kem]) < 3
    campaign = dfr_campaign.new_campaign(
        kem,
        dfr_program,
        [
            Point(
                dfr_worker.LEVELS[kem],
                specification["r"],
                specification["t"],
                dfr_worker.INNER_CODE,
            )
        ],
        {"seed": SEED, "batch": 2000, "decodings": 400000, "failures": None, "backend": "auto"},
    )
    row = campaign["points"][0]
    for number in range(4):
        batch = dfr_campaign.one_batch(
            dfr_program, dfr_campaign.point_of(row), SEED, "auto", 2000 * number, 2000
        )
        dfr_campaign.add_batch(row, number, batch, campaign["settings"])
    low, high = dfr_statistics.clopper_pearson(row["failures"], row["decodings"])
    assert low < bound and high > bound / 3
    assert sum(row["histogram"]) * HQC[kem][0] == row["decodings"]
    assert sum(i * n for i, n in enumerate(row["histogram"])) == row["failures"]


def test_hqc_counts_agree_between_back_ends(dfr_program, fast_backend_name):
    point = Point(1, 17669, 75, dfr_worker.INNER_CODE)
    ours, theirs = (
        dfr_worker.run_batch(dfr_program, point, SEED, backend, 0, 400)
        for backend in ("portable", fast_backend_name)
    )
    assert ours["histogram"] == theirs["histogram"] and ours["failures"] > 0


def test_dependent_symbols_are_noticed():
    generator = np.random.default_rng(1)
    for pairs, noticed in [(False, False), (True, True)]:
        wrong = generator.binomial(46, 0.0005, 100000)
        if pairs:  # the same rate, but two symbols at a time
            wrong = 2 * generator.binomial(23, 0.0005, 100000)
        histogram = [int((wrong == i).sum()) for i in range(47)]
        ratio, interval = dfr_hqc.spread(histogram)
        assert (interval[0] <= ratio <= interval[1]) is not noticed
    assert dfr_hqc.spread([10, 0, 0]) is None


def test_error_rate_of_hqc_is_that_of_drawn_errors():
    n, weight, other = 61, 9, 11
    generator = random.Random(1)

    def drawn():
        error = [0] * n
        for _ in range(2):
            x, r = generator.sample(range(n), weight), generator.sample(range(n), other)
            for i in x:
                for j in r:
                    error[(i + j) % n] ^= 1
        for i in generator.sample(range(n), other):
            error[i] ^= 1
        return sum(error)

    mean = sum(drawn() for _ in range(600)) / 600 / n
    assert mean == pytest.approx(dfr_hqc.error_rate(n, weight, other), abs=0.01)


def test_hqc_command_says_what_it_shows(dfr_folder, tmp_path):
    done = CliRunner().invoke(
        app,
        [
            "--build",
            str(dfr_folder),
            "--kem",
            "HQC-1",
            "--decodings",
            "200000",
            "--out",
            str(tmp_path / "c.json"),
            "--seed",
            SEED,
        ],
    )
    assert done.exit_code == 0, done.output
    for words in [
        "more than 15 of 46 symbols are wrong at a rate of at most 2^-128.9",
        "independent symbols give failures at 2^-1",
        "no dependence is seen",
    ]:
        assert words in done.output
    assert not (tmp_path / "c.svg").exists()


def test_fits_are_those_of_a_general_search():
    """Counts of two hundred campaigns: quick scoring ends where the search does."""
    random = np.random.default_rng(2)
    for _ in range(200):
        r = np.linspace(9800, 10200, int(random.integers(4, 9)))
        x = (r - 10000) / 200
        bits = -8 + random.normal() + (random.normal() - 3) * x - random.random() * x * x
        decodings = 10 ** random.integers(4, 6, len(r))
        failures = random.binomial(decodings, 2.0 ** np.minimum(bits, -3))
        points = list(zip(r, failures, decodings, strict=True))
        found = dfr_statistics.fit(points, 2)
        powers = np.vander((r - found.centre) / found.scale, 3, increasing=True)
        counts = failures.astype(float), decodings.astype(float)
        wanted = dfr_statistics.searched(powers, *counts, np.array(found.coefficients))
        assert np.allclose(found.coefficients, wanted, atol=1e-4)
        scored = dfr_statistics.scored(powers, *counts, np.array(found.coefficients) + 0.1)
        assert scored is not None and np.allclose(scored, found.coefficients, atol=1e-6)
