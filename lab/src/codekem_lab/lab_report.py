# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables and sentences of the laboratory's campaigns, in Markdown. Reads only the campaigns."""

import math
import textwrap

from codekem_base.errors import EvaluationError
from codekem_lab import lab_estimates
from codekem_lab.dfr_report import points
from codekem_lab.lab_estimates import estimate, has_results, log2_share, with_share
from codekem_lab.lab_points import CODES, point_of


def power(value):
    return "no failure" if value == -math.inf else f"2^{value:.2f}"


def kind_of(point):
    return "random" if point.key_class == "random" else f"{point.key_class} {point.parameter}"


def interval_words(found):
    """Says how sure the estimate is."""
    if found.low is not None:
        low = "0" if found.low == -math.inf else f"2^{found.low:.2f}"
        return f"95 %: {low} to 2^{found.high:.2f}"
    if found.log2_rate == -math.inf:
        return "all runs died out: no bound"
    words = f"at least 2^{found.markov:.2f} with 95 % confidence"
    if found.log2_error is not None:
        words += f"; runs: standard error {100 * found.log2_error:.0f} %"
    return words


def markdown(campaign):
    """Returns the table of all points with results."""
    lines = [
        "| decoder | r | t | keys and errors | decodings | failures | rate in the class | "
        "how sure | share of all |",
        "|---|--:|--:|---|--:|--:|--:|---|--:|",
    ]
    for row in filter(has_results, campaign["points"]):
        point, found = point_of(row), estimate(row)
        share = ""
        if point.key_class != "random" and not math.isnan(log2_share(point)):
            share = power(with_share(found, log2_share(point)).log2_rate)
        lines.append(
            f"| {point.label} | {point.r} | {point.t} | {kind_of(point)} | "
            f"{row['decodings']:,} | {found.failures:,} | {power(found.log2_rate)} | "
            f"{interval_words(found)} | {share} |"
        )
    return lines


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
    ancestors = [n for n in lab_estimates.ancestors_of(row) if n]
    text += (
        f" Single runs: 2^{alive[0]:.1f} to 2^{alive[-1]:.1f}, median "
        f"2^{alive[len(alive) // 2]:.1f}, {dead} died out (counted as 0); {min(ancestors)} to "
        f"{max(ancestors)} ancestors at the last level. Their mean is an unbiased estimate: "
        f"2^{found.log2_rate:.1f}. By Markov's inequality the rate is at least "
        f"2^{found.markov:.1f} with 95 % confidence."
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
    words = [
        textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)
        for text in sentences(campaign)
    ]
    return "\n\n".join(
        [before + begin.rstrip(), "\n".join(markdown(campaign)), *words, end + after]
    )


def compare(campaigns):
    """Returns rows (point, method, estimate, passes) of the random points of several campaigns,
    best rate first, for each r and t."""
    found = []
    for campaign in campaigns:
        for row in filter(has_results, campaign["points"]):
            point = point_of(row)
            if point.key_class == "random" and point.key != "fixed":
                found.append((point, campaign["method"], estimate(row), point.passes()))
    return sorted(found, key=lambda item: (item[0].r, -item[0].t, item[2].log2_rate))


def comparison_markdown(found, pass_cycles=None):
    """Returns the table of a comparison; pass_cycles: what one constant-time pass costs."""
    cost = "passes" if pass_cycles is None else "million cycles"
    lines = [
        f"| decoder | r | t | method | log2 of the rate | how sure | {cost}, constant time |",
        "|---|--:|--:|---|--:|---|--:|",
    ]
    for point, method, item, passes in found:
        shown = "–"
        if passes is not None:
            shown = str(passes) if pass_cycles is None else f"{passes * pass_cycles / 1e6:.2f}"
        lines.append(
            f"| {point.label} | {point.r} | {point.t} | {method} | {power(item.log2_rate)} | "
            f"{interval_words(item)} | {shown} |"
        )
    return lines
