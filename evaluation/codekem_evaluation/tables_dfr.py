# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decoding failures: the campaigns that `codekem-evaluation dfr` stored, as table, words and
plot."""

import functools
import math

from codekem_evaluation import charts, dfr_campaign, dfr_report, paths
from codekem_evaluation.errors import EvaluationError
from codekem_evaluation.model import Plot, Section, Table, label, missing, number


def files(runs=None):
    """Returns the stored campaigns: those of this machine, and those that the project keeps."""
    runs = runs or paths.RUNS
    return [*sorted(runs.glob("dfr-*.json")), *sorted(paths.CAMPAIGNS.glob("*.json"))]


@functools.cache
def extrapolated(path, _changed):
    """Returns (campaign, its extrapolations), which take a second, once for each state of a
    file."""
    campaign = dfr_campaign.read(path)
    return campaign, dfr_report.extrapolations(campaign)


def campaigns(runs):
    """Returns ([(name, campaign, extrapolations)], sentences on files that cannot be read)."""
    found, problems = [], []
    for path in files(runs):
        try:
            found.append((path.stem, *extrapolated(path, path.stat().st_mtime_ns)))
        except EvaluationError as error:
            problems.append(str(error))
    return found, problems


def table_of(name, campaign):
    table = Table(
        f"failures-{name.lower()}",
        f"{campaign['kem']}: decoding failures ({name}.json)",
        ["keys", "r", "t", "decodings", "failures", "log2 of the rate", "log2, low", "log2, high"],
        texts=1,
    )
    for index, row in enumerate(dfr_report.rows(campaign)):
        trace = f"dfr/{name}/{index}"
        keys = row["class"] + (f" {row['parameter']}" if row["class"] != "random" else "")
        none = missing("no failure was seen")
        table.add(
            label(keys),
            *[number(row[key], trace, 0) for key in ("r", "t", "decodings", "failures")],
            number(math.log2(row["rate"]), trace, 2) if row["failures"] else none,
            number(math.log2(row["low"]), trace, 2) if row["failures"] else none,
            number(math.log2(row["high"]), trace, 2),
        )
    if not table.rows:
        table.reason = "this campaign has no decodings yet"
    return table


def plot_of(name, campaign, fits):
    """Returns the plot of rate against r, with the extrapolations and what is claimed."""
    rows = [row for row in dfr_report.rows(campaign) if row["class"] == "random"]
    words = "; ".join(
        f"{row['class']} keys at r = {row['r']}: {row['failures']} of {row['decodings']}"
        for row in rows
    )
    return Plot(
        f"plot-failures-{name.lower()}",
        f"{campaign['kem']}: failure rate against r",
        charts.Drawing(
            lambda axes, palette: draw(axes, palette, campaign, rows, fits),
            f"Points with intervals, log2 of the failure rate against r; arrows where none "
            f"failed. {words}",
        ),
    )


def draw(axes, palette, campaign, rows, fits):
    groups = {}
    for row in rows:
        groups.setdefault((row["class"], row["parameter"], row["t"]), []).append(row)
    for index, ((keys, parameter, t), members) in enumerate(groups.items()):
        seen = [row for row in members if row["failures"]]
        unseen = [row for row in members if not row["failures"]]
        middle = [math.log2(row["rate"]) for row in seen]
        spread = [
            [m - math.log2(row["low"]) for m, row in zip(middle, seen, strict=True)],
            [math.log2(row["high"]) - m for m, row in zip(middle, seen, strict=True)],
        ]
        kind = keys if keys == "random" else f"{keys} {parameter}"
        axes.errorbar(
            [row["r"] for row in seen],
            middle,
            yerr=spread,
            linestyle="none",
            capsize=3,
            marker=charts.MARKERS[index % len(charts.MARKERS)],
            color=palette.of(index),
            label=f"{kind} keys, t = {t}",
        )
        axes.errorbar(
            [row["r"] for row in unseen],
            [math.log2(row["high"]) for row in unseen],
            yerr=4,
            uplims=True,
            linestyle="none",
            marker="_",
            capsize=3,
            color=palette.of(index),
        )
    claimed, r = dfr_report.CLAIMS[campaign["kem"]], campaign["specification"]["r"]
    first = min(row["r"] for row in rows)
    steps = [first + (r - first) * i / 100 for i in range(101)]
    for fit, style in zip(fits, ("-", "--"), strict=False):
        axes.plot(
            steps,
            fit.fit(steps),
            style,
            color=palette.ink,
            linewidth=1,
            label=f"{fit.kind} through {fit.points} points",
        )
    axes.plot(
        [r],
        [claimed],
        marker="*",
        markersize=13,
        color=palette.ink,
        linestyle="none",
        label=f"claimed: 2^{claimed}",
    )
    axes.set_ylim(bottom=1.2 * claimed, top=8)
    axes.set_xlabel("r (bits of a block)")
    axes.set_ylabel("log2 of the failure rate")
    axes.grid(linewidth=0.6)
    axes.legend(frameon=False)


def section(folder=None):
    """Returns the section; without a campaign, the command that makes one."""
    found, problems = campaigns(folder or paths.RUNS)
    made = Section("dfr", "How often does decoding fail?", list(problems))
    for name, campaign, fits in found:
        words = dfr_report.sentences(campaign, fits)
        made.sentences.append(f"{campaign['kem']}, {name}.json: {words[0]}")
        table = table_of(name, campaign)
        table.notes = words[1:]
        table.detail = not name.startswith("dfr-")  # kept by the project, not of this machine
        made.tables.append(table)
        if any(row["failures"] and row["class"] == "random" for row in dfr_report.rows(campaign)):
            made.plots.append(plot_of(name, campaign, fits))
    if not found:
        made.sentences.append(
            "No campaign is stored here: 'codekem-evaluation dfr --kem BIKE-L1' "
            "makes one, in minutes to days as you choose."
        )
    return made
