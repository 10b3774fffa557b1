# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decoding failures: the campaigns that `codekem-lab` stored, as table, words and
plot."""

import functools
import json

from codekem_base.errors import EvaluationError
from codekem_base.kems import is_hqc
from codekem_base.model import Answer, Plot, Section
from codekem_lab import campaigns as kept
from codekem_lab import dfr_campaign, dfr_report, paths


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


def plots_of(name, campaign, fits):
    """Returns the plot of rate against r, and that of weak keys and errors."""
    ours = not name.startswith("dfr-")  # kept by the project, not of this machine
    printed = not ours or name == campaign["kem"]
    source = dfr_campaign.source_of(name, campaign)
    return [
        Plot(f"plot-failures-{name.lower()}-{index}", title, chart, printed, source=source)
        for index, (title, chart) in enumerate(dfr_report.panels(campaign, fits))
        if any(rate.y is not None for rate in chart.rates)
    ]


def section(folder=None):
    """Returns the section; without a campaign, the command that makes one."""
    found, problems = campaigns(folder or paths.RUNS)
    made = Section("dfr", "How often does decoding fail?", list(problems))
    for name, campaign, fits in found:
        words = dfr_report.sentences(campaign, fits)
        made.sentences.append(f"{campaign['kem']}, {name}.json: {words[0]}")
        table = dfr_report.table(name, campaign)
        table.notes = words[1:]
        table.detail = not name.startswith("dfr-")  # kept by the project, not of this machine
        made.tables.append(table)
        if not is_hqc(campaign["kem"]):  # one point
            made.plots += plots_of(name, campaign, fits)
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
