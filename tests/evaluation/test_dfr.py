# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The failure-rate campaign: its statistics, its decoder, its classes of keys, and how it resumes."""

import collections
import hashlib
import itertools
import json
import math
import random
import signal
import stat
import subprocess
import sys
import time

import known_answers
import numpy as np
import pytest
from codekem_evaluation import (dfr_campaign, dfr_hqc, dfr_model, dfr_report, dfr_statistics,
                                dfr_worker)
from codekem_evaluation.cli import app
from codekem_evaluation.dfr_worker import Point
from codekem_evaluation.errors import EvaluationError
from typer.testing import CliRunner

SEED = "5eed" * 16
LEVELS = {"BIKE-L1": (1, 12323, 71), "BIKE-L3": (3, 24659, 103), "BIKE-L5": (5, 40973, 137)}


@pytest.fixture(scope="module")
def folder(build):
    return build("gcc", targets=("codekem_dfr",))


@pytest.fixture(scope="module")
def program(folder):
    return folder / "bin" / "codekem_dfr"


# --- Statistics ----------------------------------------------------------------------------------

def test_exact_interval_of_textbooks():
    assert dfr_statistics.clopper_pearson(0, 100) == (0.0, pytest.approx(1 - 0.025 ** 0.01))
    assert dfr_statistics.clopper_pearson(100, 100) == (pytest.approx(0.025 ** 0.01), 1.0)
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
    found = [dfr_statistics.extrapolate(synthetic(line, range(9850, 10050, 25), 300000, seed), 1,
                                        12323, -128, tail=6, seed=seed) for seed in range(4)]
    assert all(abs(100 * item.slope + 5) < 0.8 for item in found)
    inside = [item.interval[0] <= line(12323) <= item.interval[1] for item in found]
    assert sum(inside) >= 3  # of 4, at 95 %
    claimed = 9850 + (128 - 5) / 0.05
    assert all(item.claim_r_interval[0] - 100 < claimed < item.claim_r_interval[1] + 100
               for item in found)


def test_parabola_must_be_concave():
    def convex(r):
        return -5 - 0.05 * (r - 9850) + 0.0001 * (r - 9850) ** 2

    def concave(r):
        return -5 - 0.03 * (r - 9850) - 0.0001 * (r - 9850) ** 2
    r_values = range(9850, 10050, 25)
    assert dfr_statistics.extrapolate(synthetic(convex, r_values, 300000, 1), 2, 12323, -128) is None
    found = dfr_statistics.extrapolate(synthetic(concave, r_values, 300000, 1), 2, 12323, -128)
    assert found.interval[0] < concave(12323) < found.interval[1]


def test_too_few_points_give_no_line():
    assert dfr_statistics.extrapolate([(9803, 500, 10000)], 1, 12323, -128) is None
    assert dfr_statistics.extrapolate([(9803, 9, 10000), (9901, 5, 10000)], 1, 12323, -128) is None


# --- The decoder ---------------------------------------------------------------------------------

def failed(program, point, backend, first, count, seed=SEED):
    """Returns (number of failures, the first of them) of a batch."""
    found = dfr_worker.run_batch(program, point, seed, backend, first, count)
    assert (found["first"], found["decodings"]) == (first, count)
    return found["failures"], found["failed"]


def cases_of(kem):
    return [case for case in known_answers.read_json("bike", "decoder")["cases"]
            if case["kem"] == kem]


def positions(element):
    return [j for j, bit in enumerate(reversed(bin(element)[2:])) if bit == "1"]


def rotated(a, k, r):
    return (a << k | a >> (r - k)) & ((1 << r) - 1)


