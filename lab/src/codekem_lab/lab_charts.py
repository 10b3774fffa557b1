# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The panels of the laboratory's campaigns (lab_plots.py) as charts of the report."""

import math

from codekem_base.charts import Lines
from codekem_base.charts_rates import Rate, Rates
from codekem_lab import dfr_statistics, lab_estimates, lab_plots
from codekem_lab.lab_points import CODES


def panels(campaign):
    """Returns (title, chart) for each panel that a campaign has."""
    made = {
        lab_plots.draw_over_r: over_r,
        lab_plots.draw_over_t: over_t,
        lab_plots.draw_strata: strata,
        lab_plots.draw_cost: cost,
    }
    return [(title, made[draw](items)) for title, draw, items in lab_plots.panels_of([campaign])]


def rate_of(series, x, found):
    """Returns the Rate of an estimate, or None where it says nothing."""
    if found.log2_rate == -math.inf:
        return None if found.high is None else Rate(series, x, None, None, found.high)
    low = found.low if found.low is not None else found.markov
    low = low if low > -math.inf else None
    return Rate(series, x, found.log2_rate, low, found.high)


def chart_of(x_title, named, x_of, lines=None):
    """Returns the chart of (series, point, estimate)."""
    rates = [rate_of(series, x_of(point), found) for series, point, found in named]
    return Rates(x_title, tuple(rate for rate in rates if rate is not None), lines or {})


def over_r(items):
    """Rate over r, with the lines through the first points, which mislead."""
    lines, groups = {}, lab_plots.grouped(items, lambda i: (i[0].label, i[0].t, i[0].score))
    for (decoder, t, _), members in groups.items():
        counts = [
            (p.r, row["failures"], row["decodings"])
            for p, _, row in members
            if "failures" in row and row["failures"] >= lab_plots.LINE_RATE * row["decodings"]
        ]
        usable = dfr_statistics.usable(counts)
        if len(usable) >= 2:
            fit = dfr_statistics.fit(usable[: dfr_statistics.TAIL_POINTS], 1)
            ends = (usable[0][0], max(p.r for p, _, _ in members))
            name = f"{decoder}, t = {t}: line through the first points"
            lines[name] = tuple((r, float(fit(r))) for r in ends)
    named = [(f"{p.label}, t = {p.t}", p, found) for p, found, _ in items]
    return chart_of("r (bits of a block)", named, lambda point: point.r, lines)


def over_t(items):
    named = [
        (f"{p.label}, r = {p.r}, {'splitting' if 'runs' in row else 'counted'}", p, found)
        for p, found, row in items
    ]
    return chart_of("t (weight of the error)", named, lambda point: point.t)


def strata(items):
    """Rates within classes of keys, and times the share of the class."""
    named = []
    for point, found, _ in items:
        name = f"{point.label}, r = {point.r}: {point.key_class}"
        named.append((f"{name}, in the class", point, found))
        share = lab_estimates.log2_share(point)
        if not math.isnan(share):
            named.append(
                (f"{name}, times its share", point, lab_estimates.with_share(found, share))
            )
    return chart_of("parameter of the class", named, lambda point: point.parameter)


def cost(items):
    named = [(point.label, point, found) for point, found, _ in items if point.passes() is not None]
    title = "passes over all counters, constant time"
    return chart_of(title, named, lambda point: point.passes())


def side_by_side(campaigns):
    """Returns [(r, t, items)]: what several campaigns say of decoders at the r and t of a level; an
    item is (name of the campaign, row in it, point, estimate). campaigns: by name."""
    groups = {}
    for name, campaign in campaigns.items():
        for index, (point, found, _) in enumerate(lab_plots.rows_of([campaign])):
            if (
                point.key_class == "random"
                and point.key != "fixed"
                and (point.r, point.d, point.t) == CODES[point.level]
            ):
                groups.setdefault((point.r, point.t), []).append((name, index, point, found))
    return [
        (r, t, items)
        for (r, t), items in sorted(groups.items())
        if len({name for name, *_ in items}) > 1
    ]


STEPS = {"i": "all", "b": "black", "g": "gray", "n": "near-codeword"}


def trace(steps):
    """The chart of a stored failure, step by step."""
    numbers = tuple(range(1, len(steps) + 1))
    iterations = [sum(step[0] == "i" for step in steps[:number]) for number in numbers]
    return Lines(
        "iteration: step",
        "positions",
        {
            "still wrong after the step": list(
                zip(numbers, (step[4] for step in steps), strict=True)
            ),
            "flips": list(zip(numbers, (step[3] for step in steps), strict=True)),
        },
        x_values=numbers,
        x_names=tuple(
            f"{iteration}: {STEPS[step[0]]}"
            for iteration, step in zip(iterations, steps, strict=True)
        ),
        series_title="what",
    )
