# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plots of the laboratory: what is there is drawn, panel by panel.

Rate over r at one t, with the line through the first points that misleads; rate over t at one r;
strata, alone and times their share; rate against constant-time cost; a failure step by step.
"""

import math

from codekem_lab import dfr_statistics, lab_estimates
from codekem_lab.dfr_report import MARKERS, new_figure, store_figure
from codekem_lab.lab_points import point_of

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


def bars(found):
    """Returns the two lengths of the error bar: the interval, or down to Markov's bound."""
    low = found.low if found.low is not None else found.markov
    high = found.high if found.high is not None else found.log2_rate
    return (
        found.log2_rate - low if low > -math.inf else 3.0,
        max(0.0, high - found.log2_rate),
    )


def draw_series(axes, members, x_of, label, index):
    """Points with bars; arrows at the upper end where nothing failed."""
    seen = sorted(
        ((x_of(p), e) for p, e, _ in members if e.log2_rate > -math.inf), key=lambda pair: pair[0]
    )
    if seen:
        lengths = [bars(e) for _, e in seen]
        axes.errorbar(
            [x for x, _ in seen],
            [e.log2_rate for _, e in seen],
            yerr=[[a for a, _ in lengths], [b for _, b in lengths]],
            capsize=3,
            linewidth=0.8,
            marker=MARKERS[index % len(MARKERS)],
            markersize=4,
            color=f"C{index % 10}",
            label=label,
        )
    unseen = [(x_of(p), e.high) for p, e, _ in members if e.log2_rate == -math.inf and e.high]
    if unseen:
        axes.errorbar(
            [x for x, _ in unseen],
            [high for _, high in unseen],
            yerr=2,
            uplims=True,
            linestyle="none",
            marker="_",
            color=f"C{index % 10}",
        )


def draw_over_r(axes, items):
    groups = grouped(items, lambda item: (item[0].label, item[0].t, item[0].score))
    for index, ((decoder, t, _), members) in enumerate(groups.items()):
        draw_series(axes, members, lambda point: point.r, f"{decoder}, t = {t}", index)
        counts = [
            (p.r, row["failures"], row["decodings"])
            for p, e, row in members
            if "failures" in row and row["failures"] >= LINE_RATE * row["decodings"]
        ]
        usable = dfr_statistics.usable(counts)
        if len(usable) >= 2:
            line = dfr_statistics.fit(usable[: dfr_statistics.TAIL_POINTS], 1)
            ends = [usable[0][0], max(p.r for p, _, _ in members)]
            axes.plot(
                ends,
                [line(r) for r in ends],
                "--",
                color=f"C{index % 10}",
                linewidth=0.8,
                label=f"{decoder}, t = {t}: line through the first points",
            )
    axes.set_xlabel("r")


def draw_over_t(axes, items):
    groups = grouped(items, lambda item: (item[0].label, item[0].r, "runs" in item[2]))
    for index, ((decoder, r, split), members) in enumerate(groups.items()):
        method = "splitting" if split else "counted"
        draw_series(axes, members, lambda point: point.t, f"{decoder}, r = {r}, {method}", index)
    axes.set_xlabel("t")


def draw_strata(axes, items):
    groups = grouped(items, lambda item: (item[0].label, item[0].r, item[0].key_class))
    for index, ((decoder, r, kind), members) in enumerate(groups.items()):
        name = f"{decoder}, r = {r}: {kind}"
        draw_series(axes, members, lambda p: p.parameter, f"{name}, in the class", 2 * index)
        shares = [
            (p, lab_estimates.with_share(e, lab_estimates.log2_share(p)), row)
            for p, e, row in members
            if not math.isnan(lab_estimates.log2_share(p))
        ]
        draw_series(axes, shares, lambda p: p.parameter, f"{name}, times its share", 2 * index + 1)
    axes.set_xlabel("parameter of the class")


def draw_cost(axes, items):
    """Decoders without a failure have no place, and are named."""
    passes = set()
    for index, (point, found, _) in enumerate(items):
        if point.passes() is None:
            continue
        if found.log2_rate == -math.inf and found.high is None:
            axes.plot([], [], " ", label=f"{point.label}, {point.passes()}: no failure found")
            continue
        passes.add(point.passes())
        draw_series(axes, [(point, found, None)], lambda p: p.passes(), point.label, index)
    axes.set_xticks(sorted(passes))
    axes.set_xlabel("passes over all counters, constant time")


def panels_of(campaigns):
    """Returns [(title, draw, items)] for what the campaigns have."""
    items = rows_of(campaigns)
    usual = [item for item in items if item[0].key_class == "random" and item[0].key != "fixed"]
    found = []
    many_r = [
        members
        for members in grouped(usual, lambda i: (i[0].label, i[0].t)).values()
        if len({i[0].r for i in members}) > 1
    ]
    if many_r:
        found.append(("rate over r", draw_over_r, [i for members in many_r for i in members]))
    many_t = [
        members
        for members in grouped(usual, lambda i: (i[0].label, i[0].r)).values()
        if len({i[0].t for i in members}) > 2  # two make no curve
    ]
    if many_t:
        found.append(("rate over t", draw_over_t, [i for members in many_t for i in members]))
    strata = [item for item in items if item[0].key_class != "random"]
    if strata:
        found.append(("strata", draw_strata, strata))
    compared = {}  # by r, at its smallest t: larger ones are curves over t
    for (r, t), members in sorted(grouped(usual, lambda i: (i[0].r, i[0].t)).items()):
        if len({i[0].label for i in members}) > 1:
            compared.setdefault(r, (f"rate and cost, r = {r}, t = {t}", draw_cost, members))
    found += compared.values()
    return found or [("rate over r", draw_over_r, usual)]


def write(campaigns, path):
    """Writes one figure with all panels."""
    panels = panels_of(campaigns)
    figure = new_figure(6 * len(panels), 5)
    all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, draw, items) in zip(all_axes, panels, strict=True):
        draw(axes, items)
        axes.set_title(title)
        axes.set_ylabel("log2 of the failure rate")
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small")
    store_figure(figure, path)


def write_trace(title, steps, path):
    """Writes the steps of one failure: positions still wrong, and syndrome against threshold."""
    figure = new_figure(7, 5)
    wrong_axes, weight_axes = figure.subplots(2, 1, sharex=True)
    numbers = range(1, len(steps) + 1)
    wrong_axes.plot(numbers, [step[4] for step in steps], "o-", label="positions wrong after it")
    wrong_axes.bar(numbers, [step[3] for step in steps], color="0.8", label="flips")
    wrong_axes.set_title(title)
    weight_axes.plot(numbers, [step[1] for step in steps], "s-", color="C1")
    weight_axes.set_ylabel("weight of the syndrome")
    weight_axes.set_xlabel("step: 1, black, gray, 2, 3, ...")
    right = weight_axes.twinx()
    right.plot(numbers, [step[2] for step in steps], "^--", color="C2")
    right.set_ylabel("threshold")
    wrong_axes.legend(fontsize="small")
    store_figure(figure, path)
