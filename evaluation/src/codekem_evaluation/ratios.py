# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ratios of times: with an interval, with the digits that it allows, or with the reason for none.

A ratio is the median of those of single rounds, in which both sides were measured one after the
other. That is blind to a clock that differs from round to round, not to one that moves within a
round. How much it moved shows in two ways: the interval is wide, or the ratio contradicts the
medians beside it.
"""

import dataclasses
import math

from codekem_base.model import Cell, digits_of, label, missing
from codekem_evaluation import statistics
from codekem_evaluation.samples import OVERALL
from codekem_evaluation.statistics import Interval

WIDEST = 1.5  # an interval whose ends differ by a greater factor gives no ratio
CONTRADICTION = 1.05  # the quotient of the medians may lie outside the interval by this factor
LEAST_CONFIDENCE = 0.9  # six rounds have 97 %, five 94 %, four 88 %
TOO_FEW = "there were too few rounds for an interval; let the run end"
MOVED = (
    "the times moved too much from round to round, by the clock or other load; measure again "
    "on a quiet machine, with --full"
)


@dataclasses.dataclass(frozen=True)
class Ratio:
    """An interval, and why it gives no ratio (or None); then bound may still say on which side of 1
    it is: "at least 1.6"."""

    interval: Interval
    doubt: str | None = None
    bound: str | None = None

    @property
    def text(self):
        """Such as 4.83 (4.78 to 4.89)."""
        return as_text(self.interval)

    def cell(self, trace):
        """Returns a cell of a table."""
        if self.bound is not None:
            return label(self.bound, trace)
        if self.doubt is not None:
            return missing(f"no ratio: {self.doubt}")
        return Cell(
            self.text, self.interval.median, trace, interval=(self.interval.low, self.interval.high)
        )


def decimals_of(interval, most=None):
    """Returns the decimals that the half width allows: the last digit is the one it begins with.

    At most as many as given, by default those of three significant digits. 100 with 30 to either
    side has -1: it is written as a multiple of ten.
    """
    half = (interval.high - interval.low) / 2
    most = digits_of(interval.median) if most is None else most
    return most if half <= 0 else min(most, -math.floor(math.log10(half)))


def rounded(value, decimals, towards=round):
    """Writes a value with so many decimals, maybe negative; towards is round, floor or ceil."""
    scale = 10.0**decimals
    return f"{towards(value * scale) / scale:.{max(0, decimals)}f}"


def ends(interval, decimals):
    """Writes the interval, its ends moved outwards to so many decimals."""
    return (
        f"{rounded(interval.low, decimals, math.floor)} to "
        f"{rounded(interval.high, decimals, math.ceil)}"
    )


def as_text(interval):
    """Writes the ratio with its interval; 1 of something beside itself has none."""
    decimals = decimals_of(interval)
    if interval.low == interval.high == 1:
        return "1"
    return f"{rounded(interval.median, decimals)} ({ends(interval, decimals)})"


def judged(interval, quotient=None):
    """Returns the Ratio of an interval; quotient is that of the medians that stand beside it."""
    if interval.low == interval.high == 1:  # something beside itself
        return Ratio(interval)
    if interval.confidence < LEAST_CONFIDENCE:
        return Ratio(interval, TOO_FEW)
    wide = interval.high > WIDEST * interval.low
    contradicts = quotient is not None and not (
        interval.low / CONTRADICTION <= quotient <= interval.high * CONTRADICTION
    )
    if not wide and not contradicts:
        return Ratio(interval)
    low, high = (end(value, quotient or value)
                 for end, value in ((min, interval.low), (max, interval.high)))  # fmt: skip
    if low > 1:
        return Ratio(interval, MOVED, f"at least {rounded(low, 1, math.floor)}")
    return Ratio(interval, MOVED, f"at most {rounded(high, 2, math.ceil)}" if high < 1 else None)


def paired(rounds, base):
    """Returns the Ratio of rounds over base, both measured in the rounds of one run."""
    shown, of_base = (
        statistics.interval(statistics.round_medians(each)).median for each in (rounds, base)
    )
    return judged(statistics.paired_ratio(rounds, base), shown / of_base)


def of(samples, kem, over, under, operation=OVERALL, unit="nanoseconds"):
    """Returns the Ratio of one implementation's time to another's."""
    return paired(
        samples.rounds(kem, over, operation, unit), samples.rounds(kem, under, operation, unit)
    )


def to_measured(value, estimate):
    """Returns the Ratio of a published value, taken as exact, to an Interval of ours."""
    return judged(
        Interval(
            value / estimate.median,
            value / estimate.high,
            value / estimate.low,
            estimate.confidence,
        )
    )


def of_printed(value, base, unit):
    """Returns the Ratio of two published values; its interval is what rounding leaves open."""
    half = unit / 2
    return Ratio(
        Interval(value / base, (value - half) / (base + half), (value + half) / (base - half), 1.0)
    )
