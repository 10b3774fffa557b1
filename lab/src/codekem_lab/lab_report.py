# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables and sentences of the laboratory's campaigns. Reads only the campaigns."""

import math
import textwrap

from codekem_base import markdown
from codekem_base.errors import EvaluationError
from codekem_base.model import Table, label, missing, number
from codekem_lab import lab_estimates
from codekem_lab.dfr_report import points
from codekem_lab.lab_estimates import estimate, has_results, log2_share
from codekem_lab.lab_points import CODES, point_of

NO_FAILURE = "no failure was seen"
RATES = ["log2 of the rate", "log2, low", "log2, high"]


def kind_of(point):
    return "random" if point.key_class == "random" else f"{point.key_class} {point.parameter}"


def bits(value, trace, why):
    """Returns the cell of a log2, or why there is none."""
    there = value is not None and math.isfinite(value)
    return number(value, trace, 2) if there else missing(why)


def rated(found, trace=None):
    """Returns the cells of RATES."""
    low = found.low if found.low is not None else found.least
    return [
        bits(found.log2_rate, trace, NO_FAILURE),
        bits(low, trace, NO_FAILURE),
        bits(found.high, trace, "splitting gives no upper end"),
    ]


def table(name, campaign):
    """Returns the table of all points with results; name: by which the campaign is found."""
    made = Table(
        f"lab-{name.lower()}",
        f"{campaign['method']}: {name}.json",
        [*("decoder", "keys and errors", "r", "t", "decodings", "failures"), *RATES,
         "log2, times the share"],
        texts=2,
    )  # fmt: skip
    for index, row in enumerate(filter(has_results, campaign["points"])):
        trace, point, found = f"lab/{name}/{index}", point_of(row), estimate(row)
        share = bits(found.log2_rate + log2_share(point), trace,
                     f"{NO_FAILURE}, or the share is not known")  # fmt: skip
        made.add(
            label(point.label),
            label(kind_of(point)),
            *[number(n, trace, 0) for n in (point.r, point.t, row["decodings"], found.failures)],
            *rated(found, trace),
            missing("all keys and errors") if point.key_class == "random" else share,
        )
    if not made.rows:
        made.reason = "this campaign has no results yet"
    made.notes = sentences(campaign)
    return made


def split_sentence(row):
    """Says what the runs of one point show."""
    point, found = point_of(row), estimate(row)
    dead = sum(v == -math.inf for v in found.runs)
    alive = sorted(v for v in found.runs if v > -math.inf)
    seconds = row["seconds"]
    runs = f"{len(found.runs)} run{'s' if len(found.runs) > 1 else ''}"
    text = (
        f"{point.name}, score {point.score}, key {point.key}: {runs} of "
        f"{row['runs'][0]['particles']:,} particles with {len(row['runs'][0]['levels'])} levels "
        f"fixed by a pilot, {row['decodings']:,} decodings, {seconds / 60:.1f} minutes of one core."
    )
    if not alive:
        last = sorted(lab_estimates.reached(run) for run in row["runs"])
        return (
            f"{text} All died out: the last level that a run reached has a rate of 2^{last[0]:.0f} "
            f"to 2^{last[-1]:.0f}, and no failure was found there, which bounds nothing from above."
        )
    bound = "bets fixed before" if row["pilot"].get("bets") else "Markov's inequality"
    ancestors = [n for n in lab_estimates.ancestors_of(row) if n]
    error = ""
    if found.log2_error is not None:
        error = f", with a standard error of {100 * found.log2_error:.0f} %"
    text += (
        f" Single runs: 2^{alive[0]:.1f} to 2^{alive[-1]:.1f}, median "
        f"2^{alive[len(alive) // 2]:.1f}, {dead} died out (counted as 0); {min(ancestors)} to "
        f"{max(ancestors)} ancestors at the last level. Their mean is an unbiased estimate: "
        f"2^{found.log2_rate:.1f}{error}. By {bound} the rate is at least "
        f"2^{found.least:.1f} with 95 % confidence."
    )
    if len(alive) < 20 or (found.log2_error or 1) > 0.5:
        text += (
            " The runs are few or spread widely: take the estimate as a pilot's, the lower bound "
            "as it is."
        )
    return text


def direct_sentence(campaign):
    rows = [row for row in campaign["points"] if has_results(row)]
    decodings = sum(row["decodings"] for row in rows)
    seconds = sum(row["seconds"] for row in rows)
    return (
        f"{decodings:,} decodings at {points(len(rows))}, "
        f"{sum(row['failures'] for row in rows):,} of them failures, in {seconds / 60:.1f} minutes "
        f"of one core ({decodings / max(seconds, 1e-9):,.0f} a second)."
    )


