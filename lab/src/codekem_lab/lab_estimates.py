# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the laboratory's campaigns say of a rate of failures, and how surely.

- direct: a binomial count; the interval of Clopper and Pearson.
- strata: P(failure and L = l) = A_l E_l[failure [L = l] / M], exact for every l (classes.c). With
  random keys and errors there is one stratum of weight 1.
- roulette: draws that are likely to decode go on with probability 2^-k, and then count 2^k
  [KH51], so the weighted count is unbiased. Groups of draws have a key and parts of errors in
  common and are independent of each other: the interval is that of Fay and Feuer [FF97] for a
  weighted sum of counts, with the weight that a whole group gave as one event. With weights of 1 it
  is the exact one of a Poisson count.
- split: the mean of independent runs X_i with levels fixed beforehand is unbiased for the rate p,
  whatever the runs are like; runs that died out count as 0. So mean(X) / p has the expectation 1,
  and so has the product of 1 - x + x X_i / p for any share x that was fixed before the runs. Any
  average E(p) of these has it, too, and by Markov's inequality E(p) reaches 20 with at most 5 %.
  E falls with p, so p is at least where E is 20, with 95 % confidence: a bet against p, as in
  [WR24]. Half of E is mean(X) / p, half the products of the pilot's bets; campaigns without bets
  have mean(X) / p alone. It is no upper bound: what no particle finds is missing.
"""

import dataclasses
import math
import statistics

import numpy as np
import scipy

from codekem_base.errors import EvaluationError
from codekem_lab import dfr_model, dfr_statistics
from codekem_lab.dfr_statistics import clopper_pearson
from codekem_lab.lab_points import PILOT_RUN, level_words, point_of

MARKOV = 0.05  # 1 - confidence of the lower bound
PRECISION = 1e-6  # of a bound, in bits
RUNS_FOR_SPREAD = 3
LEAST_POINTS_OVER_T = 4


def log2(rate):
    return math.log2(rate) if rate > 0 else -math.inf


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A rate as log2; low and high: an interval, or None where the method gives none."""

    log2_rate: float
    low: float | None
    high: float | None
    log2_error: float | None  # standard error of the rate over the rate, as seen in the runs
    least: float | None  # the lower bound of splitting
    failures: int
    runs: tuple  # log2 of the single runs


def log2_share(point):
    """Returns log2 of A_l; 0 for random keys and errors."""
    if point.key_class == "random":
        return 0.0
    found = dfr_model.log2_expected(point.key_class, point.parameter, point.r, point.d, point.t)
    return math.nan if found is None else found


def weighted(histogram):
    """Returns (sum of 1 / M, sum of its squares, how many) over the failures of the class."""
    pairs = [(m, count) for m, count in enumerate(histogram) if m > 0]
    return (
        sum(count / m for m, count in pairs),
        sum(count / m**2 for m, count in pairs),
        sum(count for _, count in pairs),
    )


def of_counts(row, confidence=0.95):
    """Returns the estimate of direct counts or of one stratum, without the factor A_l.

    Where all M are 1, the interval is exact. Otherwise it is that of the count, times the mean
    weight of a failure.
    """
    if "sums" in row:
        return of_roulette(row, confidence)
    total, _, own = weighted(row["histogram"])
    decodings = row["decodings"]
    low, high = clopper_pearson(own, decodings, confidence)
    mean = total / own if own else 1.0
    error = math.sqrt(weighted(row["histogram"])[1]) / total if total else None
    return Estimate(
        log2(total / decodings), log2(low * mean), log2(high * mean), error, None, own, ()
    )


def gamma_interval(sums, largest, confidence):
    """Returns the interval of the expected sum of weighted events, each of a weight of at most
    `largest`, of which `sums` were seen [FF97]."""
    tail = (1 - confidence) / 2
    total, squares = sum(sums), sum(n * n for n in sums)
    most = max([largest, *sums])
    quantile = scipy.stats.chi2.ppf
    low = squares / (2 * total) * quantile(tail, 2 * total**2 / squares) if total else 0.0
    spread, moved = squares + most**2, total + most
    high = spread / (2 * moved) * quantile(1 - tail, 2 * moved**2 / spread)
    return float(low), float(high)


def of_roulette(row, confidence):
    """Returns the estimate of a weighted count."""
    decodings, total = row["decodings"], sum(row["sums"])
    low, high = gamma_interval(row["sums"], row["largest"], confidence)
    error = math.sqrt(sum(n * n for n in row["sums"])) / total if total else None
    rate, low, high = (log2(value / decodings) for value in (total, low, high))
    return Estimate(rate, low, high, error, None, row["failures"], ())


def reached(run):
    """Returns log2 of one run's estimate of the rate of its last level that a particle reached."""
    shares = [level["survivors"] / run["particles"] for level in run["levels"]]
    return sum(math.log2(share) for share in shares if share > 0)


