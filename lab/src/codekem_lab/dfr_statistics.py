# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Statistics of failure rates: exact intervals, fits of log2 of the rate, extrapolation.

The extrapolation is that of the decoder's authors [DGK19, DGK-BGF]: log2 of the failure rate is
taken to be concave in r, so the line through the last points that could be measured lies above it.
How far the line is off by chance is found by a parametric bootstrap.
"""

import dataclasses
import math

import numpy as np
import scipy  # its parts are loaded when they are first used

CONFIDENCE = 0.95
LEAST_FAILURES = 10  # of a point that a line is laid through
LARGEST_RATE = 0.1  # of such a point: above, the curve bends
TAIL_POINTS = 3
RESAMPLES = 400
SCORING_STEPS = 30
SETTLED = 1e-9  # bits


def clopper_pearson(failures, decodings, confidence=CONFIDENCE):
    """Returns the exact interval of a rate [CP34]; it is never too short."""
    tail = (1 - confidence) / 2
    low = 0.0 if failures == 0 else scipy.stats.beta.ppf(tail, failures, decodings - failures + 1)
    high = (
        1.0
        if failures == decodings
        else scipy.stats.beta.ppf(1 - tail, failures + 1, decodings - failures)
    )
    return float(low), float(high)


@dataclasses.dataclass(frozen=True)
class Fit:
    """log2 of the rate = sum of coefficients[i] * ((r - centre) / scale)^i."""

    coefficients: tuple[float, ...]
    centre: float
    scale: float

    def __call__(self, r):
        x = (np.asarray(r, dtype=float) - self.centre) / self.scale
        return sum(c * x**i for i, c in enumerate(self.coefficients))

    def slope(self, r):
        """Returns the bits that one unit of r gains, as a negative number."""
        x = (r - self.centre) / self.scale
        return (
            sum(i * c * x ** (i - 1) for i, c in enumerate(self.coefficients) if i > 0) / self.scale
        )


def scored(powers, failures, decodings, start):
    """Returns the coefficients of most likelihood by Fisher's scoring, which a bootstrap needs
    thousands of times; None if it does not settle."""
    found = start
    for _ in range(SCORING_STEPS):
        log_rate = np.minimum(powers @ found, -1e-9) * math.log(2)
        rest = -np.expm1(log_rate)  # 1 - rate
        odds = (1 - rest) / rest
        score = (failures - (decodings - failures) * odds) @ powers
        information = (powers.T * (decodings * odds)) @ powers * math.log(2)
        try:
            step = np.linalg.solve(information, score)
        except np.linalg.LinAlgError:
            return None
        found = found + step
        if not np.isfinite(found).all():
            return None
        if np.abs(step).max() < SETTLED:
            return found
    return None


def searched(powers, failures, decodings, start):
    """Returns the same by a general search, which always ends somewhere."""

    def loss(coefficients):
        """Returns minus the log of the likelihood, and its gradient."""
        log_rate = np.minimum(powers @ coefficients, -1e-9) * math.log(2)
        rest = -np.expm1(log_rate)
        value = -(failures * log_rate + (decodings - failures) * np.log(rest)).sum()
        slopes = (decodings - failures) * (1 - rest) / rest - failures
        return value, math.log(2) * (slopes @ powers)

    return scipy.optimize.minimize(loss, start, jac=True, method="BFGS").x


def fit(points, degree):
    """Returns the polynomial of most likelihood for points (r, failures, decodings), binomial."""
    r, failures, decodings = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    centre, scale = r.mean(), max(np.ptp(r) / 2, 1.0)
    powers = np.vander((r - centre) / scale, degree + 1, increasing=True)
    # Weighted least squares are near the maximum.
    guess = np.log2((failures + 0.5) / (decodings + 1))
    start = np.linalg.lstsq(
        powers * np.sqrt(failures + 1)[:, None], guess * np.sqrt(failures + 1), rcond=None
    )[0]
    found = scored(powers, failures, decodings, start)
    if found is None:
        found = searched(powers, failures, decodings, start)
    return Fit(tuple(map(float, found)), float(centre), float(scale))


def usable(points):
    """Returns the points that a line can be laid through, by r."""
    return [
        point
        for point in sorted(points)
        if point[1] >= LEAST_FAILURES and point[1] / point[2] <= LARGEST_RATE
    ]


@dataclasses.dataclass(frozen=True)
class Extrapolation:
    """Where a fit arrives at the r of the specification, and when it reaches the claim."""

    kind: str
    fit: Fit
    points: int
    log2_rate: float
    interval: tuple[float, float]
    slope: float
    slope_interval: tuple[float, float]
    claim_r: float | None
    claim_r_interval: tuple[float, float] | None


def reaches(curve, level, r_start, r_end=200000):
    """Returns the first r from r_start on at which the curve is at level, or None."""
    if curve(r_end) > level:
        return None
    return float(scipy.optimize.brentq(lambda r: curve(r) - level, r_start, r_end))


def pair(values):
    """Returns two numbers of numpy as Python has them."""
    low, high = map(float, values)
    return low, high


def extrapolate(points, degree, r, claim, tail=None, seed=1):
    """Fits the last `tail` usable points (all, if None); returns None if there are too few.

    A parabola that is not concave says nothing about larger r: then None, too.
    """
    chosen = usable(points)[-tail:] if tail else usable(points)
    if len(chosen) < degree + 1 or len(chosen) < 2:
        return None
    best = fit(chosen, degree)
    last_r = chosen[-1][0]
    if degree == 2 and best.coefficients[2] >= 0:
        return None
    random = np.random.default_rng(seed)
    at_r, slopes, claims = [], [], []
    for _ in range(RESAMPLES):
        drawn = [
            (x, int(random.binomial(n, min(1.0, 2 ** float(best(x))))), n) for x, _, n in chosen
        ]
        resampled = fit(drawn, degree)
        at_r.append(min(0.0, float(resampled(r))))  # no rate is above 1
        slopes.append(resampled.slope(last_r))
        claims.append(reaches(resampled, claim, last_r) or math.inf)
    ends = [100 * (1 - CONFIDENCE) / 2, 100 * (1 + CONFIDENCE) / 2]
    reached = reaches(best, claim, last_r)
    claim_ends = None if reached is None else pair(np.percentile(claims, ends, method="nearest"))
    return Extrapolation(
        {1: "line", 2: "parabola"}[degree],
        best,
        len(chosen),
        float(best(r)),
        pair(np.percentile(at_r, ends)),
        best.slope(last_r),
        pair(np.percentile(slopes, ends)),
        reached,
        claim_ends,
    )
