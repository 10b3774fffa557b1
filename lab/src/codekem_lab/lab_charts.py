# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The panels of the laboratory's campaigns (py) as charts of the report."""

import math

from codekem_base import drawing
from codekem_base.charts import Lines
from codekem_base.charts_rates import Rate, Rates
from codekem_lab import dfr_statistics, lab_estimates
from codekem_lab.dfr_report import CLAIM_OF
from codekem_lab.lab_points import CODES, point_of

LINE_RATE = 2**-10  # the misleading line goes through the first points above it


def rows_of(campaigns):
    """Returns (point, estimate, row) of every point with results."""
    return [
        (point_of(row), lab_estimates.estimate(row), row)
        for campaign in campaigns
        for row in campaign["points"]
        if lab_estimates.has_results(row)
    ]


def grouped(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def panels(campaigns):
    """Returns [(title, chart)] for what the campaigns have."""
    items = rows_of(campaigns)
    usual = [item for item in items if item[0].key_class == "random" and item[0].key != "fixed"]
    found = []
    many_r = [
        members
        for members in grouped(usual, lambda i: (i[0].label, i[0].t)).values()
        if len({i[0].r for i in members}) > 1
    ]
    if many_r:
        found.append(("rate over r", over_r([i for members in many_r for i in members])))
    many_t = [
        members
        for members in grouped(usual, lambda i: (i[0].label, i[0].r)).values()
        if len({i[0].t for i in members}) > 2  # two make no curve
    ]
    if many_t:
        found.append(("rate over t", over_t([i for members in many_t for i in members])))
    classes = [item for item in items if item[0].key_class != "random"]
    if classes:
        found.append(("strata", strata(classes)))
    compared = {}  # by r, at its smallest t: larger ones are curves over t
    for (r, t), members in sorted(grouped(usual, lambda i: (i[0].r, i[0].t)).items()):
        if len({i[0].label for i in members}) > 1:
            compared.setdefault(r, (f"rate and cost, r = {r}, t = {t}", cost(members)))
    found += compared.values()
    return found or [("rate over r", over_r(usual))]


def rate_of(series, x, found):
    """Returns the Rate of an estimate, or None where it says nothing."""
    if found.log2_rate == -math.inf:
        return None if found.high is None else Rate(series, x, None, None, found.high)
    low = found.low if found.low is not None else found.least
    low = low if low > -math.inf else None
    return Rate(series, x, found.log2_rate, low, found.high)


def chart_of(x_title, named, x_of, lines=None, claims=()):
    """Returns the chart of (series, point, estimate)."""
    rates = [rate_of(series, x_of(point), found) for series, point, found in named]
    drawn = tuple(rate for rate in rates if rate is not None)
    names = dict.fromkeys(series for series, *_ in named)
    none = tuple(name for name in names if all(rate.series != name for rate in drawn))
    return Rates(x_title, drawn, lines or {}, claims, none=none)


def over_r(items):
    """Rate over r, with the lines through the first points, which mislead."""
    lines, groups = {}, grouped(items, lambda i: (i[0].label, i[0].t, i[0].score))
    for (decoder, t, _), members in groups.items():
        counts = [
            (p.r, row["failures"], row["decodings"])
            for p, _, row in members
            if "histogram" in row and row["failures"] >= LINE_RATE * row["decodings"]
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


def levels(campaigns, decoders):
    """Returns [(title, chart)] over t at the r of each level, with the claim at the level's t:
    random keys, moved if by splitting. decoders: {level: labels}."""
    usual = [
        (point, found, row)
        for point, found, row in rows_of(campaigns)
        if point.key_class == "random"
        and point.key == "moves"
        and point.label in decoders[point.level]
    ]
    panels = []
    for level, (r, d, t) in CODES.items():
        named = [
            (f"{p.label}, {'splitting' if 'runs' in row else 'counted'}", p, found)
            for p, found, row in usual
            if (p.level, p.r, p.d) == (level, r, d)
        ]
        claim = (t, CLAIM_OF[level], f"claimed: 2^{CLAIM_OF[level]}")
        title = "t (weight of the error)"
        chart = chart_of(title, named, lambda point: point.t, claims=(claim,))
        panels.append((f"level {level}: r = {r:,}, t = {t}", chart))
    return panels


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
        for index, (point, found, _) in enumerate(rows_of([campaign])):
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


def trace(stored):
    """Returns (title, chart) twice for a stored failure, step by step: positions, and the weight of
    the syndrome beside the threshold."""
    steps = stored["steps"]
    numbers = tuple(range(1, len(steps) + 1))
    iterations = [sum(step[0] == "i" for step in steps[:number]) for number in numbers]
    names = tuple(f"{i}: {STEPS[step[0]]}" for i, step in zip(iterations, steps, strict=True))

    def chart(y_title, columns, **more):
        series = {
            name: list(zip(numbers, (step[column] for step in steps), strict=True))
            for name, column in columns.items()
        }
        places: dict = {"x_values": numbers, "x_names": names, "series_title": "what"}
        return Lines("iteration: step", y_title, series, **places, **more)

    weights = {"weight of the syndrome": 1, "threshold": 2}
    return [
        (f"{stored['name']}, a failure step by step",
         chart("positions", {"still wrong after the step": 4, "flips": 3})),
        ("The syndrome before the step", chart("weight, counter", weights, y_log=True)),
    ]  # fmt: skip


def write(panels, path):
    """Writes (title, chart) below each other."""
    titles, charts = zip(*panels, strict=True)
    drawing.write(path, charts, titles)