def run_rate(run):
    """Returns log2 of one run's estimate: shares of the levels, then weights of the failures."""
    if any(level["survivors"] == 0 for level in run["levels"]):
        return -math.inf
    weights = sum(n / m for m, n in enumerate(run["weights"]) if m > 0)
    return reached(run) + log2(weights / run["particles"])


def log2_mean(values):
    """Returns log2 of the mean of 2^v."""
    top = max(values)
    if top == -math.inf:
        return top
    return top + math.log2(sum(2 ** (v - top) for v in values) / len(values))


def log2_bet(runs, log2_rate, bets):
    """Returns log2 of E(p) for log2 of the runs' estimates, log2 of p, and the shares x."""
    ratios = [v - log2_rate for v in runs]
    products = [
        sum(float(np.logaddexp2(math.log2(1 - x), math.log2(x) + v)) for v in ratios) for x in bets
    ]
    return log2_mean([log2_mean(ratios), log2_mean(products)])


def lower_bound(runs, bets):
    """Returns log2 of the rate above which E is below 1 / MARKOV; -infinity if all died out."""
    mean = log2_mean(runs)
    if mean == -math.inf or not bets:
        return mean + math.log2(MARKOV)
    low, high = mean + math.log2(MARKOV) - 1, max(runs)  # E is large here and at most 1 there
    while high - low > PRECISION:
        middle = (low + high) / 2
        reached = log2_bet(runs, middle, bets) >= -math.log2(MARKOV)
        low, high = (middle, high) if reached else (low, middle)
    return low


def check_levels(row):
    """Raises an error if a run has other levels than those that the pilot fixed: levels that a run
    chose after the fact make its product a biased estimate."""
    fixed = row["pilot"]["fixed"].split(",") if row["pilot"]["fixed"] else []
    for run in row["runs"]:
        found = [level_words(level) for level in run["levels"]]
        died = bool(run["levels"]) and run["levels"][-1]["survivors"] == 0
        if found != fixed[: len(found)] or (len(found) < len(fixed) and not died):
            raise EvaluationError(
                f"run {run['run']} has other levels than those fixed before it: no estimate"
            )
        if run["run"] == PILOT_RUN:
            raise EvaluationError("the pilot is among the runs: it chose its own levels")


def of_runs(row):
    """Returns the estimate of all runs of a point, without the factor A_l."""
    check_levels(row)
    runs = tuple(run_rate(run) for run in row["runs"])
    mean = log2_mean(runs)
    error = None
    if len(runs) >= RUNS_FOR_SPREAD and mean > -math.inf:
        error = statistics.stdev(2 ** (v - mean) for v in runs) / math.sqrt(len(runs))
    failures = sum(run["failed"] for run in row["runs"])
    least = lower_bound(runs, row["pilot"].get("bets", []))
    return Estimate(mean, None, None, error, least, failures, runs)


def estimate(row):
    """Returns the estimate of a point with results; for a class, of P(failure | class) weighted by
    [L = l] / M."""
    return of_runs(row) if "runs" in row else of_counts(row)


def with_share(found, share):
    """Returns an estimate times 2^share."""

    def moved(value):
        return None if value is None else value + share

    return dataclasses.replace(
        found,
        log2_rate=found.log2_rate + share,
        low=moved(found.low),
        high=moved(found.high),
        least=moved(found.least),
        runs=tuple(v + share for v in found.runs),
    )


def total_of_strata(rows):
    """Returns (log2 of the sum over the strata, its standard error over it), of points that differ
    in the parameter of their class only."""
    terms, variances = [], []
    for row in rows:
        share = log2_share(point_of(row))
        total, squares, _ = weighted(row["histogram"])
        n = row["decodings"]
        terms.append(2**share * total / n)
        variances.append(4**share * max(0.0, squares / n - (total / n) ** 2) / n)
    whole = sum(terms)
    return log2(whole), math.sqrt(sum(variances)) / whole if whole else None


def over_t(rows, t, seed=1):
    """Continues counts at one r over the weight of the errors to t, by a parabola of most
    likelihood in log2 of the rate. Returns (log2 of the rate at t, low, high, points) with 95 % by
    resampling of the counts, or None for fewer than four points. An extrapolation: its interval
    says nothing of whether the curve is a parabola."""
    counts = [(row["t"], row["failures"], row["decodings"]) for row in rows]
    chosen = dfr_statistics.usable(counts)
    if len(chosen) < LEAST_POINTS_OVER_T:
        return None
    best = dfr_statistics.fit(chosen, 2)
    random = np.random.default_rng(seed)
    found = []
    for _ in range(dfr_statistics.RESAMPLES):
        drawn = [
            (x, int(random.binomial(n, min(1.0, 2 ** float(best(x))))), n) for x, _, n in chosen
        ]
        found.append(float(dfr_statistics.fit(drawn, 2)(t)))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(best(t)), float(low), float(high), len(chosen)


def has_results(row):
    return bool(row["runs"]) if "runs" in row else row["decodings"] > 0


def ancestors_of(row):
    """Returns how many particles of the start the failures of each run come from."""
    return [run["levels"][-1]["ancestors"] if run["levels"] else None for run in row["runs"]]