def roulette_sentence(campaign, row):
    """Says how many draws were decoded, and what the failures among them count."""
    settings, found = campaign["settings"], estimate(row)
    parts, draws = settings["group"], row["decodings"]
    text = (
        f"{point_of(row).name}: {draws:,} draws in {draws // parts**2:,} groups of one key and "
        f"{parts} + {parts} parts of errors; {row['decoded']:,} were decoded for one iteration, "
        f"{row['completed']:,} to the end, in {row['seconds'] / 60:.1f} minutes of one core. "
    )
    if not row["failures"]:
        return f"{text}None failed."
    counts = ", ".join(
        f"{count} of weight {2**k}" for k, count in enumerate(row["halvings"]) if count
    )
    several = row["failures"] - len(row["sums"])
    return (
        f"{text}Failures: {counts}; {several or 'none'} of them in a group that had another. The "
        f"rate is 2^{found.log2_rate:.2f}, with a standard error of {100 * found.log2_error:.0f} %."
    )


def sentences_over_t(rows):
    """Continues the counts of each decoder and r with several t to the t of its level."""
    groups = {}
    for row in rows:
        groups.setdefault((point_of(row).label, row["level"], row["r"]), []).append(row)
    found = []
    for (decoder, level, r), members in groups.items():
        t = CODES[level][2]
        curve = lab_estimates.over_t(members, t)
        if curve is not None:
            value, low, high, count = curve
            found.append(
                f"{decoder}, r = {r:,}: a parabola in t through {count} points is at "
                f"2^{value:.1f} for t = {t} (2^{low:.1f} to 2^{high:.1f} by resampling of the "
                "counts). An extrapolation over t at this r, not a measurement."
            )
    return found


def sentences(campaign):
    """Says in words what the campaign shows."""
    rows = [row for row in campaign["points"] if has_results(row)]
    if not rows:
        return ["This campaign has no results yet."]
    if campaign["method"] == "split":
        found = [split_sentence(row) for row in rows]
    elif campaign["method"] == "roulette":
        found = [roulette_sentence(campaign, row) for row in rows]
    else:
        found = [direct_sentence(campaign)]
    if campaign["method"] == "direct":
        found += sentences_over_t(rows)
    if campaign["method"] == "strata":
        groups = {}
        for row in rows:
            point = point_of(row)
            groups.setdefault((point.label, point.r, point.t, point.key_class), []).append(row)
        for (decoder, r, t, key_class), members in groups.items():
            total, error = lab_estimates.total_of_strata(members)
            if math.isnan(total) or total == -math.inf:
                continue
            parameters = ", ".join(str(row["parameter"]) for row in members)
            found.append(
                f"{decoder}, r = {r:,}, t = {t}: the strata {parameters} of {key_class} add up to "
                f"2^{total:.2f} (standard error {100 * error:.0f} %). That is the part of the rate "
                "that these strata have; those that are not listed add to it."
            )
    if not campaign["complete"]:
        commit = campaign["source"].get("commit")
        where = f", with the laboratory of commit {commit[:7]}" if commit else ""
        found.append(f"The campaign is not complete: the same command goes on{where}.")
    return found


def on_page(page, name, campaign):
    """Returns the text of a page with what the campaign says between the lines
    <!-- campaign: NAME --> and <!-- end of campaign -->, instead of what was there."""
    begin, end = f"<!-- campaign: {name} -->\n", "<!-- end of campaign -->"
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise EvaluationError(
            f"the page has no lines '{begin.strip()}' and '{end}', between which the table of "
            f"{name} is to be written; add them where it should stand"
        )
    shown = table(name.removesuffix(".json"), campaign)
    words = [
        textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)
        for text in shown.notes
    ]
    return "\n\n".join(
        [
            before + begin.rstrip(),
            *map("\n".join, [markdown.of(shown)] if shown.rows else []),
            *words,
            end + after,
        ]
    )


def compared(campaigns, pass_cycles=None):
    """Returns the table of the random points of several campaigns, best rate first for each r and
    t; pass_cycles: what one constant-time pass costs."""
    cost = "passes" if pass_cycles is None else "million cycles"
    made = Table(
        "decoders",
        "Decoders side by side",
        ["decoder", "method", "r", "t", *RATES, f"{cost}, constant time"],
        texts=2,
    )
    rated_points = [
        (point_of(row), campaign["method"], estimate(row))
        for campaign in campaigns
        for row in filter(has_results, campaign["points"])
    ]
    for point, method, found in sorted(
        rated_points, key=lambda p: (p[0].r, -p[0].t, p[2].log2_rate)
    ):
        if point.key_class != "random" or point.key == "fixed":
            continue
        made.add(
            *(label(point.label), label(method), number(point.r, None, 0)),
            *(number(point.t, None, 0), *rated(found), passes(point, pass_cycles=pass_cycles)),
        )
    return made


def passes(point, trace=None, pass_cycles=None):
    """Returns the cell of what decoding costs in constant time."""
    count = point.passes()
    if count is None:
        return missing("not a matter of passes")
    return (
        number(count, trace, 0)
        if pass_cycles is None
        else number(count * pass_cycles / 1e6, trace, 2)
    )
