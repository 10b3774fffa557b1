# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Medians, their confidence intervals, ratios and outliers; no number here comes from a model.

A run has rounds, in each of which every implementation is measured once in a process of its own.
The samples of one round share the place in memory and the moment, so they are not independent: a
round counts as one observation, its median. Rounds are independent as far as the machine is quiet.
The estimate is the median of the rounds' medians, and its interval is that between two of them,
whose coverage is exact for every continuous distribution [DN03, 7.1].
"""

import dataclasses
import math

import numpy

CONFIDENCE = 0.95
FAR = 3  # interquartile ranges beyond the quartiles: an outlier, "far out" in Tukey's words


@dataclasses.dataclass(frozen=True)
class Interval:
    """Median of observations between low and high; covers the true one with that confidence."""

    median: float
    low: float
    high: float
    confidence: float

    @property
    def half_width(self):
        """Half of the interval as a share of the median."""
        return (self.high - self.low) / 2 / self.median if self.median else math.nan


@dataclasses.dataclass(frozen=True)
class Summary:
    """What is shown of a set of samples."""

    estimate: Interval
    lower_quartile: float
    upper_quartile: float
    count: int
    outliers: int
    rounds: int

    @property
    def median(self):
        return self.estimate.median


def ranks(count, confidence=CONFIDENCE):
    """Returns (i, j, coverage): [x_(i), x_(j)] of count sorted values, 0-based, holds the median.

    The narrowest symmetric pair whose coverage, 1 - 2 P(Binomial(count, 1/2) <= i), is at least the
    confidence; with too few values for it, the smallest and the largest, and what that covers.
    """
    tail, best = 0.0, None
    for i in range((count + 1) // 2):
        tail += math.comb(count, i) * 0.5**count
        coverage = 1 - 2 * tail
        if best is not None and coverage < confidence:
            break
        best = (i, count - 1 - i, max(coverage, 0.0))
    return best


def interval(observations, confidence=CONFIDENCE):
    """Returns the median of independent observations with its exact interval."""
    ordered = numpy.sort(numpy.asarray(observations, dtype=float))
    low, high, coverage = ranks(len(ordered), confidence)
    return Interval(
        float(numpy.median(ordered)), float(ordered[low]), float(ordered[high]), coverage
    )


def round_medians(rounds):
    return [float(numpy.median(samples)) for samples in rounds]


def summarise(rounds):
    """Summarises samples, given round by round."""
    every = numpy.concatenate([numpy.asarray(samples, dtype=float) for samples in rounds])
    lower, upper = (float(q) for q in numpy.quantile(every, [0.25, 0.75]))
    reach = FAR * (upper - lower)
    outliers = int(numpy.count_nonzero((every < lower - reach) | (every > upper + reach)))
    return Summary(interval(round_medians(rounds)), lower, upper, len(every), outliers, len(rounds))


def total(*operations):
    """Adds the operations of each exchange: round by round, sample by sample."""
    return [
        [sum(parts) for parts in zip(*samples, strict=True)]
        for samples in zip(*operations, strict=True)
    ]


def paired_ratio(rounds, base):
    """Returns the median of rounds over base, round by round: both were measured side by side.

    In a run that was interrupted, one may have a round more; it counts in no pair.
    """
    pairs = zip(round_medians(rounds), round_medians(base), strict=False)
    return interval([a / b for a, b in pairs])


def independent_ratio(rounds, base, confidence=CONFIDENCE):
    """Returns the ratio of the medians of two runs, which have nothing in common.

    Both intervals miss with half the probability that is allowed, so the interval between their
    extreme ratios covers at least with the confidence (Bonferroni).
    """
    each = 1 - (1 - confidence) / 2
    a, b = interval(round_medians(rounds), each), interval(round_medians(base), each)
    return Interval(
        a.median / b.median,
        a.low / b.high,
        a.high / b.low,
        max(0.0, a.confidence + b.confidence - 1),
    )


def differs(ratio):
    """Tells whether a ratio is another than 1, as far as its interval shows."""
    return not ratio.low <= 1 <= ratio.high