@pytest.mark.parametrize("backend", ["public", "best"])
@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_is_that_of_decaps_on_the_stress_vectors(program, internals, kem, backend):
    """Many and structured errors at the real r: the error found is the published one, and decaps of
    the library gives the published secret for the same ciphertext."""
    level, r, d = LEVELS[kem]
    ring = internals.ring(r)
    records = known_answers.read_records(kem)
    cases = cases_of(kem)[::1 if kem == "BIKE-L1" else 6]
    lines = []
    for case in cases:
        record = records[case["record"]]
        words = np.frombuffer(record["sk"][:8 * d], dtype="<u4")
        h0 = sum(1 << int(p) for p in words[:d])
        if "flip_ct_bits" in case:
            ciphertext = known_answers.flip_bits(record["ct"], case["flip_ct_bits"])
        else:
            h = int.from_bytes(record["pk"], "little")
            c0 = 0
            for p in case["error_positions"]:
                c0 ^= 1 << p if p < r else rotated(h, p - r, r)
            ciphertext = c0.to_bytes(ring.bytes, "little") + bytes(32)
        syndrome = positions(internals.mul(ring, internals.decode(ring, ciphertext[:ring.bytes]),
                                           h0))
        lines.append(" ".join(map(str, [*words, len(syndrome), *syndrome])))
        assert internals.decaps(internals.kem(kem), ciphertext, record["sk"]).hex() == case["ss"]
    point = Point(level, r, {1: 134, 3: 199, 5: 264}[level])
    found = dfr_worker.call(program, "decode", *point.settings(SEED, backend),
                            text="\n".join(lines)).splitlines()
    for case, line in zip(cases, found, strict=True):
        e = [0, 0]
        for p in map(int, line.split()):
            e[p // r] |= 1 << (p % r)
        encoded = b"".join(half.to_bytes(ring.bytes, "little") for half in e)
        assert hashlib.sha256(encoded).hexdigest() == case["e_sha256"], case["what"]


@pytest.mark.parametrize("r", [9805, 9857])
def test_kernels_for_any_r_agree_with_the_reference(program, r):
    """At rates where about half of the decodings fail, the same ones fail."""
    point = Point(1, r, 137)
    ours, reference = (failed(program, point, backend, 0, 40)
                       for backend in ("public", "reference"))
    assert ours == reference
    assert 5 < ours[0] or r > 9850


def test_kernels_for_any_r_agree_with_every_back_end(program, fast_backend_name):
    point = Point(1, 12323, 166)
    ours, theirs = (failed(program, point, backend, 0, 300)
                    for backend in ("public", fast_backend_name))
    assert ours == theirs
    assert 5 < ours[0] < 295


def test_threshold_changes_the_result(program):
    point, lower = Point(1, 9901, 134), Point(1, 9901, 134, threshold=(10.0, 0.0069722))
    given = Point(1, 9901, 134, threshold=(13.530, 0.0069722))
    stream = {p: p.stream(SEED) for p in (point, lower, given)}
    results = [json.loads(dfr_worker.call(
        program, "run", *p.settings(SEED, "public")[:-1], stream[point], 0, 2000))["failed"]
        for p in (point, given, lower)]
    assert results[0] == results[1] != results[2]


# --- Seeds ---------------------------------------------------------------------------------------

def test_pieces_are_the_whole(program):
    point = Point(1, 9803, 134)
    whole = failed(program, point, "auto", 0, 3000)
    assert whole == failed(program, point, "auto", 0, 3000)
    pieces = [failed(program, point, "auto", first, 1000) for first in (2000, 0, 1000)]
    assert whole[0] == sum(count for count, _ in pieces) > 0
    assert whole[1] == sorted(itertools.chain(*(listed for _, listed in pieces)))[:100]
    assert failed(program, point, "auto", 0, 3000, "ab" * 32) != whole


def keys_of(program, point, count):
    text = dfr_worker.call(program, "keys", *point.settings(SEED, "public"), 0, count)
    return [json.loads(line) for line in text.splitlines()]


def test_errors_and_keys_are_uniform(program):
    """Every eighth of the positions is hit as often, up to five standard deviations."""
    point = Point(1, 9803, 134)
    keys = keys_of(program, point, 400)
    for name, limit, weight in [("h0", 9803, 71), ("h1", 9803, 71), ("e", 2 * 9803, 134)]:
        hits = collections.Counter(8 * p // limit for key in keys for p in key[name])
        expected = 400 * weight / 8
        assert all(abs(hits[i] - expected) < 5 * math.sqrt(expected) for i in range(8))
        assert all(len(set(key[name])) == weight and max(key[name]) < limit for key in keys)
    assert len({tuple(key["h0"]) for key in keys}) == 400


# --- Classes of keys -----------------------------------------------------------------------------

def pairs_at(support, distance, r):
    return sum((p + distance) % r in support for p in support)


@pytest.mark.parametrize("r", [9803, 9805])  # a prime, and a number with factors
@pytest.mark.parametrize("parameter", [0, 7, 40])
def test_classes_have_the_property_they_claim(program, r, parameter):
    for key in keys_of(program, Point(1, r, 134, "multiplicity", parameter), 20):
        assert len(set(key["h0"])) == 71
        assert pairs_at(set(key["h0"]), key["distance"], r) == parameter
    for key in keys_of(program, Point(1, r, 134, "intersection", parameter), 20):
        moved = {(p + key["distance"]) % r for p in key["h1"]}
        assert len(moved) == 71
        assert len(moved & set(key["h0"])) == parameter
    for key in keys_of(program, Point(1, r, 134, "progression", parameter), 20):
        start, distance = key["h0"][0], key["distance"]
        terms = {(start + i * distance) % r for i in range(parameter)}
        assert terms <= set(key["h0"]) and len(terms) == parameter
        assert len(set(key["h0"])) == 71
    for key in keys_of(program, Point(1, r, 134, "near-codeword", parameter), 20):
        half, shift = divmod(key["distance"], r)
        near = {half * r + (p + shift) % r for p in key[f"h{half}"]}
        assert len(near & set(key["e"])) == parameter and len(set(key["e"])) == 134
        assert max(key["e"]) < 2 * r


def test_near_codewords_have_syndromes_of_their_own_weight(program):
    """x^k h0 has weight d and syndrome x^k h0^2, of weight d again; other such vectors have more."""
    r = 9803
    key, = keys_of(program, Point(1, r, 134, "near-codeword", 0), 1)
    half, shift = divmod(key["distance"], r)
    h = key[f"h{half}"]

    def syndrome_weight(vector):
        return sum(n % 2 for n in collections.Counter((p + q) % r for p in vector for q in h).values())
    assert syndrome_weight([(p + shift) % r for p in h]) == 71
    assert syndrome_weight(range(71)) > 1000


def test_densities_are_those_of_an_exhaustive_count():
    r, d = 17, 5
    sets = [set(s) for s in itertools.combinations(range(r), d)]
    distances = range(1, (r - 1) // 2 + 1)
    for m in range(1, d):
        share = sum(pairs_at(s, 1, r) == m for s in sets) / len(sets)
        assert dfr_model.log2_density("multiplicity", m, r, d, 0) == pytest.approx(
            min(0, math.log2(2 * len(distances) * share)))
        h0 = set(range(d))  # any one: the shifts of h1 are what is counted
        share = sum(len(s & h0) == m for s in sets) / len(sets)
        assert dfr_model.log2_density("intersection", m, r, d, 0) == pytest.approx(
            min(0, math.log2(r * share)))
    t = 6
    errors = [set(e) for e in itertools.combinations(range(r), t)]  # as if 2 r were 17
    for m in range(1, d + 1):
        share = sum(len(e & h0) == m for e in errors) / len(errors)
        assert dfr_model.log2_density("near-codeword", m, r / 2, d, t) == pytest.approx(
            min(0, math.log2(r * share)))
    for f in range(3, d + 1):
        weak = sum(any({(a + i * t) % r for i in range(f)} <= s for a in range(r)
                       for t in distances) for s in sets) / len(sets)
        bound = 2 ** dfr_model.log2_density("progression", f, r, d, 0)
        assert 2 * weak <= bound * 1.000001 or bound == 1
        assert f < d or bound < 3 * weak


def test_weak_keys_fail_more_often(program):
    weak = failed(program, Point(1, 12323, 134, "multiplicity", 40), "auto", 0, 100)
    assert weak[0] > 80
    assert failed(program, Point(1, 12323, 134), "auto", 0, 100)[0] == 0


@pytest.mark.parametrize(("n", "primitive"), [(12323, True), (24659, True), (40973, True),
                                              (10007, False), (9805, False)])
def test_block_lengths_of_bike(n, primitive):
    assert dfr_model.two_is_primitive(n) is primitive
    assert dfr_model.two_is_primitive(dfr_model.nearest_r(n))


# --- Campaigns -----------------------------------------------------------------------------------

SETTINGS = {"seed": SEED, "batch": 500, "decodings": 3200, "failures": 150, "backend": "auto"}
POINTS = [Point(1, 9803, 134), Point(1, 9901, 134), Point(1, 9901, 134, "multiplicity", 30)]


def totals(campaign):
    return [{name: row[name] for name in ("batches", "decodings", "failures", "failed", "finished")}
            for row in campaign["points"]]


@pytest.fixture(scope="module")
def uninterrupted(program, tmp_path_factory):
    """A campaign on one worker, and its file."""
    path = tmp_path_factory.mktemp("dfr") / "whole.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", program, POINTS, SETTINGS)
    dfr_campaign.run(campaign, path, program, dfr_campaign.local_workers(1))
    return campaign, path


def test_campaign_follows_its_schema_and_rules(uninterrupted):
    campaign, path = uninterrupted
    assert dfr_campaign.read(path) == campaign
    assert campaign["complete"]
    first, second, weak = campaign["points"]
    assert first["failures"] >= 150 and first["decodings"] < 3200  # ended by its failures
    assert second["decodings"] == 3500  # ended by its decodings, in whole batches
    assert weak["failures"] > 0 and weak["waiting"] == {}


@pytest.mark.parametrize("after", [1, 4])
def test_interrupted_campaign_goes_on_to_the_same_totals(program, uninterrupted, tmp_path, after):
    path = tmp_path / "campaign.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", program, POINTS, SETTINGS)
    seen = []

    def interrupt(_):
        seen.append(1)
        if len(seen) == after:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        dfr_campaign.run(campaign, path, program, dfr_campaign.local_workers(3), interrupt)
    stored = dfr_campaign.read(path)
    assert not stored["complete"]
    assert sum(row["batches"] + len(row["waiting"]) for row in stored["points"]) > 0
    again = dfr_campaign.resume(path, dfr_campaign.new_campaign("BIKE-L1", program, POINTS, SETTINGS))
    dfr_campaign.run(again, path, program, dfr_campaign.local_workers(2))
    assert totals(again) == totals(uninterrupted[0])


def test_dask_gives_the_same_totals(program, uninterrupted, tmp_path):
    path = tmp_path / "campaign.json"
    campaign = dfr_campaign.new_campaign("BIKE-L1", program, POINTS, SETTINGS)
    dfr_campaign.run(campaign, path, program, dfr_campaign.dask_workers("local:2"))
    assert totals(campaign) == totals(uninterrupted[0])


def fake_program(folder, rate):
    """Returns a program that fails with a known probability, in the manner of codekem_dfr."""
    path = folder / "fake"
    path.write_text(f"""#!{sys.executable}
import json, random, sys
first, count = map(int, sys.argv[-2:])
failed = [i for i in range(first, first + count) if random.Random(f"{{sys.argv[-3]}} {{i}}").random() < {rate}]
print(json.dumps({{"first": first, "decodings": count, "failures": len(failed), "failed": failed,
                   "seconds": 0.0}}))
""")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_known_failure_probability_comes_out(program, tmp_path):
    rate = 0.013
    campaign = dfr_campaign.new_campaign("BIKE-L1", program, [Point(1, 9803, 134)], {
        "seed": SEED, "batch": 4000, "decodings": 20000, "failures": None, "backend": "auto"})
    dfr_campaign.run(campaign, tmp_path / "c.json", fake_program(tmp_path, rate),
                     dfr_campaign.local_workers(2))
    row, = dfr_report.rows(campaign)
    assert row["decodings"] == 20000
    assert row["low"] < rate < row["high"] < 1.3 * rate


def test_failing_worker_keeps_what_is_finished(program, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text("#!/bin/sh\neval first=\\${$(($# - 1))}\n"
                   f"[ $first = 3000 ] || exec {program} \"$@\"\n"
                   "echo 'bad: no more memory' >&2\nexit 1\n")
    bad.chmod(0o755)
    campaign = dfr_campaign.new_campaign("BIKE-L1", program, [Point(1, 9901, 134)], SETTINGS)
    path = tmp_path / "c.json"
    with pytest.raises(EvaluationError, match="bad: no more memory"):
        dfr_campaign.run(campaign, path, bad, dfr_campaign.local_workers(1))
    assert dfr_campaign.read(path)["points"][0]["decodings"] == 3000  # all but the batch that failed


# --- HQC -----------------------------------------------------------------------------------------

HQC = {"HQC-1": (46, 15, 384), "HQC-3": (56, 16, 640), "HQC-5": (90, 29, 640)}


@pytest.mark.parametrize("kem", HQC)
def test_hqc_symbols_are_wrong_as_the_formula_says(program, kem):
    """The bound is for the nearest of 255 other words; that many symbols, and not many fewer, are
    wrong. The formula's results are near what the specification claims."""
    specification = dfr_worker.specification_of(program, kem)
    assert (specification["outer_length"], specification["outer_errors"],
            specification["inner_length"]) == HQC[kem]
    _, bound, failures = dfr_hqc.formula(specification)
    assert abs(failures - dfr_report.CLAIMS[kem]) < 3
    campaign = dfr_campaign.new_campaign(
        kem, program, [Point(dfr_worker.LEVELS[kem], specification["r"], specification["t"],
                             dfr_worker.INNER_CODE)],
        {"seed": SEED, "batch": 2000, "decodings": 400000, "failures": None, "backend": "auto"})
    row = campaign["points"][0]
    for number in range(4):
        batch = dfr_campaign.one_batch(program, dfr_campaign.point_of(row), SEED, "auto",
                                       2000 * number, 2000)
        dfr_campaign.add_batch(row, number, batch, campaign["settings"])
    low, high = dfr_statistics.clopper_pearson(row["failures"], row["decodings"])
    assert low < bound and high > bound / 3
    assert sum(row["histogram"]) * HQC[kem][0] == row["decodings"]
    assert sum(i * n for i, n in enumerate(row["histogram"])) == row["failures"]


def test_hqc_counts_agree_between_back_ends(program, fast_backend_name):
    point = Point(1, 17669, 75, dfr_worker.INNER_CODE)
    ours, theirs = (dfr_worker.run_batch(program, point, SEED, backend, 0, 400)
                    for backend in ("portable", fast_backend_name))
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


def test_hqc_command_says_what_it_shows(folder, tmp_path):
    done = run_command("--build", folder, "--kem", "HQC-1", "--decodings", 200000, "--out",
                       tmp_path / "c.json", "--seed", SEED)
    assert done.exit_code == 0, done.output
    for words in ["more than 15 of 46 symbols are wrong at a rate of at most 2^-128.9",
                  "independent symbols give failures at 2^-1", "no dependence is seen"]:
        assert words in done.output
    assert not (tmp_path / "c.svg").exists()


# --- The command ---------------------------------------------------------------------------------

def run_command(*arguments):
    return CliRunner().invoke(app, ["dfr", *map(str, arguments)])


def test_command_writes_campaign_plot_and_words(folder, tmp_path):
    out = tmp_path / "campaign.json"
    arguments = ["--build", folder, "--r", "9780:9860:20", "--r", 12323, "--decodings", 2000,
                 "--batch", 1000, "--weak", "multiplicity:38", "--seed", SEED, "--out", out]
    done = run_command(*arguments)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "campaign.svg").read_text().startswith("<?xml")
    for words in ["decodings of BIKE-L1 at", "At the specification's r = 12,323, 0 of 2,000",
                  "The line through the last 3 points", "Keys of class multiplicity 38"]:
        assert words in done.output
    first = json.loads(out.read_text())
    again = run_command(*arguments[:-4], "--out", out)  # without the seed: the file has it
    assert again.exit_code == 0, again.output
    assert totals(json.loads(out.read_text())) == totals(first)
    shown = run_command("report", out, "--plot", tmp_path / "plot.png")
    assert shown.exit_code == 0 and (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert shown.stdout.splitlines()[:8] == done.stdout.splitlines()[:8]


def test_ctrl_c_keeps_finished_batches(folder, tmp_path):
    out = tmp_path / "campaign.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "codekem_evaluation", "dfr", "--build", folder, "--r", "9901",
         "--decodings", "1000000000", "--failures", "0", "--batch", "500", "--out", out,
         "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Whoever runs the tests may ignore the signal, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        deadline = time.monotonic() + 60
        while not out.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "The same command goes on" in errors
    stored = dfr_campaign.read(out)
    assert stored["points"][0]["decodings"] > 0 and not stored["complete"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["--kem", "HQC-1"], "HQC-1 decodes the inner one; --r, --weak"),
    (["--kem", "ML-KEM"], "there is no campaign for 'ML-KEM'; give --kem BIKE-L1"),
    (["--r", "x"], "'x' is no r; give a number, or FIRST:LAST:STEP"),
    (["--r", "10000"], "r must be odd"),
    (["--r", "9900:9800:10"], "FIRST:LAST:STEP with FIRST up to LAST"),
    (["--weak", "heavy:3"], "'heavy:3' is no class of keys; give NAME:PARAMETER"),
    (["--weak", "multiplicity:71"], "the multiplicity must be below the weight of h0"),
    (["--weak", "near-codeword:99"], "must not be above the weight of h0"),
    (["--threshold", "high"], "'high' is no threshold; give spec, or CONSTANT,SLOPE"),
    (["--seed", "1"], "'1' is no seed; give 64 hexadecimal digits"),
    (["--backend", "sse9", "--r", "12323"], "no such back end: 'sse9'"),
    (["--backend", "portable", "--r", "9803"], "use the back end public"),
    (["--dask", "local:x"], "local: is followed by a number of workers"),
    (["--out", "/proc/x/c.json"], "cannot write /proc/x"),
    (["--build", "/nonexistent"], "/nonexistent is no build folder"),
])
def test_errors_say_what_to_do(folder, tmp_path, arguments, message):
    done = run_command("--build", folder, "--r", "9901", "--decodings", 10, "--out",
                       tmp_path / "c.json", *arguments)
    assert done.exit_code != 0
    assert isinstance(done.exception, EvaluationError), done.output
    assert message in str(done.exception)


