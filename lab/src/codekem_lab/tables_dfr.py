# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decoding failures: the campaigns that `codekem-lab` stored, as table, words and
plot."""

import functools
import json
import math

from codekem_base.charts_rates import Rate, Rates
from codekem_base.errors import EvaluationError
from codekem_base.model import Answer, Plot, Section, Table, label, missing, number
from codekem_lab import campaigns as kept
from codekem_lab import dfr_campaign, dfr_report, paths

STEPS = 30  # of a line through points


def stored(runs=None):
    """Returns the stored campaigns: those of this machine, and those that the project keeps."""
    return list(kept.stored(dfr_campaign, runs or paths.RUNS, "dfr-*.json"))


@functools.cache
def extrapolations_of(text):
    """Returns the extrapolations of a campaign as text: they take a second."""
    return dfr_report.extrapolations(json.loads(text))


def campaigns(runs):
    """Returns ([(name, campaign, extrapolations)], sentences on files that cannot be read)."""
    found, problems = [], []
    for name, _, read in stored(runs):
        try:
            campaign = read()
            found.append((name, campaign, extrapolations_of(json.dumps(campaign))))
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
    rates = []
    for row in dfr_report.rows(campaign):
        keys = row["class"] if row["class"] == "random" else f"{row['class']} {row['parameter']}"
        seen = row["failures"] > 0
        rates.append(
            Rate(
                f"{keys} keys, t = {row['t']}",
                row["r"],
                math.log2(row["rate"]) if seen else None,
                math.log2(row["low"]) if seen else None,
                math.log2(row["high"]),
            )
        )
    r, claimed = campaign["specification"]["r"], dfr_report.CLAIMS[campaign["kem"]]
    first = min(rate.x for rate in rates)
    steps = [first + (r - first) * i / STEPS for i in range(STEPS + 1)]
    lines = {
        f"{fit.kind} through {fit.points} points": tuple(
            (x, float(y)) for x, y in zip(steps, fit.fit(steps), strict=True)
        )
        for fit in fits
    }
    chart = Rates(
        "r (bits of a block)", tuple(rates), lines, ((r, claimed, f"claimed: 2^{claimed}"),)
    )
    ours = not name.startswith("dfr-")  # kept by the project, not of this machine
    title = f"{campaign['kem']}: failure rate against r"
    printed = not ours or name == campaign["kem"]
    source = dfr_campaign.source_of(name, campaign)
    return Plot(f"plot-failures-{name.lower()}", title, chart, printed, source=source)


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
            "No campaign is stored here: 'codekem-lab --kem BIKE-L1' makes one, in minutes to days "
            "as you choose."
        )
    made.sentences = answered(made.sentences)
    return made


def answered(sentences):
    """Marks the sentence on BIKE-L1 at its own r as the answer, and puts it first."""
    at = next((i for i, text in enumerate(sentences) if text.startswith("BIKE-L1, BIKE-L1.")), 0)
    text = sentences[at]
    return [Answer("failures", text), *sentences[:at], *sentences[at + 1 :]]


def trace(name):
    """Shows one row of a campaign: dfr/NAME/INDEX."""
    file, _, index = name.removeprefix("dfr/").partition("/")
    where, campaign = kept.named(stored(), file)
    rows = dfr_report.rows(campaign)
    if not index.isdigit() or int(index) >= len(rows):
        raise EvaluationError(f"{where} has no row {index}; it has {len(rows)}")
    return [
        f"{where}, row {index}; the file has the seeds of every point",
        *[f"{key}: {value}" for key, value in rows[int(index)].items()],
    ]