def test_another_campaign_is_not_overwritten(folder, uninterrupted, tmp_path):
    out = tmp_path / "c.json"
    text = uninterrupted[1].read_text()
    for changed, message in [(["--seed", "ab" * 32], "holds a campaign with seed"),
                             (["--batch", 7], "holds a campaign with batch 500, not 7"),
                             (["--kem", "BIKE-L3"], "holds a campaign with another kem")]:
        out.write_text(text)
        done = run_command("--build", folder, "--r", "9901", "--decodings", 10, "--batch", 500,
                           "--out", out, *changed)
        assert isinstance(done.exception, EvaluationError)
        assert message in str(done.exception)
        assert out.read_text() == text
    for broken, message in [("{", "is not JSON"), ("{}", "is not a campaign of this version"),
                            (text.replace('"complete"', '"compleat"'), "does not follow the schema")]:
        out.write_text(broken)
        done = run_command("report", out)
        assert isinstance(done.exception, EvaluationError)
        assert message in str(done.exception)


def test_program_refuses_bad_settings(program):
    good = Point(1, 9803, 134).settings(SEED, "public")
    for index, value, message in [(1, "2", "the level is 1, 3 or 5"), (2, "9804", "r must be odd"),
                                  (2, "99999", "r must be a number"), (3, "0", "weight of the errors"),
                                  (4, "1;2", "the threshold is spec or"), (5, "odd", "no such class"),
                                  (7, "00", "the seed has 64")]:
        bad = [*good[:index], value, *good[index + 1:]]
        with pytest.raises(EvaluationError, match=message):
            dfr_worker.call(program, "run", *bad, 0, 1)


def test_random_numbers_of_python_are_not_used():
    """The random state of this process does not matter: everything comes from the seed."""
    random.seed(1)
    first = Point(1, 9803, 134).stream(SEED)
    random.seed(2)
    assert first == Point(1, 9803, 134).stream(SEED) != Point(1, 9901, 134).stream(SEED)
